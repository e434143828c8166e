"""``make audit`` calls a package clean only if the source of advisories said so."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.wheel import ROOT


@contextmanager
def source(broken: bool = False) -> Iterator[str]:
    """The address of a source of advisories: one for numba, none for the others."""

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["queries"]
            results: list[Any] = [
                {"vulns": [{"id": "OSV-1"}]} if query["package"] == {"ecosystem": "PyPI", "name": "numba"} else {}
                for query in asked
            ]
            body = json.dumps({"results": results[:1] if broken else results}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1/querybatch"
    finally:
        server.shutdown()
        server.server_close()


def audit(*options: str) -> tuple[int, list[str]]:
    command = [sys.executable, str(ROOT / "tools/audit.py"), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout.splitlines()


def test_advisories_are_named_and_fail() -> None:
    with source() as address:
        status, lines = audit("--source", address)
    *found, last = lines
    assert status == 1
    assert found
    assert all(line.startswith("PyPI numba ") and line.endswith(": OSV-1") for line in found)
    assert last.endswith(f" {len(found)} with advisories, 0 not audited.")


def test_what_could_not_be_checked_is_not_clean() -> None:
    nowhere = "http://127.0.0.1:9/v1/querybatch"
    status, lines = audit("--source", nowhere)
    assert status == 1
    assert any(line.startswith("npm svelte ") and line.endswith(": not audited") for line in lines)
    assert any(line.startswith("PyPI numpy ") and line.endswith(": not audited") for line in lines)
    assert ": 0 clean, " in lines[-1]
    assert audit("--source", nowhere, "--allow-unaudited")[0] == 0
    with source(broken=True) as address:
        status, lines = audit("--source", address)
    assert (status, ": 0 clean, 0 with advisories, " in lines[-1]) == (1, True)
