"""The file of a SQLite database: who may read it, whether it is still the same one, and whether it is sound."""

import fcntl
import logging
import os
import sqlite3
from pathlib import Path
from typing import Final

log = logging.getLogger("cartagena.storage")
MOVED: Final = "The file was moved, replaced or deleted."
Version = tuple[int, ...]
FIXED: Final = ((3, 44, 6), (3, 50, 7), (3, 51, 3))
"""The first release of each line without the fault that can damage a database when its write-ahead log is reset."""
LARGEST_CHECKED: Final = 512 << 20
"""Bytes up to which a file is checked for damage at start; a larger one takes too long."""


def has_log_fault(version: Version) -> bool:
    """Whether this SQLite can damage a file that two connections write to or checkpoint at the same instant."""
    line = [fixed for fixed in FIXED if fixed[:2] == version[:2]]
    return version < (line[0] if line else FIXED[-1])


def warn_of_faults(version: Version = sqlite3.sqlite_version_info) -> None:
    """Log a warning about a version of the library with a known fault."""
    if has_log_fault(version):
        log.warning(
            "SQLite has a fault in its write-ahead log, mended in 3.51.3: two connections that write at the same "
            "instant can damage the file; this server writes through one, so let no other program write to it",
            extra={"sqlite": ".".join(map(str, version))},
        )


def make_private(path: Path) -> None:
    """Create the file, readable by its owner only, if there is none. SQLite gives its log the same permissions."""
    if not path.exists():
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))


def lock_identity(path: Path) -> int:
    """Lock the file itself, so that other names for it do not help. Raises BlockingIOError if another server has it.

    Close the descriptor only after all connections of this process: closing it drops the locks of SQLite too.
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


class Identity:
    """Which file a connection writes to, and its write-ahead log."""

    def __init__(self, path: Path) -> None:
        self.path, self.log = path, path.with_name(path.name + "-wal")
        self.file = identify(path)
        self.log_file: tuple[int, int] | None = None

    def check(self) -> None:
        """Raise an error if the file is not at its place any more."""
        if self.file is None or identify(self.path) != self.file:
            raise sqlite3.OperationalError(MOVED)

    def check_log(self) -> None:
        """Raise an error if a commit went to a log that is not at its place any more."""
        self.check()
        found = identify(self.log)
        self.log_file = self.log_file or found
        if found is None or found != self.log_file:
            raise sqlite3.OperationalError(MOVED)


def identify(path: Path) -> tuple[int, int] | None:
    """Device and number of a file, or None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
