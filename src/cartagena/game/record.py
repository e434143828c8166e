"""Records: a game as text that replays without any random generator, with comments and evaluations; or as JSON."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from .errors import CartagenaError, IllegalMove, NotationError
from .move import Move
from .position import Position

TAG: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9_]{0,39}) "((?:[^"\\]|\\.)*)"\]')
TOKEN: Final = re.compile(r"\s*(?:([1-9][0-9]{0,6})\.(?=\s|$)|\{((?:[^}\\]|\\.)*)\}|([^\s{}]+))", re.DOTALL)
EVAL: Final = re.compile(r"\[%eval ((?:-?[0-9]+(?:\.[0-9]+)?)(?:,-?[0-9]+(?:\.[0-9]+)?)*)\] ?")
MAX_RECORD: Final = 4_000_000
UNFINISHED: Final = "*"


@dataclass(frozen=True)
class Entry:
    """A move with what was said about it: a comment, and an evaluation with a number for each seat."""

    move: Move
    comment: str = ""
    evaluation: tuple[float, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The same content as plain data; what was not said is left out."""
        item: dict[str, Any] = {"move": str(self.move)}
        if self.comment:
            item["comment"] = self.comment
        if self.evaluation:
            item["eval"] = list(self.evaluation)
        return item


def escape(text: str, mark: str) -> str:
    return text.replace("\\", "\\\\").replace(mark, "\\" + mark).replace("\n", "\\n").replace("\r", "\\r")


def unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: {"n": "\n", "r": "\r"}.get(match[1], match[1]), text, flags=re.DOTALL)


@dataclass(frozen=True)
class Record:
    """Tags, the opening position, and the moves. Made by ``of``, ``parse`` or ``read``, which replay and check it."""

    opening: Position
    moves: tuple[Entry, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    final: Position | None = None

    @classmethod
    def of(cls, opening: Position, moves: Iterable[Move | Entry], tags: Mapping[str, str] | None = None) -> "Record":
        """A record of these moves; raises IllegalMove with the number of the first one that does not fit."""
        entries = tuple(move if isinstance(move, Entry) else Entry(move) for move in moves)
        position = opening
        for number, entry in enumerate(entries, 1):
            try:
                position = position.play(entry.move)
            except IllegalMove as error:
                raise IllegalMove(f"move {number}, {entry.move}: {error}", error.reason) from None
        outcome = position.outcome()
        result = UNFINISHED if outcome is None else str(outcome)
        head = {"Rules": opening.rules.name}
        rest = {key: value for key, value in (tags or {}).items() if key not in ("Rules", "Result")}
        return cls(opening, entries, {**head, **rest, "Result": result}, position)

    def positions(self) -> Iterator[Position]:
        """The opening, then the position after each move."""
        position = self.opening
        yield position
        for entry in self.moves:
            position = position.play(entry.move)
            yield position

    def turns(self) -> list[list[Entry]]:
        """The moves turn by turn: each turn ends with ``end``, the last perhaps not."""
        turns: list[list[Entry]] = [[]]
        for entry in self.moves:
            turns[-1].append(entry)
            if entry.move.kind == "end":
                turns.append([])
        return turns if turns[-1] else turns[:-1]

    # --- text

    def __str__(self) -> str:
        tags = [f'[{key} "{escape(value, chr(34))}"]' for key, value in self.tags.items()]
        turns = [f"{number}. {' '.join(map(write_entry, turn))}" for number, turn in enumerate(self.turns(), 1)]
        return "\n".join([*tags, "", str(self.opening), *(["", *turns] if turns else []), ""])

    @classmethod
    def parse(cls, text: str) -> "Record":
        """Read a record, text or JSON. Raises NotationError, ImpossiblePosition or IllegalMove."""
        if len(text) > MAX_RECORD:
            raise NotationError(f"a record has at most {MAX_RECORD} characters", "record")
        if text.lstrip().startswith("{"):
            return cls._parse_json(text)
        lines = text.lstrip("\ufeff").splitlines()
        tags: dict[str, str] = {}
        while lines and (not lines[0].strip() or lines[0].lstrip().startswith("[")):
            line = lines.pop(0).strip()
            match = TAG.fullmatch(line)
            if match:
                tags[match[1]] = unescape(match[2])
            elif line:
                raise NotationError(f'{line[:40]} is not a tag like [Rules "jamaica-en"]', "tag")
        if not lines:
            raise NotationError("a record has an opening position behind its tags", "record")
        return cls._checked(lines[0], read_entries("\n".join(lines[1:])), tags)

    @classmethod
    def _checked(cls, opening: str, entries: list[Entry], tags: Mapping[str, str]) -> "Record":
        """Replay it, and hold the tags against what was played."""
        record = cls.of(Position.parse(opening), entries, tags)
        if tags.get("Rules", record.tags["Rules"]) != record.tags["Rules"]:
            raise NotationError(f"the tag Rules says {tags['Rules'][:40]}, the opening {record.tags['Rules']}", "Rules")
        if tags.get("Result", record.tags["Result"]) != record.tags["Result"]:
            raise NotationError(
                f"the tag Result says {tags['Result'][:20]}, the moves {record.tags['Result']}", "Result"
            )
        return record

    # --- JSON

    def to_json(self) -> dict[str, Any]:
        """The same content as plain data."""
        moves = [entry.to_json() for entry in self.moves]
        return {"tags": dict(self.tags), "opening": str(self.opening), "moves": moves}

    @classmethod
    def _parse_json(cls, text: str) -> "Record":
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise NotationError("the record is not valid JSON", "record") from None
        return cls.from_json(data)

    @classmethod
    def from_json(cls, data: object) -> "Record":
        """A record from what ``to_json`` gives."""
        if not isinstance(data, dict) or not isinstance(data.get("opening"), str):
            raise NotationError("a record in JSON is an object with tags, opening and moves", "record")
        tags, moves = data.get("tags", {}), data.get("moves", [])
        if not isinstance(tags, dict) or not all(isinstance(value, str) for value in tags.values()):
            raise NotationError("tags must be an object of texts", "tags")
        if not all(TAG.fullmatch(f'[{key} ""]') for key in tags):
            raise NotationError("a tag's name is letters, digits and _, starting with a letter", "tags")
        if not isinstance(moves, list):
            raise NotationError("moves must be a list", "moves")
        return cls._checked(data["opening"], [entry_from_json(item) for item in moves], tags)

    # --- files

    @classmethod
    def read(cls, path: str | Path) -> "Record":
        """Read a record file, text or JSON."""
        try:
            with Path(path).open("rb") as file:
                data = file.read(MAX_RECORD + 1)
            return cls.parse(data.decode("utf-8"))
        except OSError as error:
            raise CartagenaError(f"{path}: cannot be read: {error.strerror or 'unreadable'}") from None
        except UnicodeDecodeError:
            raise NotationError(f"{path}: is not UTF-8 text", "record") from None

    def write(self, path: str | Path) -> None:
        """Write a record file: JSON where the name ends in ``.json``, else text."""
        text = json.dumps(self.to_json(), indent=1) + "\n" if str(path).endswith(".json") else str(self)
        try:
            Path(path).write_text(text, encoding="utf-8")
        except OSError as error:
            raise CartagenaError(f"{path}: cannot be written: {error.strerror or 'unwritable'}") from None


def write_entry(entry: Entry) -> str:
    """A move with its comment and evaluation behind it, as in PGN."""
    notes = []
    if entry.evaluation:
        notes.append(f"[%eval {','.join(format(value, '.6g') for value in entry.evaluation)}]")
    if entry.comment:
        notes.append(escape(entry.comment, "}"))
    return f"{entry.move} {{{' '.join(notes)}}}" if notes else str(entry.move)


def read_entries(text: str) -> list[Entry]:
    """The moves with what stands behind them; turn numbers are read over."""
    entries: list[Entry] = []
    text = text.rstrip()  # so that the end is the end: a slice for each token would make long records quadratic
    end = 0
    while end < len(text):
        match = TOKEN.match(text, end)
        if match is None or (match[2] is not None and not entries):
            raise NotationError(f"{text[end : end + 60].strip()[:30]!r} is neither a move nor a comment", "moves")
        if match[3] is not None:
            entries.append(Entry(Move.parse(match[3])))
        elif match[2] is not None:
            entries[-1] = annotate(entries[-1], match[2])
        end = match.end()
    return entries


def annotate(entry: Entry, note: str) -> Entry:
    """The entry with a comment read behind it."""
    match = EVAL.match(note)
    values = tuple(float(value) for value in match[1].split(",")) if match else entry.evaluation
    comment = unescape(note[match.end() :] if match else note)
    return Entry(entry.move, f"{entry.comment} {comment}".strip() if entry.comment else comment, values)


def entry_from_json(item: object) -> Entry:
    """One move of the JSON form."""
    if not isinstance(item, dict) or not isinstance(item.get("move"), str):
        raise NotationError("each move is an object with a text move", "moves")
    comment, values = item.get("comment", ""), item.get("eval", [])
    numbers = isinstance(values, list) and all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
    if not isinstance(comment, str) or not numbers:
        raise NotationError("a comment is a text and an eval a list of numbers", "moves")
    return Entry(Move.parse(item["move"]), comment, tuple(float(value) for value in values))
