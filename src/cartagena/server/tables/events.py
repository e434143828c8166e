"""Events: the stored truth about a table. Each kind is one class: its fields, its effect, and what each seat sees.

To add a kind, write its class here and name it in ``KINDS``.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any, Final, get_type_hints

from pydantic import BaseModel, ConfigDict, PlainValidator, create_model

from cartagena.game import Move, Position
from cartagena.game.fair_deal import chance_of, draw_lots, next_card
from cartagena.game.setup import open_position
from cartagena.rulesets import RuleSet, by_name, vary

from ..protocol.encoding import move_fields
from ..protocol.requests import TableSetup
from ..storage.rows import EventRow
from .state import Event, Played, Table

parse_move: Final = lru_cache(maxsize=4096)(Move.parse)


def table_rules(setup: TableSetup) -> RuleSet:
    """The rule set that a table has agreed on. Raises RuleSetError."""
    sizes = {"style": setup.style, "pirates": setup.pirates, "pieces": setup.pieces, "deal": setup.deal}
    entries = {key: value for key, value in sizes.items() if value not in (None, "printed")}
    rules = by_name(setup.rules)
    return vary(rules, entries, setup.rules) if entries else rules


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

    def told(self, table: Table, seat: int) -> dict[str, Any]:  # noqa: ARG002
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

    def told(self, table: Table, seat: int) -> dict[str, Any]:  # noqa: ARG002
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

    def told(self, table: Table, seat: int) -> dict[str, Any]:  # noqa: ARG002
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

    def told(self, table: Table, seat: int) -> dict[str, Any]:  # noqa: ARG002
        return {"seat": table.seat_of(self.chairs[0])}


@dataclass(slots=True)
class Dealt(Event):
    """The game starts. ``order`` names the chairs that got seat 1, 2 and so on."""

    kind, shown_as, stored = "deal", "deal", ("opening", "order")
    changes_game = restarts_thinking = True

    opening: str
    order: list[int]
    with_computers: bool = field(default=False, init=False, compare=False)
    """Whether a computer sits there by then; the table before the change may lack one."""

    @classmethod
    def drawn(cls, table: Table) -> "Dealt":
        """The deal that follows from the secret and from what the chairs added."""
        chance = chance_of(table.secret, table.salts)
        order = draw_lots(chance, table.seats) if table.setup.lots else list(range(1, table.seats + 1))
        event = cls(str(open_position(table_rules(table.setup), table.seats, chance)), order)
        event.with_computers = any(chair.kind == "computer" for chair in table.chairs)
        return event

    def apply(self, table: Table) -> None:
        table.draw_lots(list(self.order))
        table.opening = table.position = Position.parse(self.opening)
        table.chance = chance_of(table.secret, table.salts)
        table.clocks.start(table.seats, table.chooser)

    def wakes(self, table: Table) -> bool:
        return table.setup.clock.kind != "none" or self.with_computers

    def flaw(self, table: Table) -> str | None:
        same = Dealt.drawn(table).data() == self.data()
        return None if same else "the deal does not follow from the secret"


@dataclass(slots=True)
class Acted(Event):
    """Base of the kinds that a seat causes after ``ms`` milliseconds of thinking."""

    restarts_thinking = True

    seat: int
    ms: int = field(default=0, kw_only=True)

    def told(self, table: Table, seat: int) -> dict[str, Any] | None:  # noqa: ARG002
        return {"seat": self.seat}


def secret_cards(table: Table) -> Callable[[Position, int], str]:
    """The cards that follow from the table's secret, for ``carry_out``."""
    chance, dealt = table.chance, table.dealt
    if chance is None:
        raise ValueError("the cards are not dealt")
    return lambda position, number: next_card(position, chance, dealt + number).card


@dataclass(slots=True)
class Moved(Acted):
    """A move with the cards dealt after it."""

    kind, shown_as, stored = "move", "move", ("seat", "move", "cards", "ms")
    changes_seats = False
    changes_game = True

    move: Annotated[Move, PlainValidator(parse_move)]
    cards: list[str]
    worked_out: tuple[Played, Position] | None = field(default=None, init=False, repr=False, compare=False)
    """The result of the move, kept from the decision until it is applied."""

    @classmethod
    def decided(cls, table: Table, move: Move, ms: int) -> "Moved":
        """A move of the chooser with the cards that follow from the secret. Raises IllegalMove."""
        played, after = table.carry_out(move, secret_cards(table))
        event = cls(played.seat, move, played.cards, ms=ms)
        event.worked_out = played, after
        return event

    def causes(self, table: Table) -> Iterable[int]:
        return (table.order[self.seat - 1],)

    def apply(self, table: Table) -> None:
        before, end = table.position, self.move.kind == "end"
        played, after = self.worked_out or table.carry_out(self.move, lambda _, number: self.cards[number])
        self.worked_out = None
        if (played.seat, played.cards) != (self.seat, self.cards):
            raise ValueError("a seat or a card that was not due")
        table.played[self.number] = played
        table.position = after
        table.dealt += len(self.cards)
        if end:
            table.stack, table.wall = [], "nothing-to-undo"
        elif before is None or self.seat != before.active:
            table.stack, table.wall = [], "others-chose"
        elif self.cards or after.is_over:
            table.stack, table.wall = [], "cards-dealt"
        else:
            table.stack.append(before)
        if (outcome := after.outcome()) is not None:
            table.outcome = (outcome.winner, "home" if outcome.winner else "deadlock")
        table.turn += end
        table.clocks.spend(self.ms)
        table.clocks.pass_to(table.chooser, end, frozen=table.chair(self.seat).frozen)

    def told(self, table: Table, seat: int) -> dict[str, Any] | None:
        played = table.played.get(self.number)
        if played is None:
            return None  # taken back
        everything = table.stage == "over" and seat > 0
        seen = [everything or shown[seat] for shown in played.shown]
        return {
            "seat": played.seat,
            "move": move_fields(played.move),
            "to": played.to or None,
            "cards": [f"+{card}" if open_ else "+?" for card, open_ in zip(played.cards, seen, strict=True)],
            "draws": played.draws,
            **({} if played.drawn is None else {"drawn": played.drawn}),
            "turn": played.turn,
        }

    def data(self) -> dict[str, Any]:
        return {"seat": self.seat, "move": str(self.move), "cards": self.cards, "ms": self.ms}

    def flaw(self, table: Table) -> str | None:
        due, _ = table.carry_out(self.move, secret_cards(table))
        return None if due.cards == self.cards else "the cards do not follow from the secret"


@dataclass(slots=True)
class Undone(Acted):
    """The last move is taken back."""

    kind, shown_as, stored = "undo", "undo", ("seat", "ms")
    changes_seats = False
    changes_game = True
    limited = True

    undone: int = field(default=0, init=False)
    """The number of the move that was taken back."""

    def causes(self, table: Table) -> Iterable[int]:
        return (table.order[self.seat - 1],)

    def apply(self, table: Table) -> None:
        table.position = table.stack.pop()
        self.undone, _ = table.played.popitem()
        table.clocks.spend(self.ms)
        table.clocks.pass_to(table.chooser, turn_over=False)

    def told(self, table: Table, seat: int) -> dict[str, Any]:  # noqa: ARG002
        return {"seat": self.seat, "undone": self.undone}


@dataclass(slots=True)
class Left(Acted):
    """The computer takes a seat over: ``why`` is ``left`` or ``time``."""

    kind, shown_as, stored = "away", "left", ("seat", "why", "level", "ms", "frozen")
    older = {"frozen": False}  # noqa: RUF012

    why: str
    level: str
    frozen: bool = field(default=True, kw_only=True)

    def causes(self, table: Table) -> Iterable[int]:
        return (table.order[self.seat - 1],)

    def apply(self, table: Table) -> None:
        chair = table.chair(self.seat)
        chair.away, chair.level, chair.frozen = self.why, self.level, self.frozen
        table.clocks.spend(self.ms)

    def wakes(self, table: Table) -> bool:  # noqa: ARG002
        return True

    def told(self, table: Table, seat: int) -> dict[str, Any]:  # noqa: ARG002
        return {"seat": self.seat, "why": self.why}


@dataclass(slots=True)
class Returned(Acted):
    """A person takes the seat back from the computer."""

    kind, shown_as, stored = "back", "back", ("seat", "ms")

    def causes(self, table: Table) -> Iterable[int]:
        return (table.order[self.seat - 1],)

    def apply(self, table: Table) -> None:
        chair = table.chair(self.seat)
        table.clocks.spend(self.ms)
        if not chair.frozen:
            table.clocks.refill(self.seat)
        chair.away, chair.level, chair.frozen = None, None, False


@dataclass(slots=True)
class Resigned(Acted):
    """A seat gives up. The last one that has not wins; while more are left the computer plays on for the seat."""

    kind, shown_as, stored = "resign", "resigned", ("seat", "level", "ms")
    changes_game = True

    level: str | None

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


@dataclass(slots=True)
class Paused(Event):
    """The chooser has thought for ``ms`` milliseconds, which stay charged if the server stops or fails now."""

    kind, shown_as, stored = "pause", "pause", ("ms",)
    changes_seats = False
    restarts_thinking = True

    ms: int

    def apply(self, table: Table) -> None:
        table.clocks.spend(self.ms)

    def told(self, table: Table, seat: int) -> None:  # noqa: ARG002
        return None


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
        dealt = next((event.number for event in table.events if event.kind == Dealt.kind), self.number)
        return table.order[self.seat - 1] if dealt < self.number else self.seat  # chairs were seats before the lots

    def hush(self) -> None:
        self.text = ""

    def told(self, table: Table, seat: int) -> dict[str, Any]:  # noqa: ARG002
        return self.data()


@dataclass(slots=True)
class StoodIn(Event):
    """A weaker computer player replaces the seat's own, which failed."""

    kind, shown_as, stored = "standin", "standin", ("seat", "level")

    seat: int
    level: str

    def apply(self, table: Table) -> None:
        table.chair(self.seat).level = self.level

    def told(self, table: Table, seat: int) -> dict[str, Any]:  # noqa: ARG002
        return self.data()


@dataclass(slots=True)
class Forgotten(Event):
    """Names and talk of the people on some chairs are deleted, here and in the rows of the events before."""

    kind, shown_as, stored = "forgotten", "forgotten", ("chairs",)

    chairs: list[int]

    def apply(self, table: Table) -> None:
        for event in table.words_of(self.chairs):
            event.hush()
        for number in self.chairs:
            table.chairs[number - 1].name = ""
        table.setup = nameless(table.setup, self.chairs)

    def told(self, table: Table, seat: int) -> dict[str, Any]:  # noqa: ARG002
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

    def apply(self, table: Table) -> None:
        table.next = self.table

    def told(self, table: Table, seat: int) -> dict[str, Any]:  # noqa: ARG002
        return self.data()


KINDS: Final[dict[str, type[Event]]] = {
    kind.kind: kind
    for kind in (
        Joined,
        Removed,
        ComputerSeated,
        Cancelled,
        Salted,
        Dealt,
        Moved,
        Undone,
        Left,
        Returned,
        Resigned,
        Paused,
        Talked,
        StoodIn,
        Forgotten,
        Rematched,
    )
}


def stored_form(kind: type[Event]) -> type[BaseModel]:
    """A model that checks the stored fields of a kind."""
    hints = get_type_hints(kind, include_extras=True)
    fields: dict[str, Any] = {name: (hints[name], kind.older.get(name, ...)) for name in kind.stored}
    return create_model(kind.__name__, __config__=ConfigDict(strict=True, arbitrary_types_allowed=True), **fields)


FORMS: Final = {name: stored_form(kind) for name, kind in KINDS.items()}


def read_event(row: EventRow) -> Event:
    """Read an event from its row. Raises ValueError for an unknown kind or damaged fields."""
    if row.kind not in KINDS:
        raise ValueError(f"There is no event of kind {row.kind[:20]}.")
    fields = dict(FORMS[row.kind].model_validate(row.data))
    return KINDS[row.kind](number=row.number, at=row.at, move_id=row.move_id, **fields)
