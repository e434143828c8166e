"""Rule sets in records: the tag ``Variant``, and the tags of the sizes that a deal depends on."""

import json
import re
from collections.abc import Mapping
from typing import Any, Final

from cartagena.errors import NotationError
from cartagena.rulesets import RuleSet, RuleSetError, by_name, from_data, vary

VARIANT: Final = "Variant"
"""The tag with the entries of a variant's file, as JSON."""
SIZES: Final = {"Pirates": "pirates", "Pieces": "pieces", "Deal": "deal"}
"""The tags of sizes that differ from the edition's, each with its key."""
SIZE: Final = re.compile(r"[0-9]{1,9}")
MAX_VARIANT: Final = 4000


def variant_text(rules: RuleSet) -> str:
    """The entries of a variant as one line of JSON. Empty where name and sizes say all of a rule set.

    >>> from cartagena.rulesets import by_name, from_data
    >>> variant_text(from_data({"base": "jamaica-en", "name": "quick", "draw": 2}))
    '{"base": "jamaica-en", "draw": 2, "name": "quick"}'
    >>> variant_text(by_name("jamaica-en+pass"))
    ''
    """
    return json.dumps(rules.to_data(), ensure_ascii=False) if rules.is_variant else ""


def read_variant(text: str) -> RuleSet:
    """The rule set of a tag ``Variant``, or of a request to an engine. Raises NotationError.

    >>> read_variant('{"base": "jamaica-en", "draw": 2}').draw
    2
    """
    try:
        data = json.loads(text) if len(text) <= MAX_VARIANT else None
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise NotationError("a variant is a JSON object with the entries of a rule set", VARIANT)
    try:
        return from_data(data, "the variant")
    except RuleSetError as error:
        raise NotationError(str(error).rstrip("."), VARIANT) from None


def size_entries(tags: Mapping[str, str]) -> dict[str, Any]:
    """The entries that the tags of sizes say. Numbers that cannot be read are left out."""
    entries: dict[str, Any] = {"style": tags["Style"]} if "Style" in tags else {}
    return entries | {key: int(tags[tag]) for tag, key in SIZES.items() if SIZE.fullmatch(tags.get(tag, ""))}


def recorded_rules(tags: Mapping[str, str], opening: str, given: RuleSet | None = None) -> RuleSet | None:
    """The rule set of a record with these tags, which may be given. None where the opening says all of it.

    Raises NotationError for a wrong tag ``Variant``, or one of other rules than those given. Tags of sizes that fit no
    game are as good as none.
    """
    if VARIANT in tags:
        rules = read_variant(tags[VARIANT])
        if given is not None and given.content_hash != rules.content_hash:
            named = f", the variant {rules.variant}," if rules.variant else ""
            raise NotationError(f"the record has rules of its own{named} and they are not the given ones", VARIANT)
        return rules
    entries = size_entries(tags)
    try:
        return vary(given or by_name(opening.strip().partition(" ")[0]), entries, "tags") if entries else given
    except RuleSetError:
        return given
