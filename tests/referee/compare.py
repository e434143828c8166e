"""Engine and referee side by side: legal moves, resulting positions, views and perft over random play."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from tests.referee import rules as referee
from tests.referee.positions import random_opening, random_position

from cartagena import Position, perft

LENGTH = 40  # positions of one walk


@dataclass
class Tally:
    """What was compared."""

    positions: int = 0
    moves: int = 0
    views: int = 0
    perfts: int = 0
    kinds: Counter[str] = field(default_factory=Counter)


class Difference(AssertionError):
    """The two do not agree; the message is all that is needed to see it again."""


def check(what: str, text: str, engine: object, judge: object) -> None:
    if engine != judge:
        raise Difference(f"{what}\n  position {text}\n  engine   {engine}\n  referee  {judge}")


def compare_legal(position: Position, table: referee.Table, text: str) -> list[str]:
    """The legal moves, each once and none missing."""
    moves = [str(move) for move in position.legal_moves]
    check("legal moves", text, sorted(moves), sorted(referee.legal(table)))
    check("number of moves", text, position.legal_moves.count(), len(moves))
    return moves


def compare_moves(position: Position, table: referee.Table, text: str, moves: list[str]) -> None:
    """Where every legal move leads."""
    for move in moves:
        check(f"after {move}", text, str(position.play(move)), referee.write(referee.apply(table, move)))


def compare_views(position: Position, table: referee.Table, text: str) -> None:
    """What each seat sees; and its legal moves, asked of the mover's own view."""
    for seat in range(position.seats):
        seen = position.view(seat + 1)
        expected = referee.write(referee.view(table, seat))
        check(f"view of seat {seat + 1}", text, str(seen), expected)
        check("view read again", text, str(Position.parse(expected)), expected)
        if seat + 1 == position.turn:
            moves = sorted(str(move) for move in seen.legal_moves)
            check("legal moves of the view", text, moves, sorted(referee.legal(table)))


def choose(rng: random.Random, moves: list[str], eager: float) -> str:
    """A random move; an eager player prefers going forward, so that some walks reach the end of a game."""
    forward = [move for move in moves if ":" in move]
    return rng.choice(forward if forward and rng.random() < eager else moves)


def walk(rng: random.Random, tally: Tally, game: str | None = None) -> None:
    """Random play from a random position, compared all along."""
    text = (random_opening if rng.random() < 0.15 else random_position)(rng, game)
    position, table = Position.parse(text), referee.read(text)
    eager = rng.choice([0.0, 0.3, 0.9])
    for _ in range(LENGTH):
        text = referee.write(table)
        check("the position", text, str(position), text)
        moves = compare_legal(position, table, text)
        tally.positions += 1
        if rng.random() < 0.1:
            compare_moves(position, table, text, moves)
            tally.moves += len(moves)
        if rng.random() < 0.1:
            compare_views(position, table, text)
            check("read again", text, Position.parse(text), position)
            tally.views += position.seats
        if rng.random() < 0.02:
            depth = 3 if len(moves) < 8 else 2
            check(f"perft {depth}", text, perft(position, depth), referee.perft(table, depth))
            tally.perfts += 1
        if not moves:
            tally.kinds["finished"] += 1
            return
        move = choose(rng, moves, eager)
        tally.kinds[kind_of(move, table)] += 1
        position, table = position.play(move), referee.apply(table, move)


def kind_of(move: str, table: referee.Table) -> str:
    """A name for the statistics."""
    if move.startswith("+"):
        return "deal to row" if table.row_due else "deal"
    if move == "sail":
        return "free crossing" if table.captain else "sail"
    if move == "end" and referee.becalmed(table):
        return "becalmed"
    if move == "end":
        return "forced pass" if table.used == 0 and referee.legal(table) == {"end"} else "end"
    for mark, name in (("drop:", "drop"), ("<", "retreat"), ("@", "push")):
        if mark in move:
            return name
    return "freebooter" if move.endswith("!") else "advance"


def compare(positions: int, seed: int, game: str | None = None) -> Tally:
    """Walk until so many positions are compared. Raises Difference at the first disagreement."""
    tally, number = Tally(), 0
    while tally.positions < positions:
        walk(random.Random(f"{seed}:{number}"), tally, game)
        number += 1
    return tally
