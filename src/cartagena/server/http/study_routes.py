"""Positions to try and records to read, without a table: what the tutorial, the examples and replays stand on.

Nothing is kept. The rules are asked of the kernel, as at a table; cards that are drawn come at random.
"""

import secrets
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends
from pydantic import Field

from cartagena.errors import CartagenaError, UnfairDeal
from cartagena.game import Move, Position, Record
from cartagena.game.fair_deal import check
from cartagena.game.options import destination

from ..protocol.errors import Refused
from ..protocol.requests import Message, example
from ..protocol.responses import Options, PositionJson
from ..tables.visible import options_json, position_json
from .routes import ANSWERS, limit_requests

START = "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0"

router = APIRouter(prefix="/api/study", responses=ANSWERS, dependencies=[Depends(limit_requests)])


class TryPosition(Message):
    """A position, and moves to play from it. Cards that fall due are dealt at random unless a move names them."""

    model_config = example({"position": START, "moves": ["s:B"]})

    position: str = Field(max_length=1000)
    moves: list[Annotated[str, Field(max_length=16)]] = Field(default=[], max_length=100)


class StudyStep(Message):
    """A move that was played: who, where the pirate ended, the deals it brought, and the position after it."""

    seat: int
    move: str
    to: str | None
    cards: list[str]
    draws: int
    turn: int
    text: str


class StudyPosition(Message):
    """The position reached, with what can be chosen from there."""

    text: str
    position: PositionJson
    options: Options | None
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
    opening: str
    steps: list[StudyStep]
    proof: Proof


def refuse(error: Exception) -> Refused:
    return Refused("illegal", f"{str(error)[:300].rstrip('.')}.", reason=getattr(error, "reason", None))


def deal(position: Position) -> Move:
    """The card that comes, each as likely as there are of it."""
    chances = position.chances()
    if not chances:
        raise Refused("illegal", "A card is to be dealt that this view does not show.", reason="card-is-due")
    [card] = secrets.SystemRandom().choices(list(chances), list(chances.values()))
    return Move(f"+{card}")


class Walk:
    """A walk from a position, with the cards each move brought counted to that move."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.steps: list[dict[str, Any]] = []
        self.turn = 1

    def go(self, move: Move) -> None:
        before = self.position
        self.position = before.play(move)
        if move.is_chance:
            if self.steps:
                self.steps[-1]["cards"].append(str(move))
                self.steps[-1]["draws"] += self._gain(before, self.steps[-1]["seat"])
                self.steps[-1]["text"] = str(self.position)
            return
        seat = before.turn
        step = {"seat": seat, "move": str(move), "to": destination(before, move) or None, "cards": []}
        draws = self._gain(before, seat)
        self.steps.append({**step, "draws": draws, "turn": self.turn, "text": str(self.position)})
        self.turn += move.kind == "end"

    def _gain(self, before: Position, seat: int) -> int:
        return max(0, self.position.hand_size(seat) - before.hand_size(seat))

    def deal_what_is_due(self) -> None:
        while self.position.is_chance:
            self.go(deal(self.position))


@router.post("/position", response_model=StudyPosition)
def try_position(want: TryPosition) -> dict[str, Any]:
    """Play moves from any position, or just look at it."""
    try:
        walk = Walk(Position.parse(want.position))
        for text in want.moves:
            move = Move.parse(text)
            if not move.is_chance:
                walk.deal_what_is_due()
            walk.go(move)
        walk.deal_what_is_due()
    except CartagenaError as error:
        raise refuse(error) from None
    found = walk.position
    told = {"text": str(found), "position": position_json(found), "steps": walk.steps}
    return told | {"options": options_json(found) if found.turn else None}


@router.post("/record", response_model=StudyRecord)
def read_record(want: ReadRecord) -> dict[str, Any]:
    """A record as steps that can be shown, with the proof of its deal where it carries one."""
    try:
        record = Record.parse(want.record.lstrip("\ufeff"))
        walk = Walk(record.opening)
        for entry in record.moves:
            walk.go(entry.move)
    except CartagenaError as error:
        raise refuse(error) from None
    return {"tags": record.tags, "opening": str(record.opening), "steps": walk.steps, "proof": proof_of(record)}


def proof_of(record: Record) -> dict[str, str]:
    if "Secret" not in record.tags:
        return {"state": "none", "message": ""}
    try:
        return {"state": "proved", "message": check(record)}
    except UnfairDeal as error:
        return {"state": "failed", "message": str(error)}
