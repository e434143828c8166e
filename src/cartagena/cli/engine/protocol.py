"""The engine protocol: one JSON object per line in, one JSON object per line out.

``Engine.answer`` turns a line of bytes into a line of bytes and never raises on what it was sent. A command is a
function from a request to the fields of its answer; ``Engine`` may be given more commands, such as ``go``.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, NoReturn

from cartagena import __version__
from cartagena.game import CartagenaError, Position, perft
from cartagena.game.variants import read_variant
from cartagena.rulesets import names

from ..interrupts import await_interrupt
from ..sentences import sentence

MAX_LINE: Final = 1 << 20
MAX_DEPTH: Final = 12
MAX_WORK: Final = 5_000_000

Answer = dict[str, Any]
Command = Callable[["Request"], Answer | None]


class RequestError(ValueError):
    """A request cannot be answered. ``code`` is for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@lru_cache(maxsize=256)
def read_position(text: str, variant: str = "") -> Position:
    """Parse a position, of a variant with its entries as JSON.

    Cached, because programs ask for the moves of a position and then for the result of each.
    """
    return Position.parse(text, read_variant(variant) if variant else None)


@dataclass(frozen=True)
class Request:
    """One request. Its methods return checked fields."""

    fields: Mapping[str, Any]
    id: Answer = field(default_factory=dict)
    """``{"id": …}`` as it was sent, or empty; every answer begins with it."""

    def text(self, key: str) -> str:
        value = self.fields.get(key)
        if not isinstance(value, str):
            raise RequestError("bad-request", f"{key} must be a text.")
        return value

    def number(self, key: str, low: int, high: int) -> int:
        value = self.fields.get(key)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise RequestError("bad-request", f"{key} must be a whole number from {low} to {high}.")
        return value

    def texts(self, key: str) -> list[str]:
        value = self.fields.get(key)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise RequestError("bad-request", f"{key} must be a list of texts.")
        return value

    def position(self, key: str = "position") -> Position:
        """The position of a field, read with the rule set of the field ``rules`` if there is one."""
        rules = self.fields.get("rules")
        if rules is not None and not isinstance(rules, dict):
            raise RequestError("bad-request", 'rules must be an object like {"base":"jamaica-en","draw":2}.')
        return read_position(self.text(key), json.dumps(rules) if rules is not None else "")


# --- the commands


def hello(_: Request) -> Answer:
    """Name and version of the engine, and its rule sets."""
    return {"name": "cartagena", "version": __version__, "rulesets": list(names())}


def legal(request: Request) -> Answer:
    """The legal moves, always in the same order."""
    return {"moves": request.position().legal_words()}


def apply(request: Request) -> Answer:
    """The position after some moves. Raises AtMove for one that is illegal."""
    position = request.position()
    for index, move in enumerate(request.texts("moves")):
        try:
            position = position.play(move)
        except CartagenaError as error:
            raise AtMove(index, error) from None
    return {"position": str(position)}


def count(request: Request) -> Answer:
    """The number of move sequences of a given length (perft)."""
    position, depth = request.position(), request.number("depth", 0, MAX_DEPTH)
    return {"perft": perft(position, depth, limit=MAX_WORK)}


def view(request: Request) -> Answer:
    """The view of a seat. Seat 0 is a spectator."""
    position = request.position()
    return {"position": str(position.view(request.number("seat", 0, position.seats)))}


COMMANDS: Final[Mapping[str, Command]] = {"hello": hello, "legal": legal, "apply": apply, "perft": count, "view": view}


class AtMove(Exception):
    """One of several moves is invalid."""

    def __init__(self, index: int, error: CartagenaError) -> None:
        super().__init__(str(error))
        self.index = index
        self.error = error


# --- lines


def refuse_number(text: str) -> NoReturn:
    raise RequestError("bad-json", f"{text[:20]} is not a number in JSON.")


def finite(text: str) -> float:
    """A JSON number with a point or an exponent. Raises RequestError for one too large for a float."""
    value = float(text)
    return value if math.isfinite(value) else refuse_number(text)


DECODER: Final = json.JSONDecoder(parse_constant=refuse_number, parse_float=finite)
ENCODER: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False)


def read_line(line: bytes) -> Request:
    """Parse one line as a request. Raises RequestError and nothing else."""
    try:
        value = DECODER.decode(line.decode("utf-8"))
    except UnicodeDecodeError:
        raise RequestError("bad-json", "The line is not UTF-8 text.") from None
    except RequestError:
        raise
    except (ValueError, RecursionError, MemoryError):
        raise RequestError("bad-json", "The line is not valid JSON.") from None
    if not isinstance(value, dict):
        raise RequestError("bad-request", 'A request is an object like {"id":1,"cmd":"hello"}.')
    return Request(value, {"id": value["id"]} if "id" in value else {})


def error_fields(error: Exception) -> Answer:
    """The fields of an error: a code, a sentence, and a reason or the faulty word where there is one."""
    if isinstance(error, AtMove):
        return {**error_fields(error.error), "index": error.index}
    said: Answer = {"code": getattr(error, "code", "error"), "message": sentence(str(error))}
    for key in ("reason", "word"):
        if getattr(error, key, ""):
            said[key] = getattr(error, key)
    return said


def write_line(answer: Answer) -> bytes:
    return ENCODER.encode(answer).encode("ascii") + b"\n"


@dataclass
class Engine:
    """The engine: it answers lines until it is told to quit."""

    commands: Mapping[str, Command] = field(default_factory=lambda: COMMANDS)
    running: bool = True

    def answer(self, line: bytes) -> bytes:
        """The answer to one line. It is empty for an empty line and for a request that is answered later."""
        if not line.strip():
            return b""
        begin: Answer = {}
        try:
            request = read_line(line)
            if isinstance(request.id.get("id"), dict | list):
                write_line(request.id)  # an id that can be parsed may still be nested too deeply to be written
            begin = request.id
            answer = self.perform(request)
        except (CartagenaError, RequestError, AtMove) as error:
            answer = {"error": error_fields(error)}
        except RecursionError:
            answer = {"error": {"code": "bad-json", "message": "The line is nested too deeply."}}
        except KeyboardInterrupt:
            await_interrupt()
            answer = {"error": {"code": "interrupted", "message": "The command was interrupted."}}
        return b"" if answer is None else write_line({**begin, **answer})

    def perform(self, request: Request) -> Answer | None:
        """Carry out one request."""
        name = request.text("cmd")
        if name == "quit":
            self.running = False
            return {"bye": True}
        if name not in self.commands:
            known = ", ".join([*self.commands, "quit"])
            raise RequestError("unknown-command", f"{name[:40]!r} is not a command; there are {known}.")
        return self.commands[name](request)


def too_long() -> bytes:
    """The answer to a line above the limit."""
    error = RequestError("too-long", f"A line has at most {MAX_LINE} bytes.")
    return write_line({"error": error_fields(error)})
