"""Finding rule sets by name (``jamaica-en+pass``) or reading them from a file."""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from cartagena.errors import RuleSetError, shown, shown_path, takes

from .model import SWITCHES, RuleSet, check_fit
from .toml_files import (
    GAMES,
    MAX_FILE,
    MAX_SHOWN,
    check_size,
    checked_number,
    checked_rules,
    edition_rules,
    editions,
    parse_toml,
)
from .variants import is_odd, read_odd

NAME: Final = re.compile(r"([a-z]+)-([a-z]+)((?:[+-][a-z]+[0-9]*)*)")
OPTION: Final = re.compile(r"([+-])([a-z]+)([0-9]*)")


def names() -> tuple[str, ...]:
    """The names of all rule sets of the package, without options.

    >>> from cartagena.rulesets import names
    >>> "tortuga-de" in names()
    True
    """
    return tuple(f"{game}-{edition}" for game in GAMES for edition in editions(game))


def checked_switch(where: str, rules: RuleSet, word: str, value: bool) -> dict[str, Any]:
    """Check a switch: a rule that the game does not have stays off."""
    if value and word != "pass" and (word == "crew") != rules.nest:
        raise RuleSetError(f"{where}: {word} has no meaning in {rules.game}, it must be off.")
    return {SWITCHES[word]: value}


def option_change(where: str, rules: RuleSet, sign: str, word: str, number: str) -> dict[str, Any]:
    """Read an option of a name as a change of the model."""
    if word in SWITCHES and not number:
        return checked_switch(where, rules, word, sign == "+")
    if word in ("actions", "cards") and sign == "+" and number and str(int(number[:9])) == number:
        return {word: checked_number(where, word, int(number))}
    raise RuleSetError(
        f"{where}: {(sign + word + number)[:MAX_SHOWN]} is not an option; options are "
        f"+pass -pass +return -return +crew -crew +actionsN (1 to 5) +cardsN (2 to 20)."
    )


@takes(RuleSetError, name=str)
@lru_cache(maxsize=1024)
def by_name(name: str) -> RuleSet:
    """The rule set of that name. Options that change nothing are dropped.

    >>> from cartagena.rulesets import by_name
    >>> by_name("jamaica-en").title
    'Cartagena, Jamaica'
    """
    where = name[:MAX_SHOWN]
    match = NAME.fullmatch(name)
    if match is None or match[1] not in GAMES or match[2] not in editions(match[1]):
        raise RuleSetError(
            f"{where or 'an empty name'} is not a rule set; there are {', '.join(names())}, each with options."
        )
    rules = edition_rules(match[1], match[2])
    seen: set[str] = set()
    for sign, word, number in OPTION.findall(match[3]):
        rules = rules.changed(**option_change(where, rules, sign, word, number))
        if word in seen:
            raise RuleSetError(f"{where}: the option {word} is given twice.")
        seen.add(word)
    return rules


@takes(RuleSetError, rules=RuleSet, entries=Mapping, where=str)
def vary(rules: RuleSet, entries: Mapping[str, Any], where: str) -> RuleSet:
    """Change some entries of a rule set, checked like those of a file. ``where`` names the source in errors.

    >>> from cartagena.rulesets import by_name, vary
    >>> vary(by_name("jamaica-en"), {"pirates": 3, "pass": True}, "here")
    rule_set('jamaica-en+pass', pirates=3)
    """
    changes = checked_rules(where, {key: value for key, value in entries.items() if not is_odd(key, value)})
    for word, key in SWITCHES.items():
        if key in changes:
            checked_switch(where, rules, word, changes[key])
    rules = read_odd(where, entries, rules.changed(**changes))
    check_fit(where, rules)
    return rules


def rule_set(
    rules: str | RuleSet,
    *,
    pieces: int | None = None,
    pirates: int | None = None,
    deal: int | None = None,
    actions: int | None = None,
    cards: int | None = None,
    style: str | None = None,
    seats: int | None = None,
) -> RuleSet:
    """A rule set by its name or from its TOML file, with some sizes changed. Raises RuleSetError.

    >>> rule_set("jamaica-en+pass").may_pass
    True
    >>> rule_set("jamaica-en", pirates=3, pieces=2)
    rule_set('jamaica-en', pieces=2, pirates=3)
    """
    chosen = rules if isinstance(rules, RuleSet) else load(rules)
    sizes = {"pieces": pieces, "pirates": pirates, "deal": deal, "actions": actions, "cards": cards, "seats": seats}
    given = {key: value for key, value in {**sizes, "style": style}.items() if value is not None}
    return vary(chosen, given, chosen.name)


def rule_sets() -> tuple[RuleSet, ...]:
    """All rule sets of the package, without options.

    >>> [rules.name for rules in rule_sets()][:3]
    ['jamaica-en', 'jamaica-de', 'jamaica-nl']
    """
    return tuple(by_name(name) for name in names())


@takes(RuleSetError, text=str, where=str)
def from_toml(text: str, where: str = "rules.toml") -> RuleSet:
    """Read a rule set from TOML. ``where`` names the source in errors.

    >>> from cartagena.rulesets import from_toml
    >>> from_toml('base = "jamaica-en"\\npirates = 3')
    rule_set('jamaica-en', pirates=3)
    """
    check_size(where, len(text))
    return from_data(parse_toml(where, text), where)


@takes(RuleSetError, data=Mapping, where=str)
def from_data(data: Mapping[str, Any], where: str = "rules") -> RuleSet:
    """Read a rule set from the entries of its TOML file, as ``RuleSet.to_data`` gives them.

    >>> from cartagena.rulesets import from_data
    >>> from_data({"base": "jamaica-en", "pirates": 3})
    rule_set('jamaica-en', pirates=3)
    """
    base = data.get("base")
    if not isinstance(base, str):
        raise RuleSetError(f'{where}: base must name the rule set to start from, for example base = "jamaica-en".')
    try:
        rules = by_name(base)
    except RuleSetError as error:
        raise RuleSetError(f"{where}: base: {error}") from None
    return vary(rules, {key: value for key, value in data.items() if key != "base"}, where)


@takes(RuleSetError, path=(str, Path))
def from_file(path: str | Path) -> RuleSet:
    """Read a rule set from a TOML file.

    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> from cartagena.rulesets import from_file
    >>> file = Path(mkdtemp()) / "short.toml"
    >>> _ = file.write_text('base = "tortuga-en"\\npirates = 3')
    >>> from_file(file)
    rule_set('tortuga-en', pirates=3)
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_FILE + 1)
    except OSError as error:
        hint = "; from_toml reads a text" if "\n" in str(path) else ""
        reason = error.strerror or "it is not a file"
        raise RuleSetError(f"{shown_path(path)}: cannot be read: {reason}{hint}.") from None
    except ValueError:  # NUL or half a character in the name
        raise RuleSetError(f"{path}: cannot be read: it is not the name of a file.") from None
    check_size(str(path), len(data))
    try:
        text = data.decode("utf-8-sig")  # some editors begin a file with a byte-order mark
    except UnicodeDecodeError:
        raise RuleSetError(f"{path}: cannot be read: it is not UTF-8 text.") from None
    return from_toml(text, str(path))


def load(name: str) -> RuleSet:
    """The rule set of that name, or from that file where the name ends in ``.toml``.

    >>> from cartagena.rulesets import load
    >>> load("jamaica-en+pass").may_pass
    True
    """
    if not isinstance(name, str):
        raise RuleSetError(f"a rule set has a name, such as jamaica-en, not {shown(name)}.")
    if name.endswith(".toml"):
        return from_file(Path(name))
    return by_name(name)
