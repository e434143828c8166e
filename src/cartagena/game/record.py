"""Records: a game as text or JSON that replays without a random generator, with comments and evaluations."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import NoneType
from typing import Any, Final, NoReturn

from cartagena.errors import CartagenaError, IllegalMove, NotationError, has_parts, of_kind, shown, shown_path
from cartagena.rulesets import RuleSet, RuleSetError, by_name

from .entries import Entry, entry_from_json, escape, read_entries, unescape, write_entry
from .files import as_path, write_whole
from .move import Move
from .position import Position, as_position
from .variants import VARIANT, recorded_rules, variant_text

TAG: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9_]{0,39}) "((?:[^"\\]|\\.)*)"\]')
LINE: Final = re.compile(r"([^\r\n]+)\s*")  # other line separators are part of a tag
TAGS: Final = re.compile(r'\[[A-Za-z]\w* "')
PARTS: Final = re.compile(r'^(?P<tag>\[[A-Za-z]\w* "[^\n]*)$|\{(?:[^}\\]|\\.)*\}|[^\s{]+', re.MULTILINE | re.DOTALL)
"""A tag at the beginning of a line, a comment, or a word: a line in a comment may look like a tag."""
MAX_RECORD: Final = 4_000_000
MAX_FILE: Final = 400_000_000
UNFINISHED: Final = "*"
DERIVED_TAGS: Final = ("Rules", VARIANT, "Result")


class Tags(dict[str, str]):
    """The tags of a record. They cannot be changed, so that a record stays the same value."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("the tags of a record cannot be changed; make a new record")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type["Tags"], tuple[dict[str, str]]]:
        return Tags, (dict(self),)


@dataclass(frozen=True)
class Record:
    """A game as it was played: the opening, the moves with their dealt cards, and tags.

    The moves are replayed. Raises IllegalMove with the number of the first move that does not fit. The tags ``Rules``,
    ``Variant`` (only where a rule set has more than its name says) and ``Result`` always follow from the game.

    >>> opening = "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0"
    >>> record = Record(opening, ["s:B", "end"], {"Event": "Tea"})
    >>> print(record)
    [Rules "jamaica-en"]
    [Event "Tea"]
    [Result "*"]
    <BLANKLINE>
    jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0
    <BLANKLINE>
    1. s:B end
    <BLANKLINE>
    >>> record == Record.parse(str(record))
    True
    """

    opening: Position
    moves: tuple[Entry, ...]
    tags: Mapping[str, str]
    final: Position = field(repr=False, compare=False)
    """The position after the last move."""

    def __init__(
        self,
        opening: Position | str,
        moves: Iterable[Move | Entry | str] = (),
        tags: Mapping[str, str] | None = None,
    ) -> None:
        first = as_position(opening)
        entries, final = replay(first, moves)
        outcome = final.outcome()
        result = UNFINISHED if outcome is None else str(outcome)
        rest = {
            key: value for key, value in check_tags({} if tags is None else tags).items() if key not in DERIVED_TAGS
        }
        variant = variant_text(first.rules)
        named = {"Rules": first.rules.name, **({VARIANT: variant} if variant else {})}
        freeze = object.__setattr__
        freeze(self, "opening", first)
        freeze(self, "moves", entries)
        freeze(self, "tags", Tags({**named, **rest, "Result": result}))
        freeze(self, "final", final)

    def positions(self) -> Iterator[Position]:
        """The opening, then the position after each move."""
        return course(self.opening, (entry.move for entry in self.moves))

    def turns(self) -> list[list[Entry]]:
        """The moves turn by turn. Each turn but the last ends with ``end``."""
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
    def parse(cls, text: str, rules: RuleSet | None = None) -> "Record":
        """Read a record, text or JSON. Raises NotationError, ImpossiblePosition or IllegalMove.

        ``rules`` are those of a variant, for a record that has no tag ``Variant``.
        """
        if not isinstance(text, str):
            raise NotationError(f"a record is text, not {shown(text)}", "record")
        if len(text) > MAX_RECORD:
            raise NotationError(f"a record has at most {MAX_RECORD} characters", "record")
        text = text.lstrip("\ufeff")
        if text.lstrip().startswith("{"):
            return cls._parse_json(text, rules)
        tags, opening, rest = read_head(text)
        return cls._checked(opening, read_entries(rest), tags, rules)

    @classmethod
    def _checked(
        cls, opening: str, entries: Iterable[Entry], tags: Mapping[str, str], rules: RuleSet | None
    ) -> "Record":
        """Make a record whose tags say what was played."""
        given = of_kind(NotationError, "rules", rules, (RuleSet, NoneType))
        record = cls(Position(opening, recorded_rules(tags, opening, given)), entries, tags)
        if canonical(tags.get("Rules", record.tags["Rules"])) != record.tags["Rules"]:
            raise NotationError(f"the tag Rules says {tags['Rules'][:40]}, the opening {record.tags['Rules']}", "Rules")
        unended = (UNFINISHED,) if record.final.is_becalmed else ()  # such a game went on before that ruling
        if tags.get("Result", record.tags["Result"]) not in (record.tags["Result"], *unended):
            raise NotationError(
                f"the tag Result says {tags['Result'][:20]}, the moves {record.tags['Result']}", "Result"
            )
        return record

    # --- JSON

    def to_json(self) -> dict[str, object]:
        """The same content as plain data."""
        moves = [entry.to_json() for entry in self.moves]
        return {"tags": dict(self.tags), "opening": str(self.opening), "moves": moves}

    @classmethod
    def _parse_json(cls, text: str, rules: RuleSet | None) -> "Record":
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise NotationError("the record is not valid JSON", "record") from None
        return cls.from_json(data, rules)

    @classmethod
    def from_json(cls, data: object, rules: RuleSet | None = None) -> "Record":
        """Read a record from the data that ``to_json`` gives, with ``rules`` as for ``parse``."""
        if not isinstance(data, dict) or not isinstance(data.get("opening"), str):
            raise NotationError("a record in JSON is an object with tags, opening and moves", "record")
        tags, moves = data.get("tags", {}), data.get("moves", [])
        if not isinstance(moves, list):
            raise NotationError("moves must be a list", "moves")
        return cls._checked(data["opening"], map(entry_from_json, moves), check_tags(tags), rules)

    # --- files

    @classmethod
    def read(cls, path: str | Path, rules: RuleSet | None = None) -> "Record":
        """Read a record file, text or JSON, with ``rules`` as for ``parse``. ``read_all`` reads a list of records."""
        text = read_text(path, MAX_RECORD)
        try:
            return cls.parse(text, rules)
        except CartagenaError:
            if is_list(text):
                raise NotationError(f"{path}: holds a list of records; Record.read_all reads it", "record") from None
            raise

    @classmethod
    def read_all(cls, path: str | Path) -> list["Record"]:
        """Read a file of any number of records: text in which each begins with its tags, or a list in JSON.

        >>> from pathlib import Path
        >>> from tempfile import mkdtemp
        >>> from cartagena import Record
        >>> file = Path(mkdtemp()) / "games.txt"
        >>> opening = "jamaica-en BDHKPS 5,b/2,2 BS/H2 - B16D17H15K17P17S16 - - 1.0"
        >>> Record.write_all(file, [Record(opening, ["5:S"]), Record(opening, ["5:B"])])
        >>> [str(record.moves[0].move) for record in Record.read_all(file)]
        ['5:S', '5:B']
        """
        text = read_text(path, MAX_FILE)
        if len(text) > MAX_FILE:
            raise NotationError(f"{path}: has more than {MAX_FILE} characters; split it", "record")
        text = text.lstrip("\ufeff")
        if not text.lstrip().startswith("["):
            return [cls.parse(text)] if text.strip() else []
        if TAGS.match(text.lstrip()):
            return [cls.parse(part) for part in separated(text)]
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise NotationError(f"{path}: has neither records as text nor a list of them in JSON", "record") from None
        return [cls.from_json(each) for each in data]

    def write(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write a record file, completely or not at all: JSON if the name ends in ``.json``, else text.

        A file that holds anything but records is replaced only with ``overwrite``.
        """
        is_json = str(path).endswith(".json")
        check_replaced(path, overwrite)
        write_whole(path, json.dumps(self.to_json(), indent=1) + "\n" if is_json else str(self))

    @staticmethod
    def write_all(path: str | Path, records: Iterable["Record"], *, overwrite: bool = False) -> None:
        """Write records to one file, as ``write`` does, for ``read_all``."""
        listed: list[Any] = list(records) if has_parts(records) else [records]
        if not all(isinstance(each, Record) for each in listed):
            raise NotationError("a file of records is written from a list of records", "record")
        is_json = str(path).endswith(".json")
        check_replaced(path, overwrite)
        whole = json.dumps([each.to_json() for each in listed], indent=1) + "\n"
        write_whole(path, whole if is_json else "\n".join(map(str, listed)))


def read_text(path: str | Path, most: int) -> str:
    """The text of a file, or as many characters as show that it has more than the most. Raises CartagenaError."""
    file_path = as_path(path)
    try:
        with file_path.open(encoding="utf-8", newline="") as file:
            return file.read(most + 1)
    except OSError as error:
        hint = "; Record.parse reads a text" if "\n" in str(path) else ""
        reason = error.strerror or "unreadable"
        raise CartagenaError(f"{shown_path(path)}: cannot be read: {reason}{hint}") from None
    except UnicodeDecodeError:
        raise NotationError(f"{path}: is not UTF-8 text", "record") from None


def check_replaced(path: str | Path, overwrite: bool) -> None:
    """Raise CartagenaError where a file would be lost that is no file of records."""
    file_path = as_path(path)
    of_kind(CartagenaError, "overwrite", overwrite, bool)
    try:
        if overwrite or not file_path.is_file() or not file_path.stat().st_size:
            return
        Record.read_all(path)
    except OSError:
        return  # a name that no file can have; writing it says so
    except CartagenaError:
        raise CartagenaError(f"{path}: is there already and is no record; overwrite=True replaces it") from None


def separated(text: str) -> Iterator[str]:
    """The records of a text. Each but the first begins with the first tag after a line that is none."""
    start, moves = 0, False
    for match in PARTS.finditer(text):
        if match["tag"] is None:
            moves = True
        elif moves:
            yield text[start : match.start()]
            start, moves = match.start(), False
    yield text[start:]


def is_list(text: str) -> bool:
    """Whether the text, or a file that begins so, is a list of records: one after another, or in JSON."""
    inner = text.lstrip("\ufeff").lstrip()
    if inner.startswith("[") and not TAGS.match(inner):
        return inner[1:].lstrip().startswith("{")
    return len(list(islice(separated(text), 2))) > 1


def check_tags(tags: object) -> dict[str, str]:
    """The tags as a new dictionary. Raises NotationError where a record cannot hold them."""
    if not isinstance(tags, Mapping) or not all(isinstance(value, str) for value in tags.values()):
        raise NotationError("tags must be an object of texts", "tags")
    if not all(TAG.fullmatch(f'[{key} ""]') for key in tags):
        raise NotationError("a tag's name is letters, digits and _, starting with a letter", "tags")
    return dict(tags)


def replay(position: Position, moves: Iterable[Move | Entry | str]) -> tuple[tuple[Entry, ...], Position]:
    """Play the moves. Returns them as entries, with the position at the end."""
    if not has_parts(moves):
        raise NotationError(f"the moves of a record are a list, not {shown(moves)}", "moves")
    entries: list[Entry] = []

    def listed() -> Iterator[Move]:
        for move in moves:
            entries.append(move if isinstance(move, Entry) else Entry(move))
            yield entries[-1].move

    try:
        *_, final = course(position, listed())
    except IllegalMove as error:
        raise IllegalMove(f"move {len(entries)}, {entries[-1].move}: {error}", error.reason) from None
    return tuple(entries), final


def course(position: Position, moves: Iterable[Move]) -> Iterator[Position]:
    """The position, then the one after each move. Raises IllegalMove.

    A record may go on after a becalmed position: games did before that ruling. Only the last move ends the game.
    """
    before, last = position, None
    for move in moves:
        if last is not None and position.is_over:
            position = before.play_on(last)
        yield position
        before, position, last = position, position.play(move), move
    yield position


def canonical(name: str) -> str:
    """The canonical name of a rule set. Other text is returned unchanged."""
    try:
        return by_name(name).name
    except RuleSetError:
        return name


def read_head(text: str) -> tuple[dict[str, str], str, str]:
    """Split a record into its tags, the line of the opening, and the text of the moves."""
    tags: dict[str, str] = {}
    text = text.strip()
    for match in LINE.finditer(text):
        line = match[1].rstrip()
        tag = TAG.fullmatch(line)
        if tag:
            tags[tag[1]] = unescape(tag[2])
        elif line.startswith("["):
            raise NotationError(f'{line[:40]} is not a tag like [Rules "jamaica-en"]', "tag")
        else:
            return tags, line, text[match.end() :]
    raise NotationError("a record has an opening position after its tags", "record")
