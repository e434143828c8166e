"""The data that a browser's engine reads beside ``cartagena.wasm``: names, rule tables, deal plans, weights and levels.

The networks of the strongest level are files of their own, which the data names. Words that may have more than 53 bits
are written as text. A rule table is the edition's own one with some numbers replaced: ``changes`` lists, for every
option and size, the numbers that each of its values brings.
"""

import hashlib
from collections.abc import Callable, Iterable
from functools import partial
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import Any, Final

from cartagena.backends.openings import deal_plan
from cartagena.backends.portable import deal
from cartagena.backends.wasm import facts
from cartagena.game.reasons import CODES, SENTENCES, UNDO_SENTENCES, WALLS
from cartagena.kernel import layout
from cartagena.rulesets import MAX_SEATS, MIN_SEATS, RuleSet, compile_table, rule_sets

from . import networks
from .compiled import constants, evaluation
from .compiled.exports import WHY_ROOM
from .compiled.repetition import MEMORY
from .compiled.valuation import ROOM as VALUATION_ROOM
from .compiled.valuation import TOTALS as VALUATION_TOTALS
from .explain import CODES as REASONS
from .ismcts import ADMIRAL, CAPTAIN, QUARTERMASTER, Style
from .networks import SUFFIX, set_name
from .registry import LEVELS
from .repetition import MOST_GAMES
from .weights import NEWEST, by_hand, packaged

FAULTS: Final = (
    "possible", "field-is-full", "too-many-aboard", "too-many-cards", "wrong-number-of-cards", "row-too-long",
    "no-such-turn", "too-many-actions", "too-many-passes", "not-the-captain", "row-not-due", "cards-not-owed",
    "no-drop-due", "not-won", "won-already",
)  # fmt: skip
"""The names of the kernel's faults of a position, in the order of their numbers."""


def numbers_of(module: ModuleType) -> dict[str, int]:
    """The constants of a module by name."""
    return {name: value for name, value in vars(module).items() if name.isupper() and isinstance(value, int)}


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


def changes(rules: RuleSet) -> dict[str, dict[str, dict[str, str]]]:
    """What each value of an option or a size changes in the rule table of an edition."""
    pieces, pirates = rules.pieces, rules.pirates
    base = compile_table(rules, MIN_SEATS, pieces, pirates)

    def by(values: Iterable[int], table: Callable[[int], tuple[int, ...]], *indexes: int) -> dict[str, dict[str, str]]:
        return {str(value): difference(base, table(value), indexes) for value in values}

    switches = (0, 1)
    by_option = {
        "seats": by(
            range(MIN_SEATS, MAX_SEATS + 1), lambda n: compile_table(rules, n, pieces, pirates), layout.T_SEATS
        ),
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


def edition(rules: RuleSet) -> dict[str, object]:
    """All that the engine needs to know of an edition."""
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
        "content": rules.content,
        "table": texts(compile_table(rules, MIN_SEATS, rules.pieces, rules.pirates)),
        "plan": list(deal_plan(rules, rules.pieces)),
        "changes": changes(rules),
    }


def style_data(style: Style) -> dict[str, object]:
    """How a searching player searches, with its settings for two with open or hidden hands and for more."""
    return {
        "trees": style.trees,
        "time": style.limit.time,
        "nodes": style.limit.nodes,
        "weights": style.weights,
        "settings": {
            "open": style.settings(2).tolist(),
            "hidden": style.settings(2, hidden=True).tolist(),
            "many": style.settings(3).tolist(),
        },
    }


def facts_data() -> dict[str, object]:
    """Where the parts of a list of facts begin, and how large the list and that of options are."""
    return {
        "names": list(facts.NUMBERS),
        "row": facts.F_CARDS,
        "piles": facts.F_PILES,
        "number": facts.PILES,
        "places": facts.F_PLACES,
        "signs": facts.F_SIGNS,
        "size": facts.FACTS,
        "choices": facts.CHOICES,
    }


def network_files() -> dict[str, Traversable]:
    """The files of all networks of this package by the names that ``set_name`` gives."""
    paths = (files("cartagena.players") / "data").iterdir()
    return {path.name.removesuffix(SUFFIX): path for path in paths if path.name.endswith(SUFFIX)}


def network_data(path: Traversable) -> dict[str, object]:
    """What the engine must know of a network before it loads it: the file, its hash, and what it was trained for."""
    content = path.read_bytes()
    _, about = networks.from_bytes(path.name, content)
    return {
        "file": path.name,
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "game": about["game"],
        "sizes": {str(networks.SIZES[name]): size for name, size in about["sizes"].items()},
    }


def browser_data() -> dict[str, Any]:
    """All data, ready for JSON."""
    rules = rule_sets()
    games = {each.game: each for each in rules}
    tuned = {
        set_name(game, seats): packaged(f"{NEWEST}/{set_name(game, seats)}").tolist()
        for game in games
        for seats in (2, 3)
    }
    return {
        "layout": numbers_of(layout),
        "facts": facts_data(),
        "plan": {name: number for name, number in numbers_of(deal).items() if name.startswith("P_")},
        "search": numbers_of(constants)
        | {"SCRATCH": evaluation.SCRATCH, "WHY_ROOM": WHY_ROOM}
        | {"VALUATION_ROOM": VALUATION_ROOM, "VALUATION_TOTALS": VALUATION_TOTALS},
        "repetition": {"MEMORY": MEMORY, "MOST_GAMES": MOST_GAMES},
        "why": list(REASONS),
        "reasons": ["legal", *(CODES[number] for number in sorted(CODES))],
        "sentences": SENTENCES,
        "faults": list(FAULTS),
        "walls": [WALLS.get(number, "") for number in range(len(WALLS) + 1)],
        "undo": UNDO_SENTENCES,
        "editions": {each.name: edition(each) for each in rules},
        "levels": list(LEVELS),
        "styles": {style.name: style_data(style) for style in (QUARTERMASTER, CAPTAIN, ADMIRAL)},
        "networks": {name: network_data(path) for name, path in sorted(network_files().items())},
        "weights": {"tuned": tuned, "hand": {game: by_hand(each).tolist() for game, each in games.items()}},
    }
