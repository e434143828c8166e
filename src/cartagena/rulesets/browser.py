"""Editions and variants as numbers for an engine in a browser.

A rule table is the edition's own one with some numbers replaced: ``changes`` lists, for every option and size, the
numbers that each of its values brings. A variant has one rule table for each number of seats. Words that may have more
than 53 bits are written as text.
"""

import json
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final

from cartagena.kernel import layout

from .compile import compile_table
from .model import MAX_SEATS, MIN_SEATS, RuleSet


def texts(words: tuple[int, ...]) -> list[str]:
    return [str(word) for word in words]


def difference(base: tuple[int, ...], other: tuple[int, ...], indexes: tuple[int, ...]) -> dict[str, str]:
    """The numbers of another rule table at these places. Raises ValueError where it differs elsewhere."""
    if any(base[index] != number for index, number in enumerate(other) if index not in indexes):
        raise ValueError("an option changes more of a rule table than it should")
    return {str(index): str(other[index]) for index in indexes}


TRACK: Final = (
    layout.T_BOAT, layout.T_GOAL, layout.T_FIELDS, layout.T_FIRST, layout.T_SECOND, layout.T_RETREAT,
)  # fmt: skip


def by_seats(rules: RuleSet) -> dict[str, dict[str, str]]:
    """What each number of seats changes in the rule table of a rule set."""
    tables = {n: compile_table(rules, n, rules.pieces, rules.pirates) for n in range(MIN_SEATS, MAX_SEATS + 1)}
    return {str(n): difference(tables[MIN_SEATS], table, (layout.T_SEATS,)) for n, table in tables.items()}


def changes(rules: RuleSet) -> dict[str, dict[str, dict[str, str]]]:
    """What each value of an option or a size changes in the rule table of an edition."""
    pieces, pirates = rules.pieces, rules.pirates
    base = compile_table(rules, MIN_SEATS, pieces, pirates)

    def by(values: Iterable[int], table: Callable[[int], tuple[int, ...]], *indexes: int) -> dict[str, dict[str, str]]:
        return {str(value): difference(base, table(value), indexes) for value in values}

    switches = (0, 1)
    by_option = {
        "seats": by_seats(rules),
        "pirates": by(range(1, 9), lambda n: compile_table(rules, 2, pieces, n), layout.T_PIRATES),
        "actions": by(
            range(1, 6), lambda n: compile_table(rules.changed(actions=n), 2, pieces, pirates), layout.T_ACTIONS
        ),
        "cards": by(range(2, 21), lambda n: compile_table(rules.changed(cards=n), 2, pieces, pirates), layout.T_DECK),
        "pass": by(
            switches, lambda n: compile_table(rules.changed(may_pass=bool(n)), 2, pieces, pirates), layout.T_PASS
        ),
    }
    if rules.nest:
        return by_option | {
            "crew": by(
                switches, lambda n: compile_table(rules.changed(crew=bool(n)), 2, pieces, pirates), layout.T_CREW
            )
        }
    for back in switches:
        other = rules.changed(may_return=bool(back))
        by_option[f"pieces-{back}"] = by(range(1, 9), partial(compile_table, other, MIN_SEATS, pirates=pirates), *TRACK)
    return by_option


def variant(rules: RuleSet) -> dict[str, Any]:
    """A variant as an edition of its own, whose options and sizes are fixed, without the faces of its cards."""
    own = {"rules": rules.name, "counts": list(rules.counts), "extra": list(rules.extra), "board": rules.board}
    content = json.dumps(rules.content, sort_keys=True)
    fixed = {"options": {}, "content": content, "changes": {"seats": by_seats(rules)}}
    return {**numbers(rules), **fixed, "variant": own}


def numbers(rules: RuleSet) -> dict[str, Any]:
    """What editions and variants have in common."""
    return {
        "game": rules.game,
        "letters": rules.letters,
        "freebooters": rules.freebooters,
        "nest": rules.nest,
        "row": rules.row,
        "hidden": rules.hidden_hands,
        "pieces": rules.pieces,
        "pirates": rules.pirates,
        "actions": rules.actions,
        "cards": rules.cards,
        "pass": int(rules.may_pass),
        "return": int(rules.may_return),
        "crew": int(rules.crew),
        "deal": rules.deal,
        "style": rules.style,
        "islands": list(rules.islands),
        "printed": list(rules.printed),
        "table": texts(compile_table(rules, MIN_SEATS, rules.pieces, rules.pirates)),
    }
