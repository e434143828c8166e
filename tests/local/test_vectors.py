"""The recorded games that the table in the browser is tested with are those of the server's table."""

import json

import pytest

from .vectors import PATH, again, cases

TOLD = json.loads(PATH.read_text())


def test_every_game_and_number_of_seats_is_recorded_to_its_end() -> None:
    assert [len(told["setup"]["seats"]) for told in TOLD] == [seats for _, _, seats in cases()]
    assert [told["setup"]["rules"] for told in TOLD] == [rules for _, rules, _ in cases()]
    done = {step.split()[0] for told in TOLD for step in told["steps"]}
    assert {"undo", "leave", "back", "resign", "end", "sail"} <= done
    assert {word.split(":")[0] for word in done} >= {"drop", "s"}


@pytest.mark.parametrize("number", range(len(TOLD)))
def test_the_server_tells_what_was_recorded(number: int) -> None:
    told = TOLD[number]
    found = [game.digest for game in again(told, number)]
    assert found == [step.split()[1] for step in told["steps"]]
