"""Positions to try, records to read and to review, without a table, for the tutorial, the examples and replays.

Nothing is kept. Cards that are drawn come at random.
"""

from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import Field
from starlette.responses import Response

from ..addresses import address_key
from ..protocol.requests import AnyMove, Message, MoveJson, example, move_notation
from ..protocol.responses import Options, Outcome, PositionJson
from ..study.pool import StudyPool
from ..study.variants import MAX_TEXT
from ..study.worker import StudyRequest
from .compression import OpenAnswer
from .dependencies import ANSWERS, while_connected
from .ratelimit import host_of

START = "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0"

router = APIRouter(prefix="/api/study", responses=ANSWERS)


class TryPosition(Message):
    """A position, and moves to play from it. Cards that fall due are dealt at random unless a move names them."""

    model_config = example({"position": START, "moves": ["s:B"]})

    position: str = Field(max_length=1000)
    moves: list[AnyMove] = Field(default=[], max_length=100)


class ShownPosition(Message):
    """A position to draw, and its notation for links and for going on from there."""

    text: str
    position: PositionJson


class StudyStep(Message):
    """A move that was played: the seat, where the pirate ended, and the deals it brought."""

    seat: int
    move: MoveJson
    to: str | None
    cards: list[str]
    draws: int
    drawn: list[str] | None = Field(default=None, description="The cards that were drawn from an open row.")
    turn: int


class RecordStep(StudyStep, ShownPosition):
    """A move of a record with the position after it."""


class StudyPosition(ShownPosition):
    """The position reached, with what can be chosen from there."""

    options: Options | None
    outcome: Outcome | None
    steps: list[StudyStep]


class ReadRecord(Message):
    """A record as text or JSON."""

    model_config = example({"record": f'[Rules "jamaica-en"]\n\n{START}\n\n1. s:B end\n'})

    record: str = Field(max_length=60_000)


class CheckVariant(Message):
    """The text of a rule set's file, or the tag Variant of a record."""

    model_config = example({"text": 'base = "tortuga-en"\ntitle = "A short row"\nrow = 5\n'})

    text: str = Field(max_length=MAX_TEXT)


class Difference(Message):
    """A key of a rule set whose value is not the edition's. Words among the values are codes."""

    key: str
    value: str
    usual: str


class CheckedVariant(Message):
    """A rule set of a file that can be played."""

    name: str
    title: str
    seats: int | None = Field(description="How many seats play, where the file says so.")
    setup: dict[str, Any] = Field(description="What the set-up of a table says of these rules.")
    differs: list[Difference]
    text: str = Field(description="The tag Variant of its records; empty where sizes say all.")
    edition: dict[str, Any] = Field(description="The rules as numbers, for the engine of a browser.")


class Proof(Message):
    """Whether a record's deal follows from its own secret. Whether that was promised, only its players can tell."""

    state: Literal["consistent", "failed", "none"]
    message: str


class StudyRecord(Message):
    """A record, step by step."""

    tags: dict[str, str]
    opening: ShownPosition
    steps: list[RecordStep]
    proof: Proof


class ReviewTurn(Message):
    """A whole turn up to the first dealt card, with the win chances after it."""

    moves: str
    value: list[float]
    visits: int


class ReviewDecision(Message):
    """A decision of a reviewed game, judged from its seat's own view. Win chances are from 0 to 1."""

    number: int
    seat: int
    move: str
    best: str
    before: list[float]
    after: list[float]
    cost: float
    kind: Literal["best", "good", "inaccuracy", "mistake", "blunder"]
    turns: list[ReviewTurn]
    why: list[str]
    forced: bool


class ReviewDraw(Message):
    """A dealt card, and what it changed for each seat."""

    number: int
    seat: int
    move: str
    luck: list[float]


class ReviewKinds(Message):
    """The free decisions of each class."""

    best: int
    good: int
    inaccuracy: int
    mistake: int
    blunder: int


class TurningPoint(Message):
    """The move after which a seat's win chance had changed most."""

    number: int
    change: float


class ReviewSeat(Message):
    """The game of a seat in numbers, and what its result adds up from."""

    seat: int
    name: str
    accuracy: float = Field(description="From 0 to 100.")
    lost: float
    kinds: ReviewKinds
    opening: float
    luck: float
    decisions: float
    ending: float
    result: float
    turning_point: TurningPoint | None


class ReviewedRecord(Message):
    """The review of a finished game, as ``cartagena review --json`` gives it, with fewer nodes."""

    nodes: int
    seats: list[ReviewSeat]
    decisions: list[ReviewDecision]
    draws: list[ReviewDraw]
    shares: dict[str, list[float]]
    course: list[list[float]]


@router.post("/position", response_model=StudyPosition)
async def try_position(request: Request, want: TryPosition) -> Response:
    """Play moves from any position, or just look at it."""
    moves = [move_notation(move) for move in want.moves]
    return await study(request, {"position": want.position, "moves": moves})


@router.post("/record", response_model=StudyRecord)
async def read_record(request: Request, want: ReadRecord) -> Response:
    """A record as steps that can be shown, with the proof of its deal where it carries one."""
    return await study(request, {"record": want.record})


@router.post("/review", response_model=ReviewedRecord)
async def review_record(request: Request, want: ReadRecord) -> Response:
    """Review a finished game, for browsers that cannot do it themselves."""
    return await study(request, {"review": want.record})


@router.post("/variant", response_model=CheckedVariant)
async def check_variant(request: Request, want: CheckVariant) -> Response:
    """Check a rule set of your own: its title and what differs, or one sentence on what is wrong."""
    return await study(request, {"variant": want.text})


async def study(request: Request, want: StudyRequest) -> Response:
    """Let the study processes work as long as the client waits."""
    pool: StudyPool = request.app.state.study
    return OpenAnswer(await while_connected(request, pool.work(address_key(host_of(request)), want)))
