"""The inputs of verbs: positions as one word, nine words or standard input; records as files.

``rules`` is what the option ``--rules`` names: the rule set of the position or the record, or None.
"""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cartagena.game import CartagenaError, NotationError, Position, Record
from cartagena.rulesets import RuleSet, load

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


def given_rules(rules: str | None) -> RuleSet | None:
    """The rule set of ``--rules``."""
    return None if rules is None else load(rules)


def split_position(words: Sequence[str], rules: str | None) -> tuple[Position, list[str]]:
    """The position at the start of the words, and the words after it.

    A position is one word with spaces in it, nine words, or ``-`` for standard input.
    """
    given = given_rules(rules)
    if words[0] == STDIN:
        return Position.parse(read_stdin().strip(), given), list(words[1:])
    if " " in words[0].strip():
        return Position.parse(words[0], given), list(words[1:])
    return Position.parse(" ".join(words[:WORDS]), given), list(words[WORDS:])


def read_position(words: Sequence[str], rules: str | None) -> Position:
    """The position that all words together are."""
    position, rest = split_position(words, rules)
    if rest:
        raise NotationError(f"{rest[0][:40]!r} follows the nine words of the position")
    return position


def read_record(name: str, rules: str | None) -> Record:
    """A record from a file or, for ``-``, from standard input."""
    given = given_rules(rules)
    return Record.parse(read_stdin(), given) if name == STDIN else read_file(name, given)


def read_file(name: str, rules: RuleSet | None) -> Record:
    """A record from a file. Errors name the file."""
    try:
        return Record.read(name, rules)
    except CartagenaError as error:
        said = str(error)
        raise NotationError(said if said.startswith(name) else f"{name}: {said}") from None


def is_record(text: str) -> bool:
    """True for a record: it has tags, is JSON, or has more than one line, unlike a position."""
    text = text.strip()
    return text.startswith(("[", "{")) or "\n" in text


def read_shown(words: Sequence[str], rules: str | None) -> Position:
    """A position, or the last position of a record."""
    text = read_stdin() if words[0] == STDIN else ""
    if len(words) == 1 and (is_record(text) or is_file_name(words[0])):
        given = given_rules(rules)
        record = Record.parse(text, given) if text else read_file(words[0], given)
        return record.final or record.opening
    return read_position([text.strip(), *words[1:]] if text else words, rules)


def is_file_name(word: str) -> bool:
    """True where a single word names a file. A position has spaces."""
    return word != STDIN and (" " not in word.strip() or Path(word).is_file())
