"""Captions that all pictures share: who stands where, whose turn it is, what is due."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from cartagena.rulesets import RuleSet

from ..scene import Scene
from ..seats import colour

Labels: TypeAlias = Mapping[str, str]
"""What a picture says: the keys of ``ENGLISH``; elsewhere also ``title_GAME``, ``sign_NAME``, ``colour_SEAT``."""
ENGLISH: Final[Labels] = {
    "start": "start",
    "sloop": "sloop",
    "sloop_at": "sloop at island {n}",
    "nest": "nest",
    "island": "island {n}",
    "field": "field",
    "sign": "sign",
    "pirate": "pirate",
    "row": "row",
    "stock": "stock",
    "discard": "discard",
    "no_card": "0 cards",
    "one_card": "1 card",
    "cards": "{n} cards",
    "hidden": "{cards}, hidden",
    "turn": "{name}'s turn",
    "taken": "{turn}, {n} of {all} actions taken",
    "won": "{name} has won",
    "deadlock": "No winner: no seat can act",
    "becalmed": "No winner: becalmed, only sailing is left",
    "row_due": "{cards} to be laid out in the row",
    "owed": "{cards} owed to {name}",
    "drop": "{name} must drop a card",
    "captain": "{name} is captain and may sail free",
    "one_pass": "1 forced pass",
    "passes": "{n} forced passes in a row",
}


PLACES: Final = {"s": "start", "b": "sloop", "n": "nest"}


def title_of(rules: RuleSet, labels: Labels = ENGLISH) -> str:
    """The title of a game; of a variant its own, or its name where it has none."""
    if rules.title != (rules.default or rules).title:
        return rules.title
    return rules.variant or labels.get(f"title_{rules.game}", rules.title)


def counted_cards(number: int, labels: Labels = ENGLISH) -> str:
    """A number of cards, by the language's own rule for 0."""
    return labels[{0: "no_card", 1: "one_card"}.get(number, "cards")].format(n=number)


def crowd(position: Scene) -> dict[str, list[int]]:
    """The seats of the pirates on each occupied place, one entry a pirate, lowest seat first."""
    seats: dict[str, list[int]] = {}
    for seat in range(1, position.seats + 1):
        for place in position.places(seat):
            seats.setdefault(place, []).append(seat)
    return seats


def fields(position: Scene) -> list[list[list[tuple[str, str]]]]:
    """The name and the letter of each field, by island and piece."""
    islands, count = [], 0
    for island in position.islands:
        pieces = []
        for piece in island:
            pieces.append([(str(count + nth), letter) for nth, letter in enumerate(piece, 1)])
            count += len(piece)
        islands.append(pieces)
    return islands


def sign_name(position: Scene, card: str) -> str:
    """The name of the sign of a card or a field."""
    return position.rules.signs[position.rules.letters.index(card[0])]


def seat_name(seat: int, labels: Labels = ENGLISH) -> str:
    """The colour of a seat, from 1."""
    return labels.get(f"colour_{seat}") or colour(seat - 1).capitalize()


def result(position: Scene, labels: Labels = ENGLISH) -> str:
    """How the game ended. Empty while it goes on."""
    outcome = position.outcome()
    if outcome is None:
        return ""
    if outcome.winner:
        return labels["won"].format(name=seat_name(outcome.winner, labels))
    return labels["becalmed" if position.is_becalmed else "deadlock"]


def headline(position: Scene, labels: Labels = ENGLISH) -> str:
    """Whose turn it is, or the result."""
    return result(position, labels) or labels["turn"].format(name=seat_name(position.active, labels))


def in_turn(position: Scene) -> int:
    """The seat to highlight: the one that must choose, is dealt to, or has won. ``NO_SEAT`` after a deadlock."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winner or 0
    return position.turn or position.active


def duties(position: Scene, labels: Labels = ENGLISH) -> list[str]:
    """What is due now, and special states, as short sentences."""
    notes = []
    name = seat_name(position.active, labels)
    if position.row_due:
        notes.append(labels["row_due"].format(cards=counted_cards(position.row_due, labels)))
    if position.owed:
        notes.append(labels["owed"].format(cards=counted_cards(position.owed, labels), name=name))
    if position.dropper:
        notes.append(labels["drop"].format(name=seat_name(position.dropper, labels)))
    if position.is_captain:
        notes.append(labels["captain"].format(name=name))
    if position.passes:
        notes.append(labels["one_pass" if position.passes == 1 else "passes"].format(n=position.passes))
    return notes


def spoken(position: Scene) -> str:
    """The position in one sentence for a screen reader."""
    seats = range(1, position.seats + 1)
    crews = [f"{seat_name(seat)} at {', '.join(map(long_place, position.places(seat)))}" for seat in seats]
    state = [headline(position), *duties(position), *crews, f"stock {counted_cards(position.stock_size)}"]
    return "; ".join(state) + "."


def long_place(place: str, labels: Labels = ENGLISH) -> str:
    """A place in words."""
    return labels[PLACES[place]] if place in PLACES else place
