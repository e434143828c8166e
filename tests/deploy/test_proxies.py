"""Try the examples of deploy/ with real proxies: ``python -m tests.deploy.proxies --nginx PROGRAM --caddy PROGRAM``.

The tests check these files without the programs; this script runs a game through each proxy.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import httpx
from tests.server.rig import PATIENCE, held_port, running
from websockets.sync.client import connect
from websockets.typing import Origin

from cartagena.server.protocol.requests import PROTOCOL

DEPLOY = Path(__file__).parents[2] / "deploy"


def nginx_config(port: int, behind: int, folder: Path) -> str:
    """The example without TLS, on free ports."""
    text = (DEPLOY / "nginx.conf").read_text()
    text = re.sub(r"    listen \[::\].*\n|    ssl_.*\n", "", text)
    text = text.replace("listen 443 ssl", f"listen 127.0.0.1:{port}").replace("127.0.0.1:8017", f"127.0.0.1:{behind}")
    paths = "".join(f"{kind}_temp_path {folder};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    return f"daemon off; pid {folder}/pid; error_log stderr; events {{}} http {{ access_log off; {paths} {text} }}"


def caddy_config(port: int, behind: int) -> str:
    """The example without TLS, on free ports."""
    text = (DEPLOY / "Caddyfile").read_text().replace("127.0.0.1:8017", f"127.0.0.1:{behind}")
    text = text.replace("cartagena.example {", f"http://127.0.0.1:{port}, http://cartagena.example:{port} {{")
    return text.replace("{\n\tservers", "{\n\tadmin off\n\tauto_https off\n\tservers", 1)


def check(port: int) -> None:
    """Play through the proxy, and try what it must refuse."""
    address = f"127.0.0.1:{port}"
    with httpx.Client(base_url=f"http://{address}", timeout=PATIENCE) as client:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                client.get("/healthz").raise_for_status()
                break
            except httpx.HTTPError:
                assert time.monotonic() < deadline, "the proxy does not answer"
                time.sleep(0.1)
        seats = [{"kind": "here"}, {"kind": "here"}]
        created = client.post("/api/tables", json={"rules": "tortuga-en", "seats": seats}).raise_for_status().json()
        with connect(f"ws://{address}/api/tables/{created['table']}/live", origin=Origin(f"http://{address}")) as live:
            live.send(json.dumps({"type": "hello", "token": created["token"], "protocol": PROTOCOL}))
            assert json.loads(live.recv(timeout=PATIENCE))["type"] == "setup"
        assert client.get("/metrics", headers={"Authorization": "Bearer figures"}).status_code == 404
        assert client.post("/api/tables", content=b"x" * 70_000).status_code == 413
        assert client.get("/", headers={"X": "x" * 40_000}).status_code in (400, 414, 431)
        codes = {client.get("/healthz", headers={"X-Forwarded-For": f"192.0.2.{n}"}).status_code for n in range(60)}
        assert 429 in codes, codes  # a visitor cannot choose its address


def try_proxy(command: list[str], port: int) -> None:
    with subprocess.Popen(command) as proxy:
        try:
            check(port)
        finally:
            proxy.terminate()
    sys.stdout.write(f"{Path(command[0]).name}: the example works\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nginx", help="the program nginx")
    parser.add_argument("--caddy", help="the program caddy")
    given = parser.parse_args()
    for name in ("nginx", "caddy"):
        program = getattr(given, name)
        if program is None:
            continue
        with tempfile.TemporaryDirectory() as text, held_port() as held:
            folder, port = Path(text), held.getsockname()[1]
            database = f"sqlite:///{folder / 'tables.db'}"
            with running(database, forwarded="127.0.0.1", hosts="cartagena.example", requests=40) as server:
                file = folder / "config"
                if name == "nginx":
                    file.write_text(nginx_config(port, server.port, folder))
                    try_proxy([program, "-p", str(folder), "-c", str(file)], port)
                else:
                    file.write_text(caddy_config(port, server.port))
                    try_proxy([program, "run", "--adapter", "caddyfile", "--config", str(file)], port)


if __name__ == "__main__":
    main()
