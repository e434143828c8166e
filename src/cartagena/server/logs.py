"""Logs on standard error: JSON, one object a line, or sentences where a person reads them in a terminal.

Tokens, invitations and talk are never logged.
"""

import json
import logging
import sys
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from logging.handlers import MemoryHandler
from typing import Final

ORDINARY: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}
HELD: Final = 1000
"""Most lines that are held back."""
OTHERS: Final = ("", "")
"""Key of lines left out because too many kinds of lines came."""


def more_of(record: logging.LogRecord) -> dict[str, object]:
    """What a line tells beside its message. Names that begin with ``_`` are other packages' own."""
    return {key: value for key, value in vars(record).items() if key not in ORDINARY and not key.startswith("_")}


class JsonLines(logging.Formatter):
    """Formats a log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        fields: dict[str, object] = {"at": at, "level": record.levelname.lower(), "from": record.name}
        fields["message"] = record.getMessage()
        fields |= more_of(record)
        if record.exc_info:
            fields["trace"] = self.formatException(record.exc_info)
        return json.dumps(fields, default=str, ensure_ascii=False)


class Sentences(logging.Formatter):
    """Formats a log record for a person."""

    def format(self, record: logging.LogRecord) -> str:
        more = ", ".join(f"{key}: {value}" for key, value in more_of(record).items())
        line = f"{record.levelname.capitalize()}: {record.getMessage()}" + (f" ({more})" if more else "")
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class RateLimit(logging.Filter):
    """Lets a few lines of each kind through in a period, so that no visitor can fill a disk with logs.

    The first line after others were left out says how many: ``left_out``.
    """

    def __init__(self, most: int = 20, seconds: float = 10.0) -> None:
        super().__init__()
        self.most, self.seconds = most, seconds
        self.period = -1
        self.lines: Counter[tuple[str, str]] = Counter()
        self.left_out: Counter[tuple[str, str]] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        period, key = int(record.created / self.seconds), (record.name, str(record.msg)[:200])
        if period != self.period:
            self.period = period
            self.lines.clear()
        if self.lines[key] >= self.most or (len(self.lines) >= 10 * self.most and key not in self.lines):
            self.left_out[key if key in self.lines else OTHERS] += 1
            return False
        self.lines[key] += 1
        missing = self.left_out.pop(key, 0) + self.left_out.pop(OTHERS, 0)
        if missing:
            record.left_out = missing
        return True


def is_own_fault(record: logging.LogRecord) -> bool:
    """Whether a line of uvicorn tells of a fault here, not of a client that left before its socket was open."""
    return not str(record.msg).startswith("ASGI callable returned without completing handshake")


def set_up_logs(level: str) -> Callable[[], None]:
    """Send all logs to standard error.

    In a terminal only warnings and errors are shown, and the warnings of the start are held back until the function
    that is returned is called, so that they do not come between the lines for people.
    """
    target = logging.StreamHandler(sys.stderr)
    handler: logging.Handler = target
    is_terminal = sys.stderr.isatty()
    target.setFormatter(Sentences() if is_terminal else JsonLines())
    if is_terminal and level.lower() != "debug":
        handler = MemoryHandler(HELD, logging.ERROR, target)
        handler.setLevel(logging.WARNING)
    if level.lower() != "debug":
        handler.addFilter(RateLimit())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    uvicorn = logging.getLogger("uvicorn.error")
    uvicorn.setLevel(logging.ERROR)  # it warns about every malformed request
    uvicorn.addFilter(is_own_fault)
    for noisy in ("uvicorn.access", "alembic", "aiosqlite", "websockets", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    return lambda: release(handler)


def release(handler: logging.Handler) -> None:
    """Write what was held back, and hold nothing back from now on."""
    if isinstance(handler, MemoryHandler):
        handler.flushLevel = logging.NOTSET
        handler.flush()
