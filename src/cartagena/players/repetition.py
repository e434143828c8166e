"""What a player remembers of a game, so that two stubborn players do not wait for each other for ever.

The rules allow that: in the nest a captain may wait while its rival cannot move, and the sloop may go to and fro.
A player sees views only, but it may count how often it was asked.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from cartagena.game import Position
from cartagena.kernel.layout import DROPPER, HAND, MAX_SEATS, PUSH, RETREAT, SAIL, SEAT, SEAT_WORDS, SLOOP, TURN, USED

PATIENCE: Final = 3
"""How often a player makes the same move with all pirates where they are before it tries another."""
AT_ONCE: Final = 4
"""How often a player may be asked about one view again, with no other between, before that counts as repetition."""
LATE: Final = 40
"""Own turns after which a game is so long that patience ends: every move is then made once only."""
MOST: Final = 4096


def standing(view: Position) -> tuple[int, ...]:
    """Where all pirates and the sloop are, and how far the turn has come; cards do not matter."""
    pirates = [view.words[SEAT + seat * SEAT_WORDS + plane] for seat in range(MAX_SEATS) for plane in range(HAND)]
    return (view.words[TURN], view.words[SLOOP], view.words[USED], *pirates)


def brings_on(action: int) -> bool:
    """Whether a pirate goes forward: what ends a stand-off, since in the nest nobody goes back."""
    return action < RETREAT or PUSH <= action < SAIL


class Memory:
    """The moves made with the pirates as they stand."""

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

    def choose(self, view: Position, ranked: Sequence[int]) -> int:
        """The best move that was not made too often here, and if all were, the one made least; it is remembered."""
        past = self.past.get(standing(view), Counter())
        if self.barred(view):
            ranked = sorted(ranked, key=lambda each: not brings_on(each))
        action = min(ranked, key=lambda each: max(0, past[each] - self.patience + 1))
        self.note(view, action)
        return action

    def note(self, view: Position, action: int) -> None:
        """Remember that a move was made; putting cards away moves nobody and is no sign of stubbornness."""
        if view.words[DROPPER] or self.is_asked_again(view):
            return
        self.turns += view.words[USED] == 0
        if len(self.past) >= MOST:
            self.past.clear()
        self.past.setdefault(standing(view), Counter())[action] += 1

    def is_asked_again(self, view: Position) -> bool:
        """Whether somebody only wants to hear the same again; who asks too often is in a game that stands still."""
        self.again = self.again + 1 if view.words == self.last else 0
        self.last = view.words
        return 0 < self.again < AT_ONCE
