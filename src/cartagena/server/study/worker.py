"""A study process: one JSON request a line in; processor seconds, ``ok`` or ``no`` and JSON on one line out."""

import json
import os
import sys
import time
from contextlib import suppress
from typing import Final

from ..protocol.encoding import dumps
from ..protocol.errors import Refused
from .work import work

MEMORY: Final = 1 << 30  # bytes of address space


def answer(line: bytes) -> bytes:
    """The answer to one request."""
    try:
        return b"ok " + work(json.loads(line))
    except Refused as error:
        refused = error
    except MemoryError:
        refused = Refused("too-large", "That is too much to be shown.")
    except Exception as error:  # a fault of ours, which must not end the process
        sys.stderr.write(f"study: {type(error).__name__}: {error}\n")
        refused = Refused("failed", "The server failed; the error is logged.")
    return b"no " + dumps(refused.wire.model_dump(exclude_none=True))


def timed_answer(line: bytes) -> bytes:
    """The processor seconds that a request took, a space, and its answer."""
    began = time.process_time()
    text = answer(line)
    return b"%.3f %s" % (time.process_time() - began, text)


def limit() -> None:
    """Run at low priority and with bounded memory."""
    with suppress(ImportError, OSError, ValueError, AttributeError):
        os.nice(10)
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    limit()
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(timed_answer(line) + b"\n")
        sys.stdout.buffer.flush()
