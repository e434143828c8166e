"""Updates: what a seat or a spectator is sent about a table.

The only source of hidden information is ``Position.view``; what is not listed here is not sent.
"""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, TypeVar

from cartagena.game import NO_SEAT, Position
from cartagena.game.options import elsewhere, options, refusals
from cartagena.game.reasons import UNDO_SENTENCES
from cartagena.kernel.layout import T_ACTIONS, T_LIMIT, T_OPEN

from ..protocol.encoding import dumps, move_fields, spliced, text_frame
from .records import table_commitment
from .state import Table
from .tokens import Requester

T = TypeVar("T")
NULL: Final = b"null"
MAX_CACHED: Final = 64
"""Upper bound on cached payloads per table state."""


class Detail(NamedTuple):
    """How an update shows the game: the view in notation instead of fields, and the legal moves in notation."""

    text: bool = False
    legal: bool = False


FULL: Final = Detail()


def looking_seat(table: Table, who: Requester, asked: int | None = None) -> int:
    """The seat to look through: the one asked for, else the chooser's, else the first one held; 0 for a spectator."""
    if not who.seats:
        return 0
    if asked is not None and asked in who.seats:
        return asked
    chooser = table.chooser
    return chooser if chooser in who.seats else who.seats[0]


def visible_position(table: Table, seat: int) -> Position | None:
    """The view of a seat, or for the players of a finished game the whole position."""
    if table.position is None:
        return None
    return table.position if table.stage == "over" and seat else table.position.view(seat)


# --- a view as data


def public_json(view: Position) -> dict[str, object]:
    """``PositionJson`` without the hands, the same for every viewer."""
    discard = view.discard
    return {
        "rules": view.rules.name,
        "game": view.rules.game,
        "islands": view.islands,
        "pirates": [view.places(seat) for seat in range(1, view.seats + 1)],
        "row": view.row if view.rules.row else None,
        "stock": view.stock_size,
        "discard": {"size": sum(discard.values()), "cards": discard},
        "sloop": view.sloop or None,
        "turn": {
            "seat": view.active, "chooser": view.turn, "used": view.used, "actions": view.table[T_ACTIONS],
            "captain": view.is_captain, "passes": view.passes, "row_due": view.row_due, "owed": view.owed,
            "dropper": view.dropper or None, "limit": view.table[T_LIMIT] or None,
        },
    }  # fmt: skip


def hands_json(view: Position) -> list[dict[str, object]]:
    """The size of each hand, and its cards where the view shows them."""
    return [{"size": view.hand_size(seat), "cards": view.hand(seat)} for seat in range(1, view.seats + 1)]


def position_json(view: Position) -> dict[str, object]:
    """A whole ``PositionJson``."""
    return {**public_json(view), "hands": hands_json(view)}


def options_json(view: Position) -> dict[str, object]:
    """The legal moves of the chooser whose view this is, and near misses with the reason why they are not legal."""
    return {
        "legal": [
            {"move": move_fields(item.move), "to": item.to or None, "cards": item.cards, "passed": item.passed}
            for item in options(view)
        ],
        "illegal": [
            {"move": move_fields(item.move), "reason": item.error.reason, "message": str(item.error)}
            for item in refusals(view)
        ],
        "elsewhere": [{"reason": reason, "places": places} for reason, places in elsewhere(view).items()],
    }


# --- the table around it


def events_json(table: Table, after: int, seat: int) -> list[dict[str, object]]:
    """The events after that number as a seat may see them."""
    seen = (event.seen_by(table, seat) for event in table.events[max(0, after) :])
    return [item for item in seen if item is not None]


def seats_json(table: Table, online: frozenset[int], thinking: int) -> list[dict[str, object]]:
    """The seats and who sits there; ``online`` are chairs."""
    chairs = ((seat, table.chair(seat)) for seat in range(1, table.seats + 1))
    return [
        {
            "seat": seat, "kind": chair.kind, "name": chair.name, "level": chair.level if chair.by_computer else None,
            "taken": chair.taken, "away": chair.away, "may_return": table.may_return(seat), "resigned": chair.resigned,
            "online": chair.kind == "computer" or table.order[seat - 1] in online, "salted": bool(chair.salt),
            "clock": table.clocks.left(seat, thinking), **holidays_json(table, seat),
        }
        for seat, chair in chairs
    ]  # fmt: skip


def holidays_json(table: Table, seat: int) -> dict[str, object]:
    """By post: until when the person is on holiday, if that was announced, and the days of holiday left."""
    if table.deadline is None:
        return {}
    return {"holiday": table.deadline.holiday.get(seat), "holidays": table.deadline.holidays_left(seat)}


def undo_json(table: Table, seat: int) -> dict[str, object]:
    """Whether the seat can take a move back, and if not, why."""
    reason = table.undo_block(seat) if seat else "not-seated"
    return {"possible": reason is None, "reason": reason, "message": UNDO_SENTENCES[reason] if reason else None}


def fair_json(table: Table, seat: int, promise: str) -> dict[str, object]:
    """The promise, the salts from the deal on, and the secret for the players of a finished game."""
    dealt = table.position is not None
    return {
        "commitment": promise,
        "secret": table.secret if table.stage == "over" and seat else None,
        "salts": table.salts if dealt else None,
        "lots": table.order if dealt else None,
    }


class UpdateBuilder:
    """Builds the updates of one table and caches each until the table or who is online changes.

    Viewers that look through the same seat and have seen as much get the same bytes.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.online: frozenset[int] = frozenset()
        self.until_takeover: Callable[[], float | None] = lambda: None
        """Seconds until the computer takes over from the absent chooser; None while no time runs."""
        self.until_due: Callable[[], int | None] = lambda: None
        """By post: until when the chooser may choose, in ms since 1970; None while no days run."""
        self.hurried: str | None = None
        """The level whose last move had less than its usual time, because many games wait for the computers."""
        self.commitment = table_commitment(table)
        self._cache: dict[tuple[object, ...], object] = {}
        self._made_for: tuple[object, ...] = ()
        self._awaits_absent = False
        self._times = False
        """Whether an update tells how much time is left, so that it is new at every moment."""
        self._lasting: dict[tuple[object, ...], bytes] = {}
        self._lasting_for: tuple[object, ...] = ()
        self._is_new = False

    def tell_all(self, tells: Iterable[Callable[[], None]]) -> None:
        """Call what tells each viewer. None of them may change the table."""
        self._renew()
        self._is_new = True
        try:
            for tell in tells:
                tell()
        finally:
            self._is_new = False

    def _renew(self) -> None:
        """Forget what was made for another state of the table, or of what else an update tells about it."""
        if self._is_new:
            return
        table, awaits_absent = self.table, self.until_takeover() is not None
        due = None if table.deadline is None else self.until_due()
        state = (table.seq, self.online, awaits_absent, due, self.hurried)
        if self._made_for != state or len(self._cache) > MAX_CACHED:
            self._cache, self._made_for = {}, state
            self._awaits_absent, self._times = awaits_absent, awaits_absent or table.clocks.runs
            lasting = (table.roster, table.stage, self.online)
            if self._lasting_for != lasting:
                self._lasting, self._lasting_for = {}, lasting

    def _cached(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """The result of ``make``, called once for each state of the table unless it returns None."""
        made: T | None = self._cache.get(key)  # type: ignore[assignment]  # the key says what is made
        if made is None:
            made = self._cache[key] = make()
        return made

    def _kept(self, key: tuple[object, ...], make: Callable[[], object]) -> bytes:
        """What ``make`` returns as JSON, made once for as long as only moves and talk are added to the table."""
        text = self._lasting.get(key)
        if text is None:
            text = self._lasting[key] = dumps(make())
        return text

    def update(self, who: Requester, seat: int, after: int, now: int, *, detail: Detail = FULL) -> bytes:
        """An update with the events after that number, as JSON."""
        self._renew()
        moment = now if self._times else 0
        key = ("update", who.seats, who.host, seat, after, detail, moment)
        return self._cached(key, lambda: self._update(who, seat, after, moment, detail))

    def frame(self, who: Requester, seat: int, after: int, now: int, *, detail: Detail = FULL) -> bytes:
        """An update as a WebSocket frame."""
        self._renew()
        moment = now if self._times else 0
        key = ("frame", who.seats, who.host, seat, after, detail, moment)
        return self._cached(key, lambda: text_frame(self._update(who, seat, after, moment, detail)))

    def _update(self, who: Requester, seat: int, after: int, now: int, detail: Detail) -> bytes:
        table = self.table
        own = {
            "you": {"seat": seat, "seats": who.seats, "host": who.host},
            "events": events_json(table, after, seat),
            "undo": undo_json(table, seat),
        }
        fair = self._kept(("fair", seat), lambda: fair_json(table, seat, self.commitment))
        shared = self._cached(("shared", now), lambda: self._shared(now))
        return b'%s,%s,"fair":%s,"text":%s,"position":%s,"options":%s%s}' % (
            shared[:-1],
            dumps(own)[1:-1],
            fair,
            self._text(seat) if detail.text else NULL,
            NULL if detail.text else self._position(seat),
            NULL if detail.text else self._options(seat),
            b',"legal":%s' % self._legal(seat) if detail.legal else b"",
        )

    def _shared(self, now: int) -> bytes:
        """What all viewers are told alike, as JSON."""
        table, thinking = self.table, self.table.thinking(now)
        winner, how = table.outcome or (None, "")
        fields = {
            "type": "update",
            "table": table.id,
            "seq": table.seq,
            "version": table.version,
            "stage": table.stage,
            "clock": self._clock(thinking),
            "absent": self._absent(),
            "outcome": {"winner": winner, "how": how} if table.outcome else None,
            "next": table.next,
        }
        hurried = {"hurried": self.hurried} if self.hurried and table.stage == "playing" else {}
        return spliced({**fields, **hurried}, seats=self._seats(now, thinking))

    def _seats(self, now: int, thinking: int) -> bytes:
        """The seats; with a clock they are new at every moment."""
        if self.table.clocks.runs:
            return self._cached(("seats", now), lambda: dumps(seats_json(self.table, self.online, thinking)))
        return self._kept(("seats",), lambda: seats_json(self.table, self.online, thinking))

    def snapshot(self, who: Requester, seat: int, now: int, *, detail: Detail = FULL) -> bytes:
        """An update with all events and the set-up."""
        return b'%s,"setup":%s}' % (self.update(who, seat, 0, now, detail=detail)[:-1], self.setup())

    def preview(self) -> bytes:
        """What a person sees before joining: the set-up, who sits there, and the commitment."""
        table = self.table
        fields = {"table": table.id, "stage": table.stage, "commitment": self.commitment}
        return spliced(fields, setup=self.setup(), seats=dumps(seats_json(table, self.online, 0)))

    def setup(self) -> bytes:
        """The set-up as JSON."""
        self._renew()
        return self._cached(("setup",), lambda: dumps(self.table.setup.model_dump(mode="json")))

    def _absent(self) -> dict[str, int] | None:
        left = self.until_takeover() if self._awaits_absent else None
        return None if left is None else {"seat": self.table.chooser, "left": max(0, round(1000 * left))}

    def _clock(self, thinking: int) -> dict[str, object] | None:
        table = self.table
        if table.deadline is not None and table.chooser:
            return {"seat": table.chooser, "left": None, "due": self.until_due()}
        if not table.clocks.runs or table.chooser == 0:
            return None
        return {"seat": table.chooser, "left": table.clocks.left(table.chooser, thinking)}

    def _sight(self, seat: int) -> int:
        """The seat through whose eyes a seat sees: with open hands those of a spectator."""
        position = self.table.position
        is_open = position is not None and position.table[T_OPEN] and self.table.stage != "over"
        return NO_SEAT if is_open else seat

    def _view(self, seat: int) -> Position | None:
        sight = self._sight(seat)
        return self._cached(("view", sight), lambda: visible_position(self.table, sight))

    def _text(self, seat: int) -> bytes:
        """The view in notation."""
        view = self._view(seat)
        return NULL if view is None else self._cached(("text", self._sight(seat)), lambda: dumps(str(view)))

    def _position(self, seat: int) -> bytes:
        """The public part, made once from a spectator's view, and the hands that this seat sees."""
        view, public = self._view(seat), self._view(0)
        if view is None or public is None:
            return NULL
        shared = self._cached(("public",), lambda: dumps(public_json(public)))
        return b'%s,"hands":%s}' % (shared[:-1], dumps(hands_json(view)))

    def _options(self, seat: int) -> bytes:
        """The choices of the seat from its own view, or null while it need not choose."""
        view = self._chooser_view(seat)
        return NULL if view is None else self._cached(("options", seat), lambda: dumps(options_json(view)))

    def _legal(self, seat: int) -> bytes:
        """The legal moves of the seat in notation, or null while it need not choose."""
        view = self._chooser_view(seat)
        return NULL if view is None else self._cached(("legal", seat), lambda: dumps(view.legal_words()))

    def _chooser_view(self, seat: int) -> Position | None:
        """The view of a seat whose person must choose."""
        chooses = seat and self.table.chooser == seat and not self.table.chair(seat).by_computer
        return self._view(seat) if chooses else None
