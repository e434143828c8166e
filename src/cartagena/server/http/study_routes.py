"""Positions to try and records to read, without a table, for the tutorial, the examples and replays.

Nothing is kept. Cards that are drawn come at random.
"""

import secrets
from typing import Any, Literal

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response

from cartagena.errors import CartagenaError, UnfairDeal
from cartagena.game import Move, Position, Record
from cartagena.game.fair_deal import check
from cartagena.game.options import destination

from ..protocol.encoding import dumps, move_fields, move_notation
from ..protocol.errors import Refused
from ..protocol.requests import AnyMove, Message, MoveJson, example
from ..protocol.responses import Options, Outcome, PositionJson
from ..tables.updates import options_json, position_json
from .routes import ANSWERS, json_answer

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


class Proof(Message):
    """Whether the deal follows from what was promised."""

    state: Literal["proved", "failed", "none"]
    message: str


class StudyRecord(Message):
    """A record, step by step."""

    tags: dict[str, str]
    opening: ShownPosition
    steps: list[RecordStep]
    proof: Proof


def refuse(error: Exception) -> Refused:
    """The refusal of a position, a move or a record."""
    return Refused("illegal", f"{str(error)[:300].rstrip('.')}.", reason=getattr(error, "reason", None))


def draw(position: Position) -> Move:
    """A random card, each as likely as there are of it."""
    chances = position.chances()
    if not chances:
        raise Refused("illegal", "A card is to be dealt that this view does not show.", reason="card-is-due")
    [card] = secrets.SystemRandom().choices(list(chances), list(chances.values()))
    return Move(f"+{card}")


def shown(position: Position) -> dict[str, Any]:
    """A ``ShownPosition``."""
    return {"text": str(position), "position": position_json(position)}


class Walk:
    """A walk from a position. Deals belong to the move before them."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.steps: list[dict[str, Any]] = []
        self.after: list[Position] = []
        self.turn = 1

    def go(self, move: Move) -> None:
        """Play a move or a deal."""
        before = self.position
        self.position = before.play(move)
        if not move.is_chance:
            step: dict[str, Any] = {
                "seat": before.turn,
                "move": move_fields(move),
                "to": destination(before, move) or None,
            }
            self.steps.append({**step, "cards": [], "draws": 0, "turn": self.turn})
            self.after.append(self.position)
            self.turn += move.kind == "end"
        if self.steps:
            self.after[-1] = self.position
            step = self.steps[-1]
            step["draws"] += max(0, self.position.hand_size(step["seat"]) - before.hand_size(step["seat"]))
            step["cards"] += [str(move)] if move.is_chance else []

    def deal_what_is_due(self) -> None:
        """Draw cards until a seat must choose."""
        while self.position.is_chance:
            self.go(draw(self.position))


@router.post("/position", response_model=StudyPosition)
def try_position(want: TryPosition) -> Response:
    """Play moves from any position, or just look at it."""
    try:
        walk = Walk(Position.parse(want.position))
        for wanted in want.moves:
            move = Move.parse(move_notation(wanted))
            if not move.is_chance:
                walk.deal_what_is_due()
            walk.go(move)
        walk.deal_what_is_due()
    except CartagenaError as error:
        raise refuse(error) from None
    found, outcome = walk.position, walk.position.outcome()
    told = {
        **shown(found),
        "options": options_json(found) if found.turn else None,
        "outcome": outcome and {"winner": outcome.winner, "how": "home" if outcome.winner else "deadlock"},
        "steps": walk.steps,
    }
    return json_answer(dumps(told))


@router.post("/record", response_model=StudyRecord)
def read_record(want: ReadRecord) -> Response:
    """A record as steps that can be shown, with the proof of its deal where it carries one."""
    try:
        record = Record.parse(want.record.lstrip("\ufeff"))
        walk = Walk(record.opening)
        for entry in record.moves:
            walk.go(entry.move)
    except CartagenaError as error:
        raise refuse(error) from None
    steps = [{**step, **shown(after)} for step, after in zip(walk.steps, walk.after, strict=True)]
    told = {"tags": record.tags, "opening": shown(record.opening), "steps": steps, "proof": proof_of(record)}
    return json_answer(dumps(told))


def proof_of(record: Record) -> dict[str, str]:
    """A ``Proof`` of the record's deal."""
    if "Secret" not in record.tags:
        return {"state": "none", "message": ""}
    try:
        return {"state": "proved", "message": check(record)}
    except UnfairDeal as error:
        return {"state": "failed", "message": str(error)}
