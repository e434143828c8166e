"""Find puzzles in games that computer players play against each other."""

import random
from collections.abc import Iterator
from functools import partial
from itertools import chain, count, islice
from typing import Final

from cartagena.game import Game, Position
from cartagena.jobs import Executor, executor, in_order
from cartagena.players import create

from .judge import style_of
from .puzzles import Puzzle, best_turn, rating_of, themes_of, verified

RULES: Final = {
    "jamaica": ("jamaica-en", "jamaica-de"),
    "tortuga": ("tortuga-en", "tortuga-de"),
    "nest": ("nest-nl",),
}
LOOKS: Final = ((150, 0.05), (1_000, 0.11))
"""Quick looks before a position is verified: nodes, and the margin below which it is dropped."""
SLIPS: Final = 0.15
"""Share of random moves in the games, so that positions differ from game to game."""
PER_GAME: Final = 2
"""Puzzles taken from one game at most."""
MOST_MOVES: Final = 600
WINS: Final = 4
"""Puzzles that win at once and are easily found are kept from every fourth game only."""
EASY: Final = 30
"""Rating up to which a puzzle is easily found."""


def positions(game: str, seed: int) -> Iterator[Position]:
    """The views at the start of each turn of one game, as their seats see them."""
    chance = random.Random(seed)
    rules = RULES[game][seed % len(RULES[game])]
    played = Game.new(rules, seats=2 if chance.random() < 0.7 else 3, seed=seed)
    players = [create("gunner", seed + number) for number in range(played.seats)]
    while not played.is_over and len(played.moves) < MOST_MOVES:
        view = played.view(played.turn)
        if view.used == 0 and len(view.legal_actions()) > 3 and not view.dropper:
            yield view
        slips = chance.random() < SLIPS
        played.play(chance.choice(view.legal_moves) if slips else players[played.turn - 1].decide(view))


def puzzle_of(view: Position, name: str) -> Puzzle | None:
    """Return the puzzle that a view is, or None. Cheap looks come first."""
    for nodes, margin in LOOKS:
        if best_turn(view, nodes, 1).margin < margin:
            return None
    return judged(view, name)


def judged(view: Position, name: str) -> Puzzle | None:
    """Return the puzzle that a view is in the opinion of the strongest player, or None where it is none."""
    style = style_of(view)
    best = verified(view, style=style)
    if best is None:
        return None
    rating = rating_of(view, best.moves, style)
    return Puzzle(name, view, best.moves, best.margin, rating, themes_of(view, best.moves), style.name)


def puzzles_of_game(game: str, seed: int) -> list[Puzzle]:
    """Return the puzzles of one game."""
    puzzles: list[Puzzle] = []
    for number, view in enumerate(positions(game, seed), 1):
        puzzle = puzzle_of(view, f"{game}-{seed}-{number}")
        if puzzle is not None and (seed % WINS == 0 or puzzle.rating > EASY or "win now" not in puzzle.themes):
            puzzles.append(puzzle)
        if len(puzzles) == PER_GAME:
            break
    return puzzles


def mine(game: str, number: int, seed: int = 0, place: Executor | None = None) -> Iterator[Puzzle]:
    """Find ``number`` puzzles. The same seed finds the same ones at any place, with any number of workers."""
    seeds = (seed * 1_000_000 + each for each in count())
    with place or executor() as opened:
        puzzles = in_order(opened, partial(puzzles_of_game, game), seeds)
        yield from islice(chain.from_iterable(puzzles), number)
