"""Decisions: from a request to the events it leads to, or a refusal; and the notices for people who may be away.

Nothing is changed here. A notice is stored in the transaction of the event that caused it. Its cause names the table
and the event, so the same message is never new twice, however often it is sent. It holds no names and nothing that a
seat may not see.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from cartagena.errors import CartagenaError, IllegalMove
from cartagena.game import Move, Position
from cartagena.game.fair_deal import chance_of
from cartagena.game.reasons import UNDO_SENTENCES
from cartagena.game.setup import lay_board, lay_table
from cartagena.rulesets import RuleSetError

from ..protocol.errors import Refused
from ..protocol.requests import MoveJson, PlayMove, PostClock, SayTalk, TableSetup, TakeBack, move_notation
from ..storage.rows import Key, Notice
from .clocks import DAY, HOUR, Moment
from .events import Dealt, Left, Moved, Resigned, Returned, StoodIn, Talked, Undone, parse_move, table_rules
from .state import Event, Table
from .tokens import Requester

OUT_OF_TIME: Final = {
    "bank": "Your time is used up; the computer plays on for you.",
    "turn": "The time of this turn is used up; come back when it is over.",
}
LASTS: Final = {"turn": 48 * HOUR, "over": 168 * HOUR, "rematch": 48 * HOUR, "late": 12 * HOUR, "talk": 12 * HOUR}
"""Milliseconds after which a notice of each kind is not worth sending any more."""


@dataclass
class Change:
    """What is stored for one table, all or nothing, decided at ``steady`` by the steady clock.

    ``repeated`` is the event of an earlier request with that id. ``rewritten`` are stored events with other data, and
    ``setup`` the set-up that replaces the stored one.
    """

    events: list[Event] = field(default_factory=list)
    keys: list[Key] = field(default_factory=list)
    revoked: list[int] = field(default_factory=list)
    steady: int = 0
    repeated: Event | None = None
    rewritten: list[Event] = field(default_factory=list)
    setup: TableSetup | None = None

    @property
    def is_any(self) -> bool:
        """Whether anything is to be stored."""
        return bool(self.events or self.keys or self.revoked)

    def add(self, table: Table, now: Moment, event: Event, move_id: str | None = None) -> "Change":
        """Append an event as the next one of the table."""
        event.number, event.at, event.move_id = table.seq + len(self.events) + 1, now.at, move_id
        self.steady = now.steady
        self.events.append(event)
        return self


def check_level(level: str, levels: tuple[str, ...]) -> None:
    """Refuse an unknown computer player."""
    if level not in levels:
        raise Refused("malformed", f"Computer player {level} is unknown; there are: {', '.join(levels) or 'none'}.")


def check_setup(setup: TableSetup, levels: tuple[str, ...]) -> None:
    """Refuse a set-up that cannot be dealt or that names an unknown computer player."""
    try:
        rules = table_rules(setup)
        lay_table(rules, len(setup.seats), lay_board(rules, chance_of("", [])))
    except RuleSetError as error:
        raise Refused("malformed", str(error)) from None
    for level in [*(seat.level for seat in setup.seats if seat.kind == "computer"), setup.replace]:
        if level is not None:
            check_level(level, levels)
    if isinstance(setup.clock, PostClock) and setup.clock.late == "computer" and not levels:
        raise Refused("no-computer", "This server offers no computer players; let a seat give up when its days end.")
    for seat in setup.seats:
        if (seat.kind == "computer") != (seat.level is not None):
            raise Refused("malformed", "A computer's seat needs a level; a person's seat has none.")


# --- before the deal


def deal_if_full(
    table: Table, change: Change, now: Moment, *, said_so: bool = False, salts_over: bool = False
) -> Change:
    """Add the deal to a change after which all chairs are taken and every person has added randomness.

    Args:
        table: The table before the change.
        change: The change so far.
        now: The moment of the deal.
        said_so: The host says start, which a table with ``hold`` waits for.
        salts_over: The time to add randomness is over.
    """
    after = table.fresh().replay([*table.events, *change.events])
    if after.is_full and (said_so or not table.setup.hold) and (salts_over or not after.unsalted):
        change.add(table, now, Dealt.drawn(after))
    return change


def free_chair(table: Table, invite: Key | None) -> int:
    """The chair of an invitation, or without one the first free chair of a table in the lobby."""
    if table.stage == "over" and table.position is None:
        raise Refused("over", "The host has closed this table.")
    if table.stage != "waiting":
        raise Refused("started", "The game has begun; no seat is free.")
    if invite is not None:
        if not table.is_free(invite.chairs[0]):
            raise Refused("taken", "That seat is taken.")
        return invite.chairs[0]
    if not table.setup.lobby:
        raise Refused("not-allowed", "You need an invitation to sit at this table.")
    for number in range(1, table.seats + 1):
        if table.is_free(number):
            return number
    raise Refused("full", "All seats are taken.")


# --- playing


MOST: Final = {"move": 2000, "undo": 400, "away": 100, "back": 100, "salt": 10}
"""How many events of a kind may be caused at a table, for each chair. Moves that are taken back count."""
LIMIT_SENTENCES: Final = {
    "move": "This seat has played {most} moves, and that is the limit; resign, or set up another table.",
    "undo": "You have taken back {most} moves in this game, and that is the limit.",
    "away": "You have left {most} times, and that is the limit.",
    "back": "You have come back {most} times, and that is the limit; the computer plays on for you.",
    "salt": "You have added randomness {most} times, and that is the limit.",
    "talk": "You have reached the limit of lines that a person may say at this table ({most}).",
}


def must_be_within(table: Table, kind: str, chairs: Iterable[int], most: int | None = None) -> None:
    """Refuse what a person has done too often, so that no person can use up the events of a table."""
    most = MOST[kind] if most is None else most
    if any(table.caused[kind, chair] >= most for chair in chairs):
        raise Refused("limit", LIMIT_SENTENCES[kind].format(most=most), version=table.version)


def seat_for(table: Table, who: Requester, asked: int | None) -> int:
    """The seat that a request is for: the one named, else the chooser's if it is held, else the first one held."""
    who.must_be_seated()
    who.must_hold(asked)
    if asked is not None:
        return asked
    return table.chooser if table.chooser in who.seats else who.seats[0]


def must_play(table: Table) -> Position:
    """The position of a game that is under way. Refused before and after it."""
    if table.position is None:
        raise Refused("not-started", "The cards are not dealt yet.")
    if table.stage == "over":
        raise Refused("over", "The game is over.", version=table.version)
    return table.position


def seen_before(table: Table, move_id: str, same: Callable[[Event], bool]) -> Change | None:
    """The answer to an id that was used before. Refused if it was used for something else."""
    event = table.ids.get(move_id)
    if event is None:
        return None
    if not same(event):
        raise Refused("id-reused", "That id was used for something else.", version=table.version)
    return Change(repeated=event)


def must_be_fresh(table: Table, version: int) -> None:
    """Refuse a request that did not see the latest version of the game."""
    if version != table.version:
        raise Refused("stale", f"The game is at version {table.version}, not {version}.", version=table.version)


def qualified(seat: int, move_id: str) -> str:
    """The id of a request within its table: each seat has ids of its own."""
    return f"{seat}/{move_id}"


def play(table: Table, who: Requester, want: PlayMove, now: Moment) -> Change:
    """A person's move."""
    seat = _acting_seat(table, who, want)
    move, move_id = wanted_move(table, want.move), qualified(seat, want.id)
    repeated = seen_before(table, move_id, lambda e: isinstance(e, Moved) and (e.seat, e.move) == (seat, move))
    if repeated is not None:
        return repeated
    must_play(table)
    must_be_fresh(table, want.version)
    if seat != table.chooser or table.chair(seat).by_computer:
        raise Refused("not-your-turn", f"Seat {table.chooser} must choose now.", version=table.version)
    return play_for(table, move, now, move_id)


def wanted_move(table: Table, move: MoveJson | str) -> Move:
    """A move from its fields or its notation. Refused if there is no such move."""
    try:
        return parse_move(move_notation(move))
    except CartagenaError as error:
        raise Refused("malformed", str(error), version=table.version) from None


def _acting_seat(table: Table, who: Requester, want: PlayMove | TakeBack) -> int:
    """As ``seat_for``, but an id that was used keeps its seat although another one must choose by now."""
    if want.seat is None:
        for seat in who.seats:
            if qualified(seat, want.id) in table.ids:
                return seat
    return seat_for(table, who, want.seat)


def play_for(table: Table, move: Move, now: Moment, move_id: str | None = None, *, by_hand: bool = True) -> Change:
    """A move of the chooser, with the cards that chance brings."""
    must_be_within(table, "move", [table.order[table.chooser - 1]])
    if move.is_chance:
        raise Refused("illegal", "Cards are dealt by the server.", reason="not-a-choice", version=table.version)
    try:
        event = Moved.decided(table, move, table.thinking(now.steady))
    except IllegalMove as error:
        raise Refused("illegal", f"{error}.", reason=error.reason, version=table.version) from None
    except CartagenaError as error:
        raise Refused("malformed", str(error), version=table.version) from None
    event.by_hand = by_hand
    return Change().add(table, now, event, move_id)


def play_by_computer(table: Table, seat: int, level: str, text: str, now: Moment) -> Change:
    """The move of a computer seat, and a notice if a weaker level stands in for the seat's own."""
    change = play_for(table, wanted_move(table, text), now, by_hand=False)
    if level != (table.chair(seat).level or level):
        change.add(table, now, StoodIn(seat, level))
    return change


def take_back(table: Table, who: Requester, want: TakeBack, now: Moment) -> Change:
    """Take back the last move of the seat's own turn."""
    seat = _undo_seat(table, who, want)
    move_id = qualified(seat, want.id)
    repeated = seen_before(table, move_id, lambda e: isinstance(e, Undone) and e.seat == seat)
    if repeated is not None:
        return repeated
    must_play(table)
    must_be_fresh(table, want.version)
    block = table.undo_block(seat)
    if block is not None:
        raise Refused("no-undo", UNDO_SENTENCES[block], reason=block, version=table.version)
    must_be_within(table, "undo", [table.order[seat - 1]])
    return Change().add(table, now, Undone(seat, ms=table.thinking(now.steady)), move_id)


def _undo_seat(table: Table, who: Requester, want: TakeBack) -> int:
    """The seat whose turn it is, if it is held: it may take back although another one must drop a card."""
    active = table.position.active if table.position is not None else 0
    if want.seat is None and active in who.seats and all(qualified(s, want.id) not in table.ids for s in who.seats):
        return active
    return _acting_seat(table, who, want)


def say(table: Table, who: Requester, want: SayTalk, now: Moment, most: int) -> Change:
    """A line of talk. Each person may say an equal share of at most ``most`` lines."""
    seat = seat_for(table, who, want.seat)
    if not table.setup.talk:
        raise Refused("off", "This table has turned talk off.")
    persons = sum(chair.kind == "person" for chair in table.chairs)
    must_be_within(table, "talk", [table.order[seat - 1]], max(1, most // max(1, persons)))
    return Change().add(table, now, Talked(seat, want.text))


# --- coming and going


def held_seats(table: Table, who: Requester, asked: int | None) -> list[int]:
    """The seats that a request is about: the one named, or all that are held."""
    seat = seat_for(table, who, asked)
    return list(who.seats) if asked is None else [seat]


def all_of(table: Table, now: Moment, events: Iterable[Left | Returned | Resigned]) -> Change:
    """A change of several events, the first of which carries the thinking time."""
    change = Change()
    for event in events:
        event.ms = 0 if change.events else table.thinking(now.steady)
        change.add(table, now, event)
    return change


def must_have_computer(level: str | None) -> str:
    """The computer player that takes over. Refused if there is none."""
    if level is None:
        raise Refused("no-computer", "There is no computer player to take the seat over.")
    return level


def resign(table: Table, who: Requester, asked: int | None, now: Moment, level: str | None) -> Change:
    """Give up. With more than one seat left the computer plays on for the seat."""
    must_play(table)
    seats = [seat for seat in held_seats(table, who, asked) if not table.chair(seat).resigned]
    if not seats:
        raise Refused("over", "That seat has resigned already.", version=table.version)
    standing = sum(not chair.resigned for chair in table.chairs)
    if standing > 2:
        must_have_computer(level)
    return all_of(table, now, [Resigned(seat, level) for seat in seats[: standing - 1]])


def leave(table: Table, seats: Iterable[int], why: str, now: Moment, level: str | None) -> Change:
    """Let the computer take seats over until their person comes back."""
    must_play(table)
    computer = must_have_computer(level)
    return all_of(table, now, [Left(seat, why, computer) for seat in seats if not table.chair(seat).by_computer])


def leave_by_choice(table: Table, who: Requester, asked: int | None, now: Moment, level: str | None) -> Change:
    """Let the computer take seats over at their person's request."""
    seats = held_seats(table, who, asked)
    change = leave(table, seats, "left", now, level)
    if change.events:
        must_be_within(table, "away", [table.order[seat - 1] for seat in seats])
    return change


def come_back(table: Table, who: Requester, asked: int | None, now: Moment) -> Change:
    """Take seats back from the computer."""
    must_play(table)
    chairs = [(seat, table.chair(seat)) for seat in held_seats(table, who, asked)]
    away = [seat for seat, chair in chairs if chair.away is not None and not chair.resigned]
    back = [seat for seat in away if table.may_return(seat)]
    if away and not back:
        raise Refused("out-of-time", OUT_OF_TIME[table.setup.clock.kind], version=table.version)
    must_be_within(table, "back", [table.order[seat - 1] for seat in back])
    return all_of(table, now, [Returned(seat) for seat in back])


# --- notices to people who are away


def notices(table: Table, events: Sequence[Event], delay: int) -> list[Notice]:
    """The notices that events cause. The table is as it was before them.

    Args:
        table: The table before the events.
        events: The events of one change.
        delay: Milliseconds that people have to see it for themselves.
    """
    caused, days = [], table.deadline.days if table.deadline else 0
    by_computer = {event.seats_computer(table) for event in events}
    for event in events:
        if (told := event.tells(table, events)) is None:
            continue
        kind, concerned = told
        left = by_computer if kind == "turn" else ()
        chairs = tuple([chair for chair in concerned if chair not in left and is_notified(table, chair, kind)])
        if chairs:
            cause, at = f"{table.id}-{event.number}", event.at
            lasts = max(LASTS[kind], days * DAY if kind == "turn" else 0)
            caused.append(Notice(cause, kind, chairs, event.number, at, at + delay, at + delay + lasts))
    return caused


def is_notified(table: Table, chair: int, kind: str) -> bool:
    """Whether a chair gets a notice of a kind: a person sits there and, if it is about a turn, plays."""
    seated = table.chairs[chair - 1]
    return seated.kind != "computer" and not (kind == "turn" and seated.by_computer)
