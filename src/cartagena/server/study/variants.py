"""Rule sets of files, checked before they are played: what differs, and the numbers for the engine of a browser."""

from typing import Any, Final

from cartagena.errors import RuleSetError
from cartagena.game.notation.cards import card_numbers
from cartagena.game.variants import MAX_VARIANT, read_variant, variant_text
from cartagena.rulesets import RuleSet, from_toml
from cartagena.rulesets.browser import variant
from cartagena.rulesets.model import SWITCHES

from ..protocol.encoding import dumps
from ..tables.events.game import TABLE_SIZES

MAX_TEXT: Final = 16_000
"""Most characters of a file that is checked."""
FIELDS: Final = {**SWITCHES, "signs": "letters", "hands": "open_hands", "cards": "counts"}
"""The fields of keys that are not called as their keys are."""
NONE_WORDS: Final = {"draw": "as-many", "home": "all", "hold": "none", "row": "none", "extra": "none", "seats": "any"}
"""What 0 or nothing means, by key."""


def value_text(rules: RuleSet, key: str) -> str:
    """The value of a key as a short text; words among them are codes that a page translates."""
    value = getattr(rules, FIELDS.get(key, key))
    if key == "hands":
        return "open" if value else "hidden"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not value and key in (*NONE_WORDS, "board"):
        return NONE_WORDS.get(key, rules.style)
    if key == "cards":
        return str(rules.cards) if not rules.deck else " ".join(map("{}{}".format, rules.letters, value))
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def differences(rules: RuleSet) -> list[dict[str, str]]:
    """What differs from the edition: each key with its value and the edition's.

    >>> from cartagena.rulesets import from_data
    >>> differences(from_data({"base": "tortuga-en", "row": 5, "pass": True}))[0]
    {'key': 'row', 'value': '5', 'usual': '12'}
    """
    base = rules.default or rules
    keys = [key for key in rules.to_data() if key not in ("base", "name", "title")]
    return [{"key": key, "value": value_text(rules, key), "usual": value_text(base, key)} for key in keys]


def read(text: str) -> RuleSet:
    """The rule set of a file's text, or of the tag ``Variant`` of a record. Raises RuleSetError."""
    if text.lstrip().startswith("{"):  # no TOML file begins like that
        return read_variant(text.strip())
    rules = from_toml(text.removeprefix("\ufeff"), "rules.toml")
    if len(variant_text(rules)) > MAX_VARIANT:
        raise RuleSetError(f"rules.toml: has more than {MAX_VARIANT} characters of entries.")
    return rules


def setup_of(rules: RuleSet) -> dict[str, Any]:
    """The entries of a table's set-up for a rule set: the variant, or the sizes where there is nothing else."""
    entries = rules.to_data()
    if rules.is_variant:
        return {"rules": rules.name, "variant": entries}
    return {"rules": rules.name} | {key: entries[key] for key in TABLE_SIZES if key in entries}


def check_variant(text: str) -> bytes:
    """A ``CheckedVariant``. Raises RuleSetError or NotationError with one sentence on what is wrong, and where."""
    rules = read(text)
    base = rules.default or rules
    return dumps(
        {
            "name": rules.variant,
            "title": rules.title if rules.title != base.title else "",
            "seats": rules.seats,
            "setup": setup_of(rules),
            "differs": differences(rules),
            "text": variant_text(rules),
            "edition": {**variant(rules), "faces": card_numbers(rules)},
        }
    )
