"""Limits of persons at a table and in the lobby: no person uses up what the others need."""

import asyncio
import json
from typing import Any

import pytest

from cartagena import Move
from cartagena.server.cluster.notices import Notices
from cartagena.server.cluster.redis import RedisLink
from cartagena.server.cluster.seal import Seal
from cartagena.server.live import loading, seating
from cartagena.server.live.sharing import Sharing
from cartagena.server.protocol.errors import Refused
from cartagena.server.protocol.requests import AddSalt, CreateTable, JoinTable, TableSetup, TakeBack
from cartagena.server.storage.rows import EventRow, Key
from cartagena.server.tables import decide
from cartagena.server.tables.clocks import Moment
from cartagena.server.tables.decide import Change
from cartagena.server.tables.events import Dealt, Talked, read_event
from cartagena.server.tables.state import Event, Table

from .rig import TWO_HERE, Person, Server, running
from .test_pruning import House, at_home
from .test_seating import LINK, code

OPEN = [{"kind": "here", "name": "Ann"}, {"kind": "link"}, {"kind": "link"}]


@pytest.fixture
def server(shared: Server) -> Server:
    return shared


def refusal(person: Person, verb: str, body: Any = None) -> str:
    """Repeat a request until it is refused."""
    for _ in range(500):
        answer = person.do(verb, body)
        if answer.status_code != 200:
            return code(answer)
    raise AssertionError("it is never refused")


def test_one_person_cannot_use_up_the_talk_of_the_others(sqlite: str) -> None:
    with running(sqlite, talk_lines=10) as server:
        ann = server.table(seats=LINK)
        ben = ann.join()
        assert refusal(ann, "talk", {"text": "again"}) == "limit"
        assert ben.do("talk", {"text": "hello"}).status_code == 200


def test_leaving_and_coming_back_is_limited_and_moves_go_on(server: Server) -> None:
    ann = server.table(seats=LINK, lots=False)
    ben = ann.join()
    ben_left = [ben.do(("leave", "back")[number % 2]) for number in range(201)]
    assert code(ben_left[-1]) == "limit"
    ann.play(4)
    assert ben.look()["options"], "the seat is played by its person"
    ben.play(4)


def test_salts_are_limited(server: Server) -> None:
    ann = server.table(seats=LINK)
    assert refusal(ann, "salt", {"salt": "x"}) == "limit"
    assert ann.join().look()["stage"] == "playing"


def test_undoing_is_limited_and_the_move_can_still_be_played() -> None:
    table = Table("t", 0, TableSetup.model_validate({"seats": TWO_HERE, "lots": False}), "00", [])
    table.apply(Dealt.drawn(table))
    table.caused["undo", 1] = decide.MOST["undo"] - 1
    who, now = table.holder(Key(1, "seat", "", (1, 2))), Moment(0, 0)

    def undo_a_move(name: str) -> None:
        move = next(move for move in decide.must_play(table).legal_moves if move.kind == "advance")
        table.replay(decide.play_for(table, move, now).events)
        table.replay(decide.take_back(table, who, TakeBack(id=name, version=table.version), now).events)

    undo_a_move("u1")
    with pytest.raises(Refused, match="taken back 400 moves"):
        undo_a_move("u2")
    assert decide.must_play(table).used == 1, "the move stands"


def test_moves_are_limited_for_each_seat_by_its_own_moves_only() -> None:
    table = Table("t", 0, TableSetup.model_validate({"seats": TWO_HERE, "lots": False}), "00", [])
    table.apply(Dealt.drawn(table))
    most, now = decide.MOST["move"], Moment(0, 0)
    table.caused["move", 1], table.caused["move", 2] = most - 4, most
    for _ in range(3):
        table.replay(decide.play_for(table, decide.must_play(table).legal_moves[0], now).events)
    table.replay(decide.play_for(table, Move("end"), now).events)
    assert table.caused["move", 1] == most
    with pytest.raises(Refused, match="This seat has played 2000 moves"):
        decide.play_for(table, decide.must_play(table).legal_moves[0], now)
    assert decide.resign(table, table.holder(Key(1, "seat", "", (2,))), None, now, "7").events


def test_a_table_that_is_full_of_other_events_still_takes_moves_and_resignations(sqlite: str) -> None:
    with running(sqlite, table_events=8, talk_lines=100) as server:
        ann = server.table(lots=False)
        assert refusal(ann, "talk", {"text": "again"}) == "limit"
        ann.play(4)
        assert ann.do("resign", {"seat": 1}).status_code == 200


def test_others_are_served_while_a_long_game_is_loaded(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen, number = set[int](), 0

    def counted(row: EventRow) -> Event:
        nonlocal number
        number += 1
        return read_event(row)

    async def work(home: House) -> None:
        table = await home.table()
        async with home.registry.lease(table) as live:
            for _ in range(5):
                await home.registry.change(live, lambda at, now: Change().add(at, now, Talked(1, "again")))
        home.drop(table)
        monkeypatch.setattr(loading, "read_event", counted)
        monkeypatch.setattr(loading, "SLICE", 2)

        async def load() -> int:
            async with home.registry.lease(table) as live:
                return live.table.seq

        task = asyncio.create_task(load())
        while not task.done():
            seen.add(number)
            await asyncio.sleep(0)
        assert await task == 6

    at_home(sqlite, work)
    assert {2, 4} <= seen


# --- the lobby


def test_an_address_can_list_only_so_many_tables(sqlite: str) -> None:
    with running(sqlite, lobby_tables=2) as server:
        first = server.table(seats=LINK, lobby=True)
        server.table(seats=LINK, lobby=True)
        body = {"seats": LINK, "lobby": True}
        assert code(server.post("/api/tables", body)) == "limit"
        assert server.post("/api/tables", {**body, "lobby": False}).status_code == 201
        first.join()
        assert server.post("/api/tables", body).status_code == 201, "a table that has started no longer counts"


def test_an_address_cannot_list_more_tables_by_asking_at_once(sqlite: str) -> None:
    want = CreateTable.model_validate({"seats": LINK, "lobby": True})

    async def work(home: House) -> None:
        most = home.registry.settings.lobby_tables
        asked = [seating.create(home.registry, want, "192.0.2.1") for _ in range(2 * most)]
        found = await asyncio.gather(*asked, return_exceptions=True)
        refused = [error.code for error in found if isinstance(error, Refused)]
        assert refused == ["limit"] * most
        assert len(home.registry.listings.of("192.0.2.1")) == len(await home.left()) == most
        assert (await seating.create(home.registry, want, "192.0.2.2")).id in await home.left()

    at_home(sqlite, work)


def test_a_table_that_another_server_lists_while_one_is_looked_at_counts(sqlite: str) -> None:
    want = CreateTable.model_validate({"seats": LINK, "lobby": True})

    async def work(home: House) -> None:
        listings = home.registry.listings
        first = (await seating.create(home.registry, want, "192.0.2.1")).id
        home.drop(first)
        looking = asyncio.create_task(seating.check_listing(home.registry, "192.0.2.1"))
        await asyncio.sleep(0)  # it reads the table
        others = [f"other{number}" for number in range(home.registry.settings.lobby_tables - 1)]
        for other in others:
            listings.note("192.0.2.1", other)
        with pytest.raises(Refused, match="waiting in the lobby"):
            await looking
        assert listings.of("192.0.2.1") == [first, *others]

    at_home(sqlite, work)


def test_a_removed_person_adds_no_randomness_with_a_request_that_waited(sqlite: str) -> None:
    want = CreateTable.model_validate({"seats": OPEN})

    async def work(home: House) -> None:
        created = await seating.create(home.registry, want)
        async with home.registry.lease(created.id) as live:
            word = await seating.join(home.registry, live, JoinTable(invite=created.invites[2]), None)
            ann, eve = (live.table.requester(held) for held in (created.token, word))
            waited = home.registry.act(live, eve, seating.add_salt, AddSalt(salt="mine"))
            found = await asyncio.gather(
                home.registry.act(live, ann, seating.remove, 2), waited, return_exceptions=True
            )
            assert not isinstance(found[0], BaseException)
            assert isinstance(found[1], Refused)
            assert (found[1].code, live.table.salts) == ("not-seated", ["", "", ""])

    at_home(sqlite, work)


def test_one_person_cannot_take_all_open_seats(server: Server) -> None:
    ann = server.table(seats=OPEN, lobby=True)
    eve = server.post(f"{ann.path}/join", {"name": "Eve"}).json()["token"]
    assert code(server.post(f"{ann.path}/join", {"name": "Eve again"})) == "limit"
    assert code(server.post(f"{ann.path}/join", {"name": "Eve again"}, eve)) == "limit"
    assert ann.join(1).look()["stage"] == "playing", "an invitation is not limited"


def test_two_addresses_of_a_network_do_not_get_more_open_seats_than_one(sqlite: str) -> None:
    with running(sqlite, forwarded="127.0.0.1") as server:
        ann = server.table(seats=OPEN, lobby=True)

        def join(host: str) -> int:
            from_there = {"X-Forwarded-For": host}
            return server.http.post(f"{ann.path}/join", json={"name": "Eve"}, headers=from_there).status_code

        assert [join(host) for host in ("192.0.2.1", "192.0.2.2", "198.51.100.1")] == [200, 409, 200]
        ann = server.table(seats=OPEN, lobby=True)
        assert [join(host) for host in ("192.168.1.5", "192.168.1.5", "192.168.1.6")] == [200, 409, 200]


def test_a_host_can_remove_a_person_before_the_game_starts(server: Server) -> None:
    ann = server.table(seats=OPEN, lobby=True, lots=False)
    eve = Person(server, ann.table, server.post(f"{ann.path}/join", {"name": "Eve", "salt": "x"}).json()["token"])
    assert code(eve.do("remove", {"seat": 1})) == "not-the-host"
    assert code(ann.do("remove", {"seat": 1})) == "not-allowed"
    seats = ann.do("remove", {"seat": 2}).json()["seats"]
    assert (seats[1]["taken"], seats[1]["name"], seats[1]["salted"]) == (False, "", False)
    assert server.get(eve.path, eve.token).status_code == 401
    assert code(eve.do("join", {})) == "limit", "the address has had its part"
    fresh = ann.do("invites/2").json()["invite"]
    assert server.post(f"{ann.path}/join", {"invite": fresh, "name": "Ben"}).status_code == 200
    assert ann.join(1).look()["stage"] == "playing"
    assert code(ann.do("remove", {"seat": 2})) == "started"


def test_a_person_who_never_comes_to_a_rematch_can_be_replaced(server: Server) -> None:
    ann = server.table(seats=LINK, lots=False)
    ann.join(name="Ben")
    ann.do("resign")
    again = Person(server, ann.do("rematch").json()["table"], ann.token)
    assert again.do("remove", {"seat": 1}).status_code == 200
    invite = again.do("invites/1").json()["invite"]
    answer = server.post(f"{again.path}/join", {"invite": invite})
    assert answer.json()["snapshot"]["stage"] == "playing"
    assert "Ben" not in answer.text, "a stranger has the name of the person who was removed"


def test_rematches_count_as_new_tables(sqlite: str) -> None:
    with running(sqlite, tables_per_hour=3) as server:
        ann = server.table()
        for status in (200, 200, 429):
            ann.do("resign", {"seat": 1})
            answer = ann.do("rematch")
            assert answer.status_code == status
            if status == 200:
                ann = Person(server, answer.json()["table"], ann.token)


def test_seats_taken_within_a_moment_all_count_at_other_servers(sqlite: str) -> None:
    async def work(home: House) -> None:
        table, link = await home.table(), RedisLink("redis://127.0.0.1:1")
        here, there, stranger = (
            Notices(link, Sharing(home.registry, number), "owner", Seal(key * 32))
            for number, key in ((1, "17"), (2, "17"), (3, "00"))
        )
        for _ in range(2):
            here.seat_taken("192.0.2.1", table)
            here.table_listed("192.0.2.1", table)
        text = json.dumps(here._collect())
        assert "192.0.2" not in text, "an address can be read in Redis"
        stranger._hear(text)
        assert table not in home.registry.open_seats.taken, "a notice is read with another key"
        there._hear(text)
        assert home.registry.open_seats.taken[table] == {"192.0.2.1": 2}
        assert home.registry.listings.of("192.0.2.1") == [table]
        await link.close()

    at_home(sqlite, work)


def test_nothing_is_remembered_of_a_table_that_was_removed(sqlite: str) -> None:
    body = {"seats": TWO_HERE, "clock": {"kind": "turn", "seconds": 600}}

    async def work(home: House) -> None:
        registry = home.registry
        table = (await seating.create(registry, CreateTable.model_validate(body))).id
        home.drop(table)
        assert table in registry.thinking
        async with registry.lease(table):
            assert not registry.thinking
        home.drop(table)
        assert await registry.remove(table)
        assert not registry.thinking

    at_home(sqlite, work)
