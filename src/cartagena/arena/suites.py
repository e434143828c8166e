"""Suites of openings: fixed boards and deals, so that results of different days and machines can be compared.

A suite is a text file with one opening position a line; lines that begin with ``#`` are remarks. The suites of the
package are in ``data/suites``, one for each game and number of seats; ``standard`` chooses among them.
"""

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from cartagena.errors import CartagenaError, PlayerError, takes
from cartagena.game import Game, Position
from cartagena.rulesets import RuleSet, by_name

STANDARD: Final = "standard"


@dataclass(frozen=True)
class Suite:
    """Openings for one rule set and number of seats. The cards of deal d follow from the name of the suite and d.

    >>> from cartagena import rule_set
    >>> from cartagena.arena import load_suite
    >>> load_suite("standard", rule_set("jamaica-en"), 2).name
    'jamaica-en-2'
    """

    name: str
    positions: tuple[str, ...]

    @property
    def digest(self) -> str:
        """A short hash of the openings."""
        return hashlib.sha256("\n".join(self.positions).encode()).hexdigest()[:16]


def suite_names() -> tuple[str, ...]:
    """The suites of the package: the name of a rule set and a number of seats.

    >>> from cartagena.arena import suite_names
    >>> "jamaica-en-2" in suite_names()
    True
    """
    folder = files("cartagena.arena") / "data" / "suites"
    return tuple(sorted(file.name.removesuffix(".txt") for file in folder.iterdir() if file.name.endswith(".txt")))


@takes(PlayerError, name=str, rules=RuleSet, seats=int)
def load_suite(name: str, rules: RuleSet, seats: int) -> Suite:
    """The suite ``standard`` for a rule set, one of the package by its name, or one from a file. Raises PlayerError.

    >>> from cartagena import rule_set
    >>> from cartagena.arena import load_suite
    >>> len(load_suite("standard", rule_set("jamaica-en"), 2).positions)
    24
    """
    chosen = f"{rules.name}-{seats}" if name == STANDARD else name
    if chosen in suite_names():
        check_content(chosen, rules)
        text = (files("cartagena.arena") / "data" / "suites" / f"{chosen}.txt").read_text(encoding="utf-8")
    elif name == STANDARD:
        raise PlayerError(
            f"there is no suite for {rules.name} with {seats} seats; there are {', '.join(suite_names())}"
        )
    else:
        text = read_file(name)
    lines = [line.strip() for line in text.splitlines()]
    positions = tuple(line for line in lines if line and not line.startswith("#"))
    if not positions:
        raise PlayerError(f"{name}: has no opening")
    for number, line in enumerate(positions, 1):
        check(f"{name}: opening {number}", line, rules, seats)
    return Suite(chosen, positions)


def read_file(name: str) -> str:
    """The text of a file of openings."""
    try:
        return Path(name).read_text(encoding="utf-8")
    except (OSError, ValueError):
        known = ", ".join([STANDARD, *suite_names()])
        raise PlayerError(f"{name}: is neither a file of openings nor a suite; there are {known}") from None


def check_content(suite: str, rules: RuleSet) -> None:
    """Raise PlayerError where a rule set is not the one of its name, for which a suite of the package was dealt."""
    if rules.changed(seats=None).digest != by_name(rules.name).digest:
        raise PlayerError(f"the suite {suite} is for {rules.name} itself, not for other sizes or a variant of it")


def check(where: str, line: str, rules: RuleSet, seats: int) -> None:
    """Raise PlayerError for an opening that does not fit the contest. Openings are read by the rules of the contest."""
    try:
        position = Position.parse(line, rules)
        dealt = Game.new(rules, seats=seats, seed=1).position
    except CartagenaError as error:
        raise PlayerError(f"{where}: {error}") from None
    if position.seats != seats:
        raise PlayerError(f"{where}: is for {position.seats} seats, not for {seats}")
    if position.table != dealt.table or rules.board not in ("", position.board):
        raise PlayerError(f"{where}: has another board or other crews than the rule set")
    if position.is_over or position.is_view:
        raise PlayerError(f"{where}: is not a position from which a game can start")
