"""What is served beside the API and the page: its description; health, readiness and metrics for the operator."""

from hmac import compare_digest

from fastapi import APIRouter, Request
from prometheus_client import generate_latest
from starlette.responses import PlainTextResponse, Response

from ..metrics import REGISTRY
from ..protocol.encoding import dumps
from ..protocol.errors import Refused
from ..storage.database import StorageError
from .compression import OpenAnswer

router = APIRouter(default_response_class=PlainTextResponse)


@router.get("/api/openapi.json", include_in_schema=False)
async def description(request: Request) -> Response:
    """The description of the interface, encoded once."""
    state = request.app.state
    if not hasattr(state, "description"):
        state.description = dumps(request.app.openapi())
    return OpenAnswer(state.description)


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
