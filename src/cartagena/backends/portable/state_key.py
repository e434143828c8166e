"""A hash of a state, the same on every backend."""

from ...kernel.intrinsics import Words, rule
from ...kernel.layout import WORDS
from .generator import ALL, GOLDEN, mix
from .intrinsics import Word, word


@rule
def state_key(state: Words) -> Word:
    """A hash of all words of a state."""
    key = GOLDEN
    for number in range(WORDS):
        key = mix((key + word(state[number])) & ALL)
    return key
