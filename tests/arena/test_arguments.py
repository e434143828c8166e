"""Arguments that cannot be are refused by one sentence of the package, never by an error of Python."""

from typing import Any

import pytest

from cartagena import CartagenaError, Limit, PlayerError, Position
from cartagena.arena import Contest, Entrant, Sequential, play_match
from cartagena.jobs import executor
from cartagena.players import create


@pytest.mark.parametrize(
    "given",
    [
        {"players": 5},
        {"players": "sailor"},
        {"players": (1, 2)},
        {"players": {"sailor": 1}},
        {"players": [["sailor"], "random"]},
        {"rules": 5},
        {"seats": None},
        {"seats": "2"},
        {"games": 10**400},
        {"seed": None},
        {"seed": []},
        {"code": 5},
        {"code": "bot.py"},
        {"code": (3,)},
        {"stop": (0.4, 0.6)},
        {"most_turns": "many"},
        {"most_turns": 0},
        {"suite": 5},
        {"suite": None},
    ],
    ids=str,
)
def test_a_contest_that_cannot_be_is_one_sentence(given: Any) -> None:
    with pytest.raises(CartagenaError) as raised:
        Contest(**{"players": ("sailor", "random"), **given})
    assert "\n" not in str(raised.value)


def test_a_seed_may_be_a_whole_number() -> None:
    assert Contest(("sailor", "random"), seed=7).head() == Contest(["sailor", "random"], seed="7").head()  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [5, None, [], b"captain", f"captain@{'9' * 400}n", f"captain@{'9' * 400}s"])
def test_an_entrant_that_cannot_be_is_one_sentence(given: Any) -> None:
    with pytest.raises(PlayerError):
        Entrant.parse(given)


@pytest.mark.parametrize("given", [("x", 0.5), (0.5, None), (0.4, 0.6, "x"), (0.4, 0.6, 0), (0.6, 0.4)], ids=str)
def test_a_sequential_test_that_cannot_be_is_one_sentence(given: Any) -> None:
    with pytest.raises(PlayerError, match="a sequential test takes two shares"):
        Sequential(*given)


@pytest.mark.parametrize("given", [{"nodes": 10**400}, {"nodes": 10**15 + 1}, {"time": 1e305}, {"time": 10**400}])
def test_a_limit_beyond_all_computers_is_one_sentence(given: Any) -> None:
    with pytest.raises(PlayerError, match=r"a (time|node) limit is a"):
        Limit(**given)


def test_the_largest_limits_can_be_searched_with() -> None:
    view = Position.parse("jamaica-en BPHSDK 6,b/s,b B/K - B16D17H17K16P17S17 - - 1.0").view(1)
    for limit in (Limit(nodes=10**15), Limit(time=10**9)):
        assert create("captain", 1).decide(view, limit) in view.legal_moves, "the winner is certain at once"


@pytest.mark.parametrize("workers", ["2", -1, 1.5, [], 10**9])
def test_a_number_of_workers_that_cannot_be_is_one_sentence(workers: Any) -> None:
    with pytest.raises(PlayerError, match="workers must be a whole number from 0"):
        executor("local", workers)
    with pytest.raises(PlayerError, match="processes must be a whole number from 1"):
        play_match(["sailor", "random"], games=2, processes=workers)
