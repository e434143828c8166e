"""How far cards take pirates, as the features and the network ask it. The kernel says where a card leads."""

from cartagena.backends.cpu import kernel, rule
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import FREEBOOTER, SLOOP, T_BOAT, T_GOAL

_places_of = kernel.track.places_of
_advance_target = kernel.moves.advance_target
_tally = kernel.cards.tally


@rule
def cards_of(hand: int, sign: int) -> int:
    """Cards of a sign, freebooters included."""
    return _tally(hand, sign) + _tally(hand, sign + FREEBOOTER)


@rule
def jump(rules: RuleTable, state: Words, place: int, sign: int, bound: int) -> int:
    """Fields that a card of that sign takes a pirate on a place, or 0 if it cannot be played.

    ``bound`` are the places of ``bound_movers``.
    """
    target = _advance_target(rules, state, place, sign)
    if (bound >> place) & 1 and target == rules[T_BOAT]:
        return 0
    return target - place


@rule
def movers_of(rules: RuleTable, state: Words, seat: int) -> int:
    """The places of the pirates that a card could move."""
    movers = _places_of(state, seat) & ~(1 << rules[T_GOAL])
    if state[SLOOP] == 1:
        movers &= ~(1 << rules[T_BOAT])
    return movers
