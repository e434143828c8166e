"""Live: sockets and streams, resuming, heartbeats, slow readers, limits and origins."""

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncGenerator, Iterator
from typing import Any

import pytest
from starlette.requests import ClientDisconnect
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection

from cartagena.server.http.routes import Lines
from cartagena.server.protocol.requests import PROTOCOL
from cartagena.server.protocol.responses import Ack, Rejected, Update

from .rig import PATIENCE, Person, Server, bearer, receive, running
from .test_seating import LINK


@pytest.fixture
def server(shared: Server) -> Server:
    return shared


def test_a_socket_tells_the_setup_then_updates_with_numbers(server: Server) -> None:
    ann = server.table("tortuga-en")
    with server.socket(ann.table, {"token": ann.token}) as live:
        assert receive(live, "setup")["setup"]["rules"] == "tortuga-en"
        first = receive(live)
        Update.model_validate(first)
        assert [event["seq"] for event in first["events"]] == [1]
        live.send(json.dumps({"type": "move", "id": "a", "version": 1, "move": first["options"]["legal"][0]["move"]}))
        messages = [receive(live, "ack", "update") for _ in range(2)]
        ack = next(message for message in messages if message["type"] == "ack")
        Ack.model_validate(ack)
        assert (ack["id"], ack["seq"], ack["repeated"]) == ("a", 2, False)
        live.send(json.dumps({"type": "move", "id": "b", "version": 1, "move": "end"}))
        rejected = receive(live, "rejected")
        Rejected.model_validate(rejected)
        assert (rejected["code"], rejected["id"], rejected["version"]) == ("stale", "b", 2)


@pytest.mark.parametrize("after", [0, 1, 7, 12, 10**6])
def test_a_socket_resumes_from_any_number(server: Server, after: int) -> None:
    ann = server.table("tortuga-en")
    truth = ann.play(11)
    with server.socket(ann.table, {"token": ann.token, "after": after}) as live:
        seen = receive(live)
    assert [event["seq"] for event in seen["events"]] == list(range(after + 1, truth["seq"] + 1))
    assert (seen["seq"], seen["position"]) == (truth["seq"], truth["position"])


def test_everything_that_can_be_done_by_socket(server: Server) -> None:
    ann = server.table("nest-nl", LINK, lots=False, replace="7")
    ben = ann.join()
    with server.socket(ann.table, {"token": ann.token}) as live:
        version = receive(live)["version"]
        move = ann.look()["options"]["legal"][0]["move"]
        commands = [
            {"type": "ping", "n": 3},
            {"type": "talk", "text": "hi"},
            {"type": "move", "id": "m", "version": version, "move": move},
            {"type": "undo", "id": "u", "version": version + 2},
            {"type": "look", "seat": 1},
            {"type": "leave"},
            {"type": "back"},
            {"type": "resign"},
        ]
        answers = []
        for command in commands:
            live.send(json.dumps(command))
            answers.append(receive(live, "ack", "pong", "rejected")["type"])
        assert answers == ["pong", *["ack"] * 7]
    assert ben.look()["outcome"] == {"winner": 2, "how": "resigned"}


def test_presence_is_told(server: Server) -> None:
    ann = server.table("tortuga-en", LINK, lots=False)
    ben = ann.join()
    with server.socket(ann.table, {"token": ann.token}) as live:
        while not receive(live)["seats"][0]["online"]:
            pass
        with server.socket(ben.table, {"token": ben.token}):
            while not receive(live)["seats"][1]["online"]:
                pass
        while receive(live)["seats"][1]["online"]:
            pass


def test_quiet_sockets_and_streams_get_heartbeats(sqlite: str) -> None:
    with running(sqlite, heartbeat_seconds=0.2) as server:
        ann = server.table("tortuga-en")
        with server.socket(ann.table, {"token": ann.token}) as live:
            assert receive(live, "heartbeat") == {"type": "heartbeat"}
        with server.http.stream("GET", f"{ann.path}/stream", headers=bearer(ann.token)) as lines:
            for line in lines.iter_lines():
                if line == "{}":
                    return


def test_a_bot_without_rules_can_play_over_http_with_the_stream(server: Server) -> None:
    ann = server.table("jamaica-en", [{"kind": "here"}, {"kind": "computer", "level": "7"}], pirates=1, pieces=1)
    query = {"detail": "text", "legal": "true"}
    with server.http.stream("GET", f"{ann.path}/stream", headers=bearer(ann.token), params=query) as lines:
        for number, line in enumerate(lines.iter_lines()):
            seen = json.loads(line)
            if not seen:
                continue  # a heartbeat: the computer takes its time
            if seen.get("stage") == "over":
                assert seen["outcome"] is not None
                return
            if seen["legal"]:
                body = {"id": f"b{number}", "version": seen["version"], "move": seen["legal"][0]}
                assert ann.do("moves", body).status_code == 200


def test_long_polling_waits_for_news(server: Server) -> None:
    ann = server.table("tortuga-en")
    found: list[Any] = []

    def wait() -> None:
        found.append(server.get(f"{ann.path}/events", ann.token, after=1, wait=20).json())

    thread = threading.Thread(target=wait)
    thread.start()
    time.sleep(0.3)
    assert not found
    ann.play(1)
    thread.join(PATIENCE)
    assert [event["seq"] for event in found[0]["events"]] == [2]
    assert server.get(f"{ann.path}/events", ann.token, after=2, wait=0).json()["events"] == []


def lazy(server: Server, ann: Person) -> socket.socket:
    """A viewer with hardly any room for what it does not read."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    found.settimeout(PATIENCE)
    found.connect(("127.0.0.1", server.port))
    head = f"GET {ann.path}/live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    head += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    hello = json.dumps({"type": "hello", "token": ann.token, "after": 0}).encode()
    found.sendall(head.encode())
    assert b" 101 " in found.recv(1024)
    found.sendall(bytes([0x81, 0x80 | len(hello)]) + bytes(4) + hello)
    return found


def fill(server: Server, ann: Person, lines: int) -> int:
    """So much happens that no buffer holds it; the number of the last event."""
    with server.socket(ann.table, {"token": ann.token, "detail": "text"}) as live:
        for _ in range(lines // 50):  # in small parts, so that this one always reads in time
            for _ in range(50):
                live.send(json.dumps({"type": "talk", "text": "x" * 200}))
            for _ in range(50):
                last = receive(live, "ack")
    return int(last["seq"])


def frames_of(slow: socket.socket) -> Iterator[dict[str, Any]]:
    """The text frames that a server has sent and sends."""
    data = b""

    def take(size: int) -> bytes:
        nonlocal data
        while len(data) < size:
            more = slow.recv(1 << 16)
            assert more, "the server hung up"
            data += more
        taken, data = data[:size], data[size:]
        return taken

    while True:
        kind, size = take(2)
        if size >= 126:
            size = int.from_bytes(take(2 if size == 126 else 8), "big")
        payload = take(size)
        if kind == 0x81:
            yield json.loads(payload)


def test_a_viewer_that_does_not_read_gets_fewer_larger_updates(sqlite: str) -> None:
    with running(sqlite, talk_lines=10**6, send_seconds=600.0, heartbeat_seconds=600.0) as server:
        ann = server.table("tortuga-en")
        slow = lazy(server, ann)
        last = fill(server, ann, 1500)
        updates = []
        for message in frames_of(slow):
            updates += [message] if message["type"] == "update" else []
            if message.get("seq") == last:
                break
        slow.close()
    numbers = [event["seq"] for update in updates for event in update["events"]]
    assert numbers == list(range(1, last + 1))
    assert len(updates) < last


def test_a_viewer_that_never_reads_is_cut_off(sqlite: str) -> None:
    with running(sqlite, talk_lines=10**6, send_seconds=5.0, heartbeat_seconds=600.0) as server:
        ann = server.table("tortuga-en")
        slow = lazy(server, ann)
        fill(server, ann, 1500)
        deadline = time.monotonic() + PATIENCE
        while "cartagena_sockets 0.0" not in server.figures():
            assert time.monotonic() < deadline, "the server still waits for a client that does not read"
            time.sleep(0.1)
        slow.close()


def test_a_wrong_hello_is_told_and_the_socket_closed(server: Server) -> None:
    ann = server.table("tortuga-en")
    for hello, code, close in (
        ("not json", "malformed", 4400),
        ('{"type":"move"}', "malformed", 4400),
        ('{"type":"hello","token":"wrong"}', "not-seated", 4401),
        (json.dumps({"type": "hello", "token": ann.token, "seat": 5}), "not-allowed", 4403),
    ):
        with server.socket(ann.table) as live:
            live.send(hello)
            assert receive(live, "rejected")["code"] == code
            with pytest.raises(ConnectionClosed) as closed:
                live.recv(timeout=PATIENCE)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == close
    with server.socket("nosuchtable", {"token": ann.token}) as live:
        assert receive(live, "rejected")["code"] == "no-such-table"


def read_for_ever(live: ClientConnection) -> None:
    while True:
        live.recv(timeout=PATIENCE)


def test_frames_and_messages_are_limited(sqlite: str) -> None:
    with running(sqlite, messages=20, window_seconds=30.0) as server:
        ann = server.table("tortuga-en")
        with server.socket(ann.table, {"token": ann.token}) as live:
            live.send(json.dumps({"type": "talk", "text": "x" * 5000}))
            with pytest.raises(ConnectionClosed) as closed:
                read_for_ever(live)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009
        with server.socket(ann.table, {"token": ann.token}) as live:
            for number in range(20):  # with the hello one too many; the socket is closed then
                live.send(json.dumps({"type": "ping", "n": number}))
            rejected = receive(live, "rejected")
            assert rejected["code"] == "too-many"
            assert 0 < rejected["retry_after"] <= 30


def test_pages_of_other_origins_cannot_open_sockets(sqlite: str) -> None:
    with running(sqlite, origins="https://friend.example") as server:
        ann = server.table("tortuga-en")
        for origin in ("https://evil.example", "null", "https://[broken"):
            with pytest.raises(InvalidStatus), server.socket(ann.table, {"token": ann.token}, origin=origin):
                pass
        for origin in (server.url, "https://friend.example"):
            with server.socket(ann.table, {"token": ann.token, "protocol": PROTOCOL}, origin=origin) as live:
                assert receive(live)["seq"] == 1


def test_connections_of_an_address_are_limited(sqlite: str) -> None:
    with running(sqlite, sockets_per_address=2) as server:
        ann = server.table("tortuga-en")
        hello = {"token": ann.token}
        with server.socket(ann.table, hello) as one, server.socket(ann.table, hello) as two:
            receive(one)
            receive(two)
            with server.socket(ann.table, hello) as three:
                assert receive(three, "rejected")["code"] == "too-many"


def test_a_stream_whose_reader_is_gone_frees_its_slot() -> None:
    freed: list[str] = []

    async def lines() -> AsyncGenerator[bytes, None]:
        yield b"{}\n"

    async def gone(*_: Any) -> Any:
        raise OSError("the connection is closed")

    scope = {"type": "http", "asgi": {"spec_version": "2.4"}}
    with pytest.raises(ClientDisconnect):
        asyncio.run(Lines(lines(), lambda: freed.append("place"))(scope, gone, gone))
    assert freed == ["place"]
