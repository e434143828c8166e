"""Strangers with raw connections: nothing they send stops others from being served."""

import asyncio
import contextlib
import logging
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from cartagena.server.addresses import address_key
from cartagena.server.http import connection, gate
from cartagena.server.http.gate import Gate, Visitor
from cartagena.server.http.middleware import HostNames
from cartagena.server.http.ratelimit import Bucket, Slots
from cartagena.server.logs import RateLimit
from cartagena.server.protocol.encoding import FrameCounter
from cartagena.server.protocol.errors import Refused
from cartagena.server.settings import Settings

from .rig import PATIENCE, Person, Server, running
from .stranger import CONTINUATION, PING, Stranger, frame

LIMITS = {
    "messages": 40, "window_seconds": 600.0, "connections_per_address": 12, "connections": 40, "waiting_sockets": 16,
    "hello_seconds": 3.0, "send_seconds": 2.0, "sockets_per_address": 10,
}  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(f"sqlite:///{tmp_path_factory.mktemp('strangers') / 'tables.db'}", **LIMITS) as found:
        yield found


@pytest.fixture(scope="module")
def ann(server: Server) -> Person:
    return server.table(spectators="public")


def is_served(ann: Person) -> bool:
    """Whether a seated player is served."""
    return bool(ann.look()["stage"])


# --- frames


@pytest.mark.parametrize(
    ("address", "flood"),
    [
        ("127.0.1.1", frame() * 40_000),
        ("127.0.1.2", frame(b"", fin=False) + frame(b"", CONTINUATION, fin=False) * 40_000),
        ("127.0.1.3", frame(b"x" * 100, PING) * 4_000),
        ("127.0.1.4", frame(b'{"type":"ping","n":1}') * 4_000),
    ],
    ids=["empty", "fragments", "pings", "messages"],
)
def test_a_flood_of_frames_is_cut_off_before_it_is_parsed(
    server: Server, ann: Person, address: str, flood: bytes
) -> None:
    with Stranger(server.port, address) as stranger:
        stranger.open_socket(ann.table, {"after": 0})
        stranger.send(flood)
        assert stranger.close_code() in (4429, None)  # None: the connection was reset because bytes were left unread
    assert is_served(ann)


def test_frames_are_counted_wherever_the_data_is_cut() -> None:
    data = frame(b"x" * 5) + frame(b"y" * 300) + frame(b"", PING) + frame(b"z" * 125)
    for size in (1, 2, 3, 7, 50, len(data)):
        counter = FrameCounter()
        assert sum(counter.count(data[at : at + size], 100) for at in range(0, len(data), size)) == 4
    assert FrameCounter().count(frame() * 1000, 10) == 11


def test_a_network_sends_the_frames_of_four_addresses(server: Server, ann: Person) -> None:
    codes: list[int | None] = []
    for number in range(1, 10):
        with Stranger(server.port, f"127.0.14.{number}") as stranger:
            stranger.open_socket(ann.table, {"after": 0})
            stranger.send(frame(b"", PING) * 120 + frame(b"\x03\xe8", 8))
            codes.append(stranger.close_code())
    assert codes == [1000] * 6 + [4429] * 3  # 122 frames each, 800 for the network and a few more as time passes
    assert is_served(ann)


def test_reconnecting_does_not_reset_the_limit_of_frames(server: Server, ann: Person) -> None:
    codes: list[int | None] = []
    while len(codes) < 20 and codes[-1:] != [4429]:
        with Stranger(server.port, "127.0.1.5") as stranger:
            stranger.open_socket(ann.table, {"after": 0})
            stranger.send(frame(b'{"type":"ping","n":1}') * 30 + frame(b"\x03\xe8", 8))
            codes.append(stranger.close_code())
    assert codes[:6] == [1000] * 6  # 31 frames and a hello each, 200 for the address and a few more as time passes
    assert codes[-1] == 4429
    assert is_served(ann)


def test_sockets_without_a_hello_give_way_to_each_other_and_to_nobody_else(server: Server, ann: Person) -> None:
    waiting = [Stranger(server.port, "127.0.1.6") for _ in range(5)]
    try:
        for stranger in waiting:
            assert b" 101 " in stranger.open_socket(ann.table)
        assert waiting[0].close_code() == 4408  # an address has a quarter of 16
        assert is_served(ann)
        assert waiting[-1].close_code() == 4408  # after its time
    finally:
        for stranger in waiting:
            stranger.socket.close()


# --- requests


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"GET /" + b"x" * 5_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        (b"GET /" + b"x" * 100_000, 414),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 100_000, 431),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X: y\r\n" * 200, 431),
        (b"\r\n" * 50_000, 431),
        (b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 3_000, 413),
        (b"nonsense\r\n\r\n", 400),
    ],
    ids=["target", "endless target", "endless field", "fields", "empty lines", "chunks", "nonsense"],
)
def test_a_request_that_is_too_large_is_refused_before_it_is_complete(server: Server, data: bytes, status: int) -> None:
    with Stranger(server.port, "127.0.1.7") as stranger:
        stranger.send(data)
        answer = stranger.read_all()
        assert answer.startswith(b"HTTP/1.1 %d " % status) or not answer  # reset with bytes left unread


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"", b""),
        (b"GET / HT", b"HTTP/1.1 408"),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: y", b"HTTP/1.1 408"),
        (b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{", b"HTTP/1.1 408"),
    ],
    ids=["nothing", "line", "head", "body"],
)
def test_an_unfinished_request_ends_by_itself(
    server: Server, data: bytes, status: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("FIRST_BYTE", "HEAD_SECONDS", "BODY_SECONDS"):
        monkeypatch.setattr(connection, name, 1.0)
    with Stranger(server.port, "127.0.1.8") as stranger:
        stranger.send(data)
        assert stranger.read_all()[:12] == status


def test_requests_sent_far_ahead_are_refused(server: Server) -> None:
    with Stranger(server.port, "127.0.1.9") as stranger:
        stranger.send(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 5_000)
        assert stranger.read_all().count(b"HTTP/1.1 200") < 100


def test_a_client_that_leaves_before_its_answers_causes_no_error(server: Server) -> None:
    def failures() -> str:
        return next(line for line in server.figures().splitlines() if line.startswith("cartagena_failures_total"))

    before = failures()
    for _ in range(20):
        with Stranger(server.port, "127.0.1.13", small_buffer=True) as stranger:
            stranger.send(b"GET /api/openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 8)
            stranger.read()
    assert failures() == before


def test_a_body_that_goes_on_after_the_answer_ends_the_connection(server: Server) -> None:
    with Stranger(server.port, "127.0.1.10") as stranger:
        stranger.send(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 50000\r\n\r\n")
        assert stranger.read_all().startswith(b"HTTP/1.1 200")


def test_a_reader_that_stops_is_cut_off(server: Server) -> None:
    with Stranger(server.port, "127.0.1.11", small_buffer=True) as stranger:
        for _ in range(200):
            if not stranger.get("/api/openapi.json"):
                break
            time.sleep(0.02)
        gone = time.monotonic() + PATIENCE
        while stranger.send(b" ") and time.monotonic() < gone:
            time.sleep(0.1)
        assert time.monotonic() < gone


# --- connections


def test_an_address_has_few_connections_and_others_are_served(server: Server, ann: Person) -> None:
    strangers = [Stranger(server.port, "127.0.1.12") for _ in range(13)]
    try:
        answered = [stranger.is_answered for stranger in strangers]
        assert answered.count(True) == 12
        assert is_served(ann)
    finally:
        for stranger in strangers:
            stranger.socket.close()


def test_room_is_reserved_for_addresses_of_seated_players(server: Server, ann: Person) -> None:
    strangers = [Stranger(server.port, f"127.0.2.{1 + number // 10}") for number in range(40)]
    try:
        answered = [stranger.is_answered for stranger in strangers]
        assert answered.count(True) <= 30  # of 40 connections a quarter is reserved
        assert is_served(ann)
        with Stranger(server.port, "127.0.2.99") as late:
            assert not late.is_answered
        with Stranger(server.port, "127.0.0.1") as seated:
            assert seated.is_answered
    finally:
        for stranger in strangers:
            stranger.socket.close()


def test_neither_a_crowd_nor_a_player_keeps_the_others_from_a_table() -> None:
    slots = Slots(per_address=1000, per_table=20)

    def most(host: str, holder: int) -> int:
        number = 0
        with contextlib.suppress(Refused):
            while number < 100:
                slots.take(host, "t", holder)
                number += 1
        return number

    assert most("192.0.2.1", 0) == 5, "spectators of an address"
    assert most("192.0.2.2", 0) == 0, "a second address of its network"
    assert most("198.51.100.1", 0) + most("203.0.113.1", 0) == 5, "all spectators"
    assert most("192.0.2.1", 7) == 4, "a player"
    free = slots.take("192.0.2.9", "t", 8)
    free()
    assert most("192.0.2.9", 8) == 4


def test_the_limit_of_open_files_is_raised_at_start() -> None:
    code = """
import resource
from cartagena.server.http.ratelimit import raise_file_limit
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
assert raise_file_limit() == resource.getrlimit(resource.RLIMIT_NOFILE)[0] > 256
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_limits_count_ipv6_by_its_network() -> None:
    assert address_key("2001:db8:1:2:3:4:5:6") == address_key("2001:db8:1:2::1") == "2001:db8:1:2::/64"
    assert address_key("2001:db8:1:3::1") != address_key("2001:db8:1:2::1")
    assert address_key("::ffff:192.0.2.7") == address_key("192.0.2.7") == "192.0.2.7"
    assert address_key("fe80::1%eth0") == "fe80::/64"
    assert (address_key("192.0.2.7:443"), address_key("[2001:db8::1]:443")) == ("192.0.2.7", "2001:db8::/64")
    assert address_key("not an address") == "not an address"
    gate = Gate(Settings())
    assert gate.visitor("2001:db8::1") is gate.visitor("2001:db8::2")


class Watched:
    """A connection that counts how often it is checked, and then raises what it is given."""

    visitor: Visitor
    use = 0

    def __init__(self, fault: Exception | None = None) -> None:
        self.fault, self.checks = fault, 0

    def check(self, now: float) -> None:
        self.checks += 1
        if self.fault is not None:
            raise self.fault

    def unread(self) -> int:
        return 0

    def drop(self) -> None:
        """Nothing is open."""


def test_a_fault_in_one_connection_leaves_the_others_looked_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "SWEEP", 0.001)
    everyone = [Watched(), Watched(ValueError("a fault")), Watched(RuntimeError("closed")), Watched()]

    async def main() -> None:
        guarded = Gate(Settings())
        for each in everyone:
            guarded.enter(each, "192.0.2.7")
        sweeping = asyncio.create_task(guarded.sweep())
        while not sweeping.done() and min(each.checks for each in everyone) < 3:
            await asyncio.sleep(0.01)
        assert not sweeping.done()
        sweeping.cancel()

    asyncio.run(main())


def test_a_bucket_refills_with_time_and_never_beyond_its_burst() -> None:
    now = [0.0]
    bucket = Bucket(10, 10.0, burst=5, clock=lambda: now[0])
    assert [bucket.take() for _ in range(6)] == [0, 0, 0, 0, 0, 1.0]
    now[0] = 100.0
    assert bucket.take(5) == 0
    assert bucket.take(2) == 2.0


# --- addresses of pages


ODD = ("/%00", "/a%0ab", "/%7f", "/" + "x" * 2_000, "/..%00/x", "/api/tables/%00/live", "/assets/%00", "/%ff.x")
LONG = "x" * 300  # more than the name of a file may have
TARGETS = (
    b"*",
    b"http://127.0.0.1/%00",
    b"/%",
    b"/\xff\xfe",
    b"//[",
    b"//%00",
    b"/api/tables?limit=\xff",
    b"http://[/",
)


def test_an_odd_address_is_not_found(server: Server) -> None:
    def failures() -> str:
        return next(line for line in server.figures().splitlines() if line.startswith("cartagena_failures_total"))

    before = failures()
    for path in (*ODD, f"/{LONG}.js", f"/assets/{LONG}", f"/api/tables/{LONG}"):
        assert server.http.get(path).status_code in (404, 422), path
    assert server.http.get(f"/{LONG}").status_code < 500
    for target in TARGETS:
        for verb in (b"GET", b"OPTIONS", b"TRACE"):
            with Stranger(server.port, "127.0.1.14") as stranger:
                stranger.send(verb + b" " + target + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
                answer = stranger.read_all()
            assert answer[:10] in (b"HTTP/1.1 2", b"HTTP/1.1 4"), (verb, target, answer[:200])
            assert b"Traceback" not in answer
    assert failures() == before


# --- names, metrics and logs


def test_a_server_answers_to_its_own_names_only(sqlite: str) -> None:
    named = {"hosts": "cartagena.example", "origins": "https://friend.example", "public_url": "https://mail.example"}
    with running(sqlite, **named) as server:
        allowed = ["127.0.0.1", "[::1]:8017", "localhost:80", "CARTAGENA.example:443", "friend.example", "mail.example"]
        for name in allowed:
            assert server.http.get("/healthz", headers={"host": name}).status_code == 200, name
        for name in ("evil.example", "cartagena.example.evil.example", "", "[", "127.0.0.1.evil.example"):
            answer = server.http.get("/healthz", headers={"host": name})
            assert answer.status_code == 403, name
            assert "CARTAGENA_HOSTS" in answer.json()["error"]["message"]
        with Stranger(server.port) as stranger:
            stranger.get("/healthz", "Host: evil.example\r\n")
            assert stranger.read().startswith(b"HTTP/1.1 403")
        check_a_person_reads_a_page(server)
    assert "any.example" in HostNames(Settings(hosts="*"))


def check_a_person_reads_a_page(server: Server) -> None:
    """A browser that opens the server by an unlisted name shows a sentence; the API keeps JSON."""
    browser = {"host": "pc.local:8017", "accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    page = server.http.get("/", headers=browser)
    assert (page.status_code, page.headers["content-type"]) == (403, "text/html; charset=utf-8")
    assert "CARTAGENA_HOSTS" in page.text
    assert "{" not in page.text
    assert server.http.get("/api/about", headers=browser).json()["error"]["code"] == "origin"
    assert server.http.post("/", headers=browser).json()["error"]["code"] == "origin"


def test_metrics_need_their_token(sqlite: str) -> None:
    with running(sqlite, metrics_token="secret") as server:
        assert server.get("/metrics").status_code == 404
        assert server.get("/metrics", "wrong").status_code == 404
        assert "cartagena_sockets" in server.get("/metrics", "secret").text
    with running(sqlite, metrics_token="") as server:
        assert server.get("/metrics").status_code == 404


def test_visitors_behind_a_trusted_proxy_are_told_apart(sqlite: str) -> None:
    few = {"requests": 5, "window_seconds": 600.0, "connections_per_address": 1}
    with running(sqlite, forwarded="127.0.0.1/8", **few) as server:

        def status(visitor: str) -> int:
            return server.http.get("/healthz", headers={"x-forwarded-for": visitor}).status_code

        with Stranger(server.port, "127.0.0.1") as one, Stranger(server.port, "127.0.0.1") as two:
            assert one.is_answered
            assert two.is_answered  # a proxy has as many connections as it needs
        assert [status("192.0.2.1") for _ in range(6)] == [200] * 5 + [429]
        assert status("192.0.2.2") == 200
        assert [status(f"2001:db8::{number}") for number in range(1, 7)] == [200] * 5 + [429]


def test_repeated_log_lines_are_left_out_and_counted() -> None:
    limit = RateLimit(most=3, seconds=10.0)

    def line(at: float, message: str = "a request failed") -> logging.LogRecord:
        return logging.makeLogRecord({"name": "x", "msg": message, "created": at})

    assert [limit.filter(line(100.0)) for _ in range(5)] == [True] * 3 + [False] * 2
    assert limit.filter(line(100.0, "another"))
    later = line(110.0)
    assert limit.filter(later)
    assert vars(later)["left_out"] == 2
    assert sum(limit.filter(line(120.0, f"kind {number}")) for number in range(1000)) == 30
