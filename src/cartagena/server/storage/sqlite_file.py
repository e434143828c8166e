"""The file of a SQLite database: who may read it, whether it is still the same one, and whether it is sound."""

import asyncio
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
"""Bytes up to which a file is checked for damage before the start; a larger one is checked afterwards."""
STEPS: Final = 100_000
"""Steps of SQLite between two looks whether a check is to be stopped."""


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
    elif path.stat().st_mode & 0o077:
        log.warning("other users of this machine may read the database; chmod 600 prevents it", extra={"file": path})


class SoundnessCheck:
    """Looks for damage in a file, in a thread, while the server goes on."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.running = False
        self.damaged = False
        self._stop = False

    async def run(self) -> None:
        """Read the whole file. ``damaged`` says what was found."""
        self.running = True
        try:
            await asyncio.shield(asyncio.get_running_loop().run_in_executor(None, self._look))
        except asyncio.CancelledError:
            self._stop = True
            raise
        finally:
            self.running = False

    def _look(self) -> None:
        connection = sqlite3.connect(self.path)
        try:
            connection.execute("PRAGMA query_only=ON")
            connection.set_progress_handler(lambda: int(self._stop), STEPS)
            self.damaged = connection.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]
        except sqlite3.DatabaseError as error:
            self.damaged = not isinstance(error, sqlite3.OperationalError)  # that is how a stopped check ends
        finally:
            connection.close()


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
        self.path, self.log = str(path), f"{path}-wal"
        self.file = identify(self.path)
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


def identify(path: str) -> tuple[int, int] | None:
    """Device and number of a file, or None if there is none."""
    try:
        found = os.stat(path)  # noqa: PTH116  (Path.stat costs more than the call itself)
    except OSError:
        return None
    return found.st_dev, found.st_ino
