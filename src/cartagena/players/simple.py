"""Players that look no further than one action. They need no compiled code, so they answer at once."""

from copy import copy
from random import Random
from typing import Final

from cartagena.game import Position
from cartagena.kernel import layout as at

from .compiled.greedy import worth
from .model import Analysis, Limit, check_view
from .repetition import Memory, RememberingPlayer

FORWARD: Final = 3
"""How much likelier the deckhand is to advance than to do anything else."""


class SimplePlayer(RememberingPlayer):
    """Base of the players that pick one action with a random generator."""

    def pick(self, view: Position, memory: Memory, random: Random) -> int:
        """Choose one of the legal actions."""
        raise NotImplementedError

    def analyse(self, view: Position, limit: Limit | None = None) -> Analysis:  # noqa: ARG002
        """Find the move that ``decide`` would play; the generator stays where it is."""
        check_view(view)
        game = self.memory(view)
        return Analysis(view.move(self.pick(view, game.of(view), copy(game.random))))

    def choose(self, view: Position, limit: Limit | None = None) -> Analysis:  # noqa: ARG002
        check_view(view)
        game = self.memory(view)
        return Analysis(view.move(self.pick(view, game.of(view), game.random)))


class Uniform(SimplePlayer):
    """Plays any legal move, each as likely as any other."""

    name = "random"

    def pick(self, view: Position, memory: Memory, random: Random) -> int:  # noqa: ARG002
        return random.choice(view.legal_actions())


class Deckhand(SimplePlayer):
    """Plays nearly at random: prefers to advance, and ends its turn only when no action is left."""

    name = "deckhand"

    def pick(self, view: Position, memory: Memory, random: Random) -> int:  # noqa: ARG002
        actions = view.legal_actions()
        wanted = [action for action in actions if action != at.END] or actions
        weights = [FORWARD if action < at.RETREAT else 1 for action in wanted]
        return random.choices(wanted, weights)[0]


class Sailor(SimplePlayer):
    """Plays greedily: the action that looks best by itself, without regard to the replies."""

    name = "sailor"

    def pick(self, view: Position, memory: Memory, random: Random) -> int:
        state, after = view.state(), [0] * at.WORDS
        scores = {action: worth(view.table, state, action, after) for action in view.legal_actions()}
        order = list(scores)
        random.shuffle(order)
        order.sort(key=lambda action: -scores[action])
        return memory.best(view, order)

    def choose(self, view: Position, limit: Limit | None = None) -> Analysis:
        analysis = super().choose(view, limit)
        self.memory(view).of(view).note(view, view.action(analysis.move))
        return analysis
