"""Telling a client about its table: snapshots and updates, put together for each seat from what it may see."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from cartagena.game import Position
from cartagena.game.fair_deal import commitment

from ..protocol.encoding import dumps, spliced, text_frame
from .state import Table
from .tokens import Requester
from .visible import hands_json, options_json, public_json

T = TypeVar("T")
NULL: Final = b"null"
MOST_MADE: Final = 64  # whoever asks in every way there is makes nobody keep it all
UNDO_SENTENCES: Final = {
    "not-your-turn": "It is not your turn.",
    "nothing-to-undo": "Nothing was played in this turn.",
    "cards-dealt": "A card was dealt since, and that cannot be unseen.",
    "others-chose": "Somebody else has chosen since.",
    "game-is-over": "The game is over.",
    "not-seated": "Only who sits there can take a move back.",
}


def looking_seat(table: Table, who: Requester, asked: int | None = None) -> int:
    """The seat that somebody looks through: the one asked for, the one that must choose, or the first held."""
    if asked is not None and asked in who.seats:
        return asked
    return table.chooser if table.chooser in who.seats else (who.seats[0] if who.seats else 0)


def seen(table: Table, seat: int) -> Position | None:
    """What a seat may see: its view, and when the game is over everything, if it sat there."""
    if table.position is None:
        return None
    return table.position if table.stage == "over" and seat else table.position.view(seat)


def events_json(table: Table, after: int, seat: int) -> list[dict[str, Any]]:
    """The events after that number as a seat may see them."""
    told = (event.seen_by(table, seat) for event in table.events[max(0, after) :])
    return [item for item in told if item is not None]


def seats_json(table: Table, online: frozenset[int], thinking: int) -> list[dict[str, Any]]:
    """Who sits where; ``online`` are chairs."""
    found = []
    for seat in range(1, table.seats + 1):
        chair = table.chair(seat)
        found.append(
            {
                "seat": seat,
                "kind": chair.kind,
                "name": chair.name,
                "level": chair.level if chair.by_computer else None,
                "taken": chair.taken,
                "away": chair.away,
                "resigned": chair.resigned,
                "online": chair.kind == "computer" or table.order[seat - 1] in online,
                "salted": bool(chair.salt),
                "clock": table.clocks.left(seat, thinking),
            }
        )
    return found


def undo_json(table: Table, seat: int) -> dict[str, Any]:
    reason = table.undo_block(seat) if seat else "not-seated"
    return {"possible": reason is None, "reason": reason, "message": UNDO_SENTENCES[reason] if reason else None}


def fair_json(table: Table, seat: int, promise: str) -> dict[str, Any]:
    """The promise; the salts once they can change nothing; the secret at the end, to those who sat there."""
    dealt = table.position is not None
    return {
        "commitment": promise,
        "secret": table.secret if table.stage == "over" and seat else None,
        "salts": table.salts if dealt else None,
        "lots": table.order if dealt else None,
    }


class UpdateBuilder:
    """Tells one table. Whoever looks through the same seat and has seen as much gets the same bytes, made once.

    What was put together is remembered until the table or who is online changes.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.online: frozenset[int] = frozenset()
        self.commitment = commitment(table.secret)
        self._made: dict[tuple[Any, ...], Any] = {}
        self._seq = -1
        self._online = self.online

    def _once(self, key: tuple[Any, ...], make: Callable[[], T]) -> T:
        """What ``make`` gives, made once for each state of the table."""
        if self._seq != self.table.seq or self._online is not self.online or len(self._made) > MOST_MADE:
            self._made, self._seq, self._online = {}, self.table.seq, self.online
        found: T | None = self._made.get(key)
        if found is None:
            found = self._made[key] = make()
        return found

    def update(self, who: Requester, seat: int, after: int, now: int, *, detail: str = "full") -> bytes:
        """An update with the events after that number, as JSON."""
        moment = now if self.table.clocks.runs else 0
        key = ("update", who.seats, who.host, seat, after, detail, moment)
        return self._once(key, lambda: self._update(who, seat, after, moment, detail))

    def frame(self, who: Requester, seat: int, after: int, now: int, *, detail: str = "full") -> bytes:
        """The same as a frame of a socket."""
        moment = now if self.table.clocks.runs else 0
        key = ("frame", who.seats, who.host, seat, after, detail, moment)
        return self._once(key, lambda: text_frame(self._update(who, seat, after, moment, detail)))

    def _update(self, who: Requester, seat: int, after: int, now: int, detail: str) -> bytes:
        table, thinking = self.table, self.thinking(now)
        view = self._view(seat)
        winner, how = table.outcome or (None, "")
        told = {
            "type": "update",
            "table": table.id,
            "seq": table.seq,
            "version": table.version,
            "stage": table.stage,
            "you": {"seat": seat, "seats": who.seats, "host": who.host},
            "seats": self._once(("seats", now), lambda: seats_json(table, self.online, thinking)),
            "events": events_json(table, after, seat),
            "text": None if view is None else self._once(("text", view.words), lambda: str(view)),
            "undo": undo_json(table, seat),
            "clock": self.clock(thinking),
            "outcome": {"winner": winner, "how": how} if table.outcome else None,
            "fair": fair_json(table, seat, self.commitment),
            "next": table.next,
        }
        full = detail == "full"
        position, options = (self._position(seat), self._options(seat)) if full else (NULL, NULL)
        return spliced(told, position=position, options=options)

    def snapshot(self, who: Requester, seat: int, now: int) -> bytes:
        """Everything from the beginning, with what the table agreed on."""
        return b'%s,"setup":%s}' % (self.update(who, seat, 0, now)[:-1], self.setup())

    def setup(self) -> bytes:
        return self._once(("setup",), lambda: dumps(self.table.setup.model_dump(mode="json")))

    def thinking(self, now: int) -> int:
        return max(0, now - self.table.thinking_since) if self.table.clocks.runs else 0

    def clock(self, thinking: int) -> dict[str, Any] | None:
        table = self.table
        if not table.clocks.runs or table.chooser == 0:
            return None
        return {"seat": table.chooser, "left": table.clocks.left(table.chooser, thinking)}

    def _view(self, seat: int) -> Position | None:
        return self._once(("view", seat), lambda: seen(self.table, seat))

    def _position(self, seat: int) -> bytes:
        """The public part, made once for everybody from what a spectator sees, and the hands that this seat sees."""
        view, public = self._view(seat), self._view(0)
        if view is None or public is None:
            return NULL
        shared = self._once(("public",), lambda: dumps(public_json(public)))
        return b'%s,"hands":%s}' % (shared[:-1], dumps(hands_json(view)))

    def _options(self, seat: int) -> bytes:
        """What the seat can choose from, made from its own view; null while it need not choose."""
        view = self._view(seat)
        if view is None or seat == 0 or self.table.chooser != seat:
            return NULL
        return self._once(("options", seat), lambda: dumps(options_json(view)))
