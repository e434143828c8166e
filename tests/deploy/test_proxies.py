"""The examples of deploy/ with the real programs: pages, sockets, sizes, host names and visitors' addresses."""

import gzip
import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tests.server.rig import PATIENCE, Server, held_port, running
from websockets.sync.client import connect
from websockets.typing import Origin

from cartagena.server.protocol.requests import PROTOCOL

DEPLOY = Path(__file__).parents[2] / "deploy"
PLACES = os.pathsep.join((os.environ["PATH"], "/usr/sbin", "/usr/local/sbin"))
REQUESTS = 40


def program(name: str) -> str:
    """The real proxy; without it these tests fail, they don't skip."""
    found = shutil.which(name, path=PLACES)
    assert found, f"{name} was not found; tools/test installs it, or: apt-get install {name}"
    return found


def nginx(port: int, behind: int, folder: Path) -> list[str]:
    """The command of nginx with the example, without TLS and on free ports."""
    text = (DEPLOY / "nginx.conf").read_text()
    text = re.sub(r"    listen \[::\].*\n|    ssl_.*\n", "", text)
    text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{port}").replace("127.0.0.1:8017", f"127.0.0.1:{behind}")
    paths = "".join(f"{kind}_temp_path {folder};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    user = "user root;" if os.getuid() == 0 else ""  # the folder of the test is private
    head = f"daemon off; {user} pid {folder}/pid; error_log stderr; events {{}}"
    other = "gzip on; gzip_types *; gzip_proxied any; gzip_min_length 1;"  # of the http block of another site
    (folder / "config").write_text(f"{head} http {{ access_log off; {other} {paths} {text} }}")
    return [program("nginx"), "-p", str(folder), "-e", "stderr", "-c", str(folder / "config")]


def caddy(port: int, behind: int, folder: Path) -> list[str]:
    """The command of Caddy with the example, without TLS and on free ports."""
    text = (DEPLOY / "Caddyfile").read_text().replace("127.0.0.1:8017", f"127.0.0.1:{behind}")
    text = text.replace("cartagena.example {", f"http://127.0.0.1:{port}, http://cartagena.example:{port} {{")
    text = text.replace("{\n\tservers", "{\n\tadmin off\n\tauto_https off\n\tservers", 1)
    (folder / "config").write_text(text)
    return [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "config")]


PROXIES = {"nginx": nginx, "caddy": caddy}


@contextmanager
def behind_proxy(name: str, folder: Path) -> Iterator[httpx.Client]:
    """A client of the proxy in front of a server of ours."""
    (folder / "index.html").write_text("<!doctype html><title>Cartagena</title>")
    given = {"forwarded": "127.0.0.1", "hosts": "cartagena.example", "requests": REQUESTS, "static": str(folder)}
    with running(f"sqlite:///{folder / 'tables.db'}", window_seconds=600.0, **given) as server, held_port() as held:
        port = held.getsockname()[1]
        environment = {**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        with (folder / "log").open("wb") as log:
            proxy = subprocess.Popen(PROXIES[name](port, server.port, folder), env=environment, stdout=log, stderr=log)
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as client:
                wait_for(client, server, proxy, folder / "log")
                yield client
        finally:
            proxy.terminate()
            proxy.wait(PATIENCE)


def wait_for(client: httpx.Client, server: Server, proxy: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until the proxy passes a request on."""
    deadline = time.monotonic() + PATIENCE
    while True:
        assert proxy.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        try:
            if client.get("/healthz").text == server.http.get("/healthz").text:
                return
        except httpx.TransportError:
            time.sleep(0.05)


@pytest.mark.parametrize("name", PROXIES)
def test_a_game_is_played_through_the_proxy_and_its_limits_hold(name: str, tmp_path: Path) -> None:
    with behind_proxy(name, tmp_path) as client:
        assert "Cartagena" in client.get("/").text
        seats = [{"kind": "here"}, {"kind": "here"}]
        made = client.post("/api/tables", json={"rules": "tortuga-en", "seats": seats}).raise_for_status().json()
        address = f"{client.base_url.host}:{client.base_url.port}"
        place, origin = f"ws://{address}/api/tables/{made['table']}/live", Origin(f"http://{address}")
        with connect(place, origin=origin, open_timeout=PATIENCE) as live:
            live.send(json.dumps({"type": "hello", "token": made["token"], "protocol": PROTOCOL}))
            assert json.loads(live.recv(timeout=PATIENCE))["type"] == "setup"
        assert "Cartagena" in client.get("/", headers={"Host": "cartagena.example"}).text
        assert "Cartagena" not in client.get("/", headers={"Host": "evil.example"}).text
        assert client.get("/metrics", headers={"Authorization": "Bearer figures"}).status_code == 404
        with client.stream("POST", "/api/tables", content=b"x" * 70_000) as answer:
            # Debian 12's Caddy may answer 502, or lose the answer's body while it still sends the request's.
            assert answer.status_code in ((413, 502) if name == "caddy" else (413,))
        assert client.get("/", headers={"X": "x" * 40_000}).status_code in (400, 414, 431)
        visitors = [{"X-Forwarded-For": f"192.0.2.{number}"} for number in range(REQUESTS)]
        codes = {client.get("/healthz", headers=visitor).status_code for visitor in visitors}
        assert 429 in codes, "a visitor cannot choose its address"


@pytest.mark.parametrize("name", PROXIES)
def test_files_and_answers_come_through_the_proxy_as_the_server_sends_them(name: str, tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    script, path = b"export const words = 'words';\n" * 100, tmp_path / "assets" / "app-1a2b.js"
    path.write_bytes(script)
    path.with_name("app-1a2b.js.gz").write_bytes(packed := gzip.compress(script))
    path.with_name("app-1a2b.js.br").write_bytes(b"br")
    with behind_proxy(name, tmp_path) as client:
        for coding, content in {"gzip": packed, "gzip, br": b"br", "identity": script}.items():
            with client.stream("GET", "/assets/app-1a2b.js", headers={"Accept-Encoding": coding}) as answer:
                assert b"".join(answer.iter_raw()) == content
                assert answer.headers["vary"] == "Accept-Encoding"
            asked = {"Accept-Encoding": coding, "If-None-Match": answer.headers["etag"]}
            assert client.get("/assets/app-1a2b.js", headers=asked).status_code == 304
            assert client.head("/assets/app-1a2b.js", headers=asked).status_code == 304
        assert client.get("/api/about").headers["content-encoding"] == "gzip"
        seats = [{"kind": "here"}, {"kind": "here"}]
        made = client.post("/api/tables", json={"rules": "tortuga-en", "seats": seats}).json()
        bearer = {"Authorization": f"Bearer {made['token']}"}
        look = client.get(f"/api/tables/{made['table']}", headers=bearer)
        renewed = client.post(f"/api/tables/{made['table']}/token", headers=bearer)
        for answer in (look, renewed):
            assert answer.status_code == 200
            assert "content-encoding" not in answer.headers, "it holds a token or hidden cards"


def test_a_balancer_notices_a_hung_server_before_a_page_asks_again() -> None:
    stream = (DEPLOY.parent / "web/src/session/stream.ts").read_text()
    answer = float(found_in(r"const ANSWER = (\d+);", stream)) / 1000
    haproxy, caddy = (DEPLOY.parent / "docs/hosting.md").read_text(), (DEPLOY / "compose.Caddyfile").read_text()
    check, pause = found_in(r"timeout check (\d+)s\n", haproxy), found_in(r"check inter (\d+)ms fall 1 ", haproxy)
    assert float(check) + float(pause) / 1000 < answer
    check, pause = found_in(r"health_timeout (\d+)s\n", caddy), found_in(r"health_interval (\d+)s\n", caddy)
    assert float(check) + float(pause) < answer


def found_in(pattern: str, text: str) -> str:
    [found] = re.findall(pattern, text)
    return str(found)
