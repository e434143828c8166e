"""The fair deal: a commitment before the deal, a salt from every person, and a proof afterwards.

Before the deal the dealer publishes ``commitment(secret, terms)``. Each person may then add a salt, which counts at the
person's own chair; the salt of a computer's chair is empty, since the dealer itself would choose it. All chance follows
from the secret and the salts, so neither the dealer, bound by the commitment, nor a person, who does not know the
secret, can steer it alone. When the game is over the secret is published, and ``check`` proves every card of the record
from it. That proves something to a person only with the commitment that the person saw before the deal, the salt that
the person added, and the chair where it was added: a record alone can be made up as a whole.

There are three forms of the commitment. The first binds the secret only, the second also the set-up, the third also the
content of the rule set and the chairs that the set-up gives to computers. Only the third proves a deal: with the older
ones a dealer that knows the salts of the people can still choose one for a computer, until the deal pleases it.
"""

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import NoneType
from typing import Final

from cartagena.errors import UnfairDeal, shown, takes
from cartagena.rulesets import RuleSet, RuleSetError, by_name, vary

from .move import Move
from .position import Position
from .record import Record
from .rng import Chance
from .setup import open_position
from .variants import SIZE, SIZES, VARIANT, read_variant

__all__ = ["Findings", "Terms", "chance_of", "check", "commitment", "draw_lots", "find", "new_secret", "next_card"]

SECRET_BYTES: Final = 32
SECRET: Final = re.compile(r"[0-9a-f]+")
"""What a secret is: in other texts it could not be told where the secret ends and the terms begin."""


def new_secret() -> str:
    """A new random secret in hexadecimal digits.

    >>> from cartagena.game.fair_deal import new_secret
    >>> len(new_secret())
    64
    """
    return secrets.token_hex(SECRET_BYTES)


@dataclass(frozen=True)
class Terms:
    """What a commitment binds besides the secret: everything that the deal follows from except for the salts.

    >>> from cartagena.game.fair_deal import Terms
    >>> print(Terms("k3v9x2m4q8rt", "jamaica-en", 2, lots=True))
    table=k3v9x2m4q8rt rules=jamaica-en seats=2 style=printed pirates=- pieces=- deal=- lots=yes
    """

    table: str
    rules: str
    seats: int
    style: str = "printed"
    sizes: tuple[int | None, ...] = (None, None, None)
    """Pirates, pieces and cards dealt, where they differ from the rule set."""
    lots: bool = False
    content: str = ""
    """``RuleSet.content_hash``; empty in the second form, which binds neither the content nor the computers."""
    computers: tuple[int, ...] = ()
    """The chairs that the set-up gives to computers."""

    def __str__(self) -> str:
        sizes = zip(SIZES.values(), self.sizes, strict=True)
        text = " ".join(f"{key}={'-' if size is None else size}" for key, size in sizes)
        lots = "yes" if self.lots else "no"
        second = f"table={self.table} rules={self.rules} seats={self.seats} style={self.style} {text} lots={lots}"
        if not self.content:
            return second
        return f"{second} content={self.content} computers={','.join(map(str, self.computers)) or '-'}"


@takes(UnfairDeal, secret=str, terms=(Terms, NoneType))
def commitment(secret: str, terms: Terms | None = None) -> str:
    """The hash of the secret and the terms, which is published before the deal.

    Without terms it is the first form, which binds the secret only.

    >>> from cartagena.game.fair_deal import Terms, commitment
    >>> commitment("00", Terms("k3v9", "jamaica-en", 2))[:16]
    '428d81145c6ad071'
    """
    form = "deal" if terms is None else "promise-3" if terms.content else "promise"
    text = f"cartagena-{form}:{secret}" if terms is None else f"cartagena-{form}:{secret}:{terms}"
    return hashlib.sha256(encoded(text)).hexdigest()


def encoded(text: str) -> bytes:
    """The text as UTF-8. Raises UnfairDeal for half a character, which is no text."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise UnfairDeal("a secret and a salt are texts without half characters") from None


@takes(UnfairDeal, secret=str, salts=(list, tuple))
def chance_of(secret: str, salts: Sequence[str]) -> Chance:
    """The chance of the game, keyed by the secret and the salts in the order of the chairs.

    >>> from cartagena.game.fair_deal import chance_of, draw_lots
    >>> draw_lots(chance_of("00", ["rum", ""]), 2) == draw_lots(chance_of("00", ["rum", ""]), 2)
    True
    """
    if not all(isinstance(salt, str) for salt in salts):
        raise UnfairDeal(f"salts must be a list of texts, not {shown(salts)}")
    return Chance(hmac.digest(encoded(secret), encoded("/".join(salts)), "sha256"))


@takes(UnfairDeal, chance=Chance, chairs=int)
def draw_lots(chance: Chance, chairs: int) -> list[int]:
    """The chairs, from 1, in the order of the seats they get.

    >>> from cartagena.game.fair_deal import chance_of, draw_lots
    >>> draw_lots(chance_of("00", ["rum", "", "silver"]), 3)
    [3, 1, 2]
    """
    order = list(range(1, chairs + 1))
    chance.shuffle(order, "lots")
    return order


@takes(UnfairDeal, position=Position, chance=Chance, number=int)
def next_card(position: Position, chance: Chance, number: int) -> Move:
    """The next card as a move, after ``number`` cards have been dealt since the opening.

    >>> from cartagena import Position
    >>> from cartagena.game.fair_deal import chance_of, next_card
    >>> position = Position("jamaica-en SPBKDH 2,5/s,s H/HS2 - B16D16H15K17P17S15 BD - 1.2").play("5<")
    >>> next_card(position, chance_of("00", ["rum", ""]), 0)
    Move('+D')
    """
    return Move("+" + chance.card(position.chances(), "draw", number))


@dataclass(frozen=True)
class Findings:
    """What the check of a deal has found. As text it says what was proved and what was not, a sentence a line.

    >>> from cartagena.game.fair_deal import Findings
    >>> str(Findings(cards=12, promised=True, salted=True, placed=True)).split(":")[0]
    'Proved'
    """

    cards: int
    """How many cards were dealt after the opening."""
    promised: bool
    """Whether the commitment is the one that was seen before the deal."""
    salted: bool
    """Whether randomness that was added is part of the deal."""
    placed: bool
    """Whether it counts at the chair where it was added."""

    def __str__(self) -> str:
        follow = f"the opening and all {self.cards} cards dealt after it follow from it"
        if self.promised and self.salted:
            lines = [f"Proved: this deal was promised before you added your randomness, which is part of it; {follow}."]
        elif self.promised:
            lines = [f"Proved: the secret is the one of the commitment that you saw; {follow}."]
        else:
            lines = [f"The record agrees with itself: its secret fits its commitment; {follow}."]
        gaps = (
            (self.promised, "that its commitment is the one you saw before the deal; name that with --commitment"),
            (self.salted, "that your own randomness is part of the deal; name it with --salt"),
            (self.placed or not self.salted, "that your randomness counts at your own chair; name that with --chair"),
        )
        return "\n".join([*lines, *(f"Not proved: {gap}." for closed, gap in gaps if not closed)])


_deal_arguments = takes(
    UnfairDeal,
    record=Record,
    promised=(str, NoneType),
    salts=(list, tuple),
    chairs=(list, tuple),
    computers=(list, tuple, NoneType),
)
"""Refuses arguments of other types, for ``check`` and ``find``."""


@_deal_arguments
def check(
    record: Record,
    promised: str | None = None,
    salts: Sequence[str] = (),
    chairs: Sequence[int] = (),
    computers: Sequence[int] | None = None,
) -> str:
    """Prove the deal of a record from the secret in its tags. Raises UnfairDeal.

    Args:
        record: A record with the tags Commitment and Secret.
        promised: The commitment that you saw before the deal.
        salts: The randomness that you added.
        chairs: The chair, from 1, where you added each salt; the seats may have been drawn by lot afterwards.
        computers: The chairs that computers had at the deal, as you saw it.

    Returns:
        Sentences that say what was proved and what was not.

    >>> from cartagena import Record
    >>> from cartagena.game.fair_deal import bound_terms, chance_of, check, commitment, opening_of
    >>> tags = {"Rules": "jamaica-en", "Secret": "00", "Salt1": "rum", "Salt2": ""}
    >>> tags["Commitment"] = commitment("00", bound_terms(tags, 2))
    >>> record = Record(opening_of(tags, 2, chance_of("00", ["rum", ""])), [], tags)
    >>> check(record, tags["Commitment"], ["rum"], [1]).split(":")[0]
    'Proved'
    """
    found = find(record, promised, salts, chairs, computers)
    if computers is not None or not found.salted:
        return str(found)
    named = sorted({*chairs_of(record.tags, "Computers"), *chairs_of(record.tags, "ComputersLater")})
    chairs_named = f"the chairs of computers were {' '.join(map(str, named))}" if named else "no chair was a computer's"
    return (
        f"{found}\nTo compare: by the record {chairs_named} at the deal; if you saw others, name all with --computer."
    )


@_deal_arguments
def find(
    record: Record,
    promised: str | None = None,
    salts: Sequence[str] = (),
    chairs: Sequence[int] = (),
    computers: Sequence[int] | None = None,
) -> Findings:
    """As ``check``, with the findings one by one. Raises UnfairDeal.

    >>> from cartagena import Record
    >>> from cartagena.game.fair_deal import bound_terms, chance_of, commitment, find, opening_of
    >>> tags = {"Rules": "jamaica-en", "Secret": "00"}
    >>> tags["Commitment"] = commitment("00", bound_terms(tags, 2))
    >>> find(Record(opening_of(tags, 2, chance_of("00", ["", ""])), [], tags))
    Findings(cards=0, promised=False, salted=False, placed=False)
    """
    tags, seats = record.tags, record.opening.seats
    for tag in ("Commitment", "Secret"):
        if tag not in tags:
            raise UnfairDeal(f"the record has no tag {tag}, so its deal cannot be proved")
    if promised is not None and promised.strip().lower() != tags["Commitment"]:
        raise UnfairDeal("the commitment of the record is not the one that you saw before the deal")
    _check_commitment(tags, seats)
    added = salts_of(tags, seats)
    _check_salts(added, salts, chairs)
    _check_computers(tags, added, computers)
    chance = chance_of(tags["Secret"], added)
    _check_lots(tags, chance, seats)
    if opening_of(tags, seats, chance) != record.opening:
        raise UnfairDeal("the opening position does not follow from the secret")
    cards = _check_draws(record, chance)
    return Findings(cards, promised is not None, bool(salts), placed=len(chairs) >= len(salts) > 0)


def _check_commitment(tags: Mapping[str, str], seats: int) -> None:
    """Check that the tags are what the commitment binds. Raises UnfairDeal, for an older form too."""
    if not SECRET.fullmatch(tags["Secret"]):
        raise UnfairDeal("the secret is not written in hexadecimal digits, so the deal is not proved")
    if commitment(tags["Secret"], bound_terms(tags, seats)) == tags["Commitment"]:
        return
    if tags["Commitment"] in (commitment(tags["Secret"]), commitment(tags["Secret"], terms_of(tags, seats))):
        raise UnfairDeal(
            "not proved: the commitment has an older form, with which a server that knows your randomness can still "
            "choose the deal"
        )
    raise UnfairDeal("the secret, or the set-up, is not the one that was promised before the deal")


def _check_salts(added: Sequence[str], salts: Sequence[str], chairs: Sequence[int]) -> None:
    """Check that the salts of a person are part of the deal, each at its chair where that is known."""
    for number, salt in enumerate(salts):
        chair = chairs[number] if number < len(chairs) else 0
        if not salt or salt not in added:
            raise UnfairDeal(f"the randomness {salt[:64]!r} that you added is not part of the deal")
        if chair and (chair > len(added) or added[chair - 1] != salt):
            raise UnfairDeal(f"the randomness {salt[:64]!r} that you added does not count at your chair {chair}")


def _check_computers(tags: Mapping[str, str], added: Sequence[str], seen: Sequence[int] | None) -> None:
    """Check that no salt was chosen for a computer."""
    named = {*chairs_of(tags, "Computers"), *chairs_of(tags, "ComputersLater")}
    if seen is not None and named != set(seen):
        raise UnfairDeal("the record names other chairs as computers' than you saw at the deal")
    for chair in sorted(named):
        if chair <= len(added) and added[chair - 1]:
            raise UnfairDeal(f"chair {chair} was a computer's and adds no randomness, but the record has some for it")


def terms_of(tags: Mapping[str, str], seats: int) -> Terms:
    """The terms that the tags of a record name.

    >>> from cartagena.game.fair_deal import terms_of
    >>> terms_of({"Rules": "jamaica-en", "Pirates": "3"}, 2).sizes
    (3, None, None)
    """
    sizes = tuple(int(tags[tag]) if SIZE.fullmatch(tags.get(tag, "")) else None for tag in SIZES)
    return Terms(tags.get("Table", ""), tags["Rules"], seats, tags.get("Style", "printed"), sizes, "Lots" in tags)


def bound_terms(tags: Mapping[str, str], seats: int) -> Terms:
    """The terms that the tags of a record name, in the third form. Raises UnfairDeal where they describe no table.

    >>> from cartagena.game.fair_deal import bound_terms
    >>> bound_terms({"Rules": "jamaica-en", "Computers": "2"}, 2).computers
    (2,)
    """
    return replace(terms_of(tags, seats), content=rules_of(tags).content_hash, computers=chairs_of(tags, "Computers"))


def chairs_of(tags: Mapping[str, str], tag: str) -> tuple[int, ...]:
    """The chairs that a tag lists: Computers those of the set-up, ComputersLater those given to computers after it.

    >>> from cartagena.game.fair_deal import chairs_of
    >>> chairs_of({"Computers": "2 3"}, "Computers")
    (2, 3)
    """
    return tuple(int(word) for word in tags.get(tag, "").split() if SIZE.fullmatch(word))


def salts_of(tags: Mapping[str, str], seats: int) -> list[str]:
    """The salt of each chair, from the tags Salt1, Salt2 and so on.

    >>> from cartagena.game.fair_deal import salts_of
    >>> salts_of({"Salt1": "rum"}, 2)
    ['rum', '']
    """
    return [tags.get(f"Salt{chair}", "") for chair in range(1, seats + 1)]


def opening_of(tags: Mapping[str, str], seats: int, chance: Chance) -> Position:
    """The opening that follows from the tags and chance.

    >>> from cartagena.game.fair_deal import chance_of, opening_of
    >>> str(opening_of({"Rules": "jamaica-en", "Pieces": "1", "Deal": "2"}, 2, chance_of("00", ["rum", ""])))
    'jamaica-en HDKBPS s,s,s,s,s,s/s,s,s,s,s,s KP/PS - B17D17H17K16P15S16 - - 1.0'
    """
    try:
        return open_position(rules_of(tags), seats, chance)
    except RuleSetError as error:
        raise UnfairDeal(f"the tags describe no table: {str(error).rstrip('.')}") from None


def rules_of(tags: Mapping[str, str]) -> RuleSet:
    """The rule set that the tags describe, with its sizes. Raises UnfairDeal.

    >>> from cartagena.game.fair_deal import rules_of
    >>> rules_of({"Rules": "jamaica-en", "Pirates": "3"})
    rule_set('jamaica-en', pirates=3)
    """
    entries: dict[str, int | str] = {"style": tags["Style"]} if "Style" in tags else {}
    try:
        if VARIANT in tags:
            return read_variant(tags[VARIANT])
        entries |= {key: int(tags[tag]) for tag, key in SIZES.items() if tag in tags}
        rules = by_name(tags["Rules"])
        return vary(rules, entries, "tags") if entries else rules
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
