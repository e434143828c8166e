"""Plausible misuse of what stands beside the environments: one sentence, in an error of ours or of the library."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from tests.game.test_misuse import try_wrong_arguments

from cartagena import Limit, create_player
from cartagena.rl.errors import BadArgument
from cartagena.rl.exploitability import PlayerPolicy, exploitability, small_game, solve
from cartagena.rl.opponents import League
from cartagena.rl.wrappers import flattened

CALLABLES: dict[str, Callable[..., Any]] = {
    "small_game": small_game, "PlayerPolicy": PlayerPolicy, "exploitability": exploitability, "solve": solve,
    "League": League, "League.add": League(["sailor"]).add, "League.draw": League(["sailor"]).draw,
    "flattened": flattened,
}  # fmt: skip


@pytest.fixture
def good(tmp_path: Any) -> dict[str, Any]:
    """A right value for parameters of each name. The game is over after a few histories."""
    rules = tmp_path / "tiny.toml"
    rules.write_text('base = "jamaica-en+actions1+cards2"\npieces = 1\npirates = 1\ndeal = 1')
    sailor = create_player("sailor")
    return {
        "rules": str(rules), "game": small_game(str(rules), turns=1), "player": sailor, "strategy": sailor,
        "limit": Limit(nodes=1), "members": ["sailor"], "member": "sailor", "rng": np.random.default_rng(1),
    }  # fmt: skip


@pytest.mark.parametrize("name", CALLABLES)
def test_one_wrong_argument_is_refused_in_one_sentence(name: str, good: dict[str, Any]) -> None:
    try_wrong_arguments(CALLABLES[name], good, gymnasium.error.Error)


def test_a_name_alone_is_not_a_list_of_opponents() -> None:
    with pytest.raises(BadArgument, match="a league is made of a list of opponents, not of 'sailor'"):
        League("sailor")
