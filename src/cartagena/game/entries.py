"""The moves of a record with their comments and evaluations, as text in the manner of PGN and as JSON."""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from cartagena.errors import NotationError

from .move import Move

TOKEN: Final = re.compile(r"\s*(?:([1-9][0-9]{0,6})\.(?=\s|$)|\{((?:[^}\\]|\\.)*)\}|([^\s{}]+))", re.DOTALL)
NUMBER: Final = r"-?[0-9]{1,25}(?:\.[0-9]{1,25})?(?:e[-+]?[0-9]{1,3})?"
EVAL: Final = re.compile(rf"\[%eval ({NUMBER}(?:,{NUMBER})*)\] ?")
EVAL_MARK: Final = "[%eval "
MAX_VALUE: Final = sys.float_info.max


@dataclass(frozen=True)
class Entry:
    """A move of a record with a comment and an evaluation, which has a number for each seat.

    Raises NotationError for a comment or an evaluation that no record can hold.

    >>> Entry("s:B", "a long jump", (0.75, 0.25))
    Entry(move=Move('s:B'), comment='a long jump', evaluation=(0.75, 0.25))
    """

    move: Move
    comment: str = ""
    evaluation: tuple[float, ...] = ()

    def __init__(self, move: Move | str, comment: str = "", evaluation: Sequence[float] = ()) -> None:
        if not isinstance(comment, str) or not isinstance(evaluation, list | tuple):
            raise NotationError("a comment is a text and an eval a list of numbers", "moves")
        freeze = object.__setattr__
        freeze(self, "move", move if isinstance(move, Move) else Move(move))
        freeze(self, "comment", comment)
        freeze(self, "evaluation", tuple(map(finite_number, evaluation)))

    def to_json(self) -> dict[str, object]:
        """The same content as plain data, without empty parts."""
        item: dict[str, object] = {"move": str(self.move)}
        if self.comment:
            item["comment"] = self.comment
        if self.evaluation:
            item["eval"] = list(self.evaluation)
        return item


def finite_number(value: object) -> float:
    """A number of an evaluation as a float. Raises NotationError where it cannot be written and read again."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not -MAX_VALUE <= value <= MAX_VALUE:
        raise NotationError("an eval is a list of finite numbers", "moves")
    return float(value)


def escape(text: str, mark: str) -> str:
    """Escape line breaks, backslashes and the ``mark``. ``unescape`` undoes it."""
    return text.replace("\\", "\\\\").replace(mark, "\\" + mark).replace("\n", "\\n").replace("\r", "\\r")


def unescape(text: str) -> str:
    if "\\" not in text:
        return text
    return re.sub(r"\\(.)", lambda match: {"n": "\n", "r": "\r"}.get(match[1], match[1]), text, flags=re.DOTALL)


def write_entry(entry: Entry) -> str:
    """Write a move with its comment and evaluation, as in PGN."""
    notes = []
    if entry.evaluation:
        notes.append(f"[%eval {','.join(map(repr, entry.evaluation))}]")
    if entry.comment:
        comment = escape(entry.comment, "}")
        notes.append("\\" + comment if comment.startswith(EVAL_MARK) else comment)
    return f"{entry.move} {{{' '.join(notes)}}}" if notes else str(entry.move)


def tokens(text: str) -> Iterator[re.Match[str]]:
    """Split the moves into turn numbers, comments and moves."""
    text = text.rstrip()  # the loop ends at the last token; slicing the text would make it quadratic
    end = 0
    while end < len(text):
        match = TOKEN.match(text, end)
        if match is None:
            raise NotationError(f"{text[end : end + 60].strip()[:30]!r} is neither a move nor a comment", "moves")
        yield match
        end = match.end()


def read_entries(text: str) -> Iterator[Entry]:
    """Read the moves with their comments. Turn numbers are skipped."""
    move: Move | None = None
    notes: list[str] = []
    for match in tokens(text):
        if match[3] is not None:
            if move is not None:
                yield annotated(move, notes)
            move, notes = Move(match[3]), []
        elif match[2] is not None:
            notes.append(match[2])
            if move is None:
                raise NotationError(f"{notes[0][:30]!r} is a comment with no move before it", "moves")
    if move is not None:
        yield annotated(move, notes)


def annotated(move: Move, notes: list[str]) -> Entry:
    """Join the comments after a move. The last of several evaluations counts."""
    comments, values = [], ""
    for note in notes:
        match = EVAL.match(note) if note.startswith(EVAL_MARK) else None
        values = match[1] if match else values
        comments.append(unescape(note[match.end() :] if match else note))
    comment = " ".join(filter(None, comments))
    return Entry(move, comment, [float(value) for value in values.split(",") if value])


def entry_from_json(item: object) -> Entry:
    """Read one move of the JSON form."""
    if not isinstance(item, dict) or not isinstance(item.get("move"), str):
        raise NotationError("each move is an object with a text move", "moves")
    return Entry(item["move"], item.get("comment", ""), item.get("eval", []))
