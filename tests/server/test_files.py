"""The files of the browser table: one door with caching, compressed forms and HEAD; and answers that are compressed."""

import gc
import gzip
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from email.utils import formatdate
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path
from typing import NamedTuple

import pytest

from cartagena import Game
from cartagena.server.http.compression import LEAST, chosen
from cartagena.server.openapi import api_schema

from .cluster import until
from .rig import PATIENCE, Server, bearer, running

SCRIPT = b"export const words = 'some words, and some more';\n" * 40
FILES = {
    "index.html": b"<!doctype html><title>Cartagena</title>" + b"<p>words</p>" * 100,
    "service-worker.js": SCRIPT,
    "manifest.webmanifest": b'{"name": "Cartagena"}',
    "icon.svg": b"<svg xmlns='http://www.w3.org/2000/svg'></svg>",
    "icon-192.png": b"\x89PNG",
    "assets/app-1a2b.js": SCRIPT,
    "assets/engine-3c4d.wasm": b"\0asm" + bytes(2000),
    "assets/data-5e6f.json": json.dumps(list(range(1000))).encode(),
    "assets/net.network": b"network",
}
PACKED = [name for name in FILES if not name.endswith((".png", ".network", ".webmanifest", "icon.svg"))]
ADDRESSES = ["/", "/lobby", *(f"/{name}" for name in FILES)]


class Answer(NamedTuple):
    """An answer as it came over the wire."""

    status: int
    headers: HTTPMessage
    body: bytes


def fetch(server: Server, path: str, method: str = "GET", body: bytes | None = None, /, **headers: str) -> Answer:
    """Ask with these header fields and no others but Host."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    try:
        connection.putrequest(method, path, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders(body)
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read())
    finally:
        connection.close()


def write(folder: Path) -> None:
    """A built table. What stands for Brotli is marked bytes: the server does not look into its files."""
    for name, content in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if name in PACKED:
            (folder / f"{name}.br").write_bytes(b"br of " + name.encode())
            (folder / f"{name}.gz").write_bytes(gzip.compress(content, mtime=0))


@contextmanager
def table_at(folder: Path) -> Iterator[Server]:
    with running(f"sqlite:///{folder / 'tables.db'}", static=str(folder / "static")) as server:
        yield server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("files")
    write(folder / "static")
    with table_at(folder) as found:
        yield found


# --- which coding


@pytest.mark.parametrize(
    ("header", "coding"),
    [
        ("", None),
        ("br, gzip", "br"),
        ("gzip, deflate, br, zstd", "br"),
        ("GZIP", "gzip"),
        ("deflate", None),
        ("br;q=0.5, gzip;q=0.8", "gzip"),
        ("br;q=0, gzip", "gzip"),
        ("gzip;q=0", None),
        ("gzip;q=0.000", None),
        ("*", "br"),
        ("*;q=0", None),
        ("br;q=0, *", "gzip"),
        ("*;q=0.2, gzip;q=0.5", "gzip"),
        ("identity, gzip;q=0.5", None),
        ("identity;q=0.5, gzip", "gzip"),
        ("identity;q=0, gzip;q=0.1", "gzip"),
        (" gzip ; q = 1 ", "gzip"),
        ("gzip;q=2", None),
        ("gzip;q=-1, br;q=x", None),
        ("gzip;level=9", None),
        (",,;q=1,gzip", "gzip"),
        ("bro, xgzip", None),
    ],
)
def test_the_coding_is_the_one_that_the_visitor_prefers(header: str, coding: str | None) -> None:
    assert chosen(header, ("br", "gzip")) == coding


# --- files


def test_a_file_comes_in_the_form_that_the_visitor_accepts(server: Server) -> None:
    for name in PACKED:
        plain = fetch(server, f"/{name}")
        packed = {coding: fetch(server, f"/{name}", accept_encoding=coding) for coding in ("br", "gzip")}
        assert (plain.status, plain.body, plain.headers["content-encoding"]) == (200, FILES[name], None)
        assert packed["br"].body == b"br of " + name.encode()
        assert gzip.decompress(packed["gzip"].body) == FILES[name]
        answers = [plain, *packed.values()]
        assert len({answer.headers["etag"] for answer in answers}) == 3, "each form is a representation of its own"
        assert {answer.headers["vary"] for answer in answers} == {"Accept-Encoding"}
        assert len({answer.headers["content-type"] for answer in answers}) == 1
        assert {answer.headers["cache-control"] for answer in answers} == {plain.headers["cache-control"]}
        for coding, answer in packed.items():
            assert answer.headers["content-encoding"] == coding
            assert int(answer.headers["content-length"]) == len(answer.body)
    both = fetch(server, "/assets/app-1a2b.js", accept_encoding="gzip, deflate, br, zstd")
    assert both.headers["content-encoding"] == "br"


def test_a_file_without_smaller_forms_comes_as_it_is(server: Server) -> None:
    for name in FILES.keys() - set(PACKED):
        answer = fetch(server, f"/{name}", accept_encoding="br, gzip")
        assert (answer.status, answer.body) == (200, FILES[name])
        assert answer.headers["content-encoding"] is answer.headers["vary"] is None


def test_the_smaller_form_of_a_file_has_no_address_of_its_own(server: Server) -> None:
    for name in PACKED:
        for ending in (".br", ".gz"):
            assert fetch(server, f"/{name}{ending}").status == 404


def test_files_have_the_types_that_browsers_insist_on(server: Server) -> None:
    types = {
        "/": "text/html; charset=utf-8",
        "/manifest.webmanifest": "application/manifest+json",
        "/icon.svg": "image/svg+xml",
        "/icon-192.png": "image/png",
        "/assets/app-1a2b.js": "text/javascript; charset=utf-8",
        "/assets/engine-3c4d.wasm": "application/wasm",
        "/assets/data-5e6f.json": "application/json",
        "/assets/net.network": "application/octet-stream",
    }
    assert {path: fetch(server, path, accept_encoding="br").headers["content-type"] for path in types} == types


def test_what_a_page_may_do_is_said_to_pages_and_scripts_and_not_with_each_font(server: Server) -> None:
    """The policy of a page makes up half of the answer for a small file."""
    for path in ("/", "/icon.svg", "/service-worker.js", "/assets/app-1a2b.js", "/assets/none.html"):
        assert "default-src 'none'" in fetch(server, path).headers["content-security-policy"]
        assert fetch(server, path).headers["x-content-type-options"] == "nosniff"
        is_asset_script = path == "/assets/app-1a2b.js"
        assert (fetch(server, path).headers["x-frame-options"] is None) == is_asset_script
    for path in ("/assets/engine-3c4d.wasm", "/assets/data-5e6f.json", "/assets/net.network"):
        headers = fetch(server, path).headers
        assert (headers["x-content-type-options"], headers["content-security-policy"]) == ("nosniff", None)
        assert headers["cross-origin-resource-policy"] == "same-origin"


@pytest.mark.parametrize("coding", ["", "br", "gzip"])
@pytest.mark.parametrize("path", ADDRESSES)
def test_a_file_that_the_visitor_has_is_not_sent_again(server: Server, path: str, coding: str) -> None:
    asked = {"accept_encoding": coding} if coding else {}
    first = fetch(server, path, **asked)
    assert first.status == 200
    tag = first.headers["etag"]
    cached = "immutable" if path.startswith("/assets/") else "no-cache"
    assert cached in first.headers["cache-control"]
    for known in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        again = fetch(server, path, if_none_match=known, **asked)
        assert (again.status, again.body) == (304, b"")
        kept = ("etag", "cache-control", "vary")
        assert [again.headers[name] for name in kept] == [first.headers[name] for name in kept]
    assert fetch(server, path, if_modified_since=first.headers["last-modified"], **asked).status == 304
    later = fetch(server, path, if_none_match='"x"', if_modified_since=first.headers["last-modified"], **asked)
    assert (later.status, later.body) == (200, first.body), "the tag counts"
    assert fetch(server, path, if_modified_since=formatdate(0, usegmt=True), **asked).status == 200


def test_another_build_of_the_same_size_and_time_is_another_file(tmp_path: Path) -> None:
    """A new page differs from the one before in the names of its files only, and a package may give all one time."""
    folder = tmp_path / "static"
    write(folder)
    page, tags = folder / "index.html", list[str]()
    for word in (b"1a2b", b"3c4d"):
        page.write_bytes(b"<!doctype html>" + word)
        page.with_name("index.html.br").write_bytes(b"packed " + word)
        for path in (page, page.with_name("index.html.br")):
            os.utime(path, (10**9, 10**9))
        with table_at(tmp_path) as server:
            for coding, content in (("", b"<!doctype html>"), ("br", b"packed ")):
                answer = fetch(server, "/", accept_encoding=coding, if_none_match=", ".join(tags))
                assert (answer.status, answer.body) == (200, content + word)
                tags.append(answer.headers["etag"])
    assert len(set(tags)) == 4


def test_files_that_are_built_anew_are_served_while_the_server_runs(tmp_path: Path) -> None:
    with table_at(tmp_path) as server:
        assert "is not built here" in fetch(server, "/").body.decode()
        assert fetch(server, "/lobby").status == 404
        assert fetch(server, "/api/about").status == 200
        write(tmp_path / "static")
        assert fetch(server, "/assets/app-1a2b.js", accept_encoding="gzip").headers["content-encoding"] == "gzip"
        for path in (tmp_path / "static").rglob("*.gz"):
            path.unlink()
        assert fetch(server, "/assets/app-1a2b.js", accept_encoding="gzip").body == SCRIPT


def test_a_part_of_a_file_can_be_asked_for(server: Server) -> None:
    part = fetch(server, "/assets/app-1a2b.js", range="bytes=0-5")
    assert (part.status, part.body) == (206, SCRIPT[:6])
    other = fetch(server, "/assets/app-1a2b.js", accept_encoding="br").headers["etag"]
    assert fetch(server, "/assets/app-1a2b.js", range="bytes=0-5", if_range=other).body == SCRIPT, "of another form"


# --- HEAD


def all_gets() -> list[str]:
    """The addresses of the interface that answer GET, for a table named ``{table}``."""
    return [path for path, verbs in api_schema()["paths"].items() if "get" in verbs]


def test_head_is_answered_as_get_without_the_body(server: Server) -> None:
    ann = server.table(rules="jamaica-en", pirates=1, pieces=1)
    assert ann.play(3000)["stage"] == "over", "so that there is a record"
    addresses = [path.format(table=ann.table) for path in all_gets()]
    assert {"/api/about", "/healthz", "/readyz", ann.path, f"{ann.path}/record"} <= set(addresses)
    streams = {path for path in addresses if path.endswith("/stream")}
    for path in [*addresses, *ADDRESSES, "/api/openapi.json", "/api/nothing", "/none.js", "/a/b", "/mail/stop"]:
        for coding in ("identity", "gzip"):
            given = {"accept_encoding": coding, **bearer(ann.token)}
            head = fetch(server, path, "HEAD", **given)
            if path in streams:  # it would go on for ever, so the answer has no length
                with server.http.stream("GET", path, headers=bearer(ann.token)) as stream:
                    assert (head.status, head.body) == (stream.status_code, b"")
                    assert head.headers["content-type"] == stream.headers["content-type"]
                continue
            get = fetch(server, path, **given)
            assert (head.status, head.body) == (get.status, b""), path
            assert without_times(head) == without_times(get), path


def test_who_asks_for_the_head_of_a_stream_is_not_shown_as_online(server: Server) -> None:
    """Not even until the garbage of the stream is collected."""
    ann = server.table(seats=[{"kind": "here"}, {"kind": "link"}], lots=False)
    ben = ann.join()
    gc.disable()  # the server runs in this process
    try:
        assert fetch(server, f"{ann.path}/stream", "HEAD", **bearer(ann.token)).status == 200
        until(lambda: not ben.look()["seats"][0]["online"], "the stream goes on")
        until(lambda: "\ncartagena_sockets 0.0\n" in server.figures(), "the stream counts as a connection")
    finally:
        gc.enable()


def without_times(answer: Answer) -> dict[str, str]:
    """The header without what differs between two answers to the same question."""
    return {name.lower(): value for name, value in answer.headers.items() if name.lower() != "date"}


def test_the_description_of_the_interface_has_no_twins_for_head() -> None:
    assert not [path for path, verbs in api_schema()["paths"].items() if "head" in verbs]


def test_a_connection_goes_on_after_head(server: Server) -> None:
    connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    ann = server.table()
    for path in ("/assets/engine-3c4d.wasm", f"{ann.path}/stream", "/api/about"):
        connection.request("HEAD", path, headers=bearer(ann.token))
        answer = connection.getresponse()
        assert (answer.status, answer.read()) == (200, b"")
        connection.request("GET", "/healthz")
        assert connection.getresponse().read() == b"ok\n"
    connection.close()


# --- answers


def test_large_answers_without_secrets_are_compressed(server: Server) -> None:
    spectator = server.table(seats=[{"kind": "here"}] * 5, spectators="public")
    spectator.play(30)
    for path in ("/api/about", "/api/openapi.json", spectator.path, f"{spectator.path}/events"):
        plain, packed = fetch(server, path), fetch(server, path, accept_encoding="br, gzip")
        assert len(plain.body) >= LEAST
        assert (plain.headers["vary"], plain.headers["content-encoding"]) == ("Accept-Encoding", None)
        assert (packed.headers["vary"], packed.headers["content-encoding"]) == ("Accept-Encoding", "gzip")
        assert int(packed.headers["content-length"]) == len(packed.body) < len(plain.body)
        assert json.loads(gzip.decompress(packed.body)).keys() == json.loads(plain.body).keys()
        refused = fetch(server, path, accept_encoding="gzip;q=0")
        assert refused.headers["content-encoding"] is None
    position = json.dumps({"position": str(Game.new("jamaica-en", seed=1).position)}).encode()
    form = {"content_type": "application/json", "content_length": str(len(position))}
    tried = fetch(server, "/api/study/position", "POST", position, accept_encoding="gzip", **form)
    assert tried.headers["content-encoding"] == "gzip"
    assert "text" in json.loads(gzip.decompress(tried.body))


def test_small_answers_are_sent_as_they_are(server: Server) -> None:
    for path in ("/healthz", "/api/nothing", "/api/tables?limit=1"):
        answer = fetch(server, path, accept_encoding="gzip")
        assert len(answer.body) < LEAST
        assert answer.headers["content-encoding"] is answer.headers["vary"] is None


def test_no_answer_with_a_token_or_with_hidden_cards_is_compressed(server: Server) -> None:
    """The length of a compressed text would tell what repeats in it, such as a guess that another person has said."""
    packed = {"accept_encoding": "gzip"}

    def post(path: str, wanted: object, token: str | None = None) -> Answer:
        body = json.dumps(wanted).encode()
        form = {"content_type": "application/json", "content_length": str(len(body))}
        answer = fetch(server, path, "POST", body, **packed, **form, **bearer(token))
        assert answer.status in (200, 201), answer.body
        assert len(answer.body) >= LEAST
        return answer

    seats = [{"kind": "here"}, {"kind": "here"}, {"kind": "link"}]
    made = post("/api/tables", {"rules": "tortuga-en", "seats": seats, "lots": False})
    table = json.loads(made.body)
    path, token = f"/api/tables/{table['table']}", table["token"]
    joined = post(f"{path}/join", {"invite": table["invites"][0]["invite"], "name": "Ben"})
    renewed = post(f"{path}/token", {}, token)
    token = json.loads(renewed.body)["token"]
    looks = [fetch(server, path, **packed, **bearer(token)) for path in (path, f"{path}/events", f"{path}/mine")]
    assert [look.status for look in looks] == [200] * 3
    for answer in (made, joined, renewed, *looks):
        assert answer.headers["content-encoding"] is None
        json.loads(answer.body)


def test_streams_are_never_compressed(server: Server) -> None:
    ann = server.table(spectators="public")
    with server.http.stream("GET", f"{ann.path}/stream", headers={"accept-encoding": "gzip"}) as lines:
        assert "content-encoding" not in lines.headers
        assert json.loads(next(lines.iter_lines()))["seq"] == 1
