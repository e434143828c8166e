"""Clocks: none, a time for each turn, a bank with increment, or days by post. Nothing here looks at the time.

The first ``grace`` of each turn is not charged.

Within a turn other seats may have to choose, such as a rival who must drop a card. In form 2 of the clocks each seat's
time is added up over the whole turn and charged when the turn is over. In form 1, which older tables have, it is
charged and starts anew whenever another seat must choose.

Events carry how long was thought, so a replay gives the same clocks, and the time in which the server is down is not
charged. While the computer plays for an absent person the clock of the seat stands
still: it is neither charged nor credited, so that leaving and coming back gains no time.
"""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from ..protocol.requests import BankClock, NoClock, PostClock, TurnClock

HOUR: Final = 3_600_000
DAY: Final = 24 * HOUR
HOLIDAYS: Final = 10
"""Days of holiday that a person has in a game."""
WARNING: Final = 12 * HOUR
"""How long before its end a person is reminded of a turn; also the least time after a stop of the server."""
STOP: Final = HOUR
"""How long no server must have run so that it counts as a stop."""
JUMP: Final = HOUR
"""How far the wall clock may run from the steady clock until it is distrusted."""


class Moment(NamedTuple):
    """A moment in milliseconds: ``at`` since 1970 by the wall clock, ``steady`` by a clock that never jumps.

    Events are dated by the first one; thinking time is a difference of the second one.
    """

    at: int
    steady: int


@dataclass
class Clocks:
    """The clocks of a table in milliseconds. ``stints`` is the time that each seat has used in this turn."""

    setup: NoClock | TurnClock | BankClock | PostClock
    grace: int
    banks: list[int] = field(default_factory=list)
    chooser: int = 0
    stints: Counter[int] = field(default_factory=Counter)
    measured: TurnClock | BankClock | None = field(init=False)
    """The set-up of clocks that measure time. Days by post are not measured: ``Deadline`` has a fixed end for them."""

    def __post_init__(self) -> None:
        self.measured = self.setup if isinstance(self.setup, TurnClock | BankClock) else None

    @property
    def runs(self) -> bool:
        """Whether time is measured now."""
        return self.measured is not None and self.chooser > 0

    @property
    def stint(self) -> int:
        """The time that the chooser has used in this turn."""
        return self.stints[self.chooser]

    def start(self, seats: int, chooser: int) -> None:
        """Start the clocks at the deal."""
        whole = self.measured.seconds * 1000 if self.measured else 0
        self.banks = [whole] * seats
        self.chooser, self.stints = chooser, Counter()

    def copied(self) -> "Clocks":
        """The same clocks, to run on their own."""
        return replace(self, banks=list(self.banks), stints=Counter(self.stints))

    def spend(self, milliseconds: int) -> None:
        """Add to the chooser's thinking time."""
        self.stints[self.chooser] += milliseconds

    def pass_to(self, chooser: int, turn_over: bool, *, frozen: bool = False) -> None:
        """Pass the clock to the next chooser, or stop it with 0. A frozen seat gets no increment."""
        if chooser == self.chooser and not turn_over:
            return
        if turn_over or (self.measured is not None and self.measured.form == 1):
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
        if self.measured is None or not self.banks:
            return None
        used = self.stints[seat] + (thinking if seat == self.chooser else 0)
        return max(0, self.banks[seat - 1] - max(0, used - self.grace))


@dataclass
class Deadline:
    """Whose days run, until when, and the holidays. ``seat`` is 0 and ``due`` None while no person must choose."""

    days: int
    seat: int = 0
    due: int | None = None
    turn: int = 0
    left: dict[int, int] = field(default_factory=dict)
    """What seats have left of a turn that another seat has interrupted."""
    holiday: dict[int, int] = field(default_factory=dict)
    """Until when the person of a seat is on holiday."""
    taken: dict[int, int] = field(default_factory=dict)
    """Days of holiday that the person of a seat has taken."""

    def follow(self, seat: int, turn: int, at: int) -> None:
        """Take over who must choose after an event at ``at``: the seat of a person, or 0."""
        if turn != self.turn:
            self.left.clear()
        elif seat == self.seat:
            return
        elif self.seat and self.due is not None:
            self.left[self.seat] = self.due - max(at, self.holiday.get(self.seat, 0))
        self.seat, self.turn = seat, turn
        self.due = self._due(seat, at) if seat else None

    def _due(self, seat: int, at: int) -> int:
        """When the days of a seat end that begin at ``at`` or after its holiday."""
        whole = self.days * DAY
        mine = min(whole, max(WARNING, self.left.pop(seat, whole)))
        return max(at, self.holiday.get(seat, 0)) + mine

    def take_holiday(self, seat: int, days: int, at: int) -> None:
        """Let no time run for a seat for some days, after those that it has taken before."""
        start = max(at, self.holiday.get(seat, 0))
        self.holiday[seat] = start + days * DAY
        self.taken[seat] = self.taken.get(seat, 0) + days
        if seat == self.seat and self.due is not None:
            self.due += days * DAY

    def copied(self) -> "Deadline":
        """The same deadline, to be followed on its own."""
        return replace(self, left=dict(self.left), holiday=dict(self.holiday), taken=dict(self.taken))

    def holidays_left(self, seat: int) -> int:
        """Days of holiday that a seat has left."""
        return HOLIDAYS - self.taken.get(seat, 0)


@dataclass
class TrustedTime:
    """Whether the days of a turn may end now. No days end before ``earliest``.

    The wall clock is compared with a steady one that also counts the time in which the machine sleeps. A server that
    starts more than an hour after one last ran gives everybody twelve hours.
    """

    offset: int
    alive: int
    """When a server was last known to run, by the wall clock."""
    looked: int
    """When the clocks were last compared, by the steady clock."""
    earliest: int = 0
    behind_until: int | None = None
    """By the steady clock, until when a wall clock is distrusted that was behind the last run of a server."""
    why: str | None = None

    @classmethod
    def start(cls, wall: int, steady: int, alive: int | None, earliest: int) -> "TrustedTime":
        """Begin to watch the clocks. ``alive`` and ``earliest`` are what a server stored last, if one did."""
        known = wall if alive is None else alive
        trusted = cls(wall - steady, known, steady, earliest)
        if alive is None or wall - alive > STOP:
            trusted.earliest = max(earliest, wall + WARNING)
        elif alive - wall > JUMP:
            trusted.behind_until = steady + WARNING
        trusted.check(wall, steady)
        return trusted

    def check(self, wall: int, steady: int) -> str | None:
        """Why no days may run out now, or None if they may."""
        asleep, self.looked = steady - self.looked > STOP, steady
        before, self.why = self.why, self._distrust(wall, steady)
        if self.why is None:
            if asleep or before is not None:
                self.earliest = max(self.earliest, wall + WARNING)
            self.alive = wall
        return self.why

    def _distrust(self, wall: int, steady: int) -> str | None:
        if self.behind_until is not None:
            if wall < self.alive and steady < self.behind_until:
                return "the clock of the system is behind the time at which a server last ran"
            self.behind_until, self.offset = None, wall - steady
        if abs(wall - steady - self.offset) > JUMP:
            return "the clock of the system was set while the server ran"
        return None
