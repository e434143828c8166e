"""Reasons for a move, as codes of the closed list ``WHY``, found by comparing the positions before and after it."""

from typing import Any, Final

import numpy as np

from cartagena.game import Move, Position
from cartagena.kernel import layout as at
from cartagena.kernel.intrinsics import lowest
from cartagena.kernel.moves import hand_size, is_captain
from cartagena.kernel.step import step
from cartagena.kernel.track import number_at, places_of

from .compiled.evaluation import SCRATCH, look
from .compiled.features import PAIRS_TO_DRAW, REACH_ANY, SIZE
from .weights import packaged

LONG: Final = 8
"""Fields from which a jump counts as long."""
NOTICEABLE: Final = 0.04
"""Decrease of a rival's reach from which a chain counts as broken."""


def features_of(view: Position, words: Any) -> Any:
    """The features of all seats, one row per seat."""
    out, values = np.zeros((at.MAX_SEATS, SIZE)), np.zeros(at.MAX_SEATS)
    numbers = np.array(view.table, np.int64), np.array(words, np.int64)
    look(*numbers, out.reshape(-1), values, packaged("hand"), np.zeros(SCRATCH))
    return out


def reasons(view: Position, move: Move) -> tuple[str, ...]:
    """The codes that fit the move, the most important first; ``best-value`` where none does."""
    before, after = view.state(), view.state()
    action = view.action(move)
    seat = before[at.TURN]
    step(view.table, after, action)
    found = []
    if after[at.OVER]:
        found.append("wins")
    if move.kind == "advance":
        found += advance_reasons(view, before, after, seat, action)
    if move.kind in ("retreat", "push"):
        drawn = hand_size(after, seat) + after[at.OWED] - hand_size(before, seat)
        found.append("draws-two" if drawn == 2 else "draws-one")
    if move.kind == "sail":
        found.append("sails")
    if move.kind == "end" and before[at.USED] < view.table[at.T_ACTIONS]:
        found.append("saves-actions")
    if move.kind not in ("end", "drop") and not after[at.OVER]:
        found += rival_reasons(view, before, after, seat)
    return tuple(found) or ("best-value",)


def advance_reasons(view: Position, before: Any, after: Any, seat: int, action: int) -> list[str]:
    """Reasons for an advance that concern the moving pirate."""
    found = []
    place = action // at.CARD_SLOTS
    moved = progress(view, after, seat) - progress(view, before, seat)
    goal, boat = view.table[at.T_GOAL], view.table[at.T_BOAT]
    if boat != goal and number_at(after, seat, goal) > number_at(before, seat, goal):
        found.append("brings-home")
    if number_at(after, seat, boat) > number_at(before, seat, boat):
        found.append("boards")
    if moved >= LONG:
        found.append("long-jump")
    if place == lowest(places_of(before, seat)):
        found.append("moves-straggler")
    if after[at.DROPPER]:
        found.append("cuts-hands")
    return found


def rival_reasons(view: Position, before: Any, after: Any, seat: int) -> list[str]:
    """Reasons that concern the rivals."""
    found = []
    old, new = features_of(view, before), features_of(view, after)
    rivals = [other for other in range(view.seats) if other != seat]
    if any(old[other][REACH_ANY] - new[other][REACH_ANY] > NOTICEABLE for other in rivals):
        found.append("breaks-chain")
    if sum(new[other][PAIRS_TO_DRAW] - old[other][PAIRS_TO_DRAW] for other in rivals) < -0.2:
        found.append("takes-pair")
    if view.table[at.T_NEST] and is_captain(view.table, after, seat) > is_captain(view.table, before, seat):
        found.append("takes-captaincy")
    return found


def progress(view: Position, words: Any, seat: int) -> int:
    """Fields that the seat's pirates have gone."""
    return sum(number_at(words, seat, place) * place for place in range(1, view.table[at.T_GOAL] + 1))
