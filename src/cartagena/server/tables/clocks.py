"""Clocks: none, a time for each turn, or a bank with increment. The first ``grace`` of each turn is not charged.

Within a turn other seats may have to choose, such as a rival who must drop a card. In form 2 of the clocks each seat's
time is added up over the whole turn and charged when the turn is over. In form 1, which older tables have, it is
charged and starts anew whenever another seat must choose.

Nothing here looks at the time: events carry how long was thought, so a replay gives the same clocks, and the time in
which the server is down is not charged. While the computer plays for an absent person the clock of the seat stands
still: it is neither charged nor credited, so that leaving and coming back gains no time.
"""

from collections import Counter
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
    """The clocks of a table in milliseconds. ``stints`` is the time that each seat has used in this turn."""

    setup: NoClock | TurnClock | BankClock
    grace: int
    banks: list[int] = field(default_factory=list)
    chooser: int = 0
    stints: Counter[int] = field(default_factory=Counter)

    @property
    def runs(self) -> bool:
        return self.setup.kind != "none" and self.chooser > 0

    @property
    def stint(self) -> int:
        """The time that the chooser has used in this turn."""
        return self.stints[self.chooser]

    def start(self, seats: int, chooser: int) -> None:
        """Start the clocks at the deal."""
        whole = 0 if isinstance(self.setup, NoClock) else self.setup.seconds * 1000
        self.banks = [whole] * seats
        self.chooser, self.stints = chooser, Counter()

    def spend(self, milliseconds: int) -> None:
        """Add to the chooser's thinking time."""
        self.stints[self.chooser] += milliseconds

    def pass_to(self, chooser: int, turn_over: bool, *, frozen: bool = False) -> None:
        """Pass the clock to the next chooser, or stop it with 0. A frozen seat gets no increment."""
        if chooser == self.chooser and not turn_over:
            return
        if turn_over or (not isinstance(self.setup, NoClock) and self.setup.form == 1):
            self._charge()
            if isinstance(self.setup, BankClock) and self.chooser and turn_over and not frozen:
                self.banks[self.chooser - 1] += self.setup.increment * 1000
        self.chooser = chooser

    def _charge(self) -> None:
        """Take what was used beyond the grace from the banks, and begin to count anew."""
        if isinstance(self.setup, BankClock):
            for seat, used in self.stints.items():
                if seat:
                    self.banks[seat - 1] = max(0, self.banks[seat - 1] - max(0, used - self.grace))
        self.stints.clear()

    def refill(self, seat: int) -> None:
        """Give a person who is back at least a quarter of the bank, as version 0.1.0 did."""
        if isinstance(self.setup, BankClock):
            self.banks[seat - 1] = max(self.banks[seat - 1], self.setup.seconds * 250)
        if seat == self.chooser:
            self.stints[seat] = 0

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
        used = self.stints[seat] + (thinking if seat == self.chooser else 0)
        return max(0, self.banks[seat - 1] - max(0, used - self.grace))
