"""The inputs of verbs: positions as one word, nine words or standard input; records as files."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cartagena.game import CartagenaError, NotationError, Position, Record

WORDS: Final = 9
STDIN: Final = "-"
MAX_INPUT: Final = 4_000_000
LONGEST: Final = 4  # bytes of a character


def read_stdin() -> str:
    """Standard input as text, up to the size limit of a record."""
    data = sys.stdin.buffer.read(MAX_INPUT * LONGEST + 1)
    text = data.decode("utf-8-sig") if len(data) <= MAX_INPUT * LONGEST else None  # some editors begin with a mark
    if text is None or len(text) > MAX_INPUT:
        raise NotationError(f"standard input has more than {MAX_INPUT} characters")
    return text


def split_position(words: Sequence[str]) -> tuple[Position, list[str]]:
    """The position at the start of the words, and the words after it.

    A position is one word with spaces in it, nine words, or ``-`` for standard input.
    """
    if words[0] == STDIN:
        return Position.parse(read_stdin().strip()), list(words[1:])
    if " " in words[0].strip():
        return Position.parse(words[0]), list(words[1:])
    return Position.parse(" ".join(words[:WORDS])), list(words[WORDS:])


def read_position(words: Sequence[str]) -> Position:
    """The position that all words together are."""
    position, rest = split_position(words)
    if rest:
        raise NotationError(f"{rest[0][:40]!r} follows the nine words of the position")
    return position


def read_record(name: str) -> Record:
    """A record from a file or, for ``-``, from standard input."""
    return Record.parse(read_stdin()) if name == STDIN else read_file(name)


def read_file(name: str) -> Record:
    """A record from a file. Errors name the file."""
    try:
        return Record.read(name)
    except CartagenaError as error:
        said = str(error)
        raise NotationError(said if said.startswith(name) else f"{name}: {said}") from None


def is_record(text: str) -> bool:
    """True for a record: it has tags, is JSON, or has more than one line, unlike a position."""
    text = text.strip()
    return text.startswith(("[", "{")) or "\n" in text


def read_shown(words: Sequence[str]) -> Position:
    """A position, or the last position of a record."""
    text = read_stdin() if words[0] == STDIN else ""
    if len(words) == 1 and (is_record(text) or is_file_name(words[0])):
        record = Record.parse(text) if text else read_file(words[0])
        return record.final or record.opening
    return read_position([text.strip(), *words[1:]] if text else words)


def is_file_name(word: str) -> bool:
    """True where a single word names a file. A position has spaces."""
    return word != STDIN and (" " not in word.strip() or Path(word).is_file())
