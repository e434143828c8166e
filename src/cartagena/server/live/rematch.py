"""Rematches and invitations: the same people at another table, with the same tokens."""

from collections.abc import Collection
from contextlib import suppress

from ..protocol.contacts import HeldSeat
from ..protocol.errors import Refused
from ..protocol.requests import SeatSetup
from ..storage.database import StorageError
from ..storage.rows import Key
from ..tables.clocks import Moment
from ..tables.decide import Change, deal_if_full
from ..tables.events import Joined, Rematched
from ..tables.state import Table
from ..tables.tokens import Requester
from .live_table import LiveTable
from .registry import TableRegistry
from .seating import MAX_KEYS, must_be_host, must_wait


async def rematch(registry: TableRegistry, live: LiveTable, who: Requester) -> str:
    """Set up the same table again with seat 2 as seat 1. It waits until all people have joined."""
    async with live.rematch_lock:
        who.must_be_seated()
        if live.table.stage != "over" or live.table.position is None:
            raise Refused("not-over", "The game is not over.")
        if live.table.next is None:
            again = await _set_up_current(registry, live, who)
            await registry.change(live, lambda table, now: _follow(table, now, again, who))
            if live.table.next != again:
                await _discard(registry, again)
        return str(live.table.next)


def _follow(table: Table, now: Moment, again: str, who: Requester) -> Change:
    """Name the new table, unless another server has set one up at the same time."""
    return Change() if table.next is not None else Change().add(table, now, Rematched(again, asked_by=who.chairs))


async def _set_up_current(registry: TableRegistry, live: LiveTable, who: Requester) -> str:
    """Store the new table with the names and tokens of now.

    Another server may replace a token or delete a name while the table is stored. Then it is set up once more. What the
    other server writes later it also writes at the new table, which it finds by the token.
    """
    while True:
        table = live.table
        copied = _copied(table)
        again = await _set_up_again(registry, table, table.current(who).chairs)
        if registry.sharing is None:
            return again
        await registry.check(live)  # reads what other servers have written
        if _copied(live.table) == copied:
            return again
        await _discard(registry, again)


def _copied(table: Table) -> list[object]:
    """The parts of the old table that a rematch copies and another server may have changed: names and valid keys."""
    return [[chair.name for chair in table.chairs], [key.revoked for key in table.keys]]


async def _discard(registry: TableRegistry, table_id: str) -> None:
    """Remove a new table that is not used. If the database does not answer, pruning removes it later."""
    with suppress(StorageError):
        await registry.mark(table_id, registry.now().at + 1)  # it must be later than all events of the table
        await registry.remove(table_id, unless_in_memory=False)


async def _set_up_again(registry: TableRegistry, old: Table, joining: tuple[int, ...]) -> str:
    """Store the new table. The holders of all tokens keep their seats; the chairs ``joining`` are taken at once.

    The person who asks first is its host, since the host of the old table may never come.
    """
    order = [*old.order[1:], old.order[0]]  # old chairs in the order of the new table
    seats = [_seat_again(old, chair) for chair in order]
    setup = old.setup.model_copy(update={"seats": seats, "lots": False, "lobby": False, "hold": False})
    table = registry.new_table(setup)
    moved = {chair: number for number, chair in enumerate(order, 1)}
    change = Change()
    for key in old.keys:
        if key.kind == "seat" and not key.revoked and (key.chairs or setup.spectators != "none"):
            chairs = tuple(sorted(moved[chair] for chair in key.chairs))
            host = bool(set(key.chairs) & set(joining))
            change.keys.append(Key(len(change.keys) + 1, "seat", key.digest, chairs, host=host))
    now = registry.now()
    for chair in sorted(moved[chair] for chair in joining):
        change.add(table, now, Joined(chair, "", ""))
    deal_if_full(table, change, now)
    await registry.create(table, change)
    return table.id


def _seat_again(old: Table, chair: int) -> SeatSetup:
    """The set-up of the same person or computer. A person takes the seat by joining."""
    before = old.chairs[chair - 1]
    if before.kind == "computer":
        return SeatSetup(kind="computer", name=before.name, level=before.level)
    return SeatSetup(kind="link", name=before.name)


# --- an invitation to a table that one has set up


async def ask(registry: TableRegistry, live: LiveTable, who: Requester, earlier: HeldSeat) -> list[int]:
    """Ask the people of a finished game to a table that waits; for its host, who played in that game.

    Each token of theirs holds a free chair from now on, and the finished game names the table as its rematch, so the
    people are told. Asking again changes nothing.

    Returns:
        The chairs that are held for them.
    """
    async with registry.renewals, registry.lease(earlier.table) as old, old.rematch_lock:
        asking = old.table.requester(earlier.token, watching=False)
        _must_be_open(old.table, asking, live.id)
        people = _asked(old.table, asking)
        if not people:
            raise Refused("not-allowed", "No other person played in that game.")
        await registry.act(live, who, _hold_chairs, people)
        await registry.change(old, lambda table, now: _follow(table, now, live.id, asking))
        if registry.sharing is not None:  # another server may have replaced a token or set up a rematch in between
            await registry.check(old)
        still = _asked(old.table, asking) if old.table.next == live.id else {}
        gone = people.keys() - still.keys()
        if gone:
            valid = _asked(old.table, asking)
            await registry.change(live, lambda table, _now: _withdraw(table, gone, valid))
        _must_be_open(old.table, asking, live.id)
        return sorted(chair for key in _held_for(live.table, still.keys()) for chair in key.chairs)


def _must_be_open(old: Table, asking: Requester, new: str) -> None:
    """Refuse unless the game is over, the person played in it, and its people were asked to no other table."""
    asking.must_be_seated()
    if old.stage != "over" or old.position is None:
        raise Refused("not-over", "That game is not over.")
    if old.next not in (None, new):
        raise Refused("not-allowed", "The players of that game were asked to another table already.")


def _asked(old: Table, asking: Requester) -> dict[str, int]:
    """The digests of the other people's tokens, with the number of chairs that each held."""
    return {
        key.digest: len(key.chairs)
        for key in old.keys
        if key.kind == "seat" and not key.revoked and key.chairs and not set(key.chairs) & set(asking.chairs)
    }


def _held_for(table: Table, digests: Collection[str]) -> list[Key]:
    """The valid keys of some tokens."""
    return [key for key in table.keys if key.kind == "seat" and not key.revoked and key.digest in digests]


def _withdraw(table: Table, digests: Collection[str], valid: Collection[str]) -> Change:
    """Free the chairs of some tokens. A person who has sat down stays, unless the token is not valid any more."""
    return Change(
        revoked=[
            key.number
            for key in _held_for(table, digests)
            if key.digest not in valid or not any(table.chairs[chair - 1].taken for chair in key.chairs)
        ]
    )


def _hold_chairs(table: Table, host: Requester, people: dict[str, int], _now: Moment) -> Change:
    """Give each person's token as many free chairs as it held before."""
    must_be_host(host, "ask people to this table")
    must_wait(table, "The game has begun; no seat is free.")
    known = {key.digest for key in table.keys if not key.revoked}
    new = {digest: number for digest, number in people.items() if digest not in known}
    free = [chair for chair in range(1, table.seats + 1) if table.is_free(chair)]
    if sum(new.values()) > len(free) or len(table.keys) + len(new) > MAX_KEYS:
        raise Refused("full", "This table has too few free seats for the players of that game.")
    change = Change()
    for number, (digest, chairs) in enumerate(new.items(), len(table.keys) + 1):
        change.keys.append(Key(number, "seat", digest, tuple(free[:chairs])))
        del free[:chairs]
    return change
