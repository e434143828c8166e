"""Players that look no further than one action. They need no compiled code, so they answer at once."""

from copy import copy
from random import Random
from typing import Final

from cartagena.game import Position
from cartagena.kernel import layout as at
from cartagena.kernel.cards import held, tally
from cartagena.kernel.intrinsics import RuleTable, Words, popcount
from cartagena.kernel.moves import hand_of, hand_size
from cartagena.kernel.step import step
from cartagena.kernel.track import number_at

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
        state = view.state()
        scores = {action: worth(view.table, state, action) for action in view.legal_actions()}
        order = list(scores)
        random.shuffle(order)
        order.sort(key=lambda action: -scores[action])
        return memory.best(view, order)

    def choose(self, view: Position, limit: Limit | None = None) -> Analysis:
        analysis = super().choose(view, limit)
        self.memory(view).of(view).note(view, view.action(analysis.move))
        return analysis


def worth(table: RuleTable, state: Words, action: int) -> float:
    """The sailor's score of an action: fields won, cards drawn and cards spent."""
    if action == at.END:
        return 0.0
    if action == at.SAIL:
        return sail_worth(table, state, state[at.TURN])
    if action >= at.DROP:
        return float(tally(hand_of(state, state[at.DROPPER] - 1), action - at.DROP))
    seat = state[at.TURN]
    after = list(state)
    step(table, after, action)
    if after[at.OVER]:
        return 1000.0
    gained = progress(table, after, seat) - progress(table, state, seat)
    if action < at.RETREAT:
        behind = action // at.CARD_SLOTS / 20
        single = 1.5 if tally(hand_of(state, seat), action % at.CARD_SLOTS) == 1 else 0.0
        return gained - behind - single
    drawn = hand_size(after, seat) + after[at.OWED] - hand_size(state, seat)
    return gained + card_worth(state, seat) * drawn


def progress(table: RuleTable, state: Words, seat: int) -> float:
    """Fields that the seat's pirates have gone; a pirate at the goal counts three more."""
    return sum(number_at(state, seat, place) * place for place in range(1, table[at.T_GOAL] + 1)) + 3 * number_at(
        state, seat, table[at.T_GOAL]
    )


def card_worth(state: Words, seat: int) -> float:
    """The worth of one more card, which falls with the size of the hand."""
    variety = popcount(held(hand_of(state, seat)))
    return 8.0 / (1 + hand_size(state, seat)) + (1.0 if variety < 3 else 0.0)


def sail_worth(table: RuleTable, state: Words, seat: int) -> float:
    """The worth of sailing: out at any time, back only with no own pirate aboard."""
    aboard = number_at(state, seat, table[at.T_BOAT])
    if state[at.SLOOP] == 1:
        return 6.0
    return 5.0 if aboard == 0 else 0.5
