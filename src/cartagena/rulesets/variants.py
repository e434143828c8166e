"""The entries of a rule set's file that are more than one number: names, signs, the deck, the board, the hands."""

from collections.abc import Mapping
from typing import Any, Final

from cartagena.errors import RuleSetError, whole

from .model import MAX_TITLE, RANGES, RuleSet, is_name, is_title, islands_of, simplest
from .toml_files import checked_islands, shown

MIN_SIGNS: Final = 3
"""The fewest signs in play."""
AS_MANY: Final = "as many"
"""The number of cards that a retreat draws in the games of the package: as many as pirates stand there."""


def read_name(where: str, value: object) -> dict[str, Any]:
    """Read the variant's own name."""
    if not is_name(value):
        raise RuleSetError(f"{where}: name must be 1 to 40 letters, digits, _ . or -, not {shown(value)}.")
    return {"variant": value}


def read_title(where: str, value: object) -> dict[str, Any]:
    """Read the title of a variant."""
    if not is_title(value):
        raise RuleSetError(f"{where}: title must be one line of 1 to {MAX_TITLE} characters, not {shown(value)}.")
    return {"title": value}


def read_signs(where: str, value: object, rules: RuleSet) -> dict[str, Any]:
    """Read the signs in play. Printed pieces lose the fields of the others."""
    base = rules.default or rules
    if not isinstance(value, str) or not set(value) <= set(base.letters) or len(set(value)) != len(value):
        raise RuleSetError(f"{where}: signs must be letters of {base.letters}, each at most once, not {shown(value)}.")
    if len(value) < MIN_SIGNS:
        raise RuleSetError(f"{where}: signs must be at least {MIN_SIGNS} of {base.letters}, not {shown(value)}.")
    letters = "".join(letter for letter in base.letters if letter in value)
    counts = dict(zip(rules.letters, rules.deck, strict=False))
    return {
        "letters": letters,
        "signs": tuple(sign for letter, sign in zip(base.letters, base.signs, strict=True) if letter in letters),
        "printed": tuple("".join(letter for letter in piece if letter in letters) for piece in base.printed),
        "deck": tuple(counts.get(letter, rules.cards) for letter in letters) if counts else (),
    }


def read_deck(where: str, value: Mapping[str, Any], rules: RuleSet) -> dict[str, Any]:
    """Read a table with the number of cards of some signs. The others keep theirs."""
    most = RANGES["cards"][1]
    if not value:
        raise RuleSetError(f"{where}: cards must be a whole number or a table with the number of some signs.")
    counts = dict(zip(rules.letters, rules.counts, strict=True))
    for letter, given in value.items():
        number = whole(given)
        if letter not in tuple(rules.letters):
            raise RuleSetError(f"{where}: cards: {str(letter)[:20]} is not a sign in play; those are {rules.letters}.")
        if number is None or not 0 <= number <= most:
            raise RuleSetError(f"{where}: cards: {letter} must be a whole number from 0 to {most}, not {shown(given)}.")
        counts[letter] = number
    return {"deck": tuple(counts[letter] for letter in rules.letters)}


def read_hands(where: str, value: object) -> dict[str, Any]:
    """Read whether hands lie open."""
    if not isinstance(value, str) or value not in ("open", "hidden"):
        raise RuleSetError(f"{where}: hands must be open or hidden, not {shown(value)}.")
    return {"open_hands": value == "open"}


def read_draw(where: str, value: object) -> dict[str, Any]:
    """Read the number of cards that a retreat or a push draws."""
    number = 0 if isinstance(value, str) and value == AS_MANY else whole(value)
    if number not in (0, 1, 2):
        raise RuleSetError(f'{where}: draw must be 1, 2 or "{AS_MANY}", not {shown(value)}.')
    return {"draw": number}


def read_extra(where: str, value: object) -> dict[str, Any]:
    """Read the extra cards of seat 1, 2 and so on."""
    most = RANGES["deal"][1]
    given = value if isinstance(value, list) else [None]
    numbers = [number for number in map(whole, given) if number is not None and 0 <= number <= most]
    if len(numbers) < len(given) or len(given) > RANGES["seats"][1]:
        raise RuleSetError(
            f"{where}: extra must be a list of at most 5 whole numbers from 0 to {most}, one for each seat."
        )
    return {"extra": tuple(numbers)}


def read_board(where: str, entries: Mapping[str, Any], rules: RuleSet) -> dict[str, Any]:
    """Read the fixed board, or how many pieces are laid."""
    board = entries.get("board", rules.board)
    changes: dict[str, Any] = {}
    if "board" in entries or board:
        if not isinstance(board, str) or not board:
            raise RuleSetError(f"{where}: board must be a text such as BPHSDK/DBKPHS, not {shown(board)}.")
        changes = {"board": board, "islands": tuple(map(len, islands_of(board)))}
        rules = rules.changed(board=board)
    for key in ("pieces", "islands"):
        if key in entries:
            islands = checked_islands(where, key, entries[key], rules)
            if changes.setdefault("islands", islands) != islands:
                raise RuleSetError(f"{where}: {key} must be as many pieces as board has, or be left out.")
    return changes


def read_odd(where: str, entries: Mapping[str, Any], rules: RuleSet) -> RuleSet:
    """Read the entries that are not one number, in an order in which each finds what it depends on."""
    readers = {"name": read_name, "title": read_title, "hands": read_hands, "draw": read_draw, "extra": read_extra}
    changes: dict[str, Any] = {}
    for key, reader in readers.items():
        if key in entries:
            changes |= reader(where, entries[key])
    if "signs" in entries:
        changes |= read_signs(where, entries["signs"], rules)
    rules = rules.changed(**changes)
    if isinstance(entries.get("cards"), dict):
        rules = rules.changed(**read_deck(where, entries["cards"], rules))
    elif "cards" in entries:
        rules = rules.changed(deck=())
    return simplest(rules.changed(**read_board(where, entries, rules)))


def is_odd(key: str, value: object) -> bool:
    """True for an entry that ``read_odd`` reads."""
    odd = ("name", "title", "signs", "board", "hands", "draw", "extra", "pieces", "islands")
    return key in odd or (key == "cards" and isinstance(value, dict))
