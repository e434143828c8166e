"""The journeys of ``docs/design.md`` are true: each is made, and the files that ran are those that its steps name.

Only the package is traced. The files of the browser table that a journey names must exist; ``test_map`` sees to it.
"""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.docs.booklets import ROOT
from tests.docs.test_map import section
from tests.docs.traced.sitecustomize import Recorder
from tests.server.rig import TWO_HERE, Server, receive, running
from websockets.sync.client import ClientConnection

TRACED = Path(__file__).parent / "traced"
SHORT = str(json.loads((ROOT / "tests/study/vectors.json").read_text(encoding="utf-8"))[3]["record"])
"""The record of a game of six decisions."""
HELPERS = {
    "backends/__init__.py",
    "backends/arrays.py",
    "backends/cpu/notice.py",
    "backends/portable/games.py",
    "backends/portable/intrinsics.py",
    "game/notation/cards.py",
    "game/notation/format.py",
    "game/scene.py",
    "game/seats.py",
    "game/setup.py",
    "kernel/validate.py",
    "server/addresses.py",
    "server/http/crowd.py",
    "server/http/gate.py",
    "server/http/listener.py",
    "server/live/operator.py",
    "server/live/privacy.py",
    "server/protocol/errors.py",
    "server/notify/notifier.py",
    "server/notify/outbox.py",
    "server/notify/sender.py",
    "server/logs.py",
    "server/run.py",
    "server/settings.py",
    "server/storage/commands.py",
    "server/storage/peers.py",
    "server/storage/schema.py",
    "server/tasks.py",
    "errors.py",
    "game/__init__.py",
    "game/game.py",
    "game/move.py",
    "game/notation/actions.py",
    "game/outcome.py",
    "game/plurals.py",
    "game/variants.py",
    "kernel/cards.py",
    "kernel/chance.py",
    "kernel/intrinsics.py",
    "kernel/layout.py",
    "kernel/legal.py",
    "kernel/moves.py",
    "kernel/track.py",
    "rulesets/__init__.py",
    "rulesets/model.py",
    "rulesets/names.py",
    "rulesets/variants.py",
}
"""Files that no journey needs to name: errors, words, the small parts of the rules, what backends load together with
what they use, and what the server does every second beside its requests."""

DECLARATIONS = {"server/protocol/requests.py", "players/compiled/constants.py"}
"""Files without a function that is called: numbers, and messages, which pydantic reads in code of its own."""


def steps(title: str) -> set[str]:
    """The files of the package that the numbered steps of a journey name."""
    numbered = re.findall(r"^\d+\. .*?(?=^\d+\. |^\S|\Z)", section(title), re.MULTILINE | re.DOTALL)
    return set(re.findall(r"`src/cartagena/([\w./-]+)`", "".join(numbered)))


def compare(ran: set[str], *titles: str) -> None:
    """The last journey names what ran, apart from helpers and from the journeys before, which it continues."""
    named, before = steps(titles[-1]), set[str]().union(*map(steps, titles[:-1]))
    absent, unnamed = named - ran - DECLARATIONS, ran - named - before - HELPERS
    assert (sorted(absent), sorted(unnamed)) == ([], []), f"did not run: {sorted(absent)}; not named: {sorted(unnamed)}"


@contextmanager
def traced_server(
    folder: Path, monkeypatch: pytest.MonkeyPatch, starts: str, **more: Any
) -> Iterator[tuple[Server, Recorder]]:
    """A server in this process with a recorder. Its processes record to ``folder`` from these files on."""
    monkeypatch.setenv("PYTHONPATH", str(TRACED))
    monkeypatch.setenv("JOURNEY_FROM", starts)
    monkeypatch.setenv("JOURNEY_FILES", str(folder / "files.txt"))
    recorder = Recorder()
    with with_profile(recorder.watch), running(f"sqlite:///{folder / 'tables.db'}", **more) as server:
        yield server, recorder


@contextmanager
def with_profile(watch: Callable[..., None]) -> Iterator[None]:
    """Let threads that are started meanwhile be watched."""
    threading.setprofile(watch)
    try:
        yield
    finally:
        threading.setprofile(None)


def children(folder: Path) -> set[str]:
    """The files that ran in the processes of the server."""
    return set((folder / "files.txt").read_text(encoding="utf-8").split())


def send_move(socket: ClientConnection, seen: dict[str, Any], option: dict[str, Any]) -> None:
    """Send a move of the options as the page does."""
    move = {"type": "move", "id": f"m{seen['seq']}", "version": seen["version"], "move": option["move"]}
    socket.send(json.dumps(move))


def settle(socket: ClientConnection) -> None:
    """Wait until the server has done what follows the last message."""
    socket.send(json.dumps({"type": "ping", "n": 1}))
    receive(socket, "pong")


def test_a_click(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with traced_server(tmp_path, monkeypatch, "none") as (server, recorder):
        ann = server.table("jamaica-en", TWO_HERE)
        with server.socket(ann.table, {"token": ann.token}) as socket:
            chance, seen = Random(1), receive(socket, "update")
            while not recorder.on:
                legal = seen["options"]["legal"]
                option = next((each for each in legal if each["move"]["kind"] == "retreat"), None)
                if option is not None:  # it draws cards
                    recorder.begin()
                send_move(socket, seen, option or chance.choice(legal))
                receive(socket, "ack")
                seen = receive(socket, "update")
            settle(socket)
            recorder.end()
    compare(recorder.files, "A click")


@pytest.mark.usefixtures("compiled_code")
def test_a_captains_decision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = [TWO_HERE[0], {"kind": "computer", "level": "captain"}]
    with traced_server(tmp_path, monkeypatch, "cli/verbs/engine.py", engine="", levels="captain") as (server, recorder):
        ann = server.table("jamaica-en", seats, lots=False)
        with server.socket(ann.table, {"token": ann.token}) as socket:
            seen = receive(socket, "update")
            recorder.begin()
            while not any(event["type"] == "move" and event["seat"] == 2 for event in seen["events"]):
                if seen["options"]:
                    send_move(socket, seen, seen["options"]["legal"][0])
                seen = receive(socket, "update")
            settle(socket)
            recorder.end()
    compare(recorder.files | children(tmp_path), "A click", "A playout", "A captain's decision")


ROLLOUTS = """
import os
from cartagena.backends import rollouts
import sitecustomize
recorder = sitecustomize.Recorder(out=os.environ["FILES"])
recorder.install()
recorder.begin()
rollouts("jamaica-en", games=1000, seed=1, backend="cpu")
"""


@pytest.mark.usefixtures("compiled_code")
def test_a_playout(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(TRACED), "FILES": str(tmp_path / "files.txt")}
    subprocess.run([sys.executable, "-c", ROLLOUTS], check=True, env=environment)
    compare(children(tmp_path), "A playout")


@pytest.mark.usefixtures("compiled_code")
def test_a_review(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with traced_server(tmp_path, monkeypatch, "server/study/worker.py") as (server, recorder):
        recorder.begin()
        answer = server.post("/api/study/review", {"record": SHORT})
        recorder.end()
        assert answer.status_code == 200, answer.text
    compare(recorder.files | children(tmp_path), "A click", "A playout", "A captain's decision", "A review")
