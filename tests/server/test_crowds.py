"""Crowds of addresses: networks are counted too, newcomers get in, and the operator sees what happens."""

import asyncio
import contextlib
import logging
import signal
import socket
import time
from collections.abc import Awaitable, Iterator
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI, Request

from cartagena.server.addresses import shares, widest
from cartagena.server.cluster.redis import RedisLink, SharedWindows
from cartagena.server.cluster.seal import Seal
from cartagena.server.http import gate as gates
from cartagena.server.http.crowd import BUFFER_BYTES, BUSY, IDLE, PLAYING, TOLERANCE, Crowd
from cartagena.server.http.dependencies import count_open_seat
from cartagena.server.http.gate import Gate, Visitor
from cartagena.server.http.listener import AT_ONCE, Listener, bound_sockets
from cartagena.server.http.ratelimit import LimitLog, SharedCounter, Windows
from cartagena.server.live.lobby import Listings
from cartagena.server.logs import is_own_fault
from cartagena.server.protocol.errors import Refused
from cartagena.server.protocol.requests import TableSetup
from cartagena.server.settings import Settings
from cartagena.server.tables.state import Table
from cartagena.server.tasks import cancel_all

from .cluster import Redis, start_redis
from .rig import Server, held_port, process, running
from .stranger import Stranger

FEW = {"connections": 40, "connections_per_address": 20}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with held_port() as held:
        port = held.getsockname()[1]
        database = f"sqlite:///{tmp_path_factory.mktemp('crowds') / 'tables.db'}"
        with running(database, **FEW, operator_port=port) as found:
            found.operator = port  # type: ignore[attr-defined]
            yield found


class Line:
    """A connection that notes that it was dropped."""

    visitor: Visitor

    def __init__(self, use: int = IDLE, waiting: int = 0) -> None:
        self.use, self.waiting, self.dropped, self.looks = use, waiting, False, 0

    def check(self, now: float) -> None:
        """Nothing is overdue."""
        self.looks += 1

    def unread(self) -> int:
        return self.waiting

    def drop(self) -> None:
        self.dropped = True


def test_addresses_are_counted_with_their_networks() -> None:
    assert [share.key for share in shares("192.0.2.7")] == ["192.0.2.7", "192.0.2.0/24"]
    assert [share.key for share in shares("2001:db8:1:2::/64")] == [
        "2001:db8:1:2::/64", "2001:db8:1::/56", "2001:db8:1::/48",
    ]  # fmt: skip
    assert widest("not an address") == "not an address"


def test_frames_that_are_refused_count_for_no_network() -> None:
    gate = Gate(Settings(messages=10))
    for _ in range(9):
        gate.visitor("192.0.2.1").take_frames(50)
    assert gate.visitor("192.0.2.1").take_frames(50) > 0
    assert gate.visitor("192.0.2.2").take_frames(50) == 0


def test_a_network_leaves_as_much_unread_as_four_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gates, "SWEEP", 0.01)
    lines = [Line(waiting=BUFFER_BYTES + (number == 0)) for number in range(11)]

    async def main() -> None:
        gate = Gate(Settings())
        for number, line in enumerate(lines):
            line.visitor = gate.visitor(f"192.0.{2 + number % 10 // 9}.{number}")
            gate.open.add(line)
        sweep = asyncio.create_task(gate.sweep())
        while min(line.looks for line in lines) < 2:
            await asyncio.sleep(0.01)
        await cancel_all(sweep)

    asyncio.run(main())
    assert lines[0].dropped, "an address"
    assert sum(line.dropped for line in lines if line.visitor.address.startswith("192.0.2.")) == 10 - 4, "a network"
    assert not lines[9].dropped, "another network"


def test_a_newcomer_gets_in_although_idle_connections_of_many_addresses_hold_all(server: Server) -> None:
    crowd = [Stranger(server.port, f"127.0.{20 + number % 2}.{1 + number // 10}") for number in range(36)]
    try:
        with Stranger(server.port, "127.0.30.1") as newcomer:
            assert newcomer.is_answered
        ann = server.table()
        assert ann.look()["stage"] == "playing"
        connection = HTTPConnection("127.0.0.1", server.operator)  # type: ignore[attr-defined]
        for path, status in (("/healthz", 200), ("/readyz", 200), ("/api/about", 404)):
            connection.request("GET", path)
            answer = connection.getresponse()
            assert (answer.status, bool(answer.read())) == (status, True)
        connection.close()
    finally:
        for stranger in crowd:
            stranger.socket.close()


def test_the_largest_holder_gives_way_idle_connections_first() -> None:
    crowd = Crowd(10, 100)
    large = [Line(use) for use in (PLAYING, IDLE, BUSY, IDLE, BUSY, IDLE, PLAYING)]
    for line in large:
        crowd.add(line, "192.0.2.1")
    for number in range(3):
        crowd.add(Line(), f"198.51.100.{number}")
    crowd.add(Line(), "203.0.113.1")
    assert crowd.make_room("203.0.113.1", 10)
    assert [line.dropped for line in large] == [line.use == IDLE for line in large]
    assert (crowd.size, crowd.largest, crowd.held["192.0.2.0/24"]) == (8, 4, 4)
    assert not crowd.make_room("203.0.113.1", 5), "no holder has more than a few"


def test_sockets_through_a_proxy_are_counted_for_their_visitors_networks() -> None:
    gate = Gate(Settings(connections=40, connections_per_address=20, forwarded="127.0.0.1"))
    lines: list[Line] = []

    def arrive(host: str) -> Line:
        line = Line()
        assert gate.enter(line, "127.0.0.1")
        gate.assign(line, gate.visitor(host))
        lines.append(line)
        return line

    def all_arrive() -> None:
        for number in range(40):
            arrive(f"2001:db8:0:{number % 20}::1")

    with pytest.raises(Refused, match="Too many connections"):
        all_arrive()
    assert len(lines) == 30, "a quarter is reserved"
    seated = gate.visitor("2001:db8:7::1")
    seated.sit()
    arrive("2001:db8:7::1")
    arrive("192.0.2.1")
    assert sum(line.dropped for line in lines[:30]) >= 2
    with gate.carrying(lines[-1], seated):
        assert lines[-1].visitor.address == "192.0.2.1", "a connection of a visitor stays with it"


def test_networks_together_cannot_take_all_time_of_the_event_loop() -> None:
    gate = Gate(Settings())
    crowd = [gate.visitor(f"198.51.{network}.{number}") for network in range(10) for number in range(5)]
    for visitor in crowd:
        visitor.charge(0.2)
    now = time.monotonic()
    gate.time_share.set(sum(network.is_pressing(now) for network in gate.networks.values()))
    assert gate.time_share.part * 10 <= 0.51
    before = gate.time_share.part
    gate.time_share.set(10, late=1.0)
    assert gate.time_share.part == before / 2, "a late event loop gives the crowd less"
    assert gate.visitor("198.51.3.99").delay() > 0, "other addresses of a busy network wait"
    for _ in range(6):
        gate.time_share.set(10, late=1.0)
    gate.visitor("203.0.113.1").charge(0.005)
    assert gate.visitor("203.0.113.1").delay() == 0, "others do not pay what the crowd pays"


def test_requests_of_a_crowd_begin_one_after_another_and_others_pass_them() -> None:
    begun: list[str] = []

    async def ask(gate: Gate, host: str) -> None:
        await gate.admit(gate.visitor(host), "/api/tables")
        begun.append(host)

    async def come() -> None:
        gate = Gate(Settings())
        gate.costs["api/tables"] = 0.002
        crowd = [f"198.51.{number % 10}.{number // 10}" for number in range(100)]
        tasks = [asyncio.create_task(ask(gate, host)) for host in crowd]
        await asyncio.sleep(0)
        assert 0 < len(begun) < 10, "one turn of the event loop begins few"
        tasks.append(asyncio.create_task(ask(gate, "203.0.113.1")))
        await asyncio.sleep(0)
        before = len(begun)
        assert gate.turns.of_message("198.51.1.1", playing=True) is None, "a player's socket waits for none of them"
        assert len(begun) == before
        await asyncio.gather(*tasks)
        assert begun.index("203.0.113.1") < 25, "a network waits for one request of each other"
        assert sorted(begun) == sorted([*crowd, "203.0.113.1"])

    asyncio.run(come())


def test_a_second_address_of_a_network_does_not_double_its_limits() -> None:
    gate, windows = Gate(Settings(requests=2)), Windows(2, 3600)

    async def ask() -> None:
        for number in range(8):
            await windows.check(f"192.0.2.{number}", "new tables")
        with pytest.raises(Refused, match="new tables"):
            await windows.check("192.0.2.9", "new tables")
        await windows.check("198.51.100.1", "new tables")
        for number in range(9):
            await gate.admit(gate.visitor(f"192.0.2.{number}"))

    with pytest.raises(Refused) as refused:
        asyncio.run(ask())
    assert refused.value.limit == "requests"


def test_refused_calls_of_many_addresses_make_no_window_be_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cartagena.server.http.ratelimit.MAX_ADDRESSES", 50)
    windows = Windows(1, 3600)

    def is_refused(host: str) -> bool:
        try:
            asyncio.run(windows.check(host, "new tables"))
        except Refused:
            return True
        return False

    assert [is_refused("192.0.2.1") for _ in range(2)] == [False, True]
    assert sum(not is_refused(f"2001:db8:0:{number:x}::1") for number in range(100)) == 4
    assert is_refused("192.0.2.1"), "addresses of another network have made its limit be forgotten"


def test_a_network_lists_few_tables_whatever_its_addresses() -> None:
    listings = Listings(5)

    def lists(address: str) -> bool:
        """Whether an address may list one more table, all of which wait."""
        try:
            listings.check(address)
        except Refused:
            return False
        with listings.adding(address):
            listings.note(address, f"table{len(listings.of(address))}")
        return True

    assert sum(lists("192.0.2.1") for _ in range(9)) == 5
    assert sum(lists(f"192.0.2.{number}") for number in range(2, 40)) == 15
    assert lists("198.51.100.1"), "other networks are not concerned"


async def allowed(servers: list[Windows], calls: int) -> int:
    """How many of the calls of an address are allowed that come to all servers at once."""
    asked = [servers[n % len(servers)].check("192.0.2.1", "new tables") for n in range(calls)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    assert all(answer is None or isinstance(answer, Refused) for answer in answers), answers
    return answers.count(None)


async def seats_given(servers: list[Windows]) -> int:
    """How many of four open seats an address gets that asks all servers at once."""
    table = Table(
        "k3v9x2m4q8rt", 0, TableSetup.model_validate({"seats": [{"kind": "link"}] * 4, "lobby": True}), "", []
    )

    def ask(counter: SharedCounter | None) -> Awaitable[None]:
        app = FastAPI()
        app.state.seat_counter = counter
        return count_open_seat(Request({"type": "http", "app": app, "client": ("192.0.2.1", 1)}), table, None)

    answers = await asyncio.gather(*(ask(each.shared) for each in servers * 2), return_exceptions=True)
    assert all(answer is None or isinstance(answer, Refused) for answer in answers), answers
    return answers.count(None)


def test_servers_that_are_asked_at_once_allow_no_more_than_one(tmp_path: Path) -> None:
    async def work(redis: Redis) -> None:
        links = [RedisLink(redis.url) for _ in range(3)]

        def servers(name: str, most: int) -> list[Windows]:
            found = [Windows(most, 3600) for _ in links]
            for windows, link in zip(found, links, strict=True):
                windows.shared = SharedWindows(link, Seal("17" * 32), name, lambda: (3, redis.process is not None))
            return found

        tables = servers("tables", 60)
        assert sum([await allowed(tables, 180) for _ in range(3)]) == 60
        assert await seats_given(servers("seats", 0)) == 2, "half of the open seats of a table"
        assert "192.0.2" not in str(await links[0].client.keys()), "Redis keeps no address"
        redis.stop()
        assert await allowed(servers("contacts", 60), 180) == 60, "without Redis each server allows a part"
        for link in links:
            await link.close()

    with start_redis(tmp_path) as redis:
        asyncio.run(work(redis))


def test_few_connections_are_accepted_at_once_and_unwelcome_ones_before_anything_is_built() -> None:
    class Quiet(asyncio.Protocol):
        made = 0

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            Quiet.made += 1

    async def main() -> None:
        gate = Gate(Settings(requests=50, window_seconds=3600.0, connections_per_address=10**4))
        [listening] = await bound_sockets("127.0.0.1", 0, 2048)
        listener = Listener([listening], gate, Quiet)
        with ExitStack() as stack:
            lines = [stack.enter_context(socket.create_connection(listening.getsockname())) for _ in range(3 * AT_ONCE)]
            listener._accept(listening)  # one turn of the event loop
            assert round(gate.visitor("127.0.0.1").opened.left) == 100 - AT_ONCE
            await asyncio.sleep(0)
            assert Quiet.made < 10, "one turn of the event loop builds few"
            while listener.tasks or Quiet.made < 100:
                await asyncio.sleep(0)
            assert Quiet.made == 100, "connections of a visitor that may open no more are not built"
            while len(gate.shut) + gate.shut["127.0.0.1"].times < 3 * AT_ONCE - 100:
                await asyncio.sleep(0)
            with pytest.raises(ConnectionResetError):
                await asyncio.to_thread(lines[-1].recv, 1)
            gate.visitor("127.0.7.1").charge(100)
            assert not gate.knock("127.0.7.1"), "whose requests would all be refused"
            assert gate.knock("127.0.8.1")
            listener.close()
            await listener.wait_closed()

    asyncio.run(main())


def test_a_client_that_leaves_before_its_socket_is_open_causes_no_error_line() -> None:
    line = logging.makeLogRecord({"msg": "ASGI callable returned without completing handshake."})
    assert not is_own_fault(line)
    assert is_own_fault(logging.makeLogRecord({"msg": "Exception in ASGI application\n"}))


def test_a_limit_is_logged_once_a_minute_with_its_kind_and_the_busiest_address(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits, now = LimitLog(), [100.0]
    monkeypatch.setattr("cartagena.server.http.ratelimit.time.monotonic", lambda: now[0])
    with caplog.at_level(logging.WARNING, "cartagena.limits"):
        for host in ("192.0.2.1", "2001:db8::1", "2001:db8::2", "192.0.2.1"):
            limits.note("requests", host)
        limits.note_refusal(Refused("illegal", "No."), "192.0.2.1")
        now[0] += 61
        limits.report()
        limits.report()
    told = [(line.limit, line.times, line.most) for line in caplog.records]  # type: ignore[attr-defined]
    assert told == [("requests", 1, "192.0.2.1"), ("requests", 3, "2001:db8::/64")]


def test_a_server_that_drains_is_not_ready_and_serves_on(tmp_path: Path) -> None:
    with process(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path, drain_seconds=60.0) as found:
        ann = found.table()
        assert found.process is not None
        found.process.send_signal(signal.SIGTERM)
        while found.is_ready():
            time.sleep(0.02)
        assert ann.play(3)["version"] >= 3
        assert found.get(ann.path, ann.token).headers["connection"] == "close", "a proxy keeps no connection to it"
        assert found.end(signal.SIGTERM) == 0, "a second signal ends it without the rest of that time"


def test_a_drained_server_refuses_nothing_until_it_listens_no_more(tmp_path: Path) -> None:
    with process(f"sqlite:///{tmp_path / 'tables.db'}", tmp_path, drain_seconds=1.0) as found:
        ann = found.table()
        assert found.process is not None
        found.process.send_signal(signal.SIGTERM)
        seen: list[int] = []
        with contextlib.suppress(httpx.TransportError):  # the port is closed
            while not seen or seen[-1] < 500:
                seen.append(found.post(f"{ann.path}/salt", {"salt": "x"}, ann.token).status_code)
    assert seen
    assert set(seen) <= {200, 409, 429}, "what was sent to it is done or refused for a reason of its own"


def test_the_share_of_a_network_is_more_than_that_of_an_address() -> None:
    gate = Gate(Settings())
    gate.visitor("192.0.2.1").charge(0.2 * (TOLERANCE + 0.1))
    assert gate.visitor("192.0.2.1").delay() > 0
    assert gate.visitor("192.0.2.2").delay() == 0, "one busy address does not delay its neighbours"


def test_requests_that_lead_nowhere_do_not_hide_what_others_cost() -> None:
    gate = Gate(Settings(), None)
    visitor = gate.visitor("198.51.100.7")
    for number in range(2 * gates.MAX_KINDS):
        gate.note_cost(visitor, f"/nowhere/{number}", 0.0001)
    gate.note_cost(visitor, "/api/openapi.json", 0.05)
    assert gate.costs[gates.kind_of("/api/openapi.json")] == pytest.approx(0.05)
    assert len(gate.costs) == gates.MAX_KINDS


def test_a_server_with_few_open_files_admits_some_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(gates.log, "warning", lambda line, **_: said.append(line))
    assert Gate(Settings(), 65_536).most == Settings().connections
    assert said == []
    assert Gate(Settings(), 200).most == 100
    assert "raise its limit (ulimit -n)" in said[0]
