"""Chance: unbiased draws that follow from a key, a label and a number.

Draw number i of a key is always the same. A move that is taken back and played again brings the same card, and the key
proves every deal afterwards.
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping, MutableSequence
from contextlib import suppress
from dataclasses import dataclass
from operator import index
from typing import Any, Final

from cartagena.errors import CartagenaError, shown

BLOCK: Final = 1 << 64


@dataclass(frozen=True)
class Chance:
    """Draws from a key. Each draw has its own label and number.

    >>> Chance.from_seed(7).below(6, "die", 0) == Chance.from_seed(7).below(6, "die", 0)
    True
    """

    key: bytes

    @classmethod
    def from_seed(cls, seed: int | str) -> "Chance":
        """The chance of a seed, a number or a text. Raises CartagenaError for anything else."""
        return cls(hashlib.sha256(f"seed:{seed_text(seed)}".encode()).digest())

    def below(self, limit: int, label: str, number: int) -> int:
        """A uniform whole number from 0 to ``limit`` - 1, by rejection sampling."""
        attempt = 0
        while True:
            message = f"{label}:{number}:{attempt}".encode()
            value = int.from_bytes(hmac.digest(self.key, message, "sha256")[:8], "big")
            if value < BLOCK - BLOCK % limit:
                return value % limit
            attempt += 1

    def shuffle(self, items: MutableSequence[Any], label: str) -> None:
        """Shuffle the items in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1, label, last)
            items[last], items[other] = items[other], items[last]

    def card(self, weights: Mapping[str, int], label: str, number: int) -> str:
        """One of the cards, drawn in proportion to its weight."""
        left = self.below(sum(weights.values()), label, number)
        for card, weight in weights.items():
            left -= weight
            if left < 0:
                return card
        raise ValueError("no card has a weight")


def seed_text(seed: object) -> str:
    """The seed as text. Raises CartagenaError unless it is a whole number or a text."""
    if not isinstance(seed, bool):
        with suppress(TypeError, ValueError):  # ValueError: too many digits, or half of a character
            text = seed if isinstance(seed, str) else str(index(seed))  # type: ignore[arg-type]
            text.encode()
            return text
    raise CartagenaError(f"a seed is a whole number or a text, not {shown(seed)}")


def new_seed() -> str:
    """A new random seed."""
    return str(secrets.randbelow(10**12))
