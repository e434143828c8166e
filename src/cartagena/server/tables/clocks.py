"""Clocks: none, a time for each turn, or a bank with increment. The first ``grace`` of each turn is not charged.

Nothing here looks at the time: events carry how long was thought, so a replay gives the same clocks, and the time in
which the server is down is not charged. While the computer plays for an absent person the clock of the seat stands
still: it is neither charged nor credited, so that leaving and coming back gains no time.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from ..protocol.requests import BankClock, NoClock, TurnClock


class Moment(NamedTuple):
    """A moment in milliseconds: ``at`` since 1970 by the wall clock, ``steady`` by a clock that never jumps.

    Events are dated by the first one; thinking time is a difference of the second one.
    """

    at: int
    steady: int


@dataclass
class Clocks:
    """The clocks of a table in milliseconds. ``stint`` is the time that the chooser has used in this turn."""

    setup: NoClock | TurnClock | BankClock
    grace: int
    banks: list[int] = field(default_factory=list)
    chooser: int = 0
    stint: int = 0

    @property
    def runs(self) -> bool:
        return self.setup.kind != "none" and self.chooser > 0

    def start(self, seats: int, chooser: int) -> None:
        """Start the clocks at the deal."""
        whole = 0 if isinstance(self.setup, NoClock) else self.setup.seconds * 1000
        self.banks = [whole] * seats
        self.chooser, self.stint = chooser, 0

    def spend(self, milliseconds: int) -> None:
        """Add to the chooser's thinking time."""
        self.stint += milliseconds

    def pass_to(self, chooser: int, turn_over: bool, *, frozen: bool = False) -> None:
        """Charge the chooser and pass the clock to the next one. 0 stops it. A frozen seat gets no increment."""
        if chooser == self.chooser and not turn_over:
            return
        if isinstance(self.setup, BankClock) and self.chooser:
            charged = max(0, self.stint - self.grace)
            bonus = self.setup.increment * 1000 if turn_over and not frozen else 0
            self.banks[self.chooser - 1] = max(0, self.banks[self.chooser - 1] - charged) + bonus
        self.chooser, self.stint = chooser, 0

    def refill(self, seat: int) -> None:
        """Give a person who is back at least a quarter of the bank, as version 0.1.0 did."""
        if isinstance(self.setup, BankClock):
            self.banks[seat - 1] = max(self.banks[seat - 1], self.setup.seconds * 250)
        if seat == self.chooser:
            self.stint = 0

    def allowance(self) -> int:
        """Time left to the chooser, grace included."""
        return self.banks[self.chooser - 1] + self.grace - self.stint

    def is_up(self, seat: int) -> bool:
        """Whether the seat has no time to play on: an empty bank, or all the time of the turn used."""
        if not self.runs or (isinstance(self.setup, TurnClock) and seat != self.chooser):
            return False
        return self.left(seat, 0) == 0

    def left(self, seat: int, thinking: int) -> int | None:
        """Time left to a seat, where the chooser has been thinking for ``thinking`` ms since the last event."""
        if self.setup.kind == "none" or not self.banks:
            return None
        used = max(0, self.stint + thinking - self.grace) if seat == self.chooser else 0
        return max(0, self.banks[seat - 1] - used)
