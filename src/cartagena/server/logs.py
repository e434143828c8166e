"""Structured logs: one JSON object a line on standard error. Tokens, invitations and talk are never logged."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, Final

ORDINARY: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}


class JsonLines(logging.Formatter):
    """Formats a log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        told: dict[str, Any] = {"at": at, "level": record.levelname.lower(), "from": record.name}
        told["message"] = record.getMessage()
        told |= {key: value for key, value in vars(record).items() if key not in ORDINARY}
        if record.exc_info:
            told["trace"] = self.formatException(record.exc_info)
        return json.dumps(told, default=str, ensure_ascii=False)


def set_up_logs(level: str) -> None:
    """Send all logs to standard error as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for noisy in ("uvicorn.access", "uvicorn.error", "alembic", "aiosqlite", "websockets", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
