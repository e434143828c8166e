"""What a player remembers of a game, so that two stubborn players do not sail to and fro for ever."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from cartagena.game import Position

PATIENCE: Final = 2
"""How often a player makes the same move in the same view before it tries another."""
MOST: Final = 4096


class Memory:
    """The moves made in each view. Asking twice about one view without another between is no repetition."""

    def __init__(self) -> None:
        self.past: dict[tuple[int, ...], Counter[int]] = {}
        self.last: tuple[int, ...] = ()

    def barred(self, view: Position) -> list[int]:
        """The moves that were made too often here."""
        return [action for action, times in self.past.get(view.words, Counter()).items() if times >= PATIENCE]

    def choose(self, view: Position, ranked: Sequence[int]) -> int:
        """The best move that was not made too often here, and if all were, the one made least; it is remembered."""
        past = self.past.get(view.words, Counter())
        action = min(ranked, key=lambda each: max(0, past[each] - PATIENCE + 1))
        self.note(view, action)
        return action

    def note(self, view: Position, action: int) -> None:
        """Remember that a move was made."""
        if view.words == self.last:
            return
        if len(self.past) >= MOST:
            self.past.clear()
        self.past.setdefault(view.words, Counter())[action] += 1
        self.last = view.words
