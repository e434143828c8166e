"""Crowds of addresses: networks are counted too, newcomers get in, and the operator sees what happens."""

import asyncio
import logging
import signal
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from cartagena.server.addresses import shares, widest
from cartagena.server.http import gate as gates
from cartagena.server.http.crowd import BUSY, IDLE, PLAYING, Crowd
from cartagena.server.http.gate import Gate, Visitor
from cartagena.server.http.ratelimit import Windows
from cartagena.server.limits import LimitLog
from cartagena.server.protocol.errors import Refused
from cartagena.server.settings import Settings

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

    def __init__(self, use: int = IDLE) -> None:
        self.use, self.dropped = use, False

    def check(self, now: float) -> None:
        """Nothing is overdue."""

    def unread(self) -> int:
        return 0

    def drop(self) -> None:
        self.dropped = True


def test_addresses_are_counted_with_their_networks() -> None:
    assert [share.key for share in shares("192.0.2.7")] == ["192.0.2.7", "192.0.2.0/24"]
    assert [share.key for share in shares("2001:db8:1:2::/64")] == [
        "2001:db8:1:2::/64", "2001:db8:1::/56", "2001:db8:1::/48",
    ]  # fmt: skip
    assert widest("not an address") == "not an address"


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
    assert gate.visitor("203.0.113.1").delay() == 0


def test_a_second_address_of_a_network_does_not_double_its_limits() -> None:
    windows = Windows(2, 3600)
    for number in range(8):
        windows.check(f"192.0.2.{number}", "new tables")
    with pytest.raises(Refused, match="new tables"):
        windows.check("192.0.2.9", "new tables")
    windows.check("198.51.100.1", "new tables")
    gate = Gate(Settings(requests=2))

    async def ask() -> None:
        for number in range(9):
            await gate.admit(gate.visitor(f"192.0.2.{number}"))

    with pytest.raises(Refused) as refused:
        asyncio.run(ask())
    assert refused.value.limit == "requests"


def test_a_limit_is_logged_once_a_minute_with_its_kind_and_the_busiest_address(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits, now = LimitLog(), [100.0]
    monkeypatch.setattr("cartagena.server.limits.time.monotonic", lambda: now[0])
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
        assert found.end(signal.SIGTERM) == 0, "a second signal ends it without the rest of that time"


def test_the_share_of_a_network_is_more_than_that_of_an_address() -> None:
    gate = Gate(Settings())
    gate.visitor("192.0.2.1").charge(0.2 * (gates.TOLERANCE + 0.1))
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
