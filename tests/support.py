"""Helpers of the rule tests: positions from a few words, and the booklet sentence that a test checks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import TypeVar

from cartagena import Position

F = TypeVar("F", bound=Callable[..., object])

TUNNEL = "/".join(["BDHKPS"] * 6)
ISLANDS = "CDGMPST/CDGMPST|CDGMPST/CDGMPST/CDGMPST"
TUNNEL_CARDS = Counter(dict.fromkeys("BDHKPS", 17))
NEST_CARDS = Counter({**dict.fromkeys("CDGMPST", 14), **{f"{sign}!": 1 for sign in "CDGMPST"}})

WORKED_A = (
    "tortuga-en BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS s,6,6,17,18,b/s,8,17,17,22,30/s,5,9,12,26,34 "
    "BD4H/BHKP/BHKPS BDDHKSPBH B6D5H6K6P6S7 B6D6H6K8P8S8 - 1.0"
)
WORKED_B = (
    "nest-nl STMDCPG/DCGMPST|GPDCMTS/TPMCGSD/PSGDCTM s,3,3,b,b,28/5,13,b,18,25,n/3,14,14,b,b,16/s,s,5,28,31,n "
    "C3DM/CGPST/CDMPST/CDGMPST - C4C!D7D!G8G!M6M!P6P!S6S!T6T! C4D4G4M5P5S5T5 1 1.0c"
)


def booklet(booklets: str, section: str, subject: str) -> Callable[[F], F]:
    """Name the booklets and the sentence that a test checks; ``docs/rules/booklets.md`` is written from these.

    Booklets are ``en de nl sv`` for Cartagena, ``nest`` for the Pirate's Nest, ``ruling`` where all are silent.
    """
    assert set(booklets.split()) <= {"en", "de", "nl", "sv", "nest", "ruling"}
    assert section
    assert subject
    return lambda test: test


def count(word: str) -> Counter[str]:
    """Count the cards of a set or queue in notation."""
    total: Counter[str] = Counter()
    for card, n in re.findall(r"([A-Z]!?)(\d*)", word):
        total[card] += int(n or 1)
    return total


def written(hand: Counter[str]) -> str:
    """Write cards as a set in notation."""
    return "".join(card + (str(n) if n > 1 else "") for card, n in sorted(hand.items()) if n) or "-"


def lay(
    rules: str,
    pirates: str,
    hands: str,
    *,
    board: str = "",
    row: str = "-",
    discard: str = "-",
    stock: str = "",
    sloop: str = "1",
    turn: str = "1.0",
) -> Position:
    """Build a position. All other cards are the stock or, if ``stock`` is given, the discard pile."""
    nest = rules.startswith("nest")
    rest = Counter(NEST_CARDS if nest else TUNNEL_CARDS)
    copies = re.search(r"\+cards(\d+)", rules)
    if copies:
        rest = Counter({card: 1 if "!" in card else int(copies[1]) - nest for card in rest})
    rest -= count(hands) + count(row)
    if stock:
        stock_word, discard_word = stock, written(rest - count(stock))
    else:
        stock_word, discard_word = written(rest - count(discard)), discard
    return Position.parse(
        f"{rules} {board or (ISLANDS if nest else TUNNEL)} {pirates} {hands} {row} {stock_word} {discard_word} "
        f"{sloop if nest else '-'} {turn}"
    )


def moves(position: Position) -> set[str]:
    """The legal moves in notation."""
    return {str(move) for move in position.legal_moves}


def word(position: Position, name: str) -> str:
    """One of the nine words of a position."""
    names = ("rules", "board", "pirates", "hands", "row", "stock", "discard", "sloop", "turn")
    return str(position).split(" ")[names.index(name)]


def hand(position: Position, seat: int) -> str:
    """The hand of a seat, from 1."""
    return word(position, "hands").split("/")[seat - 1]
