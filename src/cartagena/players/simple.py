"""Players that look no further than one action. They need no compiled code, so they answer at once."""

import random
from typing import Final

from cartagena.game import Move, Position
from cartagena.kernel import layout as at
from cartagena.kernel.cards import held, tally
from cartagena.kernel.intrinsics import RuleTable, Words, popcount
from cartagena.kernel.moves import hand_of, hand_size
from cartagena.kernel.step import step
from cartagena.kernel.track import number_at

from .model import Limit, check_view
from .repetition import Memory

FORWARD: Final = 3
"""How much likelier the deckhand is to advance than to do any other thing."""


class Uniform:
    """Any legal move, each as likely as any other."""

    name = "random"

    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)

    def decide(self, view: Position, limit: Limit | None = None) -> Move:  # noqa: ARG002
        check_view(view)
        return view.move(self.random.choice(view.legal_actions()))


class Deckhand:
    """Nearly random: likes to go forward, and does not stop before its actions are used."""

    name = "deckhand"

    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)

    def decide(self, view: Position, limit: Limit | None = None) -> Move:  # noqa: ARG002
        check_view(view)
        actions = view.legal_actions()
        wanted = [action for action in actions if action != at.END] or actions
        weights = [FORWARD if action < at.RETREAT else 1 for action in wanted]
        return view.move(self.random.choices(wanted, weights)[0])


class Sailor:
    """Greedy: takes the action that looks best by itself, and never asks what the others make of it."""

    name = "sailor"

    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)
        self.memory = Memory()

    def decide(self, view: Position, limit: Limit | None = None) -> Move:  # noqa: ARG002
        check_view(view)
        state = view.state()
        scores = {action: worth(view.table, state, action) for action in view.legal_actions()}
        order = list(scores)
        self.random.shuffle(order)
        order.sort(key=lambda action: -scores[action])
        return view.move(self.memory.choose(view, order))


def worth(table: RuleTable, state: Words, action: int) -> float:
    """What the sailor thinks of an action: fields won, cards drawn and spent, nothing else."""
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
    """How far the seat's pirates have come, in fields; the goal counts a little more."""
    return sum(number_at(state, seat, place) * place for place in range(1, table[at.T_GOAL] + 1)) + 3 * number_at(
        state, seat, table[at.T_GOAL]
    )


def card_worth(state: Words, seat: int) -> float:
    """Cards are worth more the fewer there are in the hand."""
    variety = popcount(held(hand_of(state, seat)))
    return 8.0 / (1 + hand_size(state, seat)) + (1.0 if variety < 3 else 0.0)


def sail_worth(table: RuleTable, state: Words, seat: int) -> float:
    """Sail out with whoever is aboard, and back when nobody is."""
    aboard = number_at(state, seat, table[at.T_BOAT])
    if state[at.SLOOP] == 1:
        return 6.0
    return 5.0 if aboard == 0 else 0.5
