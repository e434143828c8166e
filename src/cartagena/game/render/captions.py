"""What any picture of a position says, whatever it is drawn with: who stands where, whose turn it is, what is due."""

from ..scene import Scene
from ..seats import colour


def crowd(position: Scene) -> dict[str, list[int]]:
    """For each place where pirates stand, the seats they belong to, one entry a pirate, lowest seat first."""
    found: dict[str, list[int]] = {}
    for seat in range(1, position.seats + 1):
        for place in position.places(seat):
            found.setdefault(place, []).append(seat)
    return found


def fields(position: Scene) -> list[list[list[tuple[str, str]]]]:
    """Island by island and piece by piece the fields: a field's name and the letter of its sign."""
    islands, count = [], 0
    for island in position.islands:
        pieces = []
        for piece in island:
            pieces.append([(str(count + nth), letter) for nth, letter in enumerate(piece, 1)])
            count += len(piece)
        islands.append(pieces)
    return islands


def sign_name(position: Scene, card: str) -> str:
    """What the letter of a card or a field means."""
    return position.rules.signs[position.rules.letters.index(card[0])]


def seat_name(seat: int) -> str:
    """A seat (from 1) by its colour."""
    return colour(seat - 1).capitalize()


def some_cards(count: int) -> str:
    """So many cards, in words."""
    return "1 card" if count == 1 else f"{count} cards"


def result(position: Scene) -> str:
    """How the game ended, empty while it goes on."""
    outcome = position.outcome()
    if outcome is None:
        return ""
    return f"{seat_name(outcome.winner)} has won" if outcome.winner else "Nobody has won: no seat can act"


def headline(position: Scene) -> str:
    """Whose turn it is, or the result."""
    return result(position) or f"{seat_name(position.active)}'s turn"


def in_turn(position: Scene) -> int:
    """The seat all eyes are on, from 1: who must choose, who is dealt to, who has won; 0 when nobody has."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winner or 0
    return position.turn or position.active


def duties(position: Scene) -> list[str]:
    """What is due now and what is special, as short sentences."""
    notes = []
    if position.row_due:
        notes.append(f"{some_cards(position.row_due)} to be laid out in the row")
    if position.owed:
        notes.append(f"{some_cards(position.owed)} owed to {seat_name(position.active)}")
    if position.dropper:
        notes.append(f"{seat_name(position.dropper)} must drop a card")
    if position.is_captain:
        notes.append(f"{seat_name(position.active)} is captain and may sail free")
    if position.passes:
        notes.append("1 forced pass" if position.passes == 1 else f"{position.passes} forced passes in a row")
    return notes


def spoken(position: Scene) -> str:
    """The whole position in one sentence a screen reader can say."""
    seats = range(1, position.seats + 1)
    told = [f"{seat_name(seat)} at {', '.join(map(long_place, position.places(seat)))}" for seat in seats]
    state = [headline(position), *duties(position), *told, f"stock {some_cards(position.stock_size)}"]
    return "; ".join(state) + "."


def long_place(place: str) -> str:
    """A place in words."""
    return {"s": "start", "b": "sloop", "n": "nest"}.get(place, place)
