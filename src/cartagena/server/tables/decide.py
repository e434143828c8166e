"""The referee: from what somebody wants to the events it leads to, or a refusal. Nothing is changed here."""

from dataclasses import dataclass, field
from typing import Any

from cartagena.game import CartagenaError, IllegalMove, NotationError, Position
from cartagena.game.fair_deal import chance_of, draw_lots, next_card
from cartagena.game.setup import open_position
from cartagena.rulesets import RuleSet, RuleSetError, by_name, vary

from ..protocol.errors import Refused
from ..protocol.requests import PlayMove, TableSetup, TakeBack
from ..storage.rows import Event, Key
from . import events as ev
from .events import Requester
from .state import Table, parse_move
from .updates import UNDO_SENTENCES


@dataclass
class Change:
    """What is to be stored for one table, all or nothing."""

    events: list[Event] = field(default_factory=list)
    keys: list[Key] = field(default_factory=list)
    revoked: list[int] = field(default_factory=list)
    repeated: Event | None = None
    after: Position | None = None
    """Where the first event, a move, leads: worked out already when it was decided."""

    def add(self, table: Table, now: int, kind: str, data: dict[str, Any], move_id: str | None = None) -> None:
        self.events.append(Event(table.seq + len(self.events) + 1, now, kind, data, move_id))


def table_rules(setup: TableSetup) -> RuleSet:
    """The rule set that a table has agreed on."""
    sizes = {"style": setup.style, "pirates": setup.pirates, "pieces": setup.pieces, "deal": setup.deal}
    entries = {key: value for key, value in sizes.items() if value is not None}
    if setup.style == "printed":
        del entries["style"]
    try:
        rules = by_name(setup.rules)
        return vary(rules, entries, setup.rules) if entries else rules
    except RuleSetError as error:
        raise Refused("malformed", str(error)) from None


def check_setup(setup: TableSetup, levels: tuple[str, ...]) -> None:
    """Refuse a table that cannot be laid or names a computer player that is not there."""
    rules = table_rules(setup)
    try:
        open_position(rules, len(setup.seats), chance_of("", []))
    except RuleSetError as error:
        raise Refused("malformed", str(error)) from None
    for level in [*(seat.level for seat in setup.seats if seat.kind == "computer"), setup.replace]:
        if level is not None and level not in levels:
            raise Refused(
                "malformed", f"There is no computer player {level}; there are: {', '.join(levels) or 'none'}."
            )
    for seat in setup.seats:
        if (seat.kind == "computer") != (seat.level is not None):
            raise Refused("malformed", "A computer's seat names its level, a person's seat does not.")


# --- before the deal


def may_deal(table: Table, *, said_so: bool) -> bool:
    return table.stage == "waiting" and all(chair.taken for chair in table.chairs) and (said_so or not table.setup.hold)


def deal(table: Table, change: Change, now: int) -> None:
    """Draw lots and deal: everything follows from the secret and what the chairs added."""
    chance = chance_of(table.secret, table.salts)
    order = draw_lots(chance, table.seats) if table.setup.lots else list(range(1, table.seats + 1))
    opening = open_position(table_rules(table.setup), table.seats, chance)
    change.add(table, now, ev.DEAL, {"opening": str(opening), "order": order})


def free_chair(table: Table, invite: Key | None) -> int:
    """The chair that somebody gets: the invitation's, or at a table of the lobby the first that is free."""
    if table.stage != "waiting":
        raise Refused("started", "The game has begun; no seat is free.")
    if invite is not None:
        if table.chairs[invite.chairs[0] - 1].taken:
            raise Refused("taken", "Somebody has taken that seat.")
        return invite.chairs[0]
    if not table.setup.lobby:
        raise Refused("not-allowed", "One needs an invitation to sit at this table.")
    free = [number for number, chair in enumerate(table.chairs, 1) if not chair.taken]
    if not free:
        raise Refused("full", "All seats are taken.")
    return free[0]


# --- playing


def seat_for(table: Table, who: Requester, asked: int | None) -> int:
    """The seat that somebody acts for: the one named, else the one that must choose, if it is theirs."""
    if not who.seats:
        raise Refused("not-seated", "Only who sits at the table can do that.")
    if asked is not None and asked not in who.seats:
        raise Refused("not-allowed", f"Seat {asked} is not yours.")
    if asked is not None:
        return asked
    return table.chooser if table.chooser in who.seats else who.seats[0]


def must_play(table: Table) -> Position:
    """The position of a game that is being played. Raises Refused before and after it."""
    if table.position is None:
        raise Refused("not-started", "The cards are not dealt yet.")
    if table.stage == "over":
        raise Refused("over", "The game is over.", version=table.version)
    return table.position


def seen_before(table: Table, move_id: str, kind: str, data: dict[str, Any]) -> Event | None:
    """The event that this id has led to already; refused if it was something else."""
    event = table.ids.get(move_id)
    if event is None:
        return None
    if event.kind != kind or any(event.data[key] != value for key, value in data.items()):
        raise Refused("id-reused", "That id was used for something else.", version=table.version)
    return event


def must_be_fresh(table: Table, version: int) -> None:
    if version != table.version:
        raise Refused("stale", f"The game is at version {table.version}, not {version}.", version=table.version)


def qualified(seat: int, move_id: str) -> str:
    """Ids are each seat's own: nobody can use up another's."""
    return f"{seat}/{move_id}"


def play(table: Table, who: Requester, want: PlayMove, now: int) -> Change:
    """A person's move."""
    seat = _acting_seat(table, who, want)
    repeated = seen_before(table, qualified(seat, want.id), ev.MOVE, {"move": want.move, "seat": seat})
    if repeated is not None:
        return Change(repeated=repeated)
    must_play(table)
    must_be_fresh(table, want.version)
    if seat != table.chooser or table.chair(seat).by_computer:
        raise Refused("not-your-turn", f"Seat {table.chooser} must choose now.", version=table.version)
    return play_for(table, seat, want.move, now, qualified(seat, want.id))


def _acting_seat(table: Table, who: Requester, want: PlayMove | TakeBack) -> int:
    """As ``seat_for``, but an id that was used keeps its seat, although another one must choose by now."""
    if want.seat is None:
        for seat in who.seats:
            if qualified(seat, want.id) in table.ids:
                return seat
    return seat_for(table, who, want.seat)


def play_for(table: Table, seat: int, text: str, now: int, move_id: str | None = None) -> Change:
    """The move of a seat that must choose, with the cards that chance brings."""
    if table.position is None or table.chance is None:
        raise Refused("not-started", "The cards are not dealt yet.")
    try:
        move = parse_move(text)
        if move.is_chance:
            raise Refused("illegal", "Cards are dealt by the server.", reason="not-a-choice", version=table.version)
        position = table.position.play(move)
    except IllegalMove as error:
        raise Refused("illegal", f"{error}.", reason=error.reason, version=table.version) from None
    except (NotationError, CartagenaError) as error:
        raise Refused("malformed", str(error), version=table.version) from None
    cards: list[str] = []
    while position.is_chance:
        card = next_card(position, table.chance, table.dealt + len(cards))
        cards.append(card.card)
        position = position.play(card)
    change = Change(after=position)
    change.add(table, now, ev.MOVE, {"seat": seat, "move": text, "cards": cards, "ms": thought(table, now)}, move_id)
    return change


def play_by_computer(table: Table, seat: int, level: str, text: str, now: int) -> Change:
    """The move of a computer seat, and a notice if a weaker level stands in for the seat's own."""
    change = play_for(table, seat, text, now)
    if level != (table.chair(seat).level or level):
        change.add(table, now, ev.STANDIN, {"seat": seat, "level": level})
    return change


def thought(table: Table, now: int) -> int:
    """How long the chooser has been thinking."""
    return max(0, now - table.thinking_since) if table.clocks.runs else 0


def take_back(table: Table, who: Requester, want: TakeBack, now: int) -> Change:
    """Take the last move of the own turn back."""
    seat = _undo_seat(table, who, want)
    repeated = seen_before(table, qualified(seat, want.id), ev.UNDO, {"seat": seat})
    if repeated is not None:
        return Change(repeated=repeated)
    must_play(table)
    must_be_fresh(table, want.version)
    block = table.undo_block(seat)
    if block is not None:
        raise Refused("no-undo", UNDO_SENTENCES[block], reason=block, version=table.version)
    change = Change()
    change.add(table, now, ev.UNDO, {"seat": seat, "ms": thought(table, now)}, qualified(seat, want.id))
    return change


def _undo_seat(table: Table, who: Requester, want: TakeBack) -> int:
    """The seat whose turn it is, if it is held: it may take back although another one must drop a card."""
    active = table.position.active if table.position is not None else 0
    if want.seat is None and active in who.seats and all(qualified(s, want.id) not in table.ids for s in who.seats):
        return active
    return _acting_seat(table, who, want)


# --- coming and going


def held_seats(table: Table, who: Requester, asked: int | None) -> list[int]:
    """The seats an action is about: the one named, or all that are held."""
    if asked is not None:
        return [seat_for(table, who, asked)]
    seat_for(table, who, None)
    return list(who.seats)


def resign(table: Table, who: Requester, asked: int | None, now: int, level: str | None) -> Change:
    """Give up. The last seat that has not resigned wins; with more left, the computer plays on for the seat."""
    must_play(table)
    change = Change()
    seats = [seat for seat in held_seats(table, who, asked) if not table.chair(seat).resigned]
    standing = sum(not table.chair(seat).resigned for seat in range(1, table.seats + 1))
    if not seats:
        raise Refused("over", "That seat has resigned already.", version=table.version)
    for seat in seats[: standing - 1]:
        standing -= 1
        if standing > 1 and level is None:
            raise Refused("no-computer", "There is no computer player that could take the seat over.")
        spent = 0 if change.events else thought(table, now)
        change.add(table, now, ev.RESIGN, {"seat": seat, "level": level, "ms": spent})
    return change


def leave(table: Table, seat: int, why: str, now: int, level: str | None) -> Change:
    """The computer takes the seat over until the person comes back."""
    must_play(table)
    if level is None:
        raise Refused("no-computer", "There is no computer player that could take the seat over.")
    change = Change()
    if not table.chair(seat).by_computer:
        change.add(table, now, ev.AWAY, {"seat": seat, "why": why, "level": level, "ms": thought(table, now)})
    return change


def come_back(table: Table, who: Requester, asked: int | None, now: int) -> Change:
    """Take seats back from the computer."""
    must_play(table)
    change = Change()
    for seat in held_seats(table, who, asked):
        if table.chair(seat).away is not None and not table.chair(seat).resigned:
            spent = 0 if change.events else thought(table, now)
            change.add(table, now, ev.BACK, {"seat": seat, "ms": spent})
    return change
