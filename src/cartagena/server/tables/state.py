"""The state of a table as its events lead to it: chairs, game, clocks. Only ``Table.apply`` changes it."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

from cartagena.game import Move, Position
from cartagena.game.options import destination
from cartagena.game.position import shows_card
from cartagena.game.rng import Chance

from ..protocol.errors import Refused
from ..protocol.requests import PostClock, TableSetup
from ..storage.rows import EventRow, Key
from .clocks import Clocks, Deadline
from .tokens import SPECTATOR, Requester, no_seat, seat_key


@dataclass(slots=True)
class Chair:
    """A chair of the set-up; lots give it a seat. ``away`` is why the computer moves for an absent player."""

    kind: str
    name: str
    level: str | None
    taken: bool
    salt: str = ""
    away: str | None = None
    frozen: bool = False
    """Whether the clock stands still while the person is away."""
    resigned: bool = False

    @property
    def by_computer(self) -> bool:
        return self.kind == "computer" or self.away is not None or self.resigned


class Played(NamedTuple):
    """A move that stands: where it led, the cards dealt after it, and which viewers (0: spectators) saw each.

    ``draws`` counts the cards that the mover drew, from the stock or from the row; ``drawn`` names those of the row.
    """

    seat: int
    turn: int
    move: Move
    to: str
    cards: list[str]
    shown: list[tuple[bool, ...]]
    draws: int
    drawn: list[str] | None


Told = tuple[str, Sequence[int]]
"""A kind of notice and the chairs of the people it is for."""


@dataclass(slots=True)
class Event(ABC):
    """Base of the event kinds in ``events``: number ``number`` (from 1) of its table, ``at`` ms since 1970.

    ``kind`` is the name in the database, ``shown_as`` the name on the wire.
    """

    kind: ClassVar[str]
    shown_as: ClassVar[str]
    changes_game: ClassVar[bool] = False
    """Whether the event changes the game, so that a move sent without having seen it is stale."""
    changes_seats: ClassVar[bool] = True
    """Whether the event may change the seats, their state or the promise of the deal."""
    restarts_thinking: ClassVar[bool] = False
    """Whether the chooser's thinking time counts from this event on."""
    stored: ClassVar[tuple[str, ...]]
    """Names of the fields in the database."""
    older: ClassVar[dict[str, object]] = {}
    """Values of the fields that rows of version 0.1.0 lack."""

    limited: ClassVar[bool] = False
    """Whether such events are refused at a table that has reached its limit of events."""

    number: int = field(default=0, kw_only=True)
    at: int = field(default=0, kw_only=True)
    move_id: str | None = field(default=None, kw_only=True)

    @abstractmethod
    def apply(self, table: "Table") -> None:
        """Change the table. The event was checked before it was stored."""

    def fields_for(self, table: "Table", seat: int) -> dict[str, object] | None:  # noqa: ARG002
        """What a seat (0: spectators) may see of the event's own fields, or None if nothing at all."""
        return {}

    def wakes(self, table: "Table") -> bool | None:  # noqa: ARG002
        """Whether the game must be loaded after a restart from this event on, or None if nothing changes about it."""
        return None

    def ends(self, table: "Table", change: "Sequence[Event]") -> bool:  # noqa: ARG002
        """Whether the table is over with this event of a change. ``table`` is before the change."""
        return False

    def flaw(self, table: "Table") -> str | None:  # noqa: ARG002
        """Why the event's chance does not follow from the secret of the table before it, or None if it does."""
        return None

    def causes(self, table: "Table") -> Iterable[int]:  # noqa: ARG002
        """The chairs whose persons caused the event, for the kinds with a limit for each person."""
        return ()

    def speaker(self, table: "Table") -> int:  # noqa: ARG002
        """The chair whose person's own words the event holds, or 0 if it holds none."""
        return 0

    @property
    def says(self) -> str:
        """The person's own words in it; empty where it holds none, or none any more."""
        return ""

    def hush(self) -> None:  # noqa: B027 - most kinds hold no words
        """Delete the person's own words."""

    def vacates(self, chair: int) -> bool:  # noqa: ARG002
        """Whether the person of a chair loses it, so that another one may come."""
        return False

    def seats_computer(self, table: "Table") -> int:  # noqa: ARG002
        """The chair for which a computer plays from this event on, or 0."""
        return 0

    def tells(self, table: "Table", change: "Sequence[Event]") -> "Told | None":  # noqa: ARG002
        """The kind of notice and the chairs that get it, or None. ``table`` is before the change."""
        return None

    def seen_by(self, table: "Table", seat: int) -> dict[str, object] | None:
        """The event on the wire as a seat (0: spectators) may see it."""
        fields = self.fields_for(table, seat)
        return None if fields is None else {"seq": self.number, "at": self.at, "type": self.shown_as, **fields}

    def data(self) -> dict[str, object]:
        """The fields that are stored."""
        return {name: getattr(self, name) for name in self.stored}

    def row(self) -> EventRow:
        """The event as the database holds it."""
        return EventRow(self.number, self.at, self.kind, self.data(), self.move_id)


@dataclass
class Table:
    """One table. ``seq`` counts all events; ``version`` is the number of the last one that changed the game,
    ``roster`` of the last one that may have changed the seats."""

    id: str
    created: int
    setup: TableSetup
    secret: str
    keys: list[Key]
    grace: int = 1000
    seq: int = field(default=0, init=False)
    version: int = 0
    roster: int = 0
    opening: Position | None = None
    position: Position | None = None
    turn: int = 1
    next: str | None = None
    dealt: int = 0
    outcome: tuple[int | None, str] | None = None
    went_on: Position | None = None
    """Where a becalmed game went on before that ruling, with the next seat to choose."""
    thinking_since: int = 0
    """When the chooser began to think, by the steady clock of this run; not part of the stored truth."""
    chance: Chance | None = None
    wall: str = "nothing-to-undo"
    """Why moves before ``stack`` cannot be taken back."""

    def __post_init__(self) -> None:
        self.chairs = [
            Chair("computer" if seat.kind == "computer" else "person", seat.name, seat.level, seat.kind != "link")
            for seat in self.setup.seats
        ]
        self.order = list(range(1, len(self.chairs) + 1))
        self.clocks = Clocks(self.setup.clock, self.grace)
        post = self.setup.clock if isinstance(self.setup.clock, PostClock) else None
        self.deadline = Deadline(post.days) if post else None
        """Until when the chooser may choose at a table by post."""
        self.events: list[Event] = []
        self.ids: dict[str, Event] = {}
        self.played: dict[int, Played] = {}
        """The moves that stand, in order, by the number of their event."""
        self.caused: Counter[tuple[str, int]] = Counter()
        """How many events of each kind each chair has caused, of the kinds that are limited."""
        self.stack: list[Position] = []
        """Positions before the moves that can be taken back."""
        self._holders: dict[int, Requester] = {}
        self._chooser: tuple[Position | None, int] = (None, 0)

    # --- reading

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
        """The seat that must choose now, or 0 if there is none."""
        if self.outcome or self.position is None:
            return 0
        if self._chooser[0] is not self.position:  # asked for many times a move
            self._chooser = self.position, self.position.turn
        return self._chooser[1]

    @property
    def chooser_is_computer(self) -> bool:
        return self.chooser > 0 and self.chair(self.chooser).by_computer

    def chair(self, seat: int) -> Chair:
        return self.chairs[self.order[seat - 1] - 1]

    def seat_of(self, chair: int) -> int:
        return self.order.index(chair) + 1

    def holder(self, key: Key) -> Requester:
        """The holder of a token."""
        requester = self._holders.get(key.number)
        if requester is None:
            seats = tuple(sorted(self.seat_of(chair) for chair in key.chairs))
            requester = self._holders[key.number] = Requester(key.number, key.chairs, seats, key.host)
        return requester

    def requester(self, token: str | None, *, watching: bool = True) -> Requester:
        """The holder of a token, or without one a spectator if the table allows them."""
        if token:
            who = self.holder(seat_key(self.keys, token))
            if watching:
                self.must_show(who)
            return who
        if not watching or self.setup.spectators == "none":
            raise Refused("not-seated", "Only seated players can see this table.")
        return SPECTATOR

    def must_show(self, who: Requester) -> None:
        """Refuse a look to a holder without seats, as to any spectator. A host sees the table until the deal."""
        if who.seats or self.setup.spectators != "none":
            return
        sees_no_person = all(chair.kind == "computer" for chair in self.chairs)
        if not who.host or not (self.position is None or sees_no_person):
            raise Refused("not-seated", "Only seated players can see this table.")

    def current(self, who: Requester) -> Requester:
        """The same requester with its present seats: lots may have been drawn since, at another server too."""
        if not who.key:
            return who
        key = self.keys[who.key - 1]
        if key.revoked:
            raise no_seat()
        return self.holder(key)

    def keys_to(self, chair: int) -> list[Key]:
        """The valid key that holds a chair, if there is one. A rematch has keys before their people join."""
        return [key for key in self.keys if key.kind == "seat" and not key.revoked and chair in key.chairs]

    def is_free(self, chair: int) -> bool:
        """Whether a person may take the chair."""
        return not self.chairs[chair - 1].taken and not self.keys_to(chair)

    def others(self, chairs: Sequence[int]) -> list[int]:
        """The chairs of the people who hold none of these chairs."""
        mine, held = frozenset(chairs), set(chairs)
        for key in self.keys:
            if key.kind == "seat" and not key.revoked and not mine.isdisjoint(key.chairs):
                held.update(key.chairs)
        return [number for number in range(1, self.seats + 1) if number not in held]

    @property
    def is_full(self) -> bool:
        """Whether the cards can be dealt as far as the chairs are concerned."""
        return self.stage == "waiting" and all(chair.taken for chair in self.chairs)

    @property
    def unsalted(self) -> list[int]:
        """The chairs of persons whose randomness the deal waits for."""
        if not self.setup.salts:
            return []
        return [number for number, chair in enumerate(self.chairs, 1) if chair.kind == "person" and not chair.salt]

    @property
    def persons(self) -> int:
        """Number of people who hold seats."""
        return sum(1 for key in self.keys if key.kind == "seat" and not key.revoked and key.chairs)

    @property
    def salts(self) -> list[str]:
        """What each chair adds to the deal; a computer adds nothing, since the server would choose it."""
        return ["" if chair.kind == "computer" else chair.salt for chair in self.chairs]

    def words_of(self, chairs: Iterable[int], *, earlier: bool = False) -> list[Event]:
        """The events with words of the people who sit on these chairs now; with ``earlier`` of all who ever did."""
        since = {chair: 0 if earlier else self._sits_since(chair) for chair in chairs}
        return [event for event in self.events if event.number > since.get(event.speaker(self), len(self.events))]

    def _sits_since(self, chair: int) -> int:
        """The number of the event after which the person of a chair came."""
        return max((event.number for event in self.events if event.vacates(chair)), default=0)

    def thinking(self, steady: int) -> int:
        """Milliseconds that the chooser has been thinking until then, or 0 while no clock runs for the seat."""
        if not self.clocks.runs or self.chair(self.clocks.chooser).frozen:
            return 0
        return max(0, steady - self.thinking_since)

    def may_return(self, seat: int) -> bool:
        """Whether a person can take the seat back from the computer now: a clock that is up leaves no way back."""
        chair = self.chair(seat)
        if self.stage != "playing" or chair.away is None or chair.resigned:
            return False
        return not (chair.frozen and self.clocks.is_up(seat))

    def undo_block(self, seat: int) -> str | None:
        """Why the seat cannot take a move back now, or None if it can."""
        if self.position is None:
            return "nothing-to-undo"
        if self.outcome is not None:
            return "game-is-over"
        if self.position.active != seat:
            return "not-your-turn"
        return None if self.stack else self.wall

    # --- changing

    def apply(self, event: Event) -> None:
        """Apply an event that was checked."""
        self.go_on_for(event)
        event.apply(self)
        self.events.append(event)
        self.seq = len(self.events)
        for chair in event.causes(self):
            self.caused[event.kind, chair] += 1
        if event.move_id is not None:
            self.ids[event.move_id] = event
        if event.changes_game:
            self.version = event.number
        if event.changes_seats:
            self.roster = event.number
        if self.deadline is not None and self.position is not None:
            self.deadline.follow(0 if self.chooser_is_computer else self.chooser, self.turn, event.at)

    def go_on_for(self, event: Event) -> None:
        """Continue a becalmed game for an event that only a game under way has: games went on before that ruling."""
        if self.went_on is not None and event.restarts_thinking:
            self.position, self.went_on, self.outcome = self.went_on, None, None
            self.clocks.pass_to(self.chooser, turn_over=False)

    def replay(self, events: Iterable[Event]) -> "Table":
        """Apply all events."""
        for event in events:
            self.apply(event)
        return self

    def fresh(self) -> "Table":
        """The same table before its first event."""
        return Table(self.id, self.created, self.setup, self.secret, [], self.grace)

    def copied(self) -> "Table":
        """The same table, to go on by itself. Only its events are shared, which must not be hushed there."""
        later = copy(self)
        later.keys = [replace(key) for key in self.keys]
        later.chairs = [replace(chair) for chair in self.chairs]
        later.clocks = self.clocks.copied()
        later.deadline = self.deadline.copied() if self.deadline else None
        later.events = list(self.events)
        later.ids = dict(self.ids)
        later.played = dict(self.played)
        later.caused = Counter(self.caused)
        later.stack = list(self.stack)
        later.draw_lots(list(self.order))
        return later

    def carry_out(self, move: Move, deal: Callable[[Position, int], str]) -> tuple[Played, Position]:
        """Play a move and the deals after it, without changing the table.

        Args:
            move: A move of the chooser.
            deal: Names the next card, given the position and how many cards the move brought so far.

        Raises:
            IllegalMove: The move or a card is not legal.
        """
        before = self.position
        if before is None:
            raise ValueError("a move before the deal")
        position, cards, shown = before.play(move), list[str](), list[tuple[bool, ...]]()
        while position.is_chance:
            cards.append(deal(position, len(cards)))
            after = position.play(f"+{cards[-1]}")
            shown.append(tuple(shows_card(position, after, viewer) for viewer in range(self.seats + 1)))
            position = after
        seat = before.turn
        draws = max(0, position.hand_size(seat) - before.hand_size(seat))
        # An empty row is laid out anew, so the cards dealt follow those that lay there.
        drawn = [*before.row, *cards][:draws] if before.rules.row else None
        return Played(seat, self.turn, move, destination(before, move), cards, shown, draws, drawn), position

    def draw_lots(self, order: list[int]) -> None:
        """Give seat 1, 2 and so on to these chairs."""
        self.order, self._holders = order, {}
