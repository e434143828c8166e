"""All attacks of the trial, each for a moment: the others play on and the server stays whole."""

from collections.abc import Iterator

import pytest
from bench.attacks.scripts import ATTACKS
from bench.attacks.trial import TARGETS, defaults, under_attack

from .rig import Process, process


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A server with default settings, except that its computers need no compiled code, and many tables are allowed."""
    folder = tmp_path_factory.mktemp("attacks")
    settings = {**defaults(), "levels": "deckhand,sailor", "tables_per_hour": 10_000}
    with process(f"sqlite:///{folder / 'tables.db'}", folder, **settings) as found:
        yield found


GROUPS = {
    "frames": ("tiny-frames", "fragments", "unread-pings", "messages", "no-hello", "reconnecting"),
    "requests": ("endless-target", "endless-header", "unfinished", "idle", "pipeline", "chunks", "pages"),
    "readers": ("unread-answers", "unread-streams", "snapshots", "new-tables", "loops", "rematches"),
    "work": ("study", "abandoned-study", "computer-tables", "computer-replies", "hints"),
}


def test_every_attack_of_the_trial_is_tried_here() -> None:
    assert sorted(name for group in GROUPS.values() for name in group) == sorted(ATTACKS)


@pytest.mark.parametrize("group", GROUPS)
def test_others_play_on_during_attacks_with(server: Process, group: str) -> None:
    found = under_attack(server, GROUPS[group], seconds=1.0, least=3)
    assert found["errors"] == 0, found
    assert found["moves"] >= 8 * 3
    assert found["strikes"] > 0
    assert found["memory_mb"] < TARGETS["memory_mb"]
    assert "Traceback" not in server.log.read_text()
