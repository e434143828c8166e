"""The server under load and attack: short forms of the trials that ``make soak`` runs at full length."""

import asyncio
from pathlib import Path

from . import trials
from .players import load
from .rig import process, running


def test_no_acknowledged_move_is_lost_or_doubled_by_kill_9(database: str, tmp_path: Path) -> None:
    found = trials.crashes(database, tmp_path, kills=1)
    assert found["acked"] > 10
    assert (found["lost"], found["doubled"]) == (0, 0)


def test_duplicated_and_reordered_sends_are_applied_once(sqlite: str) -> None:
    with running(sqlite) as server:
        found = asyncio.run(trials.duplicates(server.port, sends=600))
    assert found["sends"] >= 600
    assert found["moves"] > 80
    assert found["tables_wrong"] == 0


def test_dropped_and_resumed_sockets_end_with_the_servers_state(sqlite: str) -> None:
    with running(sqlite) as server:
        found = asyncio.run(trials.drops(server.port, number=60))
    assert found["drops"] >= 60
    assert found["tables_wrong"] == 0


def test_every_viewer_gets_every_move_under_load(database: str, tmp_path: Path) -> None:
    with process(database, tmp_path) as server:
        found = asyncio.run(load(server.port, tables=20, viewers=5, rate=40, seconds=2, least=5))
        assert found.errors == 0
        assert found.moves > 80
        assert server.process is not None
        assert trials.memory_mb(server.process.pid) < 500


def test_an_abuser_is_limited_and_the_others_play_on(sqlite: str, tmp_path: Path) -> None:
    with process(sqlite, tmp_path, messages=100, tables_per_hour=60, requests=300) as server:
        found = asyncio.run(trials.abuse(server.port, tables=10, rate=20, seconds=2, least=4))
        assert found["errors"] == 0
        assert found["moves"] > 30
        assert found["abuses"] > 100
        refused = [line for line in server.figures().splitlines() if 'code="too-many"' in line]
        assert any(float(line.split()[-1]) > 0 for line in refused)
