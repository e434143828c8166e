"""How people get to a table, and which tokens and invitations hold its seats."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Final, NamedTuple

from ..protocol.errors import Refused
from ..protocol.requests import AddSalt, CreateTable, JoinTable, SeatComputer, TableSetup
from ..storage.rows import Key
from ..tables import decide
from ..tables.clocks import Moment
from ..tables.decide import Change, deal_if_full
from ..tables.events import Cancelled, ComputerSeated, Joined, Removed, Salted, plain_setup
from ..tables.state import Table
from ..tables.tokens import Requester, digest, find, new_token, seat_key
from .live_table import LiveTable
from .registry import TableRegistry

MAX_KEYS: Final = 200
"""Most tokens and invitations that a table may ever have."""
MAX_RENEWALS: Final = 20
"""How often the token of the same seats, or the invitation to a seat, can be made anew."""
DEALT: Final = "The cards are dealt already."
SEATS_STAY: Final = "The game has begun; all seats stay as they are."


class NewTable(NamedTuple):
    """A table that was set up: its id, the token of the seats at this device, an invitation for each chair by link."""

    id: str
    token: str
    invites: dict[int, str]


async def create(registry: TableRegistry, want: CreateTable, address: str = "") -> NewTable:
    """Set a table up."""
    decide.check_setup(want, registry.levels)
    setup = plain_setup(TableSetup(**want.model_dump()))
    if not setup.lobby:
        return await _create(registry, setup)
    await check_listing(registry, address)
    with registry.listings.adding(address):
        created = await _create(registry, setup)
        registry.listings.note(address, created.id)
        registry.observers.table_listed(address, created.id)
    return created


async def _create(registry: TableRegistry, setup: TableSetup) -> NewTable:
    """Store a table with its keys; as ``create``."""
    token = new_token()
    here = tuple(number for number, seat in enumerate(setup.seats, 1) if seat.kind == "here")
    invites = {number: new_token() for number, seat in enumerate(setup.seats, 1) if seat.kind == "link"}
    change = Change(keys=[Key(1, "seat", digest(token), here, host=True)])
    change.keys += [Key(len(change.keys) + n, "invite", digest(invites[c]), (c,)) for n, c in enumerate(invites, 1)]
    table = registry.new_table(setup)
    deal_if_full(table, change, registry.now())
    await registry.create(table, change)
    return NewTable(table.id, token, invites)


async def check_listing(registry: TableRegistry, address: str) -> None:
    """Refuse one more table in the lobby if too many of the address still wait for people."""
    for table_id in registry.listings.of(address):
        waits = False
        with suppress(Refused):  # it was removed
            async with registry.lease(table_id) as live:
                waits = live.table.stage == "waiting"
        if not waits:
            registry.listings.forget(address, table_id)
    registry.listings.check(address)


async def join(registry: TableRegistry, live: LiveTable, want: JoinTable, token: str | None, address: str = "") -> str:
    """Take a seat. A repeated request with the same chosen token changes nothing and gets the same answer.

    Returns:
        The token of the seat: the given one if it holds a seat here, else the chosen one or a new one.
    """
    answer = want.token or new_token()

    def proposal(table: Table, now: Moment) -> Change:
        nonlocal answer
        if want.token and find(table.keys, want.token, "seat") is not None:
            return Change()
        holder = find(table.keys, token, "seat") if token else None
        if token and holder:
            answer = token
        else:
            must_be_unused(table, answer)
        chairs = waiting_chairs(table, holder)
        change = Change()
        if not chairs:
            chairs = [take_chair(table, want, holder, answer, change)]
            if not want.invite:
                registry.open_seats.check(table, address)
        for chair in chairs:
            change.add(table, now, Joined(chair, want.name, want.salt))
        return deal_if_full(table, change, now)

    change = await registry.change(live, proposal)
    if change.keys and not want.invite:
        registry.open_seats.note(address, live.id)
        registry.observers.seat_taken(address, live.id)
    return answer


def take_chair(table: Table, want: JoinTable, holder: Key | None, token: str, change: Change) -> int:
    """The chair that a request takes. Adds its key to the change and revokes what the key replaces."""
    invite = find(table.keys, want.invite, "invite") if want.invite else None
    if want.invite and invite is None:
        raise Refused("not-allowed", "That invitation is not valid.")
    chair = decide.free_chair(table, invite)
    change.revoked += [key.number for key in (invite, holder) if key is not None]
    held = (*(holder.chairs if holder else ()), chair)
    change.keys.append(new_key(table, "seat", token, held, host=holder is not None and holder.host))
    return chair


def new_key(table: Table, kind: str, word: str, chairs: tuple[int, ...], *, host: bool = False) -> Key:
    """A key for a token or an invitation. Refused when the table or these chairs have had too many."""
    alike = sum(key.kind == kind and key.chairs == chairs for key in table.keys)
    if len(table.keys) >= MAX_KEYS or alike > MAX_RENEWALS:
        raise Refused("limit", "This table has had too many tokens and invitations; set up another one.")
    return Key(len(table.keys) + 1, kind, digest(word), chairs, host=host)


def must_be_unused(table: Table, word: str) -> None:
    """Refuse a chosen token that the table has known before, such as one that was revoked."""
    known = digest(word)
    if any(key.digest == known for key in table.keys):
        raise Refused("not-allowed", "That token was used before; choose another one.")


def may_preview(table: Table, invite: str | None, token: str | None) -> bool:
    """Whether a person may see what the table is about without a seat: by invitation, or because it is public."""
    if token and find(table.keys, token, "seat"):
        return True
    if invite:
        return find(table.keys, invite, "invite") is not None
    return table.setup.lobby or table.setup.spectators == "public"


def waiting_chairs(table: Table, holder: Key | None) -> list[int]:
    """The chairs of a rematch that a token holds and that are not taken yet."""
    if holder is None or table.stage != "waiting":
        return []
    return [chair for chair in holder.chairs if not table.chairs[chair - 1].taken]


def must_be_host(who: Requester, task: str) -> None:
    """Refuse a task that only the host may do."""
    if not who.host:
        raise Refused("not-the-host", f"Only the host can {task}.")


def must_wait(table: Table, sentence: str) -> None:
    """Refuse what is only possible before the deal."""
    if table.stage != "waiting":
        raise Refused("started", sentence)


def start(table: Table, who: Requester, salts_over: Callable[[], bool], now: Moment) -> Change:
    """Deal at the host's request. ``salts_over`` tells whether the time to add randomness is over."""
    must_be_host(who, "start the game")
    must_wait(table, DEALT)
    if not table.is_full:
        raise Refused("not-started", "Not all seats are taken yet.")
    change = deal_if_full(table, Change(), now, said_so=True, salts_over=salts_over())
    if not change.events:
        raise Refused("not-started", "Not every person has added randomness yet; wait a moment.", retry_after=2)
    return change


def add_salt(table: Table, who: Requester, want: AddSalt, now: Moment) -> Change:
    """Add randomness before the deal."""
    must_wait(table, DEALT)
    who.must_be_seated()
    decide.must_be_within(table, "salt", who.chairs)
    return deal_if_full(table, Change().add(table, now, Salted(list(who.chairs), want.salt)), now)


def remove(table: Table, who: Requester, chair: int, now: Moment) -> Change:
    """Remove the person who holds a chair from a table that has not started. The token is revoked."""
    must_be_host(who, "remove a person")
    must_wait(table, SEATS_STAY)
    held = table.keys_to(chair)
    if not held or held[0].host:
        raise Refused("not-allowed", "No other person holds that seat.")
    change = Change(revoked=[held[0].number])
    for number in held[0].chairs:
        change.add(table, now, Removed(number))
    return change


def seat_computer(table: Table, who: Requester, want: SeatComputer, now: Moment) -> Change:
    """Give a chair that no person has taken to a computer player. Tokens and invitations to it are revoked."""
    must_be_host(who, "seat a computer player")
    must_wait(table, SEATS_STAY)
    if want.seat > table.seats or table.chairs[want.seat - 1].taken:
        raise Refused("taken", "That seat is not free; remove its person first.")
    keys = [key for key in table.keys if not key.revoked and want.seat in key.chairs]
    change = Change(revoked=[key.number for key in keys])
    for chair in sorted({want.seat}.union(*(key.chairs for key in keys))):
        change.add(table, now, ComputerSeated(chair, want.level))
    return deal_if_full(table, change, now)


def cancel(table: Table, who: Requester, _want: None, now: Moment) -> Change:
    """Close a table that has not started. It is over without a game."""
    must_be_host(who, "close the table")
    must_wait(table, "The game has begun; resign or leave instead.")
    return Change().add(table, now, Cancelled())


# --- tokens


async def renew_token(registry: TableRegistry, live: LiveTable, token: str, chosen: str | None = None) -> str:
    """Replace a token by a new one for the same seats, here and at every table that it is valid at, all or none.

    Of two renewals at two servers one is carried out, and the other is refused. A request can be repeated with the same
    chosen token.
    """
    new = chosen or new_token()
    if chosen and find(live.table.keys, chosen, "seat") and not find(live.table.keys, token, "seat"):
        return chosen  # a repeated request
    async with all_held(registry, live, token) as tables:
        await registry.change_together(tables, lambda table, _now: _renewed(table, token, new))
    if registry.sharing is not None:  # another server may have set up a rematch meanwhile
        with suppress(Refused):  # the new token is valid here: the answer must not be lost
            async with all_held(registry, live, token) as late:
                await registry.change_together(late[1:], lambda table, _now: _renewed(table, token, new))
    return new


@asynccontextmanager
async def all_held(registry: TableRegistry, live: LiveTable, token: str) -> AsyncIterator[list[LiveTable]]:
    """Hold the table, which comes first, and all others where a token is valid. No rematch copies keys meanwhile."""
    tables = {live.id: live}
    async with registry.renewals, AsyncExitStack() as held:
        await held.enter_async_context(live.rematch_lock)
        while others := [each for each in await registry.tables_of(digest(token)) if each not in tables]:
            for table_id in others:
                tables[table_id] = other = await held.enter_async_context(registry.lease(table_id))
                await held.enter_async_context(other.rematch_lock)
        yield list(tables.values())


def _renewed(table: Table, token: str, new: str) -> Change:
    """The change that replaces a token."""
    key = seat_key(table.keys, token)
    must_be_unused(table, new)
    return Change(keys=[new_key(table, "seat", new, key.chairs, host=key.host)], revoked=[key.number])


async def renew_invite(registry: TableRegistry, live: LiveTable, who: Requester, chair: int) -> str:
    """Replace the invitation to a free seat by a new one."""
    new = new_token()

    def renew(table: Table, host: Requester, chair: int, _now: Moment) -> Change:
        must_be_host(host, "invite")
        if not 1 <= chair <= table.seats or not table.is_free(chair):
            raise Refused("taken", "That seat is not free.")
        old = [key.number for key in table.keys if key.kind == "invite" and key.chairs == (chair,) and not key.revoked]
        return Change(keys=[new_key(table, "invite", new, (chair,))], revoked=old)

    await registry.act(live, who, renew, chair)
    return new
