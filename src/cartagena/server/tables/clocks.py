"""Clocks: none, so much a turn, or a bank with increment. A network delay of up to ``grace`` a turn is never charged.

Nothing here looks at the time: events carry how long was thought, so a replay gives the same clocks, and time in
which the server was down is charged to nobody.
"""

from dataclasses import dataclass, field

from ..protocol.requests import BankClock, NoClock, TurnClock


@dataclass
class Clocks:
    """The clocks of a table, in milliseconds. ``stint`` is what the chooser has used of this turn so far."""

    setup: NoClock | TurnClock | BankClock
    grace: int
    banks: list[int] = field(default_factory=list)
    chooser: int = 0
    stint: int = 0

    @property
    def runs(self) -> bool:
        return self.setup.kind != "none" and self.chooser > 0

    def start(self, seats: int, chooser: int) -> None:
        """The cards are dealt and the first seat thinks."""
        whole = 0 if isinstance(self.setup, NoClock) else self.setup.seconds * 1000
        self.banks = [whole] * seats
        self.chooser, self.stint = chooser, 0

    def spend(self, milliseconds: int) -> None:
        """The chooser has thought for so long."""
        self.stint += milliseconds

    def pass_to(self, chooser: int, turn_over: bool) -> None:
        """Somebody else must choose now, or the same seat in a new turn (0: nobody, the game is over)."""
        if chooser == self.chooser and not turn_over:
            return
        if isinstance(self.setup, BankClock) and self.chooser:
            charged = max(0, self.stint - self.grace)
            bonus = self.setup.increment * 1000 if turn_over else 0
            self.banks[self.chooser - 1] = max(0, self.banks[self.chooser - 1] - charged) + bonus
        self.chooser, self.stint = chooser, 0

    def refill(self, seat: int) -> None:
        """A person is back: at least a quarter of the bank, so that the seat is not lost again at once."""
        if isinstance(self.setup, BankClock):
            self.banks[seat - 1] = max(self.banks[seat - 1], self.setup.seconds * 250)
        if seat == self.chooser:
            self.stint = 0

    def allowance(self) -> int:
        """How long the chooser may still think, grace included."""
        return self.banks[self.chooser - 1] + self.grace - self.stint

    def left(self, seat: int, thinking: int) -> int | None:
        """What a seat has left if the chooser has been thinking for so long since the last event."""
        if self.setup.kind == "none" or not self.banks:
            return None
        used = max(0, self.stint + thinking - self.grace) if seat == self.chooser else 0
        return max(0, self.banks[seat - 1] - used)
