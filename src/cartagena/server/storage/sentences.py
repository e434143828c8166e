"""What is wrong with a database, in one sentence for the person who runs the server."""

import shutil
from pathlib import Path
from typing import Final

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from .sqlite import MOVED

FAULT: Final = "cannot be read or written: the disk reports an error."
FULL: Final = "cannot be written: the disk is full."
LIMIT: Final = "has reached the size that CARTAGENA_DATABASE_MB allows; raise it, or keep old tables for fewer days."
ROOM: Final = 1 << 18
"""Bytes without which a disk counts as full."""
SENTENCES: Final = {
    MOVED.lower(): "was moved, replaced or deleted while the server ran; put it back or restart the server.",
    "malformed": "is damaged; restore a backup with `cartagena db restore`.",
    "not a database": "is not a database file; name another one or restore a backup.",
    "disk i/o error": FAULT,
    "disk is full": FULL,
    "no space left": FULL,
    "readonly": "cannot be written: it is read-only.",
    "read-only": "cannot be written: it is read-only.",
    "locked": "is locked by another program; stop that one first.",
    "unable to open": "cannot be opened: check that the folder exists and may be written.",
    "connection refused": "does not answer; is the database server running?",
    "connect call failed": "does not answer; is the database server running?",
    "password authentication": "refuses the user name or password.",
    "too many clients": "has no connection left; raise its max_connections or run fewer servers.",
    "remaining connection slots": "has no connection left; raise its max_connections or run fewer servers.",
}


def error_sentence(error: BaseException, url: URL) -> str:
    """Describe a database error in one sentence, without the password."""
    where = url.render_as_string(hide_password=True).replace("+aiosqlite", "").replace("+asyncpg", "")
    original: BaseException = error
    while isinstance(original, DBAPIError) and original.orig is not None:
        original = original.orig
    cause = str(original.__cause__ or original)
    for sign, sentence in SENTENCES.items():
        if sign in cause.lower() or sign in str(original).lower():
            return f"The database {where} {sentence}"
    first = cause.strip().splitlines()[0] if cause.strip() else type(original).__name__
    return f"The database {where} cannot be used: {first.rstrip('.')}."


def what_is_full(sentence: str, file: Path, most_mb: int) -> str:
    """A sentence about a file, with what is full: the disk, though SQLite may say only that it fails, or the limit."""
    try:
        has_room = shutil.disk_usage(file.parent).free >= ROOM
    except OSError:
        return sentence
    if has_room:
        return sentence.replace(FULL, LIMIT) if most_mb else sentence
    return sentence.replace(FAULT, FULL)
