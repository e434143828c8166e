"""Players that look no further than one action. They need no compiled code, so they answer at once."""

from collections.abc import Mapping
from typing import Final

from cartagena.game import Move, Position
from cartagena.kernel import layout as at

from .compiled.picks import any_action, deckhand_action, key_at, liking, sailor_order
from .model import Analysis, Limit, check_view
from .repetition import Memory, RememberingPlayer

SEEDS: Final = 0xFFFFFFFF
"""The bits of a seed that draws follow from, as for the searching players."""


def chances(view: Position, weights: Mapping[int, int]) -> dict[Move, float]:
    """The chances of moves that are drawn by these weights. Where all are 0, only one action is legal."""
    total = sum(weights.values())
    if not total:
        return dict.fromkeys(view.legal_moves, 1.0)
    return {view.move(action): weight / total for action, weight in weights.items() if weight}


class SimplePlayer(RememberingPlayer):
    """Base of the players that pick one action by a draw, which is the same in browsers."""

    def pick(self, view: Position, memory: Memory, number: int) -> int:
        """Choose one of the legal actions, as decision ``number`` of a game."""
        raise NotImplementedError

    @property
    def bits(self) -> int:
        """The part of the seed that draws follow from."""
        return self.seed & SEEDS

    def analyse(self, view: Position, limit: Limit | None = None) -> Analysis:  # noqa: ARG002
        """Find the move that ``decide`` would play; the number of decisions stays the same."""
        check_view(view)
        game = self.memory()
        return Analysis(view.move(self.pick(view, game.of(view), game.decisions)))

    def choose(self, view: Position, limit: Limit | None = None) -> Analysis:
        analysis = self.analyse(view, limit)
        self.memory().decisions += 1
        return analysis


class Uniform(SimplePlayer):
    """Plays any legal move, each as likely as any other."""

    name = "random"

    def pick(self, view: Position, memory: Memory, number: int) -> int:  # noqa: ARG002
        state = view.state()
        return any_action(view.table, state, key_at(state, self.bits, number))

    def policy(self, view: Position) -> dict[Move, float]:
        """The chances of the moves, whatever the seed."""
        check_view(view)
        return chances(view, dict.fromkeys(view.legal_actions(), 1))


class Deckhand(SimplePlayer):
    """Plays nearly at random: prefers to advance, and ends its turn only when no action is left."""

    name = "deckhand"

    def pick(self, view: Position, memory: Memory, number: int) -> int:  # noqa: ARG002
        state = view.state()
        return deckhand_action(view.table, state, key_at(state, self.bits, number), [0] * at.MAX_LEGAL)

    def policy(self, view: Position) -> dict[Move, float]:
        """The chances of the moves, whatever the seed."""
        check_view(view)
        return chances(view, {action: liking(action) for action in view.legal_actions()})


class Sailor(SimplePlayer):
    """Plays greedily: the action that looks best by itself, without regard to the replies."""

    name = "sailor"

    def pick(self, view: Position, memory: Memory, number: int) -> int:
        return memory.best(view, list(self.ranked(view, number)))

    def ranked(self, view: Position, number: int) -> dict[int, float]:
        """The legal actions with their scores, the best first. The order of equal ones is drawn."""
        state, order, scores = view.state(), [0] * at.MAX_LEGAL, [0.0] * at.MAX_LEGAL
        size = sailor_order(view.table, state, key_at(state, self.bits, number), [0] * at.WORDS, order, scores)
        return dict(zip(order[:size], scores, strict=False))

    def policy(self, view: Position) -> dict[Move, float]:
        """The chances of the moves, whatever the seed: a draw only decides between equal scores."""
        check_view(view)
        memory, scores = self.memory().of(view), self.ranked(view, 0)

        def is_chosen_before_its_equals(action: int) -> bool:
            order = sorted(scores, key=lambda each: (-scores[each], each != action))
            return memory.best(view, order) == action

        return chances(view, {action: is_chosen_before_its_equals(action) for action in scores})

    def choose(self, view: Position, limit: Limit | None = None) -> Analysis:
        analysis = super().choose(view, limit)
        self.memory().of(view).note(view, view.action(analysis.move))
        return analysis
