"""The fair deal: a commitment before the deal, a salt from every chair, and a proof afterwards.

Before the deal the dealer publishes ``commitment(secret)``. Each chair may then add a salt. All chance follows from the
secret and the salts, so neither the dealer, bound by the commitment, nor a chair, which does not know the secret, can
steer it. When the game is over the secret is published, and ``check`` proves every card of the record from it.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from typing import Final

from cartagena.errors import UnfairDeal
from cartagena.rulesets import RuleSetError, by_name, vary

from .move import Move
from .position import Position
from .record import Record
from .rng import Chance
from .setup import open_position

SECRET_BYTES: Final = 32
SALT: Final = re.compile(r"[A-Za-z0-9_-]{0,64}")
SIZES: Final = {"Pirates": "pirates", "Pieces": "pieces", "Deal": "deal"}


def new_secret() -> str:
    """A new random secret in hexadecimal digits."""
    return secrets.token_hex(SECRET_BYTES)


def commitment(secret: str) -> str:
    """The hash of the secret, which is published before the deal."""
    return hashlib.sha256(f"cartagena-deal:{secret}".encode()).hexdigest()


def chance_of(secret: str, salts: Sequence[str]) -> Chance:
    """The chance of the game, keyed by the secret and the salts in the order of the chairs."""
    message = "/".join(salts).encode()
    return Chance(hmac.digest(secret.encode(), message, "sha256"))


def draw_lots(chance: Chance, chairs: int) -> list[int]:
    """The chairs, from 1, in the order of the seats they get."""
    order = list(range(1, chairs + 1))
    chance.shuffle(order, "lots")
    return order


def next_card(position: Position, chance: Chance, number: int) -> Move:
    """The next card as a move, after ``number`` cards have been dealt since the opening."""
    return Move("+" + chance.card(position.chances(), "draw", number))


def check(record: Record) -> str:
    """Prove the deal of a record from the secret in its tags. Raises UnfairDeal.

    Returns:
        A sentence that says what was proved.
    """
    tags = record.tags
    for tag in ("Commitment", "Secret"):
        if tag not in tags:
            raise UnfairDeal(f"the record has no tag {tag}, so its deal cannot be proved")
    if commitment(tags["Secret"]) != tags["Commitment"]:
        raise UnfairDeal("the secret is not the one that was promised before the deal")
    chance = chance_of(tags["Secret"], salts_of(tags, record.opening.seats))
    _check_lots(tags, chance, record.opening.seats)
    if opening_of(tags, record.opening.seats, chance) != record.opening:
        raise UnfairDeal("the opening position does not follow from the secret")
    cards = _check_draws(record, chance)
    return f"The secret is the promised one; the opening and all {cards} cards dealt after it follow from it."


def salts_of(tags: Mapping[str, str], seats: int) -> list[str]:
    """The salt of each chair, from the tags Salt1, Salt2 and so on."""
    return [tags.get(f"Salt{chair}", "") for chair in range(1, seats + 1)]


def opening_of(tags: Mapping[str, str], seats: int, chance: Chance) -> Position:
    """The opening that follows from the tags and chance."""
    entries: dict[str, int | str] = {"style": tags["Style"]} if "Style" in tags else {}
    try:
        entries |= {key: int(tags[tag]) for tag, key in SIZES.items() if tag in tags}
        rules = by_name(tags["Rules"])
        return open_position(vary(rules, entries, "tags") if entries else rules, seats, chance)
    except (RuleSetError, ValueError) as error:
        raise UnfairDeal(f"the tags describe no table: {str(error).rstrip('.')}") from None


def _check_lots(tags: Mapping[str, str], chance: Chance, seats: int) -> None:
    if "Lots" in tags and tags["Lots"] != " ".join(map(str, draw_lots(chance, seats))):
        raise UnfairDeal("the lots for the seats do not follow from the secret")


def _check_draws(record: Record, chance: Chance) -> int:
    """Check every dealt card against chance. Returns how many there are."""
    number = 0
    for count, (position, entry) in enumerate(zip(record.positions(), record.moves, strict=False), 1):
        if entry.move.is_chance:
            expected = next_card(position, chance, number)
            if entry.move != expected:
                raise UnfairDeal(f"move {count}: {entry.move} was dealt, but {expected} follows from the secret")
            number += 1
    return number
