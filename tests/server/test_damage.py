"""Damaged tables: an event that cannot be read spoils its own table and no other."""

import sqlite3
from typing import Any

import pytest

from .rig import Server, running
from .test_seating import wait_for

WITH_COMPUTER = [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "7"}]
DAMAGE: list[tuple[str, Any]] = [
    ("dance", '{"seat": 1}'),
    ("talk", '{"seat": 1}'),
    ("talk", '["not", "an", "object"]'),
    ("talk", '{"seat": 1, "text": 5}'),
    ("talk", "{broken"),
    ("move", '{"seat": 1, "move": "nonsense", "cards": [], "ms": 0}'),
    ("move", '{"seat": 1, "move": "end", "cards": ["B"], "ms": 0}'),
    ("undo", '{"seat": 1, "ms": 0}'),
    ("seat", '{"chair": 9, "name": "", "salt": ""}'),
]


def damage(database: str, table: str, kind: str, data: str) -> None:
    """Append an event to a table in the file."""
    with sqlite3.connect(database.removeprefix("sqlite:///")) as base:
        (number,) = base.execute("SELECT max(number) FROM events WHERE table_id = ?", (table,)).fetchone()
        base.execute("INSERT INTO events VALUES (?, ?, 1, ?, ?, NULL)", (table, number + 1, kind, data))
        base.execute("UPDATE tables SET wake = 1")


def computers_game(server: Server) -> Any:
    """A game that stands before a move of the computer, which is not on offer here."""
    ann = server.table("tortuga-en", WITH_COMPUTER, lots=False)
    assert ann.look()["stage"] == "playing"
    return ann


@pytest.mark.parametrize(("kind", "data"), DAMAGE)
def test_a_damaged_event_spoils_only_its_own_table(sqlite: str, kind: str, data: str) -> None:
    with running(sqlite) as server:
        spoiled, sound = computers_game(server), computers_game(server)
    damage(sqlite, spoiled.table, kind, data)
    with running(sqlite, log_level="error") as server:
        refused = server.get(spoiled.path, spoiled.token)
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "storage")
        assert server.get(sound.path, sound.token).status_code == 200


def test_a_damaged_event_does_not_keep_other_games_from_waking(sqlite: str) -> None:
    with running(sqlite) as server:
        games = [computers_game(server) for _ in range(4)]
        for ann in games:
            ann.play(9)
    first = min(game.table for game in games)
    damage(sqlite, first, "dance", "{}")
    with running(sqlite, log_level="error") as server:
        for game in games:
            if game.table != first:
                game.server = server
                assert wait_for(game, lambda seen: seen["options"] is not None)["seats"][1]["kind"] == "computer"
