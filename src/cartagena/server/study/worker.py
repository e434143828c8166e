"""A study process: positions to try, records to read and to review.

One JSON request a line in; processor seconds, ``ok`` or ``no`` and JSON on one line out.
"""

import json
import os
import secrets
import sys
import time
from contextlib import suppress
from itertools import islice
from typing import Final, NotRequired, TypedDict

from cartagena.errors import CartagenaError, StudyError, UnfairDeal
from cartagena.game import Move, Position, Record
from cartagena.game.fair_deal import check
from cartagena.game.options import destination

from ..protocol.encoding import dumps, move_fields
from ..protocol.errors import Refused
from ..tables.updates import options_json, position_json
from .variants import check_variant

MAX_MOVES: Final = 3_000
MAX_ANSWER: Final = 4 << 20
REVIEW_NODES: Final = 300
"""Nodes for each decision of a review by the server, which must end within one request."""
MAX_DECISIONS: Final = 600
MEMORY: Final = 1 << 30  # bytes of address space


def refuse(error: Exception) -> Refused:
    """The refusal of a position, a move or a record."""
    return Refused("illegal", f"{str(error)[:300].rstrip('.')}.", reason=getattr(error, "reason", None))


def draw(position: Position) -> Move:
    """A random card, each kind as likely as its number of cards left."""
    chances = position.chances()
    if not chances:
        raise Refused("illegal", "A card is to be dealt that this view does not show.", reason="card-is-due")
    [card] = secrets.SystemRandom().choices(list(chances), list(chances.values()))
    return Move(f"+{card}")


def shown(position: Position) -> dict[str, object]:
    """A ``ShownPosition``."""
    return {"text": str(position), "position": position_json(position)}


class StudyRequest(TypedDict, total=False):
    """What a study process is asked: a position with moves to try, a record to read or review, rules to check."""

    position: str
    moves: list[str]
    record: str
    review: str
    variant: str


class Step(TypedDict):
    """A ``StudyStep``."""

    seat: int
    move: dict[str, object]
    to: str | None
    cards: list[str]
    draws: int
    turn: int
    drawn: NotRequired[list[str]]


class Walk:
    """A walk from a position. Deals belong to the move before them."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.steps: list[Step] = []
        self.after: list[Position] = []
        self.turn = 1

    def go(self, move: Move, after: Position | None = None) -> None:
        """Play a move or a deal. ``after`` is where it led in a record."""
        before = self.position
        self.position = before.play(move) if after is None else after
        if not move.is_chance:
            fields, to = move_fields(move), destination(before, move) or None
            step = Step(seat=before.turn, move=fields, to=to, cards=[], draws=0, turn=self.turn)
            if before.rules.row:
                step["drawn"] = []
            self.steps.append(step)
            self.after.append(self.position)
            self.turn += move.kind == "end"
        if self.steps:
            self.after[-1] = self.position
            step = self.steps[-1]
            gain = max(0, self.position.hand_size(step["seat"]) - before.hand_size(step["seat"]))
            dealt = [move.card] if move.is_chance and move.card else []
            step["draws"] += gain
            step["cards"] += [str(move)] if move.is_chance else []
            if "drawn" in step:
                step["drawn"] += [*before.row, *dealt][:gain]

    def deal_what_is_due(self) -> None:
        """Draw cards until a seat must choose."""
        while self.position.is_chance:
            self.go(draw(self.position))


def try_position(position: str, moves: list[str]) -> bytes:
    """A ``StudyPosition``: the moves played from a position."""
    walk = Walk(Position.parse(position))
    for word in moves:
        move = Move.parse(word)
        if not move.is_chance:
            walk.deal_what_is_due()
        walk.go(move)
    walk.deal_what_is_due()
    reached, outcome = walk.position, walk.position.outcome()
    drawn = "becalmed" if reached.is_becalmed else "deadlock"
    answer = {
        **shown(reached),
        "options": options_json(reached) if reached.turn else None,
        "outcome": outcome and {"winner": outcome.winner, "how": "home" if outcome.winner else drawn},
        "steps": walk.steps,
    }
    return dumps(answer)


def read_record(text: str) -> bytes:
    """A ``StudyRecord``: the steps of a record."""
    record = Record.parse(text.lstrip("\ufeff"))
    if len(record.moves) > MAX_MOVES:
        raise Refused("too-large", f"A record that is shown has at most {MAX_MOVES} moves.")
    walk = Walk(record.opening)
    for entry, after in zip(record.moves, islice(record.positions(), 1, None), strict=True):
        walk.go(entry.move, after)
    steps = [{**step, **shown(after)} for step, after in zip(walk.steps, walk.after, strict=True)]
    return dumps({"tags": record.tags, "opening": shown(record.opening), "steps": steps, "proof": proof_of(record)})


def review_record(text: str) -> bytes:
    """A ``ReviewedRecord``. The search is loaded here, in a study process; the serving process never has it."""
    from cartagena.players import Limit
    from cartagena.study import review

    record = Record.parse(text.lstrip("\ufeff"))
    if sum(not entry.move.is_chance for entry in record.moves) > MAX_DECISIONS:
        raise Refused("too-large", f"A game that is reviewed has at most {MAX_DECISIONS} decisions.")
    try:
        whole = review(record, Limit(nodes=REVIEW_NODES)).to_json()
    except StudyError as error:
        raise Refused("not-over", str(error)) from None
    return dumps({key: whole[key] for key in ("nodes", "seats", "decisions", "draws", "shares", "course")})


def proof_of(record: Record) -> dict[str, str]:
    """A ``Proof`` of the record's deal."""
    if "Secret" not in record.tags:
        return {"state": "none", "message": ""}
    try:
        return {"state": "consistent", "message": check(record)}
    except UnfairDeal as error:
        return {"state": "failed", "message": str(error)}


def answer_to(want: StudyRequest) -> bytes:
    """The answer to a question of any kind. Raises CartagenaError for wrong input."""
    if "review" in want:
        return review_record(want["review"])
    if "variant" in want:
        return check_variant(want["variant"])
    return read_record(want["record"]) if "record" in want else try_position(want["position"], want["moves"])


def work(want: StudyRequest) -> bytes:
    """Carry out one piece of work. Raises Refused and nothing else for wrong input."""
    try:
        text = answer_to(want)
    except CartagenaError as error:
        raise refuse(error) from None
    if len(text) > MAX_ANSWER:
        raise Refused("too-large", f"The answer would have more than {MAX_ANSWER >> 20} MB.")
    return text


def answer(line: bytes) -> bytes:
    """The answer to one request."""
    try:
        return b"ok " + work(json.loads(line))
    except Refused as error:
        refused = error
    except MemoryError:
        refused = Refused("too-large", "That is too much to be shown.")
    except Exception as error:  # a fault of ours, which must not end the process
        sys.stderr.write(f"study: {type(error).__name__}: {error}\n")
        refused = Refused("failed", "The server failed; the error is logged.")
    return b"no " + dumps(refused.wire.model_dump(exclude_none=True))


def timed_answer(line: bytes) -> bytes:
    """The processor seconds that a request took, a space, and its answer."""
    began = time.process_time()
    text = answer(line)
    return b"%.3f %s" % (time.process_time() - began, text)


def limit() -> None:
    """Run at low priority and with bounded memory."""
    with suppress(ImportError, OSError, ValueError, AttributeError):
        os.nice(10)
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    limit()
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(timed_answer(line) + b"\n")
        sys.stdout.buffer.flush()
