"""Migrations at start, and the lock that keeps a second server off the database."""

import ast
import asyncio
import contextlib
import logging
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from sqlalchemy import Connection, inspect, text

from .database import Database, StorageError
from .postgres import Member, SoleConnection
from .sqlite import lock, lock_identity, unlock, warn_of_faults

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS: Final = Path(__file__).parent / "migrations"
LOCK_TRIES: Final = 50
LOCK_PAUSE: Final = 0.1
WATCH_PAUSE: Final = 2.0
RETAKE_PAUSE: Final = 0.2
"""Seconds between two tries of a member of a cluster to take a lost lock again."""
UPGRADE_LOCK: Final = 0x0CA27A70
log = logging.getLogger("cartagena.storage")


def revisions(folder: Path) -> dict[str, str | None]:
    """Revisions in a folder of migrations, each with the one before it.

    Read from the source: loading Alembic takes long, and a database that is up to date does not need it.
    """
    known: dict[str, str | None] = {}
    for path in (folder / "versions").glob("*.py"):
        values: dict[str, str | None] = {}
        for node in ast.parse(path.read_bytes()).body:
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
                value = None if node.value.value is None else str(node.value.value)
                values.update({target.id: value for target in node.targets if isinstance(target, ast.Name)})
        known[str(values["revision"])] = values["down_revision"]
    return known


def head(known: dict[str, str | None]) -> str:
    """The newest revision: the one that no other follows."""
    [newest] = set(known) - set(known.values())
    return newest


def configuration(connection: Connection | None = None) -> "Config":
    """Alembic's configuration for a connection."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config


def current_revision(connection: Connection) -> str | None:
    """The revision of a database, None if it is empty."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    revision: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return revision


def stands_beside(revision: str, newest: str) -> bool:
    """Whether a server that knows revisions up to ``newest`` may use a database of a newer, unknown revision.

    A migration that the version before cannot live with begins a new thousand: 1000 after 0007.
    """
    return revision.isdigit() and len(revision) == len(newest) and revision[0] == newest[0] and revision > newest


def _upgrade(connection: Connection, *, shared: bool = False) -> None:
    if shared:  # one server at a time migrates
        connection.execute(text(f"SELECT pg_advisory_xact_lock({UPGRADE_LOCK})"))
    revision, known = current_revision(connection), revisions(MIGRATIONS)
    if revision == head(known):
        return
    if revision is not None and revision not in known:
        if shared and stands_beside(revision, head(known)):
            log.warning("the database is newer than this program; what it does not know is left alone")
            return
        raise StorageError("The database was written by a newer version of the program; update the program.")
    from alembic import command

    command.upgrade(configuration(connection), "head")


async def upgrade(database: Database, *, shared: bool = False) -> None:
    """Bring the database up to date. Raises StorageError if that fails. Servers that share it migrate one by one."""
    async with database.connecting() as connection:
        await connection.run_sync(partial(_upgrade, shared=shared))
        await connection.commit()


async def downgrade(database: Database, revision: str) -> None:
    """Undo the migrations after ``revision``."""
    from alembic import command

    async with database.connecting() as connection:
        await connection.run_sync(lambda sync: command.downgrade(configuration(sync), revision))
        await connection.commit()


class Locked(StorageError):
    """Another server holds the lock."""


class SoleServer:
    """The lock of the one server of a database: SQLite's file and one beside it, or an advisory lock in PostgreSQL.

    A member of a cluster shares it with the others. All are released when the process ends, even if it is killed.
    """

    def __init__(self, database: Database, member: Member | None = None) -> None:
        self.database = database
        self.member = member
        self.file: IO[str] | None = None

    async def take(self, tries: int | None = None) -> None:
        """Take the lock. Raises Locked if another server holds it."""
        if self.database.is_sqlite:
            self._lock_file(self.database.file.with_name(self.database.file.name + ".lock"))
            warn_of_faults()
            return
        sole = SoleConnection(self.database.engine, self.member)
        async with self.database.guarded():
            # PostgreSQL may take a while to notice that the previous server is dead.
            for _ in range(LOCK_TRIES if tries is None else tries):
                if await sole.take():
                    self.database.sole = sole
                    return
                await asyncio.sleep(LOCK_PAUSE)
            await sole.free()
        if self.member is not None:
            raise Locked("The database is locked by a server that runs without --redis; stop that one first.")
        raise Locked("The database is locked by another server; stop that one first.")

    async def watch(self, regained: Callable[[], None]) -> None:
        """Watch the lock in PostgreSQL. When it is lost, take it again; ``regained`` is called before writing goes on.

        Another server may have written in between.
        """
        sole = self.database.sole
        while sole is not None:
            began = time.monotonic()
            await asyncio.sleep(RETAKE_PAUSE)
            while not sole.lost and time.monotonic() < began + WATCH_PAUSE:
                await asyncio.sleep(RETAKE_PAUSE)
            if await sole.holds():
                continue
            log.error("the lock of the database was lost; nothing is written until it is held again")
            while sole.lost:
                await asyncio.sleep(RETAKE_PAUSE)
                with contextlib.suppress(StorageError):
                    async with self.database.guarded():
                        await sole.take()
            regained()
            log.warning("the lock of the database is held again")

    def _lock_file(self, path: Path) -> None:
        try:
            self.file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "w", encoding="ascii")
            lock(self.file)
            self.database.held.append(lock_identity(self.database.file))
        except BlockingIOError:
            raise Locked(
                f"The database {self.database.file} is locked by another server; stop that one first."
            ) from None
        except OSError as error:
            raise StorageError(f"The lock file {path} cannot be written: {error.strerror}.") from None

    async def free(self) -> None:
        """Release the lock."""
        if self.file is not None:
            self.file.close()
        for descriptor in self.database.held:
            unlock(descriptor)
        if self.database.sole is not None:
            await self.database.sole.free()
