"""Count the instructions of a piece of work exactly, on any Linux machine that allows a process to be traced.

A copy of this process does the work while this one lets it run a single instruction at a time. That is slow (some
10,000 instructions per second) but does not depend on the clock, on other work on the machine or on hardware counters,
which virtual machines often hide.
"""

import ctypes
import os
import signal
from collections.abc import Callable
from typing import Any, Final

TRACE_ME: Final = 0
GO_ON: Final = 7
ONE_STEP: Final = 9
_libc: Final = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_libc.ptrace.restype = ctypes.c_long


def trace(request: int, process: int) -> None:
    if _libc.ptrace(request, process, None, None) != 0:
        raise OSError(ctypes.get_errno(), "this machine does not allow a process to be traced")


def work_between_stops(work: Callable[[], Any]) -> None:
    """Stop, work and stop again, in the copy of the process."""
    trace(TRACE_ME, 0)
    stop, me = os.kill, os.getpid()
    stop(me, signal.SIGSTOP)
    work()
    stop(me, signal.SIGSTOP)


def steps_of(process: int) -> int:
    """Count the instructions that a stopped process runs until it stops itself again."""
    steps = 0
    while True:
        trace(ONE_STEP, process)
        _, status = os.waitpid(process, 0)
        if not os.WIFSTOPPED(status):
            raise OSError(0, "the traced process ended before its work was done")
        if os.WSTOPSIG(status) == signal.SIGSTOP:
            return steps
        steps += 1


def instructions(work: Callable[[], Any]) -> int:
    """Count the instructions of the work, including those of the interpreter around it."""
    process = os.fork()
    if process == 0:
        try:
            work_between_stops(work)
        finally:
            os._exit(0)
    os.waitpid(process, 0)
    try:
        return steps_of(process)
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
