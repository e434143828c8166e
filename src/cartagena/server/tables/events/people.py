"""Events about people and computers at the table: joining, leaving, coming back, giving up, talk, the next game."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ...protocol.requests import TableSetup
from ..state import Event, Table, Told
from .game import Acted, Dealt


@dataclass(slots=True)
class Joined(Event):
    """A person takes a chair."""

    kind, shown_as, stored = "seat", "joined", ("chair", "name", "salt")

    chair: int
    name: str
    salt: str

    def apply(self, table: Table) -> None:
        chair = table.chairs[self.chair - 1]
        chair.taken, chair.name, chair.salt = True, self.name or chair.name, self.salt

    def speaker(self, table: Table) -> int:  # noqa: ARG002
        return self.chair

    @property
    def says(self) -> str:
        return self.name

    def hush(self) -> None:
        self.name = ""

    def fields_for(self, table: Table, seat: int) -> dict[str, object]:  # noqa: ARG002
        return {"seat": table.seat_of(self.chair)}


@dataclass(slots=True)
class Removed(Event):
    """The host removes a person from a chair before the deal."""

    kind, shown_as, stored = "removed", "removed", ("chair",)

    chair: int

    def apply(self, table: Table) -> None:
        chair = table.chairs[self.chair - 1]
        chair.taken, chair.name, chair.salt = False, "", ""
        table.setup = nameless(table.setup, [self.chair])  # a rematch names its people there

    def vacates(self, chair: int) -> bool:
        return self.chair == chair

    def fields_for(self, table: Table, seat: int) -> dict[str, object]:  # noqa: ARG002
        return {"seat": table.seat_of(self.chair)}


@dataclass(slots=True)
class ComputerSeated(Event):
    """The host gives a free chair to a computer player before the deal."""

    kind, shown_as, stored = "computer", "computer", ("chair", "level")

    chair: int
    level: str

    def apply(self, table: Table) -> None:
        chair = table.chairs[self.chair - 1]
        chair.kind, chair.taken, chair.name, chair.level, chair.salt = "computer", True, "", self.level, ""
        table.setup = nameless(table.setup, [self.chair])

    def seats_computer(self, table: Table) -> int:  # noqa: ARG002
        return self.chair

    def fields_for(self, table: Table, seat: int) -> dict[str, object]:  # noqa: ARG002
        return {"seat": table.seat_of(self.chair), "level": self.level}


@dataclass(slots=True)
class Cancelled(Event):
    """The host closes a table before the deal."""

    kind, shown_as, stored = "cancel", "cancelled", ()
    changes_game = True

    def apply(self, table: Table) -> None:
        table.outcome = (None, "cancelled")

    def ends(self, table: Table, change: Sequence[Event]) -> bool:  # noqa: ARG002
        return True


@dataclass(slots=True)
class Salted(Event):
    """A person adds randomness to the deal."""

    kind, shown_as, stored = "salt", "salt", ("chairs", "salt")
    limited = True

    chairs: list[int]
    salt: str

    def causes(self, table: Table) -> Iterable[int]:  # noqa: ARG002
        return self.chairs

    def apply(self, table: Table) -> None:
        for number in self.chairs:
            table.chairs[number - 1].salt = self.salt

    def fields_for(self, table: Table, seat: int) -> dict[str, object]:  # noqa: ARG002
        return {"seat": table.seat_of(self.chairs[0])}


@dataclass(slots=True)
class Left(Acted):
    """The computer takes a seat over: ``why`` is ``left`` or ``time``."""

    kind, shown_as, stored = "away", "left", ("seat", "why", "level", "ms", "frozen")
    older = {"frozen": False}  # noqa: RUF012

    why: str
    level: str
    frozen: bool = field(default=True, kw_only=True)

    def apply(self, table: Table) -> None:
        chair = table.chair(self.seat)
        chair.away, chair.level, chair.frozen = self.why, self.level, self.frozen
        table.clocks.spend(self.ms)

    def wakes(self, table: Table) -> bool:  # noqa: ARG002
        return True

    def seats_computer(self, table: Table) -> int:
        return table.order[self.seat - 1]

    def fields_for(self, table: Table, seat: int) -> dict[str, object]:  # noqa: ARG002
        return {"seat": self.seat, "why": self.why}


@dataclass(slots=True)
class Returned(Acted):
    """A person takes the seat back from the computer."""

    kind, shown_as, stored = "back", "back", ("seat", "ms")

    def apply(self, table: Table) -> None:
        chair = table.chair(self.seat)
        table.clocks.spend(self.ms)
        if not chair.frozen:
            table.clocks.refill(self.seat)
        chair.away, chair.level, chair.frozen = None, None, False


@dataclass(slots=True)
class Holiday(Acted):
    """A person announces a holiday of ``days`` days until ``until``, in which no time runs for the seat."""

    kind, shown_as, stored = "holiday", "holiday", ("seat", "days", "until")

    days: int
    until: int

    def apply(self, table: Table) -> None:
        if table.deadline is not None:
            table.deadline.take_holiday(self.seat, self.days, self.at)

    def fields_for(self, table: Table, seat: int) -> dict[str, object]:  # noqa: ARG002
        return {"seat": self.seat, "until": self.until}


@dataclass(slots=True)
class Resigned(Acted):
    """A seat resigns. The last remaining seat wins; while more remain, the computer plays on for the seat."""

    kind, shown_as, stored = "resign", "resigned", ("seat", "level", "ms", "why")
    changes_game = True
    older = {"why": None}  # noqa: RUF012

    level: str | None
    why: str | None = field(default=None, kw_only=True)
    """``time`` where the days of a turn by post have run out."""

    def apply(self, table: Table) -> None:
        chair = table.chair(self.seat)
        chair.resigned, chair.level = True, self.level
        table.clocks.spend(self.ms)
        left = [seat for seat in range(1, table.seats + 1) if not table.chair(seat).resigned]
        if len(left) == 1:
            table.outcome = (left[0], "resigned")
            table.clocks.pass_to(0, turn_over=True)

    def wakes(self, table: Table) -> bool:  # noqa: ARG002
        return True

    def seats_computer(self, table: Table) -> int:
        return table.order[self.seat - 1]

    def fields_for(self, table: Table, seat: int) -> dict[str, object]:  # noqa: ARG002
        return {"seat": self.seat, **({"why": self.why} if self.why else {})}

    def ends(self, table: Table, change: Sequence[Event]) -> bool:
        resigning = {event.seat for event in change if isinstance(event, Resigned) and event.number <= self.number}
        left = [s for s in range(1, table.seats + 1) if not table.chair(s).resigned and s not in resigning]
        return len(left) == 1

    def tells(self, table: Table, change: Sequence[Event]) -> Told | None:
        return ("over", table.others(self.knowing(table))) if self.ends(table, change) else None


@dataclass(slots=True)
class Talked(Event):
    """A line of table talk."""

    kind, shown_as, stored = "talk", "talk", ("seat", "text")
    changes_seats = False
    limited = True

    seat: int
    text: str

    def causes(self, table: Table) -> Iterable[int]:
        return (table.order[self.seat - 1],)

    def apply(self, table: Table) -> None:
        """Nothing but the list of events changes."""

    def speaker(self, table: Table) -> int:
        """The speaker's chair. What was said before the deal names a chair, as no lots were drawn for seats yet."""
        if table.opening is None:
            return self.seat
        dealt = next(event.number for event in table.events if event.kind == Dealt.kind)
        return table.order[self.seat - 1] if dealt < self.number else self.seat

    @property
    def says(self) -> str:
        return self.text

    def hush(self) -> None:
        self.text = ""

    def tells(self, table: Table, change: Sequence[Event]) -> Told:  # noqa: ARG002
        return "talk", table.others([table.order[self.seat - 1]])

    def fields_for(self, table: Table, seat: int) -> dict[str, object]:  # noqa: ARG002
        return {"seat": table.seat_of(self.speaker(table)), "text": self.text}


@dataclass(slots=True)
class StoodIn(Event):
    """A weaker computer player replaces the seat's own, which failed."""

    kind, shown_as, stored = "standin", "standin", ("seat", "level")

    seat: int
    level: str

    def apply(self, table: Table) -> None:
        table.chair(self.seat).level = self.level

    def fields_for(self, table: Table, seat: int) -> dict[str, object]:  # noqa: ARG002
        return self.data()


@dataclass(slots=True)
class Forgotten(Event):
    """Names and talk of the people on some chairs are deleted, here and in the rows of the events before.

    ``earlier`` includes all people who sat on the chairs before.
    """

    kind, shown_as, stored = "forgotten", "forgotten", ("chairs", "earlier")
    older = {"earlier": False}  # noqa: RUF012

    chairs: list[int]
    earlier: bool = False

    def apply(self, table: Table) -> None:
        for event in table.words_of(self.chairs, earlier=self.earlier):
            event.hush()
        for number in self.chairs:
            table.chairs[number - 1].name = ""
        table.setup = nameless(table.setup, self.chairs)

    def fields_for(self, table: Table, seat: int) -> dict[str, object]:  # noqa: ARG002
        seats = [table.seat_of(chair) for chair in self.chairs]
        return {"seat": seats[0], "seats": seats}


def nameless(setup: TableSetup, chairs: Iterable[int]) -> TableSetup:
    """The set-up without the names of some chairs."""
    seats = [
        seat.model_copy(update={"name": ""}) if number in chairs else seat for number, seat in enumerate(setup.seats, 1)
    ]
    return setup.model_copy(update={"seats": seats})


@dataclass(slots=True)
class Rematched(Event):
    """The same people play again at another table."""

    kind, shown_as, stored = "next", "next", ("table",)

    table: str
    asked_by: tuple[int, ...] = field(default=(), kw_only=True, compare=False)
    """The chairs of the person who asked, who needs no telling."""

    def apply(self, table: Table) -> None:
        table.next = self.table

    def tells(self, table: Table, change: Sequence[Event]) -> Told:  # noqa: ARG002
        return "rematch", table.others(self.asked_by)

    def fields_for(self, table: Table, seat: int) -> dict[str, object]:  # noqa: ARG002
        return self.data()


@dataclass(slots=True)
class Unknown(Event):
    """An event of a kind that only a newer version knows. It is kept and passed over.

    A new kind must be one that the version before may pass over; if it may not, ``storage.peers.FORMAT`` is raised.
    """

    kind, shown_as, stored = "unknown", "unknown", ("name", "fields")

    name: str
    fields: dict[str, object]

    def apply(self, table: Table) -> None:
        """Nothing but the list of events changes."""

    def fields_for(self, table: Table, seat: int) -> None:  # noqa: ARG002
        return None
