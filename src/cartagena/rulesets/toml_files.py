"""Reading rule sets from TOML: the games of the package and files of users, checked in the same way."""

from collections.abc import Mapping
from datetime import date, time
from functools import cache
from typing import Any, Final

from cartagena.errors import RuleSetError, whole
from cartagena.errors import shown as shown_value

from .model import MAX_PIECES, RANGES, SWITCHES, RuleSet, most_pieces

GAMES: Final = ("jamaica", "tortuga", "hispaniola", "nest")
"""The games of the package.

>>> from cartagena.rulesets import GAMES
>>> GAMES
('jamaica', 'tortuga', 'hispaniola', 'nest')
"""
MAX_SHOWN: Final = 60
MAX_FILE: Final = 65536
OWN_KEYS: Final = (
    *("base", "name", "title", "signs", "board", "pieces", "islands", "style", "hands", *RANGES, "extra", *SWITCHES),
)
"""The keys of a file, in the order in which the page for designers explains them."""


def shown(value: object) -> str:
    """A wrong value for an error message: cut short, and lists and tables by their kind only."""
    if isinstance(value, str | bool | float):
        text = repr(value)
        return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."
    if isinstance(value, int):
        return str(value) if abs(value) < 10**MAX_SHOWN else "a number with too many digits"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "a table"
    return "a date or time" if isinstance(value, date | time) else shown_value(value, MAX_SHOWN)


def checked_number(where: str, key: str, value: object) -> int:
    """Check that a value is a whole number in the range of its key."""
    number, (low, high) = whole(value), RANGES[key]
    if number is None or not low <= number <= high:
        raise RuleSetError(f"{where}: {key} must be a whole number from {low} to {high}, not {shown(value)}.")
    return number


def checked_rules(where: str, entries: Mapping[str, Any]) -> dict[str, Any]:
    """Check the variable entries of a rule set and name them as the fields of the model."""
    changes: dict[str, Any] = {}
    for key, value in entries.items():
        if key in RANGES:
            changes[key] = checked_number(where, key, value)
        elif key in SWITCHES:
            if not isinstance(value, bool):
                raise RuleSetError(f"{where}: {key} must be true or false, not {shown(value)}.")
            changes[SWITCHES[key]] = value
        elif key == "style":
            if not isinstance(value, str) or value not in MAX_PIECES:
                raise RuleSetError(f"{where}: style must be printed or random, not {shown(value)}.")
            changes["style"] = value
        else:
            raise RuleSetError(f"{where}: {str(key)[:MAX_SHOWN]} is not a key; the keys are {', '.join(OWN_KEYS)}.")
    return changes


def shown_sizes(numbers: list[int]) -> str:
    """The first few of the wrong numbers of pieces, for an error message."""
    return ", ".join(shown(number) for number in numbers[:5]) or "an empty list"


def checked_islands(where: str, key: str, value: object, rules: RuleSet) -> tuple[int, ...]:
    """Check the pieces of each island: one tunnel of 1 to 6 (random: 8), or two islands of 1 and more."""
    given = [value] if key == "pieces" else value
    numbers = [number for number in map(whole, given) if number is not None] if isinstance(given, list) else []
    if not isinstance(given, list) or len(numbers) < len(given):
        raise RuleSetError(
            f"{where}: {key} must be {'a whole number' if key == 'pieces' else 'a list of whole numbers'}."
        )
    most = most_pieces(rules)
    if rules.nest:
        if key == "pieces" and numbers == [rules.pieces]:
            return rules.islands
        if key == "pieces" or len(numbers) != 2 or min(numbers) < 1 or sum(numbers) > most:
            wanted = str(rules.pieces) if key == "pieces" else f"two numbers from 1, {most} in all,"
            raise RuleSetError(f"{where}: {key} must be {wanted} in the nest, not {shown_sizes(numbers)}.")
        return tuple(numbers)
    if len(numbers) != 1 or not 1 <= numbers[0] <= most:
        extra = "" if rules.style == "random" else " (to 8 with style random)"
        raise RuleSetError(
            f"{where}: {key} must be one number from 1 to {most}{extra} in one tunnel, not {shown_sizes(numbers)}."
        )
    return tuple(numbers)


def check_size(where: str, size: int) -> None:
    """Refuse a file that is too large to be a rule set."""
    if size > MAX_FILE:
        raise RuleSetError(f"{where}: is larger than {MAX_FILE} bytes.")


def parse_toml(where: str, text: str) -> dict[str, Any]:
    """Parse TOML. Raises RuleSetError with one sentence."""
    import tomllib  # only when a rule set is read: keeps ``import cartagena`` light

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise RuleSetError(f"{where}: not valid TOML (nested too deeply).") from None
    except ValueError as error:  # broken TOML, and numbers of thousands of digits
        raise RuleSetError(f"{where}: not valid TOML ({str(error).rstrip('.')[:MAX_SHOWN]}).") from None


@cache
def game_file(game: str) -> dict[str, Any]:
    """The data of one of the games of the package."""
    from importlib.resources import files

    path = files("cartagena.rulesets") / "data" / f"{game}.toml"
    return parse_toml(f"{game}.toml", path.read_text(encoding="utf-8"))


def editions(game: str) -> tuple[str, ...]:
    """The editions of a game.

    >>> from cartagena.rulesets import editions
    >>> editions("nest")
    ('nl',)
    """
    if not isinstance(game, str) or game not in GAMES:
        raise RuleSetError(f"there is no game {shown(game)}; the games are {', '.join(GAMES)}.")
    return tuple(game_file(game)["editions"])


@cache
def edition_rules(game: str, edition: str) -> RuleSet:
    """The rule set of an edition, without options."""
    data = game_file(game)
    chosen = data["editions"][edition]
    changes = checked_rules(f"{game}.toml", {**data["rules"], **chosen["rules"]})
    return RuleSet(
        game=game,
        edition=edition,
        title=data["title"],
        about=data["about"],
        booklet=chosen["booklet"],
        letters=data["letters"],
        signs=tuple(data["signs"]),
        printed=tuple(data["printed"]),
        islands=tuple(data["islands"]),
        open_hands=data["hands"] == "open",
        row=data["row"],
        freebooters=data["freebooters"],
        limit=data["limit"],
        because={**data["because"], **chosen["because"]},
        **changes,
    )
