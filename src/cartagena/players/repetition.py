"""The moves a player made in each of its games, so that two players do not wait for each other without end.

The rules allow that: in the nest a captain may wait while its rival cannot move, and the sloop may sail back and
forth. A player sees views only, but it can count how often it made the same move with the pirates in the same places.
"""

from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from cartagena.game import Move, Position
from cartagena.kernel.layout import DROPPER, HAND, MAX_SEATS, SEAT, SEAT_WORDS, SLOOP, TURN, USED

from .compiled.repetition import AT_ONCE, LATE, PATIENCE, brings_on
from .model import Analysis, Limit

__all__ = ["AT_ONCE", "LATE", "PATIENCE", "GameMemory", "Memory", "RememberingPlayer"]

MOST: Final = 4096
"""The most placements that are remembered of one game."""
MOST_GAMES: Final = 128
"""The most games that are remembered; the one not played for longest is forgotten first."""


def standing(view: Position) -> tuple[int, ...]:
    """The places of all pirates and the sloop, and how far the turn has come. Cards do not matter."""
    pirates = [view.words[SEAT + seat * SEAT_WORDS + plane] for seat in range(MAX_SEATS) for plane in range(HAND)]
    return (view.words[TURN], view.words[SLOOP], view.words[USED], *pirates)


class Memory:
    """The moves that one seat made in one game, counted by the places of the pirates."""

    def __init__(self) -> None:
        self.past: dict[tuple[int, ...], Counter[int]] = {}
        self.last: tuple[int, ...] = ()
        self.again = 0
        self.turns = 0

    @property
    def patience(self) -> int:
        return PATIENCE if self.turns < LATE else 1

    def barred(self, view: Position) -> list[int]:
        """The moves that were made too often here."""
        past = self.past.get(standing(view), Counter())
        return [action for action, times in past.items() if times >= self.patience]

    def best(self, view: Position, ranked: Sequence[int]) -> int:
        """The best move that was not made too often here, or the least frequent one if all were."""
        past = self.past.get(standing(view), Counter())
        if self.barred(view):
            ranked = sorted(ranked, key=lambda each: not brings_on(each))
        return min(ranked, key=lambda each: max(0, past[each] - self.patience + 1))

    def note(self, view: Position, action: int) -> None:
        """Remember that a move was made. Dropping a card moves no pirate and does not count."""
        if view.words[DROPPER] or self.is_asked_again(view):
            return
        self.turns += view.words[USED] == 0
        if len(self.past) >= MOST:
            self.past.clear()
        self.past.setdefault(standing(view), Counter())[action] += 1

    def is_asked_again(self, view: Position) -> bool:
        """True for a repeated question, up to ``AT_ONCE`` times."""
        self.again = self.again + 1 if view.words == self.last else 0
        self.last = view.words
        return 0 < self.again < AT_ONCE


@dataclass
class GameMemory:
    """What a player keeps of one game: how many decisions it drew, and the moves of each seat it plays."""

    decisions: int = 0
    seats: dict[int, Memory] = field(default_factory=dict)

    def of(self, view: Position) -> Memory:
        """The memory of the seat that must choose."""
        return self.seats.setdefault(view.turn, Memory())


class RememberingPlayer:
    """Base of the players here: each of its games has a memory of its own, and analysing leaves no trace.

    Until a game is entered, a player plays one game without a name. With ``None`` entered it remembers nothing: its
    move then follows from its seed and the view alone.
    """

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
        self.game: str | None = ""
        self.games: OrderedDict[str, GameMemory] = OrderedDict()

    def get_ready(self) -> None:
        """Load what the first decision needs. By default there is nothing to load."""

    def enter_game(self, game: str | None) -> None:
        """Play the next moves in this game, which is new or was entered before. With None nothing is remembered."""
        self.game = game

    def memory(self) -> GameMemory:
        """What is remembered of the present game."""
        if self.game is None:
            return GameMemory()
        memory = self.games.pop(self.game, None) or GameMemory()
        self.games[self.game] = memory
        if len(self.games) > MOST_GAMES:
            self.games.popitem(last=False)
        return memory

    def analyse(self, view: Position, limit: Limit | None = None) -> Analysis:
        raise NotImplementedError

    def choose(self, view: Position, limit: Limit | None = None) -> Analysis:
        """Choose a move in the present game, explain it, and remember it."""
        analysis = self.analyse(view, limit)
        self.memory().of(view).note(view, view.action(analysis.move))
        return analysis

    def decide(self, view: Position, limit: Limit | None = None) -> Move:
        """Choose a move in the present game, and remember it."""
        return self.choose(view, limit).move
