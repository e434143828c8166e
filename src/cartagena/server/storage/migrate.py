"""Bringing the database up to date at start, and back down in tests; and keeping a second server off it."""

import asyncio
import fcntl
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from sqlalchemy import Connection, inspect, text

from .database import Store, StoreError

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy.ext.asyncio import AsyncConnection

HEAD: Final = "0001"
"""The newest revision. A database that is there already needs no Alembic, which takes long to load."""

LOCK_NUMBER: Final = 0x0CA27A6E
LOCK_TRIES: Final = 50
LOCK_PAUSE: Final = 0.1


def configuration(connection: Connection | None = None) -> "Config":
    """Alembic's configuration: our own folder, the given connection, no file."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    return config


def known_revisions() -> list[str]:
    """All revisions there are, the newest first."""
    from alembic.script import ScriptDirectory

    return [script.revision for script in ScriptDirectory.from_config(configuration()).walk_revisions()]


def current_revision(connection: Connection) -> str | None:
    """The revision a database is at; None where it is empty."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def _upgrade(connection: Connection) -> None:
    found = current_revision(connection)
    if found == HEAD:
        return
    if found is not None and found not in known_revisions():
        raise StoreError("The database was written by a newer version of the program; update the program.")
    from alembic import command

    command.upgrade(configuration(connection), "head")


async def upgrade(store: Store) -> None:
    """Bring the database up to date. Raises StoreError with one sentence where that cannot be."""
    async with store.guarded(), store.engine.connect() as connection:
        await connection.run_sync(_upgrade)
        await connection.commit()


async def downgrade(store: Store, revision: str) -> None:
    """Take migrations back."""
    from alembic import command

    async with store.guarded(), store.engine.connect() as connection:
        await connection.run_sync(lambda sync: command.downgrade(configuration(sync), revision))
        await connection.commit()


class SoleServer:
    """Holds the database for one server: a lock file beside a SQLite file, an advisory lock in PostgreSQL.

    Either is gone with the process that held it, however it ended.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.file: IO[str] | None = None
        self.connection: AsyncConnection | None = None

    async def take(self) -> None:
        if self.store.is_sqlite:
            self._lock_file(self.store.file.with_name(self.store.file.name + ".lock"))
            return
        async with self.store.guarded():
            self.connection = await self.store.engine.connect()
            taken = await self._try_lock(self.connection)
            for _ in range(LOCK_TRIES):  # PostgreSQL may not have noticed yet that the server before this one is dead
                if not taken:
                    await asyncio.sleep(LOCK_PAUSE)
                    taken = await self._try_lock(self.connection)
        if not taken:
            raise StoreError("The database is locked by another server; stop that one first.")

    @staticmethod
    async def _try_lock(connection: "AsyncConnection") -> bool:
        taken = await connection.scalar(text(f"SELECT pg_try_advisory_lock({LOCK_NUMBER})"))
        await connection.commit()
        return bool(taken)

    def _lock_file(self, path: Path) -> None:
        try:
            self.file = path.open("w", encoding="ascii")
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StoreError(
                f"The database {self.store.file} is locked by another server; stop that one first."
            ) from None
        except OSError as error:
            raise StoreError(f"The lock file {path} cannot be written: {error.strerror}.") from None

    async def free(self) -> None:
        if self.file is not None:
            self.file.close()
        if self.connection is not None:
            await self.connection.close()
