"""Interrupts of the command line: the first one ends a verb in order, the next one ends the program at once."""

import os
import signal
import sys
import threading
from typing import Final

INTERRUPTED: Final = 130
SHOW_CURSOR: Final = b"\x1b[?25h"


def await_interrupt() -> None:
    """Let the next interrupt raise ``KeyboardInterrupt``, unless interrupts are ignored or cared for otherwise."""
    ours = (signal.default_int_handler, end_at_once)
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) in ours:
        signal.signal(signal.SIGINT, end_in_order)


def expect_end() -> None:
    """Let an interrupt end the program at once while Python ends, unless interrupts are ignored."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, end_at_once)


def end_in_order(*_: object) -> None:
    """Raise ``KeyboardInterrupt``. What comes while the verb cleans up must not be printed as a traceback."""
    signal.signal(signal.SIGINT, end_at_once)
    raise KeyboardInterrupt


def end_at_once(*_: object) -> None:
    """End this process and its engines without a word. Its workers notice and end too."""
    engines = sys.modules.get("cartagena.players.engine_client")  # not imported only to end
    if engines is not None:
        engines.kill_engines()
    if sys.stderr.isatty():
        os.write(sys.stderr.fileno(), SHOW_CURSOR)  # a progress bar hides it
    os._exit(INTERRUPTED)
