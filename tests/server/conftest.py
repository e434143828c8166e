"""Databases of the server's tests: a SQLite file and a real PostgreSQL server."""

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.postgres import start_postgres

from .rig import Server, running


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
