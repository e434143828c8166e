"""Routes for what is kept about a person: the holder of a token can see it and delete it."""

from fastapi import APIRouter
from starlette.responses import Response

from ..live import privacy
from ..protocol.encoding import dumps
from ..protocol.responses import Forgotten, Kept
from .dependencies import ANSWERS, ARegistry, ATable, AToken, Person, json_answer

router = APIRouter(prefix="/api", responses=ANSWERS)


@router.get("/tables/{table}/mine", response_model=Kept)
async def mine(registry: ARegistry, live: ATable, _who: Person, token: AToken) -> Response:
    """Everything that is kept about you here and at the rematches of this game: names, talk, your token's row."""
    return json_answer(dumps({"tables": await privacy.kept_about(registry, live, token or "")}))


@router.post("/tables/{table}/forget", response_model=Forgotten)
async def forget(registry: ARegistry, live: ATable, _who: Person, token: AToken) -> Response:
    """Delete your names and your talk here and at the rematches of this game, and revoke your token.

    The moves stay, for the records of the other players. In a game that is not over the computer plays on for you.
    """
    number = await privacy.forget(registry, live, token or "")
    return json_answer(dumps({"tables": number}))
