"""Rule sets by name (``jamaica-en+pass``) or by a person's own file."""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from .files import (
    GAMES,
    RANGES,
    SWITCHES,
    check_deal,
    checked_islands,
    checked_number,
    checked_rules,
    edition_rules,
    editions,
    parse_toml,
)
from .model import RuleSet, RuleSetError

NAME: Final = re.compile(r"([a-z]+)-([a-z]+)((?:[+-][a-z]+[0-9]*)*)")
OPTION: Final = re.compile(r"([+-])([a-z]+)([0-9]*)")
SIZES: Final = ("pieces", "islands")
MAX_FILE: Final = 65536


def names() -> tuple[str, ...]:
    """All rule sets that come along, without options."""
    return tuple(f"{game}-{edition}" for game in GAMES for edition in editions(game))


def checked_switch(where: str, rules: RuleSet, word: str, value: bool) -> dict[str, Any]:
    """A rule switched on or off; one that the game does not have stays off."""
    if value and word != "pass" and (word == "crew") != rules.nest:
        raise RuleSetError(f"{where}: {word} has no meaning in {rules.game}, it must be off.")
    return {SWITCHES[word]: value}


def option_change(name: str, rules: RuleSet, sign: str, word: str, number: str) -> dict[str, Any]:
    """One option of a name as a change of the model."""
    if word in SWITCHES and not number:
        return checked_switch(name, rules, word, sign == "+")
    if word in ("actions", "cards") and sign == "+" and number and str(int(number[:9])) == number:
        return {word: checked_number(name, word, int(number))}
    raise RuleSetError(
        f"{name}: {sign}{word}{number} is not an option; options are +pass -pass +return -return +crew -crew "
        f"+actionsN (1 to 5) +cardsN (2 to 20)."
    )


@lru_cache(maxsize=1024)
def by_name(name: str) -> RuleSet:
    """A rule set by its name; options that change nothing are read and dropped."""
    match = NAME.fullmatch(name)
    if match is None or match[1] not in GAMES or match[2] not in editions(match[1]):
        raise RuleSetError(f"{name[:60]} is not a rule set; there are {', '.join(names())}, with options behind.")
    rules = edition_rules(match[1], match[2])
    seen: set[str] = set()
    for sign, word, number in OPTION.findall(match[3]):
        rules = rules.with_(**option_change(name, rules, sign, word, number))
        if word in seen:
            raise RuleSetError(f"{name}: the option {word} stands there twice.")
        seen.add(word)
    return rules


def vary(rules: RuleSet, entries: Mapping[str, Any], where: str) -> RuleSet:
    """The rule set with some entries changed, each checked as in a person's own file; ``where`` names the source."""
    changes = checked_rules(where, {key: value for key, value in entries.items() if key not in SIZES})
    for word, key in SWITCHES.items():
        if key in changes:
            checked_switch(where, rules, word, changes[key])
    rules = rules.with_(**changes)
    for key in SIZES:
        if key in entries:
            rules = rules.with_(islands=checked_islands(where, key, entries[key], rules))
    check_deal(where, rules, rules.seats or RANGES["seats"][0])
    return rules


def from_toml(text: str, where: str = "rules.toml") -> RuleSet:
    """A person's own rule set from the text of a TOML file; ``where`` names it in messages."""
    data = parse_toml(where, text)
    base = data.pop("base", None)
    if not isinstance(base, str):
        raise RuleSetError(f'{where}: base must name the rule set to start from, for example base = "jamaica-en".')
    try:
        rules = by_name(base)
    except RuleSetError as error:
        raise RuleSetError(f"{where}: base: {error}") from None
    return vary(rules, data, where)


def from_file(path: Path) -> RuleSet:
    """A person's own rule set from a file."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
        text = data.decode("utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not UTF-8 text"
        raise RuleSetError(f"{path}: cannot be read: {reason}.") from None
    if len(data) > MAX_FILE:
        raise RuleSetError(f"{path}: is larger than {MAX_FILE} bytes.")
    return from_toml(text, str(path))


def load(name: str) -> RuleSet:
    """A rule set by name, or, where the name ends in ``.toml``, from that file."""
    if name.endswith(".toml"):
        return from_file(Path(name))
    return by_name(name)
