"""Captions that all pictures share: who stands where, whose turn it is, what is due."""

from ..plurals import counted
from ..scene import Scene
from ..seats import colour


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


def seat_name(seat: int) -> str:
    """The colour of a seat, from 1."""
    return colour(seat - 1).capitalize()


def result(position: Scene) -> str:
    """How the game ended. Empty while it goes on."""
    outcome = position.outcome()
    if outcome is None:
        return ""
    if outcome.winner:
        return f"{seat_name(outcome.winner)} has won"
    return "No winner: becalmed, only sailing is left" if position.is_becalmed else "No winner: no seat can act"


def headline(position: Scene) -> str:
    """Whose turn it is, or the result."""
    return result(position) or f"{seat_name(position.active)}'s turn"


def in_turn(position: Scene) -> int:
    """The seat to highlight: the one that must choose, is dealt to, or has won. ``NO_SEAT`` after a deadlock."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winner or 0
    return position.turn or position.active


def duties(position: Scene) -> list[str]:
    """What is due now, and special states, as short sentences."""
    notes = []
    if position.row_due:
        notes.append(f"{counted(position.row_due, 'card')} to be laid out in the row")
    if position.owed:
        notes.append(f"{counted(position.owed, 'card')} owed to {seat_name(position.active)}")
    if position.dropper:
        notes.append(f"{seat_name(position.dropper)} must drop a card")
    if position.is_captain:
        notes.append(f"{seat_name(position.active)} is captain and may sail free")
    if position.passes:
        notes.append("1 forced pass" if position.passes == 1 else f"{position.passes} forced passes in a row")
    return notes


def spoken(position: Scene) -> str:
    """The position in one sentence for a screen reader."""
    seats = range(1, position.seats + 1)
    crews = [f"{seat_name(seat)} at {', '.join(map(long_place, position.places(seat)))}" for seat in seats]
    state = [headline(position), *duties(position), *crews, f"stock {counted(position.stock_size, 'card')}"]
    return "; ".join(state) + "."


def long_place(place: str) -> str:
    """A place in words."""
    return {"s": "start", "b": "sloop", "n": "nest"}.get(place, place)
