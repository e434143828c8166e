"""Puzzles: positions with one clearly best turn, each verified by a deep search.

The strongest player for the position searches: the admiral where it has a network, else the captain. A puzzle names the
player that verified it.

>>> from cartagena.study import puzzles
>>> first = puzzles.load("tortuga")[0]
>>> first.position.turn > 0, len(first.solution) > 0
(True, True)
"""

import datetime as dt
import hashlib
import json
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np

from cartagena.errors import StudyError, shown
from cartagena.game import Move, Position
from cartagena.kernel.layout import END, OVER
from cartagena.kernel.legal import chooser
from cartagena.kernel.step import step
from cartagena.players import Limit
from cartagena.players.advice import strongest
from cartagena.players.explain import reasons
from cartagena.players.ismcts import CAPTAIN, Searcher, SearchRun, Style

from .judge import STYLES, style_of

GAMES: Final = ("jamaica", "tortuga", "nest")
MARGIN: Final = 0.15
"""Win chance by which the best turn is ahead of every other one."""
NODES: Final = 3_000
DEEPER: Final = 10
"""The verification is repeated with this many times the nodes."""
STEPS: Final = (4, 8, 16, 30, 60, 100, 300, 1_000, 3_000, 10_000, 30_000)
"""Numbers of nodes that are tried for the rating: the fewest with which the search finds the turn."""
SEEDS: Final = (1, 2)
THEMES: Final = {
    "wins": "win now",
    "brings-home": "bring a pirate home",
    "boards": "board the sloop",
    "breaks-chain": "block",
    "takes-pair": "take the pair",
    "takes-captaincy": "use the captain",
    "sails": "use the captain",
    "cuts-hands": "cut the hands",
    "draws-two": "draw two",
    "saves-actions": "stop in time",
    "long-jump": "keep the chain",
    "moves-straggler": "fetch the last pirate",
}
"""The theme of each reason for a move; reasons without one give none."""


@dataclass(frozen=True)
class Puzzle:
    """A position as the seat to move sees it, and the only turn that is clearly best."""

    name: str
    position: Position
    solution: tuple[Move, ...]
    """The turn, up to the first dealt card."""
    margin: float
    """Win chance by which the solution is ahead of the next turn."""
    rating: int
    """Nodes that the search needs to find the turn; more is harder."""
    themes: tuple[str, ...]
    judge: str = CAPTAIN.name
    """The player that verified the puzzle, a name in ``STYLES``."""

    def to_json(self) -> dict[str, object]:
        """The puzzle as plain data."""
        turn = " ".join(map(str, self.solution))
        about = {"margin": round(self.margin, 3), "rating": self.rating, "themes": list(self.themes)}
        return {"name": self.name, "position": str(self.position), "solution": turn, **about, "judge": self.judge}

    def is_solved_by(self, moves: tuple[Move, ...]) -> bool:
        """Return whether a turn ends in the same position as the solution. Raises IllegalMove."""
        return same_end(self.position, moves, self.solution)


def from_json(data: dict[str, Any]) -> Puzzle:
    """Read a puzzle from plain data. Where no judge is named, the captain verified the puzzle."""
    moves = tuple(Move(text) for text in data["solution"].split())
    position = Position(data["position"])
    about = data["margin"], data["rating"], tuple(data["themes"]), data.get("judge", CAPTAIN.name)
    return Puzzle(data["name"], position, moves, *about)


def check_game(game: str) -> None:
    """Raise StudyError for a game without puzzles."""
    if game not in GAMES:
        raise StudyError(f"There are puzzles for {', '.join(GAMES)}, not for {shown(game)}.")


def named(game: str, name: str) -> Puzzle:
    """Return the puzzle with a name. Raises StudyError if there is none."""
    puzzle = next((each for each in load(game) if each.name == name), None)
    if puzzle is None:
        raise StudyError(f"There is no puzzle {shown(name)} of {game}.")
    return puzzle


def load(game: str) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game that come with the package. Raises StudyError for a game without puzzles."""
    check_game(game)
    return _packaged(game)


@cache
def _packaged(game: str) -> tuple[Puzzle, ...]:
    text = (files("cartagena.study") / "data" / f"puzzles-{game}.json").read_text("utf-8")
    return tuple(map(from_json, json.loads(text)))


def daily(game: str, day: dt.date) -> Puzzle:
    """Return the puzzle of a day: the same for everyone on that date. Raises StudyError.

    >>> import datetime
    >>> daily("nest", datetime.date(2026, 11, 16)) == daily("nest", datetime.date(2026, 11, 16))
    True
    """
    known = load(game)
    if not isinstance(day, dt.date):
        raise StudyError(f"A day is a datetime.date, not {shown(day)}.")
    if isinstance(day, dt.datetime):
        day = day.date()
    digest = hashlib.sha256(f"{game} {day.isoformat()}".encode()).digest()
    return known[int.from_bytes(digest[:8], "big") % len(known)]


# --- verification


@dataclass(frozen=True)
class Best:
    """The best turn of a position and how far it is ahead."""

    moves: tuple[Move, ...]
    margin: float


def best_turn(view: Position, nodes: int, seed: int, style: Style | None = None) -> Best:
    """Search a view for its best turn and its margin over every turn that ends in another position.

    Unless a style is given, the strongest player for the position searches.
    The turn is followed move by move; at each step the margin counts the moves that do not lead to the same end.
    """
    searcher = Searcher(style or style_of(view), seed)
    job = searcher.search(view, Limit(nodes=nodes), searcher.analysing)
    words, moves, margin = list(view.state()), [], math.inf
    end = walk(view, job, words, None)
    while True:
        root = job.gather(np.array(words, np.int64))
        if not root.counts:
            break
        action = root.ranked()[0]
        others = [each for each in root.counts if each != action and walk(view, job, words, each) != end]
        ahead = root.mean(action) - max((root.mean(each) for each in others), default=0.0)
        margin = min(margin, ahead) if others else margin
        moves.append(view.move(action))
        step(view.table, words, action)
        if is_end(words, action, job.observer):
            break
    return Best(tuple(moves), 0.0 if margin == math.inf else margin)


def is_end(words: list[int], action: int, observer: int) -> bool:
    """Return whether a turn has ended, or goes on with a card or another seat's choice."""
    return bool(action == END or words[OVER] or chooser(words) != observer)


def walk(view: Position, job: SearchRun, start: list[int], action: int | None) -> tuple[int, ...]:
    """Follow the best moves from a state, the first one given, to the end of the turn as far as it can be known."""
    words = list(start)
    while True:
        if action is None:
            root = job.gather(np.array(words, np.int64))
            if not root.counts:
                return tuple(words)
            action = root.ranked()[0]
        step(view.table, words, action)
        if is_end(words, action, job.observer):
            return tuple(words)
        action = None


def verified(view: Position, nodes: int = NODES, style: Style | None = None) -> Best | None:
    """Return the best turn if it is ahead by the margin with these nodes and with ten times as many, else None."""
    before = None
    for number, seed in ((nodes, SEEDS[0]), (nodes * DEEPER, SEEDS[1])):
        best = best_turn(view, number, seed, style)
        if best.margin < MARGIN or (before is not None and not same_end(view, before.moves, best.moves)):
            return None
        before = best
    return before


def style_for(puzzle: Puzzle, player: str | None = None) -> Style:
    """Return how a player verifies a puzzle, by default the player that verified it before.

    The captain stands in where the admiral has no network. Raises StudyError for a player that does not verify puzzles.
    """
    player = puzzle.judge if player is None else player
    if player not in STYLES:
        raise StudyError(f"Puzzles are verified by {' or '.join(STYLES)}, not by {player[:20]!r}.")
    return CAPTAIN if strongest(puzzle.position) == CAPTAIN.name else STYLES[player]


def holds(puzzle: Puzzle, nodes: int = NODES, player: str | None = None) -> bool:
    """Return whether a deep search still finds the solution, and that it is clearly best.

    The player that verified the puzzle before searches, unless another one is named.
    """
    best = verified(puzzle.position, nodes, style_for(puzzle, player))
    return best is not None and same_end(puzzle.position, best.moves, puzzle.solution)


def same_end(view: Position, left: tuple[Move, ...], right: tuple[Move, ...]) -> bool:
    """Return whether two turns end in the same position."""
    return view.play(*left) == view.play(*right)


def rating_of(view: Position, solution: tuple[Move, ...], style: Style | None = None) -> int:
    """Return the fewest nodes of ``STEPS`` with which, as with all larger numbers, the search finds the turn."""
    fewest = STEPS[-1]
    for nodes in reversed(STEPS[:-1]):
        if not same_end(view, best_turn(view, nodes, SEEDS[0], style).moves, solution):
            break
        fewest = nodes
    return fewest


def themes_of(view: Position, solution: tuple[Move, ...]) -> tuple[str, ...]:
    """Return the themes of a turn, found from the reasons for its moves."""
    codes: list[str] = []
    for move in solution:
        codes += reasons(view, move)
        view = view.play(move)
    return tuple(dict.fromkeys(THEMES[code] for code in codes if code in THEMES))
