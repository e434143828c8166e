"""What is served beside the API: the files of the browser table; health, readiness and metrics for the operator."""

import os
from hmac import compare_digest
from pathlib import Path
from typing import Final

from fastapi import APIRouter, FastAPI, Request
from prometheus_client import generate_latest
from starlette.responses import FileResponse, PlainTextResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from ..metrics import REGISTRY
from ..protocol.encoding import dumps
from ..protocol.errors import Refused
from ..settings import Settings
from ..storage.database import StorageError

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
            raise Refused("no-such-page", "There is nothing here.")
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


router = APIRouter(default_response_class=PlainTextResponse)


@router.get("/api/openapi.json", include_in_schema=False)
async def description(request: Request) -> Response:
    """The description of the interface, encoded once."""
    state = request.app.state
    if not hasattr(state, "description"):
        state.description = dumps(request.app.openapi())
    return Response(state.description, media_type="application/json")


@router.get("/healthz")
async def healthz() -> str:
    """Whether the process is alive."""
    return "ok\n"


@router.get("/readyz", responses={503: {"description": "Not ready."}})
async def readyz(request: Request) -> Response:
    """Whether requests are served: a commit succeeds and no damage is known. What else is wrong is named."""
    state = request.app.state
    if not state.ready or state.draining or state.registry.stopping:
        return PlainTextResponse("stopping\n", 503)
    if state.registry.writes.fault is not None:
        return PlainTextResponse("changes cannot be stored\n", 503)
    try:
        await state.registry.database.prove_writing()
    except StorageError:
        return PlainTextResponse("changes cannot be stored: the database does not take a commit\n", 503)
    check = state.registry.database.check
    if check is not None and check.damaged:
        return PlainTextResponse("the database is damaged; restore a backup\n", 503)
    notes = [f"computer player {level} fails\n" for level in state.pool.failing]
    if check is not None and check.running:
        notes.append("the database is being checked for damage\n")
    if state.cluster is not None:
        notes += state.cluster.notices.notes
    notes += [f"{note}\n" for note in state.pool.notes]
    notes += state.deadlines.notes
    return PlainTextResponse("".join(["ready\n", *notes]))


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """Metrics for Prometheus."""
    token, sent = request.app.state.settings.metrics_token, request.headers.get("authorization", "")
    if not token or not compare_digest(sent.encode(), f"Bearer {token}".encode()):
        raise Refused("no-such-page", "There is nothing here.")
    return Response(generate_latest(REGISTRY), media_type="text/plain; version=0.0.4; charset=utf-8")
