"""One fixed action space, and its words both ways."""

import pytest
from tests.rl.play import TABLES, random_position

from cartagena import CartagenaError, NotationError
from cartagena.kernel import layout as at
from cartagena.kernel.reasons import fits_the_game
from cartagena.rl.spaces import actions


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_every_action_has_one_word_and_every_word_one_action(rules: str, seats: int) -> None:
    position = random_position(rules, seats, 1, 0)
    words = {}
    for action in range(actions.COUNT):
        if fits_the_game(position.table, action):
            words[action] = actions.to_notation(position, action)
            assert actions.from_notation(position, words[action]) == action
        else:
            with pytest.raises(CartagenaError, match=f"has no action {action}"):
                actions.to_notation(position, action)
    assert len(set(words.values())) == len(words)


def test_the_documented_ranges_are_the_kernels() -> None:
    assert (at.RETREAT, at.PUSH, at.SAIL, at.END, at.DROP, at.DEAL, at.ACTIONS) == (
        800,
        850,
        1170,
        1171,
        1172,
        1186,
        1200,
    )


def test_words_that_mean_nothing_are_refused() -> None:
    position = random_position("jamaica-en", 2, 1, 0)
    with pytest.raises(NotationError):
        actions.from_notation(position, "forward!")
    with pytest.raises(CartagenaError, match="has no move sail"):
        actions.from_notation(position, "sail")


def test_why_not_is_a_reason_for_every_action_that_is_not_legal() -> None:
    position = random_position("nest-nl", 3, 2, 20)
    legal = set(position.legal_actions())
    for action in (-1, *range(actions.COUNT + 1)):
        if action not in legal:
            assert actions.why_not(position, action).reason
