"""Events before the deal: who sits where, and what is added to the deal's randomness."""

from collections.abc import Iterable
from dataclasses import dataclass

from ..state import Event, Table


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

    def hush(self) -> None:
        self.name = ""

    def told(self, table: Table, seat: int) -> dict[str, object]:  # noqa: ARG002
        return {"seat": table.seat_of(self.chair)}


@dataclass(slots=True)
class Removed(Event):
    """The host removes a person from a chair before the deal."""

    kind, shown_as, stored = "removed", "removed", ("chair",)

    chair: int

    def apply(self, table: Table) -> None:
        chair = table.chairs[self.chair - 1]
        chair.taken, chair.name, chair.salt = False, table.setup.seats[self.chair - 1].name, ""

    def vacates(self, chair: int) -> bool:
        return self.chair == chair

    def told(self, table: Table, seat: int) -> dict[str, object]:  # noqa: ARG002
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

    def told(self, table: Table, seat: int) -> dict[str, object]:  # noqa: ARG002
        return {"seat": table.seat_of(self.chair), "level": self.level}


@dataclass(slots=True)
class Cancelled(Event):
    """The host closes a table before the deal."""

    kind, shown_as, stored = "cancel", "cancelled", ()
    changes_game = True

    def apply(self, table: Table) -> None:
        table.outcome = (None, "cancelled")


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

    def told(self, table: Table, seat: int) -> dict[str, object]:  # noqa: ARG002
        return {"seat": table.seat_of(self.chairs[0])}
