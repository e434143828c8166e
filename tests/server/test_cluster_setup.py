"""Servers that cannot share a database say why in one sentence; two versions stand side by side."""

import asyncio
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvloop
from sqlalchemy import text
from sqlalchemy.engine import make_url

import cartagena
from cartagena.server.cluster.redis import RedisLink, RedisUnavailable
from cartagena.server.live.registry import OLD_SERVER
from cartagena.server.run import StartFailed
from cartagena.server.storage import migrate
from cartagena.server.storage.database import Database
from cartagena.server.storage.peers import FORMAT, Reader, new_member, turn
from cartagena.server.storage.postgres import LOCK_NUMBER, MEMBERS
from cartagena.server.storage.rows import EventRow, TableRow, TableWrite
from cartagena.server.storage.write_queue import WriteQueue

from .cluster import Redis, kill, reaches, start_redis, until
from .conftest import new_postgres_database
from .rig import PATIENCE, QUICK, Person, Process, Server, running
from .test_operation import run_cli


@pytest.fixture(scope="module")
def one_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    with start_redis(tmp_path_factory.mktemp("redis"), "geheim") as found:
        yield found


@pytest.fixture
def redis(one_redis: Redis) -> Redis:
    """An empty Redis with a password."""
    with redis_client(one_redis, 0) as client:
        client.flushall()
    return one_redis


def test_a_connection_that_was_closed_means_that_redis_does_not_answer() -> None:
    async def write_on_a_closed_connection() -> None:
        server = await asyncio.start_server(lambda _reader, writer: writer.close(), "127.0.0.1", 0)
        async with server:
            _, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.close()
            await writer.wait_closed()
            with pytest.raises(RedisUnavailable, match="does not answer"), RedisLink("redis://x").guarded():
                writer.writelines([b"PING"])

    uvloop.run(write_on_a_closed_connection())


def refusal(database: str, **changes: Any) -> str:
    """Why a server does not start."""
    with pytest.raises(StartFailed) as found, running(database, **changes):
        pass
    return str(found.value)


@contextlib.contextmanager
def another_server(database: str, name: str) -> Iterator[None]:
    """Hold the locks of a server that calls itself so."""

    async def hold(ready: asyncio.Event, done: asyncio.Event) -> None:
        store = Database(database)
        async with store.engine.connect() as connection:
            await connection.execute(text(f"SELECT pg_advisory_lock_shared({LOCK_NUMBER})"))
            await connection.execute(text(f"SELECT pg_advisory_lock({MEMBERS}, 7)"))
            await connection.execute(text("SELECT set_config('application_name', :name, false)"), {"name": name})
            await connection.commit()
            ready.set()
            await done.wait()
        await store.close()

    with asyncio.Runner() as runner:
        ready, done = asyncio.Event(), asyncio.Event()

        async def begin() -> asyncio.Task[None]:
            task = asyncio.create_task(hold(ready, done))
            await ready.wait()
            return task

        async def end(task: asyncio.Task[None]) -> None:
            done.set()
            await task

        task = runner.run(begin())
        try:
            yield
        finally:
            runner.run(end(task))


def test_a_configuration_that_cannot_work_is_one_sentence(
    postgres: Any, redis: Redis, sqlite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, plain = new_postgres_database(postgres), redis.url.replace(":geheim@", "")
    said = {
        "must be a URL such as redis://": refusal(database, redis="localhost:6379"),
        "share a PostgreSQL database": refusal(sqlite, redis=redis.url),
        "refuses the user name or password.": refusal(database, redis=plain),
        "refuses the user name or password. ": refusal(database, redis=redis.url.replace("geheim", "falsch")) + " ",
        "has no database of that number": refusal(database, redis=redis.url.replace("/0", "/99")),
    }
    with redis_client(redis, 1) as other:
        other.set("their:key", "1")
        said["holds keys of another program"] = refusal(database, redis=redis.url.replace("/0", "/1"))
    for far, version in ((FORMAT + 2, "9.0"), (FORMAT - 2, "0.1.1")):
        with another_server(database, f"cartagena format {far} version {version}"):
            sentence = f"A server of version {version} uses this database, too far from"
            said[sentence] = refusal(database, redis=redis.url)
    real = time.time_ns
    with monkeypatch.context() as patch:
        patch.setattr(time, "time_ns", lambda: real() + 60 * 10**9)
        said["seconds ahead of the database's"] = refusal(database, redis=redis.url)
    with running(database), monkeypatch.context() as patch:
        patch.setattr(migrate, "LOCK_TRIES", 2)
        said["runs without --redis"] = refusal(database, redis=redis.url)
    with running(database, redis=redis.url) as server:
        assert server.table().look()["setup"]["promise"] == 3
    with another_server(database, "a name that states no format"), running(database, redis=redis.url) as server:
        assert server.table().look()["setup"]["promise"] == 2, "what every version can read"
    before = f"cartagena format {FORMAT - 1} version 0.1.2"
    with another_server(database, before), running(database, redis=redis.url) as server:
        assert server.table().look()["setup"]["promise"] == 3
        assert server.get("/api/about").json()["post"]["why"] == OLD_SERVER, "it does not know tables by post"
        assert server.get("/readyz").text.startswith("ready")
        with monkeypatch.context() as patch:
            patch.setattr(migrate, "LOCK_TRIES", 2)
            said["The database is locked by another server"] = refusal(database)
        said["serves another database"] = refusal(new_postgres_database(postgres), redis=redis.url)
    for part, sentence in said.items():
        assert part in sentence, sentence
        assert sentence.strip().count(". ") == 0, sentence
        assert "geheim" not in sentence


@contextlib.contextmanager
def redis_client(redis: Redis, number: int) -> Iterator[Any]:
    from redis import Redis as Client

    with Client(port=redis.port, db=number, password=redis.password) as found:
        yield found


def test_several_workers_need_redis(sqlite: str) -> None:
    done = run_cli("serve", "--workers", "2", "--database", sqlite)
    assert done.returncode != 0
    assert "Several workers need --redis and a PostgreSQL database." in done.stderr


def test_workers_serve_together_and_one_that_dies_is_started_again(postgres: Any, redis: Redis, tmp_path: Path) -> None:
    database = new_postgres_database(postgres)
    values = {**QUICK, "database": database, "redis": redis.url, "port": 0}
    environment = {**os.environ, **{f"CARTAGENA_{name.upper()}": str(value) for name, value in values.items()}}
    out = tmp_path / "out"
    command = [sys.executable, "-m", "cartagena", "serve", "--workers", "2"]
    with out.open("wb") as file, subprocess.Popen(command, env=environment, stdout=file, stderr=file) as parent:

        def addresses() -> list[str]:
            return re.findall(r"served at (http://\S+)/", out.read_text())

        try:
            until(lambda: len(addresses()) == 2, "the servers did not start")
            one, two = (Server(int(address.rpartition(":")[2])) for address in addresses())
            ann = one.table("tortuga-en")
            ann.play(2)
            assert Person(two, ann.table, ann.token).look()["seq"] == ann.look()["seq"]
            [first, _] = children(parent.pid)
            os.kill(first, signal.SIGKILL)
            until(lambda: len(addresses()) == 3, "the server that died was not started again")
            three = Server(int(addresses()[2].rpartition(":")[2]))
            servers = one, two, three
            until(lambda: sum(map(reaches, servers)) == 2, "not two of them serve")
            parent.kill()
            until(lambda: not any(map(reaches, servers)), "servers stay after their parent was killed")
        finally:
            parent.terminate()
        for server in servers:
            server.close()


WORKER = """
import os, time
from cartagena.server.workers import end_with_parent
end_with_parent()
print(os.getpid(), flush=True)
time.sleep(600)
"""
PARENT = f"""
import sys
from cartagena.server.settings import Settings
from cartagena.server.workers import Workers
settings = Settings(database="postgresql://localhost/none", redis="redis://localhost", port=0)
sys.exit(Workers(settings, 2, (sys.executable, "-c", {WORKER!r})).run())
"""


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 0), (signal.SIGKILL, -signal.SIGKILL)])
def test_workers_end_with_their_parent(number: int, status: int) -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        pids = [int(parent.stdout.readline()) for _ in range(2)]
        parent.send_signal(number)
        try:
            parent.communicate(timeout=PATIENCE)  # until the last process has closed its end of the pipe
        except subprocess.TimeoutExpired:
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
            raise
        assert parent.returncode == status


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_a_table_that_was_used_after_its_mark_is_not_removed(postgres: Any) -> None:
    """One server prunes while a person plays at another."""

    async def work() -> None:
        database = Database(new_postgres_database(postgres))
        sole = migrate.SoleServer(database, new_member())
        await sole.take()
        await migrate.upgrade(database, shared=True)
        queue = WriteQueue(database, 10)
        queue.start()
        for name, at in (("used", 100), ("idle", 1)):
            row = TableRow(name, 1, 1, "waiting", lobby=False, wake=False, setup="{}", secret="")
            await queue.write(TableWrite(name, [EventRow(1, at, "talk", {})], row=row, mark=50))
        removals = (TableWrite(name, removed=True) for name in ("used", "idle"))
        await asyncio.gather(*(queue.write(write) for write in removals))
        assert [row.id for row in await database.all_tables()] == ["used"]
        reader = Reader(database)
        assert await reader.extents(["used", "idle"]) == {"used": (1, 0)}
        assert [event.number for event in await reader.events("used", 0)] == [1]
        await reader.close()
        async with turn(database, 5) as ours, turn(database, 5) as theirs:
            assert (ours, theirs) == (True, False)
        await queue.stop()
        await sole.free()
        await database.close()

    asyncio.run(work())


def test_a_full_database_refuses_moves_and_takes_them_again_later(postgres: Any, redis: Redis) -> None:
    """PostgreSQL itself says that the disk is full."""
    database = new_postgres_database(postgres)
    name = make_url(database).database
    full = "RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'"
    postgres.psql(f"\\c {name}\nSELECT 1;")
    with running(database, redis=redis.url) as server:
        ann = server.table("tortuga-en")
        seen = ann.play(1)
        move = seen["options"]["legal"][0]["move"]
        function = f"CREATE FUNCTION full_disk() RETURNS trigger AS $$ BEGIN {full}; END $$ LANGUAGE plpgsql;"
        trigger = "CREATE TRIGGER full_disk BEFORE INSERT ON events EXECUTE FUNCTION full_disk();"
        postgres.psql(f"\\c {name}\n{function}\n{trigger}")
        refused = ann.move(move, seen["version"])
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "storage")
        assert server.get("/readyz").text == "changes cannot be stored\n"
        postgres.psql(f"\\c {name}\nDROP TRIGGER full_disk ON events;")
        until(lambda: ann.move(move, seen["version"]).status_code == 200, "the database is not used again")
        assert ann.look()["seq"] == seen["seq"] + 1
        assert server.get("/readyz").text.startswith("ready")


def test_an_address_uses_up_its_limits_at_all_servers_together(postgres: Any, redis: Redis) -> None:
    database, most = new_postgres_database(postgres), 30
    given = {"redis": redis.url, "tables_per_hour": most}
    with running(database, **given) as one, running(database, **given) as two:
        ann = one.table("tortuga-en")
        with one.socket(ann.table, {"token": ann.token}):
            here = Person(two, ann.table, ann.token)
            until(lambda: here.look()["seats"][0]["online"], "one server does not hear the other")
        for _ in range(most - 1):
            one.table("tortuga-en")
        body = {"rules": "tortuga-en", "seats": [{"kind": "here"}, {"kind": "here"}]}
        statuses: list[int] = []
        while 429 not in statuses:
            statuses.append(two.post("/api/tables", body).status_code)
            time.sleep(0.5)  # for the other server to tell
        assert len(statuses) < most, "the other server counts for itself"


# --- two versions


def replace(path: Path, *pairs: tuple[str, str]) -> None:
    told = path.read_text()
    for old, new in pairs:
        assert told.count(old) == 1, (path, old, told.count(old))
        told = told.replace(old, new)
    path.write_text(told)


def newer_build(folder: Path) -> Path:
    """A build of this code with an extra kind of event, an optional field and a nullable column."""
    here, there = Path(cartagena.__file__).parent, folder / "cartagena"
    there.mkdir()
    for part in here.iterdir():
        if part.name == "server":
            shutil.copytree(part, there / "server", ignore=shutil.ignore_patterns("static", "__pycache__"))
            (there / "server" / "static").symlink_to(part / "static")
        elif part.name != "__pycache__":
            (there / part.name).symlink_to(part)
    server = there / "server"
    replace(
        server / "tables/events/people.py",
        (
            "@dataclass(slots=True)\nclass StoodIn(Event):",
            (
                "@dataclass(slots=True)\nclass Cheered(Event):\n"
                '    kind, shown_as, stored = "cheer", "cheer", ("seat",)\n    seat: int\n\n'
                "    def apply(self, table: Table) -> None:\n        pass\n\n\n"
                "@dataclass(slots=True)\nclass StoodIn(Event):"
            ),
        ),
        (
            'kind, shown_as, stored = "talk", "talk", ("seat", "text")\n',
            (
                'kind, shown_as, stored = "talk", "talk", ("seat", "text", "mood")\n'
                '    older = {"mood": None}\n    mood: str | None = field(default="glad", kw_only=True)\n'
            ),
        ),
    )
    replace(
        server / "tables/events/__init__.py",
        ("from .people import (\n", "from .people import (\n    Cheered,\n"),
        (" Talked, StoodIn,", " Talked, Cheered, StoodIn,"),
    )
    replace(
        server / "tables/decide.py",
        ("from .events import Dealt,", "from .events import Cheered, Dealt,"),
        (
            "return Change().add(table, now, Talked(seat, want.text))",
            "return Change().add(table, now, Talked(seat, want.text)).add(table, now, Cheered(seat))",
        ),
    )
    replace(
        server / "storage/schema.py",
        (
            '    Index("tables_by_stage",',
            '    Column("colour", String(10)),\n    Index("tables_by_stage",',
        ),
    )
    replace(server / "storage/rows.py", ("    secret: str\n", '    secret: str\n    colour: str | None = "red"\n'))
    last = migrate.head(migrate.revisions(migrate.MIGRATIONS))
    following = f"{int(last) + 1:04}"
    (server / f"storage/migrations/versions/{following}_colour.py").write_text(
        f'"""A colour."""\n\nimport sqlalchemy as sa\nfrom alembic import op\n\nrevision = "{following}"\n'
        f'down_revision = "{last}"\nbranch_labels = None\ndepends_on = None\n\n\n'
        'def upgrade() -> None:\n    op.add_column("tables", sa.Column("colour", sa.String(10)))\n'
    )
    return folder


def test_two_versions_serve_the_same_tables(postgres: Any, redis: Redis, tmp_path: Path) -> None:
    build = tmp_path / "build"
    build.mkdir()
    database = new_postgres_database(postgres)
    old, new = (Process(database, tmp_path / f"{name}.log", redis=redis.url) for name in ("old", "new"))
    new.forked = False
    new.environment["PYTHONPATH"] = os.pathsep.join([str(newer_build(build)), os.environ.get("PYTHONPATH", "")])
    try:
        old.start()
        before = old.table("tortuga-en", talk=True)
        before.play(2)
        new.start()  # it migrates while the other one serves
        after = new.table("tortuga-en", talk=True)
        for ann in (before, after):
            for number, server in enumerate((new, old, new, old)):
                here = Person(server, ann.table, ann.token)
                assert here.do("talk", {"text": f"line {number}"}).status_code == 200
                here.count = 10 * (number + 1)  # ids that were not used
                here.play(1)
            seen = [Person(server, ann.table, ann.token).look() for server in (old, new)]
            assert seen[0]["seq"] == seen[1]["seq"]
            assert seen[0]["position"] == seen[1]["position"]
            kinds = [[event["type"] for event in each["events"]] for each in seen]
            assert kinds[1].count("cheer") == 2
            assert "cheer" not in kinds[0], "the older version passes it over"
        old.end()
        old.start()  # on the database of the newer version
        again = Person(old, after.table, after.token)
        again.count = 100
        assert again.play(1)["seq"] == seen[0]["seq"] + 1
        logs = (tmp_path / "old.log").read_text() + (tmp_path / "new.log").read_text()
        assert "Traceback" not in logs, logs[-3000:]
    finally:
        kill(old)
        kill(new)
