"""Moves in words. Where a move leads is found by playing it."""

from collections import Counter
from itertools import groupby

from cartagena.game import Move, Position
from cartagena.game.seats import colour
from cartagena.kernel import layout as at

WIDTH = 11
NAMES = {"s": "start", "b": "sloop", "n": "nest"}
KINDS = {"retreat": "back", "push": "push", "sail": "sail", "end": "end", "drop": "drop"}


def place(word: str) -> str:
    """A place in words."""
    return NAMES.get(word, word)


def landing(before: Position, after: Position, seat: int) -> str:
    """The place that the moved pirate of a seat has reached."""
    arrived = Counter(after.places(seat)) - Counter(before.places(seat))
    return place(next(iter(arrived), "?"))


def gain(before: Position, after: Position) -> int:
    """Cards that the mover draws."""
    mover = before.active
    return after.hand_size(mover) - before.hand_size(mover) + after.words[at.OWED]


def move_in_words(position: Position, move: Move) -> str:
    """A legal move in a few words, without the place it starts from."""
    after = position.play(move)
    match move.kind:
        case "advance":
            return f"{move.card} to {landing(position, after, position.active)}"
        case "retreat":
            return f"{place(move.place)} to {landing(position, after, position.active)}, draw {gain(position, after)}"
        case "push":
            where = landing(position, after, move.seat)
            return f"{colour(move.seat - 1)} {place(move.place)} to {where}, draw {gain(position, after)}"
        case "sail":
            return "the sloop crosses" + (" for nothing" if position.words[at.CAPTAIN] else "")
        case "drop":
            return move.card
        case _:
            return "the turn" if position.used or position.words[at.DROPPER] else "the turn, passing"


def group_of(move: Move) -> str:
    """The heading of a move in the list of moves."""
    return place(move.place) if move.kind == "advance" else KINDS[move.kind]


def numbered(position: Position) -> str:
    """The legal moves with numbers, one line per group."""
    moves = list(enumerate(position.legal_moves, 1))
    lines = []
    for name, group in groupby(moves, key=lambda item: group_of(item[1])):
        numbered = [f"{number:>3}) {move_in_words(position, move):{WIDTH}}" for number, move in group]
        lines.append(f"  {name:6}{''.join(numbered)}".rstrip())
    return "\n".join(lines)
