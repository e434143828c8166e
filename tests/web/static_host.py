"""A static host for the site: it serves one folder at a path, and nothing else."""

from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

AT = "/somewhere/else/"
"""The path of the site on its host."""


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves one folder at a path, as a static host does."""

    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript"}  # noqa: RUF012

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def translate_path(self, path: str) -> str:
        self.server.asked.append(path)  # type: ignore[attr-defined]
        return super().translate_path(path.removeprefix(AT.rstrip("/")) if path.startswith(AT) else "/nothing-here")


class Host:
    """A static host that can be killed and started again at the same address."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, 0
        self.asked: list[str] = []
        self.start()

    def start(self) -> None:
        handler = partial(QuietHandler, directory=str(self.folder))
        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), handler)
        self.server.asked = self.asked  # type: ignore[attr-defined]
        self.port = self.server.server_port
        Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def kill(self) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}{AT}"
