"""Where a game's chance comes from: draws that follow from a key and a number, without bias and in any order.

Draw number i of a key is always the same, so a move taken back and played again brings the same card, and who
knows the key can prove every deal afterwards.
"""

import hashlib
import hmac
import secrets
from collections.abc import Mapping, MutableSequence
from dataclasses import dataclass
from typing import Any, Final

BLOCK: Final = 1 << 64


@dataclass(frozen=True)
class Chance:
    """Draws from a key. Each draw has a label and a number of its own.

    >>> Chance.from_seed(7).below(6, "die", 0) == Chance.from_seed(7).below(6, "die", 0)
    True
    """

    key: bytes

    @classmethod
    def from_seed(cls, seed: int | str) -> "Chance":
        """The chance of a seed that a person can write down."""
        return cls(hashlib.sha256(f"seed:{seed}".encode()).digest())

    def below(self, limit: int, label: str, number: int) -> int:
        """A whole number from 0 to ``limit`` - 1, each as likely as any other (rejection sampling)."""
        attempt = 0
        while True:
            message = f"{label}:{number}:{attempt}".encode()
            value = int.from_bytes(hmac.digest(self.key, message, "sha256")[:8], "big")
            if value < BLOCK - BLOCK % limit:
                return value % limit
            attempt += 1

    def shuffle(self, items: MutableSequence[Any], label: str) -> None:
        """Put the items into an order that follows from the key."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1, label, last)
            items[last], items[other] = items[other], items[last]

    def card(self, weights: Mapping[str, int], label: str, number: int) -> str:
        """One of the cards, each with the chance of its weight."""
        cards = [card for card, weight in weights.items() for _ in range(weight)]
        return cards[self.below(len(cards), label, number)]


def new_seed() -> str:
    """A seed that nobody has seen before."""
    return str(secrets.randbelow(10**12))
