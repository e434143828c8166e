"""One game stepped by Python, with explicit chance: an action, then who must choose and what may be chosen.

``record`` has the words of a state, then the legal actions of the seat to choose, or the cards that may be dealt.
"""

from typing import Final

from cartagena.backends.cpu import apply, compiled, entry, kernel, list_moves, part, pointer
from cartagena.backends.cpu.compiler import stack_words
from cartagena.kernel.intrinsics import RuleTable, Words
from cartagena.kernel.layout import OVER, WORDS

CHANCE: Final = -1
FINISHED: Final = -4
"""In place of a seat: a card is to be dealt, or the game is over. The numbers are OpenSpiel's."""
PLAYERS: Final = 16
LOWEST: Final = -8
"""``play`` returns size * PLAYERS + player - LOWEST."""

_due = kernel.chance.due
_source = kernel.chance.source
_chooser = kernel.legal.chooser
_view = kernel.view.view
_observe = compiled.load("rl.compiled.observation").observe


@entry
def play(rule_numbers: RuleTable, record: Words, action: int) -> int:
    """Play a legal action (below 0: none). Returns who must choose now and how many legal actions were written."""
    rules, state = pointer(rule_numbers, 0), pointer(record, 0)
    if action >= 0:
        apply(rules, state, action)
    if state[OVER]:
        return FINISHED - LOWEST
    if _due(state):
        state[WORDS] = _source(rules, state)
        return CHANCE - LOWEST
    return list_moves(rules, state, part(state, WORDS)) * PLAYERS + _chooser(state) - LOWEST


@entry
def see(rule_numbers: RuleTable, record: Words, seat: int, out: Words) -> None:
    """Write the observation of a seat into zeros."""
    rules, seen = pointer(rule_numbers, 0), stack_words(WORDS)
    _view(rules, pointer(record, 0), seat, seen)
    _observe(rules, seen, seat, pointer(out, 0), 0)
