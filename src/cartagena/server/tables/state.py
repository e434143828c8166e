"""A table as its events tell it: who sits where, the game so far, the clocks. It changes by ``apply`` only."""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from cartagena.game import Position
from cartagena.game.fair_deal import chance_of
from cartagena.game.move import Move
from cartagena.game.options import destination, shows_card
from cartagena.game.rng import Chance

from ..protocol.requests import TableSetup
from ..storage.rows import Event, Key
from . import events as ev
from .clocks import Clocks
from .events import Requester

parse_move = lru_cache(maxsize=4096)(Move.parse)


@dataclass(slots=True)
class Chair:
    """A place at the table: who sits there and how. ``away`` says why the computer moves for a person."""

    kind: str
    name: str
    level: str | None
    taken: bool
    salt: str = ""
    salted: bool = False
    away: str | None = None
    resigned: bool = False

    @property
    def by_computer(self) -> bool:
        return self.kind == "computer" or self.away is not None or self.resigned


@dataclass(slots=True)
class Played:
    """A move that stands, where it led, what was dealt, which seats saw each card, and how many the mover drew."""

    number: int
    at: int
    seat: int
    turn: int
    move: Move
    to: str
    cards: tuple[str, ...]
    shown: tuple[tuple[bool, ...], ...]
    draws: int


@dataclass
class Table:
    """One table. ``seq`` counts all events, ``version`` is the number of the last one that changed the game."""

    id: str
    created: int
    setup: TableSetup
    secret: str
    keys: list[Key]
    grace: int = 1000
    events: list[Event] = field(default_factory=list)
    version: int = 0
    order: list[int] = field(default_factory=list)
    opening: Position | None = None
    position: Position | None = None
    played: list[Played] = field(default_factory=list)
    taken_back: set[int] = field(default_factory=set)
    turn: int = 1
    next: str | None = None
    wall: str = "nothing-to-undo"
    stack: list[Position] = field(default_factory=list)
    ids: dict[str, Event] = field(default_factory=dict)
    talk: int = 0
    dealt: int = 0
    outcome: tuple[int | None, str] | None = None
    thinking_since: int = 0
    chance: Chance | None = None

    def __post_init__(self) -> None:
        self.chairs = [
            Chair("computer" if seat.kind == "computer" else "person", seat.name, seat.level, seat.kind != "link")
            for seat in self.setup.seats
        ]
        self.order = list(range(1, len(self.chairs) + 1))
        self._holders: dict[int, Requester] = {}
        self._after: Position | None = None
        self.clocks = Clocks(self.setup.clock, self.grace)
        by_number, self.events = self.events, []
        for event in by_number:
            self.apply(event)

    # --- looking

    @property
    def seq(self) -> int:
        return len(self.events)

    @property
    def stage(self) -> str:
        if self.outcome is not None:
            return "over"
        return "waiting" if self.position is None else "playing"

    @property
    def seats(self) -> int:
        return len(self.chairs)

    @property
    def chooser(self) -> int:
        """The seat that must choose now, 0 if none."""
        return 0 if self.outcome or self.position is None else self.position.turn

    @property
    def chooser_is_computer(self) -> bool:
        return self.chooser > 0 and self.chair(self.chooser).by_computer

    def chair(self, seat: int) -> Chair:
        return self.chairs[self.order[seat - 1] - 1]

    def seat_of(self, chair: int) -> int:
        return self.order.index(chair) + 1

    def who(self, key: Key) -> Requester:
        """The holder of a token."""
        found = self._holders.get(key.number)
        if found is None:
            seats = tuple(sorted(self.seat_of(chair) for chair in key.chairs))
            found = self._holders[key.number] = Requester(key.number, key.chairs, seats, key.host)
        return found

    @property
    def persons(self) -> int:
        """How many different people hold seats."""
        return sum(1 for key in self.keys if key.kind == "seat" and not key.revoked and key.chairs)

    @property
    def salts(self) -> list[str]:
        return [chair.salt for chair in self.chairs]

    def undo_block(self, seat: int) -> str | None:
        """Why the seat cannot take a move back now; None if it can."""
        if self.position is None:
            return "nothing-to-undo"
        if self.outcome is not None:
            return "game-is-over"
        if self.position.active != seat:
            return "not-your-turn"
        return None if self.stack else self.wall

    # --- changing

    def apply(self, event: Event, after: Position | None = None) -> None:
        """Let an event happen. It was checked before it was stored; ``after`` is where a move leads, if known."""
        self.events.append(event)
        self._after = after
        if event.move_id is not None:
            self.ids[event.move_id] = event
        getattr(self, f"_on_{event.kind}")(event, event.data)
        if event.kind in ev.GAME:
            self.version = event.number
        if event.kind in ev.CLOCKED:
            self.thinking_since = event.at

    def _on_seat(self, event: Event, data: dict[str, Any]) -> None:  # noqa: ARG002
        chair = self.chairs[data["chair"] - 1]
        chair.taken, chair.name = True, data["name"] or chair.name
        chair.salt, chair.salted = data["salt"], bool(data["salt"])

    def _on_salt(self, event: Event, data: dict[str, Any]) -> None:  # noqa: ARG002
        for number in data["chairs"]:
            self.chairs[number - 1].salt, self.chairs[number - 1].salted = data["salt"], bool(data["salt"])

    def _on_deal(self, event: Event, data: dict[str, Any]) -> None:  # noqa: ARG002
        self.order = list(data["order"])
        self._holders.clear()  # lots have changed who sits where
        self.opening = self.position = Position.parse(data["opening"])
        self.chance = chance_of(self.secret, self.salts)
        self.clocks.start(self.seats, self.chooser)

    def _on_move(self, event: Event, data: dict[str, Any]) -> None:
        assert self.position is not None  # noqa: S101
        before, move = self.position, parse_move(data["move"])
        seat = data["seat"]
        after, shown = self._after, []
        if after is None or data["cards"]:
            after = before.play(move)
            for card in data["cards"]:
                dealt = after.play(f"+{card}")
                shown.append(tuple(shows_card(after, dealt, viewer) for viewer in range(self.seats + 1)))
                after = dealt
        self.dealt += len(data["cards"])
        to = destination(before, move)
        cards, draws = tuple(data["cards"]), max(0, after.hand_size(seat) - before.hand_size(seat))
        self.played.append(Played(event.number, event.at, seat, self.turn, move, to, cards, tuple(shown), draws))
        self._note_for_undo(before, after, move, seat)
        self.position = after
        self.clocks.spend(data["ms"])
        if after.is_over:
            outcome = after.outcome()
            winner = outcome.winner if outcome else None
            self.outcome = (winner, "home" if winner else "deadlock")
        if move.kind == "end":
            self.turn += 1
        self.clocks.pass_to(self.chooser, move.kind == "end")

    def _note_for_undo(self, before: Position, after: Position, move: Move, seat: int) -> None:
        """Taking back reaches to the last moment that showed the mover something new: a deal, another's choice."""
        if move.kind == "end":
            self.stack, self.wall = [], "nothing-to-undo"
        elif seat != before.active:
            self.stack, self.wall = [], "others-chose"
        elif self.played[-1].cards or after.is_over:
            self.stack, self.wall = [], "cards-dealt"
        else:
            self.stack.append(before)

    def _on_undo(self, event: Event, data: dict[str, Any]) -> None:  # noqa: ARG002
        self.position = self.stack.pop()
        self.taken_back.add(self.played.pop().number)
        self.clocks.spend(data["ms"])
        self.clocks.pass_to(self.chooser, turn_over=False)

    def _on_away(self, event: Event, data: dict[str, Any]) -> None:  # noqa: ARG002
        self.chair(data["seat"]).away, self.chair(data["seat"]).level = data["why"], data["level"]
        self.clocks.spend(data["ms"])

    def _on_back(self, event: Event, data: dict[str, Any]) -> None:  # noqa: ARG002
        self.chair(data["seat"]).away, self.chair(data["seat"]).level = None, None
        self.clocks.spend(data["ms"])
        self.clocks.refill(data["seat"])

    def _on_resign(self, event: Event, data: dict[str, Any]) -> None:  # noqa: ARG002
        chair = self.chair(data["seat"])
        chair.resigned, chair.level = True, data["level"]
        self.clocks.spend(data["ms"])
        left = [seat for seat in range(1, self.seats + 1) if not self.chair(seat).resigned]
        if len(left) == 1:
            self.outcome = (left[0], "resigned")
            self.clocks.pass_to(0, turn_over=True)

    def _on_standin(self, event: Event, data: dict[str, Any]) -> None:  # noqa: ARG002
        self.chair(data["seat"]).level = data["level"]

    def _on_talk(self, event: Event, data: dict[str, Any]) -> None:  # noqa: ARG002
        self.talk += 1

    def _on_next(self, event: Event, data: dict[str, Any]) -> None:  # noqa: ARG002
        self.next = data["table"]
