"""Compiling a rule set to the rule table that the kernel reads."""

from functools import lru_cache

from cartagena.errors import RuleSetError, shown, takes
from cartagena.kernel import layout as at
from cartagena.kernel.cards import unit

from .model import RuleSet


def deck_word(rules: RuleSet) -> int:
    """All cards of the game as a card word."""
    word = 0
    for sign, number in enumerate(rules.counts):
        golden = 1 if rules.freebooters and number else 0
        word += (number - golden) * unit(sign) + golden * unit(at.FREEBOOTER + sign)
    return word


def mask(first: int, last: int) -> int:
    """The mask of the places from ``first`` to ``last``."""
    return (1 << (last + 1)) - (1 << first)


@lru_cache(maxsize=4096)
def sign_masks(letters: str, islands: tuple[tuple[str, ...], ...]) -> tuple[int, ...]:
    """The mask of the fields of each sign on a board."""
    masks = [0] * len(letters)
    place = 1
    for island in islands:
        for letter in "".join(island):
            masks[letters.index(letter)] |= 1 << place
            place += 1
        place += 1  # the sloop's place comes after an island
    return tuple(masks)


@takes(RuleSetError, rules=RuleSet, seats=int, pieces=int, pirates=int)
@lru_cache(maxsize=1024)
def compile_table(rules: RuleSet, seats: int, pieces: int, pirates: int) -> tuple[int, ...]:
    """The kernel's rule table for a number of seats, board pieces and pirates a seat.

    >>> from cartagena.kernel import layout
    >>> from cartagena.rulesets import by_name, compile_table
    >>> compile_table(by_name("jamaica-en"), 2, 6, 6)[layout.T_BOAT]
    37
    """
    for number in (seats, pieces, pirates):
        if not 0 <= number <= at.MAX_PLACES:
            raise RuleSetError(f"there cannot be {shown(number)} seats, pieces or pirates")
    signs = len(rules.letters)
    numbers = [0] * at.T_NUMBERS
    first = (rules.islands[0] if rules.nest else pieces) * signs
    boat = first + 1
    last = pieces * signs + 1 if rules.nest else first
    numbers[at.T_SEATS] = seats
    numbers[at.T_PIRATES] = pirates
    numbers[at.T_ACTIONS] = rules.actions
    numbers[at.T_PASS] = int(rules.may_pass)
    numbers[at.T_CREW] = int(rules.crew)
    numbers[at.T_ROW] = rules.row
    numbers[at.T_OPEN] = int(rules.open_hands)
    numbers[at.T_NEST] = int(rules.nest)
    numbers[at.T_SIGNS] = signs
    numbers[at.T_LIMIT] = rules.limit
    numbers[at.T_DECK] = deck_word(rules)
    numbers[at.T_HOLD] = rules.hold or (at.NO_HOLD if rules.draw else 0)
    numbers[at.T_DRAW] = rules.draw
    numbers[at.T_HOME] = rules.home if rules.home < pirates else 0
    numbers[at.T_BOAT] = boat
    numbers[at.T_GOAL] = last + 1 if rules.nest else boat
    numbers[at.T_FIRST] = mask(0, first)
    numbers[at.T_SECOND] = mask(boat + 1, last) if rules.nest else 0
    numbers[at.T_FIELDS] = mask(1, first) | numbers[at.T_SECOND]
    if not rules.nest:
        numbers[at.T_RETREAT] = mask(1, boat if rules.may_return else first)
    return tuple(numbers)
