"""The actions of people at tables, from requests to changes in the registry."""

from collections.abc import Callable

from ..protocol.errors import Refused
from ..protocol.requests import AddSalt, CreateTable, JoinTable, PlayMove, SayTalk, SeatSetup, TableSetup, TakeBack
from ..storage.rows import Key
from . import decide
from .decide import Change, deal_if_full
from .events import Dealt, Joined, Rematched, Salted, Talked
from .registry import LoadedTable, TableRegistry
from .state import Table
from .tokens import Requester, digest, find, new_token


def strip(setup: CreateTable) -> TableSetup:
    return TableSetup(**setup.model_dump())


async def create(
    registry: TableRegistry, want: CreateTable, levels: tuple[str, ...]
) -> tuple[LoadedTable, str, dict[int, str]]:
    """Set a table up.

    Returns:
        The table, the token of the seats at this device, and an invitation for each chair by link.
    """
    decide.check_setup(want, levels)
    setup = strip(want)
    token = new_token()
    here = tuple(number for number, seat in enumerate(setup.seats, 1) if seat.kind == "here")
    invites = {number: new_token() for number, seat in enumerate(setup.seats, 1) if seat.kind == "link"}
    change = Change(keys=[Key(1, "seat", digest(token), here, host=True)])
    change.keys += [Key(len(change.keys) + n, "invite", digest(invites[c]), (c,)) for n, c in enumerate(invites, 1)]
    table = registry.new_table(setup)
    deal_if_full(table, change, table.created)
    return await registry.create(table, change), token, invites


async def join(registry: TableRegistry, loaded: LoadedTable, want: JoinTable, token: str | None) -> str:
    """Take a seat.

    Returns:
        The token of the seat: the given one if it holds a seat here, else a new one.
    """
    new = new_token()
    answer = token if token and find(loaded.table.keys, token, "seat") else new

    def proposal(table: Table, now: int) -> Change:
        holder = find(table.keys, token, "seat") if token else None
        chairs = waiting_chairs(table, holder)
        change = Change()
        if not chairs:
            invite = find(table.keys, want.invite, "invite") if want.invite else None
            if want.invite and invite is None:
                raise Refused("not-allowed", "That invitation is not valid.")
            chairs = [decide.free_chair(table, invite)]
            change.revoked += [invite.number] if invite else []
            change.revoked += [holder.number] if holder else []
            held = (*(holder.chairs if holder else ()), *chairs)
            host = holder is not None and holder.host
            change.keys.append(Key(len(table.keys) + 1, "seat", digest(answer), held, host=host))
        for chair in chairs:
            change.add(table, now, Joined(chair, want.name, want.salt))
        return deal_if_full(table, change, now)

    await registry.change(loaded, proposal)
    return answer


def waiting_chairs(table: Table, holder: Key | None) -> list[int]:
    """The chairs of a rematch that a token holds and that are not taken yet."""
    if holder is None or table.stage != "waiting":
        return []
    return [chair for chair in holder.chairs if not table.chairs[chair - 1].taken]


async def start(registry: TableRegistry, loaded: LoadedTable, who: Requester) -> None:
    """Deal at the host's request."""

    def proposal(table: Table, now: int) -> Change:
        if not who.host:
            raise Refused("not-the-host", "Only the host can start the game.")
        if table.stage != "waiting":
            raise Refused("started", "The cards are dealt already.")
        if not decide.may_deal(table, said_so=True):
            raise Refused("not-started", "Not all seats are taken yet.")
        return Change().add(table, now, Dealt.drawn(table))

    await registry.change(loaded, proposal)


async def add_salt(registry: TableRegistry, loaded: LoadedTable, who: Requester, want: AddSalt) -> None:
    """Add randomness before the deal."""

    def proposal(table: Table, now: int) -> Change:
        if table.stage != "waiting":
            raise Refused("started", "The cards are dealt already.")
        if not who.chairs:
            raise Refused("not-seated", "Only seated players can do that.")
        return Change().add(table, now, Salted(list(who.chairs), want.salt))

    await registry.change(loaded, proposal)


async def play(
    registry: TableRegistry,
    loaded: LoadedTable,
    who: Requester,
    want: PlayMove,
    then: Callable[[Change], None] | None = None,
) -> Change:
    """Play a person's move. ``then`` is called when it is durable, before any update is sent."""
    return await registry.change(loaded, lambda table, now: decide.play(table, who, want, now), then)


async def take_back(registry: TableRegistry, loaded: LoadedTable, who: Requester, want: TakeBack) -> Change:
    return await registry.change(loaded, lambda table, now: decide.take_back(table, who, want, now))


async def resign(
    registry: TableRegistry, loaded: LoadedTable, who: Requester, seat: int | None, level: str | None
) -> Change:
    return await registry.change(loaded, lambda table, now: decide.resign(table, who, seat, now, level))


async def leave(
    registry: TableRegistry, loaded: LoadedTable, who: Requester, seat: int | None, level: str | None
) -> Change:
    """Leave some seats to the computer."""

    def proposal(table: Table, now: int) -> Change:
        return decide.leave(table, decide.held_seats(table, who, seat), "left", now, level)

    return await registry.change(loaded, proposal)


async def come_back(registry: TableRegistry, loaded: LoadedTable, who: Requester, seat: int | None) -> Change:
    return await registry.change(loaded, lambda table, now: decide.come_back(table, who, seat, now))


async def say(registry: TableRegistry, loaded: LoadedTable, who: Requester, want: SayTalk) -> Change:
    """Say something at a table with talk."""

    def proposal(table: Table, now: int) -> Change:
        seat = decide.seat_for(table, who, want.seat)
        if not table.setup.talk:
            raise Refused("off", "This table has turned talk off.")
        if table.talk >= registry.settings.talk_lines:
            raise Refused("full", "This table has reached its limit of talk.")
        return Change().add(table, now, Talked(seat, want.text))

    return await registry.change(loaded, proposal)


# --- tokens


async def renew_token(registry: TableRegistry, loaded: LoadedTable, token: str) -> str:
    """Replace a token by a new one for the same seats."""
    new = new_token()

    def proposal(table: Table, _now: int) -> Change:
        key = find(table.keys, token, "seat")
        if key is None:
            raise Refused("not-seated", "That token holds no seat at this table.")
        renewed = Key(len(table.keys) + 1, "seat", digest(new), key.chairs, host=key.host)
        return Change(keys=[renewed], revoked=[key.number])

    await registry.change(loaded, proposal)
    return new


async def renew_invite(registry: TableRegistry, loaded: LoadedTable, who: Requester, seat: int) -> str:
    """Replace the invitation to a free seat by a new one."""
    new = new_token()

    def proposal(table: Table, _now: int) -> Change:
        if not who.host:
            raise Refused("not-the-host", "Only the host can invite.")
        if not 1 <= seat <= table.seats or table.chairs[seat - 1].taken:
            raise Refused("taken", "That seat is not free.")
        old = [key.number for key in table.keys if key.kind == "invite" and key.chairs == (seat,) and not key.revoked]
        return Change(keys=[Key(len(table.keys) + 1, "invite", digest(new), (seat,))], revoked=old)

    await registry.change(loaded, proposal)
    return new


# --- again


async def rematch(registry: TableRegistry, loaded: LoadedTable, who: Requester) -> str:
    """Set up the same table again with seat 2 as seat 1. It waits until all people have joined."""
    async with loaded.rematch_lock:
        table = loaded.table
        if not who.seats:
            raise Refused("not-seated", "Only seated players can do that.")
        if table.stage != "over":
            raise Refused("not-over", "The game is not over.")
        if table.next is None:
            again = await _set_up_again(registry, table, who)
            await registry.change(loaded, lambda now_table, now: Change().add(now_table, now, Rematched(again)))
        return str(loaded.table.next)


async def _set_up_again(registry: TableRegistry, old: Table, who: Requester) -> str:
    order = [*old.order[1:], old.order[0]]  # old chairs in the order of the new table
    seats = [_seat_again(old, chair) for chair in order]
    setup = old.setup.model_copy(update={"seats": seats, "lots": False, "lobby": False, "hold": False})
    table = registry.new_table(setup)
    moved = {chair: number for number, chair in enumerate(order, 1)}
    change = Change()
    for key in old.keys:
        if key.kind == "seat" and not key.revoked:
            chairs = tuple(sorted(moved[chair] for chair in key.chairs))
            change.keys.append(Key(len(change.keys) + 1, "seat", key.digest, chairs, host=key.host))
            if key.number == who.key:
                for chair in chairs:
                    change.add(table, table.created, Joined(chair, "", ""))
    deal_if_full(table, change, table.created)
    await registry.create(table, change)
    return table.id


def _seat_again(old: Table, chair: int) -> SeatSetup:
    """The set-up of the same person or computer. A person takes the seat by joining."""
    before = old.chairs[chair - 1]
    if before.kind == "computer":
        return SeatSetup(kind="computer", name=before.name, level=before.level)
    return SeatSetup(kind="link", name=before.name)
