"""Moves in words. Where a move leads is found by playing it."""

from collections import Counter
from itertools import groupby

from cartagena.game import Move, Position
from cartagena.kernel import layout as at

from .words import Words

WIDTH = 11
NAMES = {"s": "start", "b": "sloop", "n": "nest"}
KINDS = {"retreat": "back", "push": "push", "sail": "sail", "end": "end", "drop": "drop"}
"""The texts of places and of kinds of moves."""


def place(word: str, words: Words) -> str:
    """A place in words."""
    return words.moves[NAMES[word]] if word in NAMES else word


def landing(before: Position, after: Position, seat: int, words: Words) -> str:
    """The place that the moved pirate of a seat has reached."""
    arrived = Counter(after.places(seat)) - Counter(before.places(seat))
    return place(next(iter(arrived), "?"), words)


def gain(before: Position, after: Position) -> int:
    """Cards that the mover draws."""
    mover = before.active
    return after.hand_size(mover) - before.hand_size(mover) + after.words[at.OWED]


def move_in_words(position: Position, move: Move, words: Words) -> str:
    """A legal move in a few words, without the place it starts from."""
    after = position.play(move)
    match move.kind:
        case "advance":
            return words.moves["to"].format(card=move.card, to=landing(position, after, position.active, words))
        case "retreat":
            return drawing(position, after, place(move.place, words), position.active, words)
        case "push":
            pirate = f"{words.colour(move.seat)} {place(move.place, words)}"
            return drawing(position, after, pirate, move.seat, words)
        case "sail":
            return words.moves["crosses_free" if position.words[at.CAPTAIN] else "crosses"]
        case "drop":
            return move.card
        case _:
            return words.moves["the_turn" if position.used or position.words[at.DROPPER] else "passing"]


def drawing(before: Position, after: Position, pirate: str, seat: int, words: Words) -> str:
    """A move that brings cards: the pirate, where it lands and how many cards are drawn."""
    return words.moves["draw"].format(place=pirate, to=landing(before, after, seat, words), n=gain(before, after))


def group_of(move: Move, words: Words) -> str:
    """The heading of a move in the list of moves."""
    return place(move.place, words) if move.kind == "advance" else words.moves[KINDS[move.kind]]


def numbered(position: Position, words: Words) -> str:
    """The legal moves with numbers, one line per group."""
    moves = list(enumerate(position.legal_moves, 1))
    lines = []
    widest = max(len(name) for name in words.moves.values() if "{" not in name and " " not in name)
    for name, group in groupby(moves, key=lambda item: group_of(item[1], words)):
        numbered = [f"{number:>3}) {move_in_words(position, move, words):{WIDTH}}" for number, move in group]
        lines.append(f"  {name:{widest + 1}}{''.join(numbered)}".rstrip())
    return "\n".join(lines)
