"""The players that come along, at a table of the server: each in a process of its own."""

import json
import os
import sqlite3
import subprocess
import time
from itertools import pairwise
from pathlib import Path

import pytest

from cartagena.players import LEVELS
from cartagena.server.bots import seats as computers
from cartagena.server.bots.seats import command_line
from cartagena.server.settings import Settings

from .rig import PATIENCE, running
from .test_seating import wait_for


def test_the_ladder_on_offer_is_the_players_ladder() -> None:
    assert tuple(Settings().levels.split(",")) == LEVELS


def test_our_own_players_play_and_give_hints(sqlite: str) -> None:
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "sailor"}]
    with running(sqlite, engine="", levels="deckhand,sailor") as server:
        ann = server.table("nest-nl", seats, lots=False)
        hint = ann.do("hint", {"seconds": 0.2, "turns": 2}).json()
        assert hint["level"] == "sailor"
        assert hint["answer"]["move"] in [item["move"] for item in ann.look()["options"]["legal"]]
        assert isinstance(hint["answer"]["why"], list)
        assert len(hint["answer"]["turns"]) <= 2
        ann.play(6)
        seen = wait_for(ann, lambda found: any(event.get("seat") == 2 for event in found["events"]))
        assert seen["seats"][1]["level"] == "sailor"


def test_players_run_at_low_priority_and_end_with_the_server() -> None:
    command = command_line(Settings(engine="cat {level}"), "-")
    assert command[1:] == ["-n", "10", "cat", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as player:
        assert player.stdin is not None
        assert player.stdout is not None
        player.stdin.write(json.dumps({"cmd": "go"}).encode() + b"\n")
        player.stdin.flush()
        assert json.loads(player.stdout.readline()) == {"cmd": "go"}  # so it runs by now
        nice = int(Path(f"/proc/{player.pid}/stat").read_text().rsplit(") ", 1)[1].split()[16])
        assert nice >= 10
        player.stdin.close()  # as when the server is gone
        assert player.wait(60) == 0


def test_the_pace_hides_how_long_was_thought(sqlite: str) -> None:
    seats = [{"kind": "computer", "level": "7"}, {"kind": "computer", "level": "8"}]
    with running(sqlite, pace_seconds=0.5) as server:
        host = server.table("tortuga-en", seats, spectators="public")
        seen = wait_for(host, lambda found: found["seq"] >= 4)
        events = host.look()["events"]
        assert seen["seq"] >= 4
        gaps = [after["at"] - before["at"] for before, after in pairwise(events)]
        assert min(gaps) >= 450


def test_a_computer_goes_on_after_the_database_was_unwell(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computers, "RETRY", 0.2)
    seats = [{"kind": "computer", "level": "7"}, {"kind": "computer", "level": "8"}]
    with running(sqlite, pace_seconds=0.05) as server:
        host = server.table("tortuga-en", seats, spectators="public")
        wait_for(host, lambda found: found["seq"] >= 4)
        other = sqlite3.connect(sqlite.removeprefix("sqlite:///"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        time.sleep(6)
        other.execute("ROLLBACK")
        other.close()
        at = host.look()["seq"]
        wait_for(host, lambda found: found["seq"] > at + 3)


def test_no_player_outlives_the_server_or_is_started_while_it_stops(sqlite: str, tmp_path: Path) -> None:
    started = tmp_path / "started"
    engine = f"sh -c 'echo $$ >> {started}; exec sleep 600' {{level}}"
    with running(sqlite, engine=engine) as server:
        server.table("jamaica-en", [{"kind": "computer", "level": "7"}] * 2, spectators="public")
        deadline = time.monotonic() + PATIENCE
        while not (started.exists() and started.read_text().endswith("\n")):
            assert time.monotonic() < deadline, "no player was started"
            time.sleep(0.05)
    time.sleep(1)  # for one that should not be there to say so
    [number] = started.read_text().split()
    with pytest.raises(ProcessLookupError):
        os.kill(int(number), 0)
