"""Random numbers by number: draw d of game g of seed s is the same on every backend and in any order.

A key follows from seed and game; draw d is SplitMix64's finaliser (Steele, Lea and Flood 2014) of the key plus d steps.
The mask changes nothing on machine words. It gives plain Python the same 64 bits.
"""

from ...kernel.intrinsics import Words, rule
from ...kernel.layout import WORDS
from .intrinsics import Word, number, word

GOLDEN = word(0x9E3779B97F4A7C15)
"""The distance between keys: 2**64 divided by the golden ratio."""
FIRST = word(0xBF58476D1CE4E5B9)
SECOND = word(0x94D049BB133111EB)
ALL = word(0xFFFFFFFFFFFFFFFF)
S27 = word(27)
S30 = word(30)
S31 = word(31)
S32 = word(32)


@rule
def mix(value: Word) -> Word:
    """Scatter a word over all words, one to one."""
    value = ((value ^ (value >> S30)) * FIRST) & ALL
    value = ((value ^ (value >> S27)) * SECOND) & ALL
    return value ^ (value >> S31)


@rule
def key_of(seed: Word, game: Word) -> Word:
    """The key with which the draws of a game start."""
    return mix((mix((seed + GOLDEN) & ALL) + game * GOLDEN) & ALL)


@rule
def next_key(key: Word) -> Word:
    """The key of the next draw."""
    return (key + GOLDEN) & ALL


@rule
def draw(key: Word) -> int:
    """The draw of a key: a number from 0 to 2**32 - 1."""
    return upper(mix(key))


@rule
def upper(value: Word) -> int:
    """The upper 32 bits of a word."""
    return number(value >> S32)


@rule
def state_key(state: Words) -> Word:
    """A hash of all words of a state."""
    key = GOLDEN
    for index in range(WORDS):
        key = mix((key + word(state[index])) & ALL)
    return key
