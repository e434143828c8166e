"""The observations and the masks of many views, each of the seat that must choose, for the columns of data sets."""

from cartagena.backends.arrays import ByteArray, IntArray, MaskArray
from cartagena.backends.cpu.compiler import entry, part, pointer, stack_words

from ...backends.portable.toolkit import list_moves
from ...kernel.intrinsics import RuleTable
from ...kernel.layout import ACTIONS, MAX_LEGAL, WORDS
from ...kernel.legal import chooser
from .observation import SIZE, observe


@entry
def observe_all(rule_numbers: RuleTable, views: IntArray, out: ByteArray) -> None:
    """Write the observation of each view; ``out`` is 0."""
    rules, words, seen = pointer(rule_numbers, 0), pointer(views, 0), pointer(out, 0)
    for number in range(views.size // WORDS):
        view = part(words, number * WORDS)
        observe(rules, view, chooser(view), seen, number * SIZE)


@entry
def mark_all(rule_numbers: RuleTable, views: IntArray, out: MaskArray) -> None:
    """Mark the legal actions of each view; ``out`` is 0."""
    rules, words, marks = pointer(rule_numbers, 0), pointer(views, 0), pointer(out, 0)
    moves = stack_words(MAX_LEGAL)
    for number in range(views.size // WORDS):
        for index in range(list_moves(rules, part(words, number * WORDS), moves)):
            marks[number * ACTIONS + moves[index]] = 1
