"""Players that look no further than one action. They need no compiled code, so they answer at once."""

from typing import Final

from cartagena.game import Position
from cartagena.kernel import layout as at

from .compiled.picks import any_action, deckhand_action, key_at, sailor_order
from .model import Analysis, Limit, check_view
from .repetition import Memory, RememberingPlayer

SEEDS: Final = 0xFFFFFFFF
"""The bits of a seed that draws follow from, as for the searching players."""


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


class Deckhand(SimplePlayer):
    """Plays nearly at random: prefers to advance, and ends its turn only when no action is left."""

    name = "deckhand"

    def pick(self, view: Position, memory: Memory, number: int) -> int:  # noqa: ARG002
        state = view.state()
        return deckhand_action(view.table, state, key_at(state, self.bits, number), [0] * at.MAX_LEGAL)


class Sailor(SimplePlayer):
    """Plays greedily: the action that looks best by itself, without regard to the replies."""

    name = "sailor"

    def pick(self, view: Position, memory: Memory, number: int) -> int:
        state, order, scores = view.state(), [0] * at.MAX_LEGAL, [0.0] * at.MAX_LEGAL
        size = sailor_order(view.table, state, key_at(state, self.bits, number), [0] * at.WORDS, order, scores)
        return memory.best(view, order[:size])

    def choose(self, view: Position, limit: Limit | None = None) -> Analysis:
        analysis = super().choose(view, limit)
        self.memory().of(view).note(view, view.action(analysis.move))
        return analysis
