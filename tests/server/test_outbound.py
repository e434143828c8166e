"""Addresses that strangers give: what is refused, and what becomes of a hostile answer."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest
import trustme

from cartagena.server.addresses import Networks
from cartagena.server.notify import outbound
from cartagena.server.notify.outbound import Answer, Forbidden, Poster, Unreachable, parse, resolve

from .rig import PATIENCE

NOBODY = Networks("")
HERE = Networks("127.0.0.1")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no answer be late because the machine is busy; the tests of slow answers set a time of their own."""
    monkeypatch.setattr(outbound, "SECONDS", PATIENCE)


PRIVATE = (
    "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "017700000001", "0177.0.0.1",
    "127.255.255.254", "localhost", "LOCALHOST", "0.0.0.0", "0", "00.00.00.00", "10.0.0.1", "10.1",
    "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.1", "169.254.169.254", "0xa9fea9fe", "100.64.0.1",
    "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1",
    "255.255.255.255", "[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
    "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b:1::1]", "[2002:7f00:1::]", "[2001:0:0:0:0:0:80ff:fffe]",
    "[fe80::1]", "[fe80::1%25lo]", "[fc00::1]", "[fd12:3456::1]", "[fec0::1]", "[ff02::1]", "[2001:db8::1]",
    "[100::1]", "[::ffff:0:127.0.0.1]", "[::ffff:10.0.0.1]", "[2002:a00:1::]",
    "[64:ff9b::a9fe:a9fe]", "[0000::1]", "0x7f.0x0.0x0.0x1", "[::ffff:169.254.169.254]", "192.168.257",
    "192.88.99.1", "[3fff::1]",
)  # fmt: skip


def run(work: Awaitable[object]) -> object:
    async def awaited() -> object:
        return await work

    return asyncio.run(awaited())


@pytest.mark.parametrize("host", PRIVATE)
def test_no_request_goes_to_a_private_address(host: str) -> None:
    with pytest.raises(Forbidden):
        run(resolve(parse(f"https://{host}/"), NOBODY))


@pytest.mark.parametrize("host", ["1.1.1.1", "[2606:4700::1111]", "[2002:101:101::]", "[64:ff9b::101:101]"])
def test_public_addresses_are_allowed(host: str) -> None:
    assert run(resolve(parse(f"https://{host}/"), NOBODY))


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "ftp://example.org/", "//example.org/", "https:///x", "https://user@example.org/",
        "https://user:word@example.org/", "https://exa mple.org/", "https://example.org\\@1.1.1.1/", "https://exämple.org/",
        "https://example.org:99999/", "https://@example.org/", "https://1.1.1.1:443:80/", "https://example.org:x/",
        "https://%31%32%37.0.0.1/", "https://[fe80::1%25eth0]/", "https://[::1/", "https://example.org/\nHost: x",
        "https://a/" + "x" * 2000, "",
    ],
)  # fmt: skip
def test_what_is_no_plain_https_address_is_refused(url: str) -> None:
    with pytest.raises(Forbidden):
        parse(url)


async def nothing_but_head(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    size = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
    return head + await reader.readexactly(size)


Speech = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def receiver(speak: Speech, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """A receiver with a certificate of its own that the test trusts."""
    authority = trustme.CA()
    theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("receiver.test").configure_cert(theirs)
    ours = ssl.create_default_context()
    authority.configure_trust(ours)
    monkeypatch.setattr(outbound, "secure", lambda: ours)
    server = await asyncio.start_server(speak, "127.0.0.1", 0, ssl=theirs)
    port = server.sockets[0].getsockname()[1]
    loop = asyncio.get_running_loop()
    usual = loop.getaddrinfo

    async def named(host: str, port: int, **how: int) -> object:
        return await usual("127.0.0.1" if host == "receiver.test" else host, port, **how)

    monkeypatch.setattr(loop, "getaddrinfo", named)
    try:
        yield f"https://receiver.test:{port}/hook?a=1"
    finally:
        server.close()


def said(monkeypatch: pytest.MonkeyPatch, speak: Speech, allowed: Networks = HERE) -> outbound.Answer:
    async def asked() -> outbound.Answer:
        async with receiver(speak, monkeypatch) as url:
            return await Poster(allowed).post(url, b"message", {"Content-Type": "text/plain"})

    return asyncio.run(asked())


def test_an_answer_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = []

    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await nothing_but_head(reader))
        writer.write(b"HTTP/1.1 429 Slow Down\r\nRetry-After: 30\r\nContent-Length: 4\r\n\r\nwait")
        await writer.drain()

    assert said(monkeypatch, speak) == (429, b"wait", 30.0)
    assert heard[0].startswith(b"POST /hook?a=1 HTTP/1.1\r\nHost: receiver.test:")
    assert heard[0].endswith(b"\r\n\r\nmessage")


def test_a_name_that_leads_into_this_machine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def speak(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        pytest.fail("a request arrived")

    with pytest.raises(Forbidden):
        said(monkeypatch, speak, NOBODY)


def test_a_name_that_moves_into_this_machine_after_it_was_checked_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each connection goes to an address of the one answer that was checked for it."""
    asked: list[str] = []
    reached: list[str] = []

    async def connected(address: str, *_where: object, **_how: object) -> None:
        reached.append(address)
        raise ConnectionRefusedError

    async def visit() -> None:
        async def resolving(host: str, port: int, **_how: int) -> list[object]:
            asked.append(host)
            address = "1.1.1.1" if len(asked) < 3 else "127.0.0.1"
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolving)
        monkeypatch.setattr(asyncio, "open_connection", connected)
        poster = Poster(NOBODY)
        await poster.check("https://rebound.test/")
        with pytest.raises(Unreachable):
            await poster.post("https://rebound.test/", b"", {})
        assert (len(asked), reached) == (2, ["1.1.1.1"]), "resolved once for the connection"
        with pytest.raises(Forbidden):
            await poster.post("https://rebound.test/", b"", {})
        assert reached == ["1.1.1.1"]

    asyncio.run(visit())


def test_a_redirect_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await nothing_but_head(reader))
        writer.write(b"HTTP/1.1 307 Elsewhere\r\nLocation: https://127.0.0.1/\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()

    assert said(monkeypatch, speak).status == 307
    assert len(asked) == 1


@pytest.mark.parametrize("head", [b"Content-Length: 1000000000\r\n", b"Transfer-Encoding: chunked\r\n"])
def test_a_huge_answer_is_cut(monkeypatch: pytest.MonkeyPatch, head: bytes) -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await nothing_but_head(reader)
        writer.write(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n")
        part = b"x" * 65536 if b"Length" in head else b"10000\r\n" + b"x" * 65536 + b"\r\n"
        try:
            while True:
                writer.write(part)
                await writer.drain()
        except (OSError, ssl.SSLError):
            return

    answer = said(monkeypatch, speak)
    assert (answer.status, len(answer.body)) == (200, outbound.LARGEST_ANSWER)


def test_interim_answers_without_end_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await nothing_but_head(reader)
        with suppress(OSError, ssl.SSLError):
            while True:
                writer.write(b"HTTP/1.1 103 Wait\r\n\r\n" * 100)
                await writer.drain()

    with pytest.raises(Unreachable, match="RemoteProtocolError"):
        said(monkeypatch, speak)


@pytest.mark.parametrize("silent", [b"", b"\x16\x03\x03"])
def test_a_handshake_that_never_ends_is_left_and_leaves_no_connection(
    monkeypatch: pytest.MonkeyPatch, silent: bytes
) -> None:
    monkeypatch.setattr(outbound, "SECONDS", 0.5)

    async def asked() -> None:
        reached, ended = asyncio.Event(), asyncio.Event()

        async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            reached.set()
            writer.write(silent)
            with suppress(OSError):
                while await reader.read(1000):
                    pass
            writer.close()
            ended.set()

        server = await asyncio.start_server(speak, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            while not reached.is_set():  # a busy machine may need half a second to connect
                with pytest.raises(Unreachable, match="did not answer"):
                    await Poster(HERE).post(f"https://127.0.0.1:{port}/", b"", {})
            await asyncio.wait_for(ended.wait(), 300)

    asyncio.run(asked())


@pytest.mark.parametrize(
    "words",
    [
        b"",
        b"SSH-2.0-OpenSSH\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X-Long: " + b"y" * 100_000,
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx",
    ],
)
def test_what_is_no_answer_may_be_tried_again(monkeypatch: pytest.MonkeyPatch, words: bytes) -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await nothing_but_head(reader)
        writer.write(words)
        writer.close()

    with pytest.raises(Unreachable):
        said(monkeypatch, speak)


@pytest.mark.parametrize("slow", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nx"])
def test_a_slow_answer_is_left(monkeypatch: pytest.MonkeyPatch, slow: bytes) -> None:
    monkeypatch.setattr(outbound, "SECONDS", 0.5)

    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await nothing_but_head(reader)
        writer.write(slow)
        await asyncio.sleep(60)

    with pytest.raises(Unreachable, match="did not answer"):
        said(monkeypatch, speak)


def test_names_that_are_resolved_slowly_hold_up_no_push_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outbound, "SECONDS", 0.05)
    looked_up: list[str] = []

    async def asked() -> None:
        over = asyncio.Event()

        async def resolving(host: str, _port: int, **_how: int) -> list[object]:
            looked_up.append(host)
            if host.endswith(".slow"):
                await over.wait()
            raise OSError("no such name")

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolving)
        poster = Poster(NOBODY)
        for number in range(5):
            with pytest.raises(Unreachable):
                await poster.post(f"https://{number}.slow/", b"", {})
        with pytest.raises(Unreachable, match="within"):
            await poster.check("https://other.slow/")
        with pytest.raises(Unreachable, match=r"push\.example"):
            await poster.post("https://push.example/", b"", {}, known=True)
        assert looked_up == ["0.slow", "1.slow", "push.example"], "two threads are held, and no more"
        over.set()
        monkeypatch.setattr(outbound, "SECONDS", PATIENCE)
        with pytest.raises(Unreachable, match="no address"):
            await poster.check("https://later.example/")

    asyncio.run(asked())


def test_a_connection_is_kept_until_the_other_side_closes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three requests over the first connection, which ends unannounced; the fourth finds that and opens another."""
    heard: list[int] = []

    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(0)
        for _ in range(3):
            await nothing_but_head(reader)
            heard[-1] += 1
            writer.write(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        await nothing_but_head(reader)
        writer.close()

    async def asked() -> list[Answer]:
        async with receiver(speak, monkeypatch) as url:
            poster = Poster(HERE)
            found = [await poster.post(url, b"", {}) for _ in range(5)]
            poster.allowed = NOBODY
            found.append(await poster.post(url, b"", {}))  # the last on a connection that was allowed
            with pytest.raises(Forbidden):
                await poster.post(url, b"", {})
            poster.close()
            return found

    assert [answer.status for answer in asyncio.run(asked())] == [201] * 6
    assert heard == [3, 3]


@pytest.mark.parametrize(
    "last",
    [
        b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 307 Elsewhere\r\nContent-Length: 0\r\n\r\n",
    ],
)
def test_a_connection_that_says_more_or_less_than_an_answer_is_not_kept(
    monkeypatch: pytest.MonkeyPatch, last: bytes
) -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await nothing_but_head(reader)
        writer.write(last)
        await writer.drain()

    async def asked() -> int:
        async with receiver(speak, monkeypatch) as url:
            poster = Poster(HERE)
            await poster.post(url, b"", {})
            return len(poster.idle)

    assert asyncio.run(asked()) == 0


def test_a_certificate_that_nobody_vouches_for_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def speak(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        pytest.fail("a request arrived")

    async def asked() -> None:
        async with receiver(speak, monkeypatch) as url:
            monkeypatch.setattr(outbound, "secure", ssl.create_default_context)
            await Poster(HERE).post(url, b"", {})

    with pytest.raises(Unreachable, match="SSL"):
        asyncio.run(asked())


def test_system_certificates_are_used(tmp_path: Path) -> None:
    assert outbound.secure().verify_mode is ssl.CERT_REQUIRED
    assert outbound.secure().check_hostname
