"""The files of the browser table. Files with a hash in their name are cached for ever."""

import os
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from ..settings import Settings

FOR_EVER: Final = "public, max-age=31536000, immutable"
ALWAYS_ASK: Final = "no-cache"
MISSING: Final = (
    "The browser table is not built here. The interface for programs is under /api, described by /api/openapi.json.\n"
)


class Assets(StaticFiles):
    """Files with a hash in their name, which never change."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["cache-control"] = FOR_EVER
        return response


def client_folder(settings: Settings) -> Path:
    return Path(settings.static) if settings.static else Path(__file__).parent.parent / "static"


def file_at(folder: Path, path: str) -> Path | None:
    """The file of an address inside the folder, None if there is none."""
    try:
        wanted = (folder / path).resolve()
        return wanted if path and wanted.is_relative_to(folder) and wanted.is_file() else None
    except (OSError, ValueError):  # a name that no file can have
        return None


def add_client(app: FastAPI, settings: Settings) -> None:
    """Serve the client's files, and its page for every other address. Addresses in folders lead back to the page."""
    folder = client_folder(settings).resolve()
    if (folder / "assets").is_dir():
        app.mount("/assets", Assets(directory=folder / "assets"), name="assets")

    @app.get("/{path:path}", include_in_schema=False)
    async def client(path: str) -> Response:
        if path.startswith("api/"):
            return Response(
                '{"error":{"code":"no-such-page","message":"There is nothing here."}}',
                404,
                media_type="application/json",
            )
        wanted = file_at(folder, path)
        if wanted is not None:
            return FileResponse(wanted, headers={"cache-control": ALWAYS_ASK})
        if "." in path.rsplit("/", 1)[-1]:
            return PlainTextResponse("There is nothing here.\n", 404)
        page = folder / "index.html"
        if not page.is_file():
            return PlainTextResponse(MISSING, 200 if not path else 404)
        if "/" in path.lstrip("/"):  # the page asks for its files beside its own address
            return RedirectResponse("../" * path.count("/"), headers={"cache-control": ALWAYS_ASK})
        return FileResponse(page, headers={"cache-control": ALWAYS_ASK})
