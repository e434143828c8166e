"""The data that a browser's engine reads beside ``cartagena.wasm``: names, rule tables, deal plans, weights and levels.

The networks of the strongest level are files of their own, which the data names. Words that may have more than 53 bits
are written as text.
"""

import hashlib
import json
from contextlib import suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import Any, Final

from cartagena.backends.openings import deal_plan
from cartagena.backends.portable import deal
from cartagena.backends.wasm import facts
from cartagena.game.notation.cards import card_numbers
from cartagena.game.reasons import CODES, SENTENCES, UNDO_SENTENCES, WALLS
from cartagena.game.seats import COLOURS
from cartagena.kernel import layout
from cartagena.rulesets import RuleSet, RuleSetError, by_name, rule_sets
from cartagena.rulesets.browser import changes, numbers
from cartagena.rulesets.model import RANGES, SWITCHES

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


CHOSEN: Final = ("may_pass", "may_return", "crew", "actions", "cards", "style", "pirates", "deal")
"""What names and set-ups choose of a rule set's content, besides the islands of a game with one."""


def content_text(rules: RuleSet) -> str:
    """The text that ``content_hash`` hashes, with names in place of the values that a set-up chooses."""
    chosen = CHOSEN if rules.nest else (*CHOSEN, "islands")
    return json.dumps(rules.content | {name: f"<{name}>" for name in chosen}, sort_keys=True)


def options(rules: RuleSet) -> dict[str, tuple[str, int]]:
    """The options that a name of this edition may have, in the order of names, with what each sets to which value."""
    fields = {**SWITCHES, "actions": "actions", "cards": "cards"}
    texts = [(word, f"{sign}{word}") for word in SWITCHES for sign in "+-"]
    texts += [
        (word, f"+{word}{number}")
        for word in ("actions", "cards")
        for number in range(RANGES[word][0], RANGES[word][1] + 1)
    ]
    found: dict[str, tuple[str, int]] = {}
    for word, text in texts:
        with suppress(RuleSetError):  # a rule that the game does not have
            found[text] = word, int(getattr(by_name(rules.name + text), fields[word]))
    return found


def edition(rules: RuleSet) -> dict[str, object]:
    """All that the engine needs to know of an edition."""
    return {
        **numbers(rules),
        "options": options(rules),
        "content": content_text(rules),
        "faces": card_numbers(rules),
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
        "colours": list(COLOURS),
        "faults": list(FAULTS),
        "walls": [WALLS.get(number, "") for number in range(len(WALLS) + 1)],
        "undo": UNDO_SENTENCES,
        "editions": {each.name: edition(each) for each in rules},
        "levels": list(LEVELS),
        "styles": {style.name: style_data(style) for style in (QUARTERMASTER, CAPTAIN, ADMIRAL)},
        "networks": {name: network_data(path) for name, path in sorted(network_files().items())},
        "weights": {"tuned": tuned, "hand": {game: by_hand(each).tolist() for game, each in games.items()}},
    }
