"""The one door to the files of the browser table: caching, compressed forms, and the page for every other address."""

import hashlib
import os
from contextlib import suppress
from functools import lru_cache
from mimetypes import guess_type
from pathlib import Path
from stat import S_ISREG
from typing import Final

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from ..protocol.errors import Refused
from ..settings import Settings
from .compression import accepted, chosen

FOR_EVER: Final = "public, max-age=31536000, immutable"
ALWAYS_ASK: Final = "no-cache"
PACKED: Final = {"br": ".br", "gzip": ".gz"}
"""The ending of a file's compressed form by its coding, the smallest first. The build writes them."""
MEDIA: Final = {
    ".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml", ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json", ".woff2": "font/woff2",
}  # fmt: skip
"""Types that browsers insist on, whatever the list of the system says."""
MISSING: Final = (
    "The browser table is not built here. The interface for programs is under /api, described by /api/openapi.json.\n"
)


def client_folder(settings: Settings) -> Path:
    return Path(settings.static) if settings.static else Path(__file__).parent.parent / "static"


def add_client(app: FastAPI, settings: Settings) -> None:
    """Serve the client. Its route comes last, since it takes every address."""
    app.router.routes.append(Route("/{path:path}", ClientFiles(client_folder(settings)), methods=["GET"]))


@lru_cache(maxsize=2048)
def entity_tag(path: Path, *_state: int) -> str:
    """The tag of a file's content, read again when the state of the file has changed.

    Starlette's own tag is of time and size. But all files of a package may have the same time, and a new page is often
    as long as the one before: it differs in the names of its files.
    """
    return f'"{hashlib.sha256(path.read_bytes()).hexdigest()[:32]}"'


class ClientFiles(StaticFiles):
    """The client's files, and its page for every other address. Addresses in folders lead back to the page."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, check_dir=False)
        self.config_checked = True  # programs can use a server without the browser table
        self.hashed = folder.resolve() / "assets"
        """The folder of files with a hash in their name, which never change."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if scope["path"].startswith("/api/"):
            raise Refused("no-such-page", "There is nothing here.")
        return await run_in_threadpool(self._respond, path, scope)

    def _respond(self, path: str, scope: Scope) -> Response:
        asked = scope["path"].lstrip("/")
        full_path, found = self.lookup_path(path)
        if found is not None:
            return self.file_response(full_path, found, scope)
        if asked.startswith("assets/") or "." in asked.rpartition("/")[2]:
            return PlainTextResponse("There is nothing here.\n", 404)
        full_path, found = self.lookup_path("index.html")
        if found is None:
            return PlainTextResponse(MISSING, 404 if asked else 200)
        if "/" in asked:  # the page asks for its files beside its own address
            return RedirectResponse("../" * (scope["path"].count("/") - 1), headers={"cache-control": ALWAYS_ASK})
        return self.file_response(full_path, found, scope)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """A file of the folder. The compressed form of another one has no address of its own."""
        try:
            full_path, found = super().lookup_path(path)
        except (OSError, ValueError):  # a name that no file can have
            return "", None
        is_file = found is not None and S_ISREG(found.st_mode) and not full_path.endswith(tuple(PACKED.values()))
        return (full_path, found) if is_file else ("", None)

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """The smallest form of a file that the visitor accepts, or 304 for one that the visitor has."""
        original = Path(full_path)
        packed = packed_forms(original)
        coding = chosen(accepted(scope), tuple(packed))
        path, found = packed[coding] if coding else (original, stat_result)
        headers = {
            "etag": entity_tag(path, found.st_mtime_ns, found.st_ctime_ns, found.st_size),
            "cache-control": FOR_EVER if original.parent == self.hashed else ALWAYS_ASK,
            **({"vary": "Accept-Encoding"} if packed else {}),
            **({"content-encoding": coding} if coding else {}),
        }
        media = MEDIA.get(original.suffix) or guess_type(original.name)[0]
        answer = FileResponse(path, status_code, headers, media, stat_result=found)
        is_known = self.is_not_modified(answer.headers, Headers(scope=scope))
        return NotModifiedResponse(answer.headers) if is_known else answer


def packed_forms(path: Path) -> dict[str, tuple[Path, os.stat_result]]:
    """The compressed forms of a file that lie beside it, by their codings."""
    forms = {}
    for coding, ending in PACKED.items():
        packed = path.with_name(path.name + ending)
        with suppress(OSError):
            forms[coding] = packed, packed.stat()
    return forms
