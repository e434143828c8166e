"""``cartagena rules``: the list of rule sets, and the choices of one of them with their reasons."""

from dataclasses import dataclass
from typing import Annotated

import typer

from cartagena.game.plurals import counted
from cartagena.rulesets import MAX_SEATS, MIN_SEATS, RuleSet, load, names

from ..output import AsJson, emit


def command(
    ruleset: Annotated[
        str | None, typer.Argument(help="A rule set or a .toml file; without it, all rule sets are listed.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Explain the choices of a rule set by its booklet, or list all rule sets."""
    if ruleset is None:
        every = [load(name) for name in names()]
        emit("\n".join(map(line, every)), [brief(rules) for rules in every], as_json)
    else:
        rules = load(ruleset)
        emit(page(rules), whole(rules), as_json)


def line(rules: RuleSet) -> str:
    """One line of the list."""
    return f"{rules.name:14} {rules.title} ({rules.booklet})"


def brief(rules: RuleSet) -> dict[str, object]:
    return {"name": rules.name, "title": rules.title, "booklet": rules.booklet, "about": about(rules)}


@dataclass(frozen=True)
class Choice:
    """One choice of a rule set: its name, its value, and the key of its reason in the rule set's data."""

    name: str
    value: str
    because: str


def choices(rules: RuleSet) -> list[Choice]:
    """All choices of a rule set."""
    return [
        Choice("seats", str(rules.seats or f"{MIN_SEATS} to {MAX_SEATS}"), "seats"),
        Choice("board", board(rules), "islands"),
        Choice("pirates", f"{rules.pirates} a player", "pirates"),
        Choice("cards", deck(rules), "cards"),
        Choice("deal", f"{rules.deal} to each player", "deal"),
        Choice("hands", "open" if rules.open_hands else "hidden", "hands"),
        Choice("row", counted(rules.row, "open card") if rules.row else "none: cards come from the stock", "row"),
        Choice("actions", f"1 to {rules.actions} a turn", "actions"),
        Choice("pass", "allowed" if rules.may_pass else "only when nothing can be done", "pass"),
        *(nest_choices(rules) if rules.nest else tunnel_choices(rules)),
        *variant_choices(rules),
    ]


def nest_choices(rules: RuleSet) -> list[Choice]:
    captain = "needs a pirate aboard" if rules.crew else "needs no pirate aboard"
    return [
        Choice("captain", captain, "crew"),
        Choice("limit", f"{counted(rules.limit, 'card')} after a freebooter", "limit"),
    ]


def tunnel_choices(rules: RuleSet) -> list[Choice]:
    back = "a pirate may retreat from the sloop" if rules.may_return else "a pirate aboard the sloop stays there"
    return [Choice("return", back, "return")]


def variant_choices(rules: RuleSet) -> list[Choice]:
    """What only files of rule sets can choose, where they do."""
    extra = ", ".join(f"{number} to seat {seat}" for seat, number in enumerate(rules.extra, 1) if number)
    return [
        *([Choice("extra", extra, "")] if extra else []),
        *([Choice("draw", f"{counted(rules.draw, 'card')} a time", "")] if rules.draw else []),
        *([Choice("hold", f"a draw stops at {counted(rules.hold, 'card')}", "")] if rules.hold else []),
        *([Choice("home", f"{counted(rules.home, 'pirate')} at the goal win", "")] if rules.home else []),
    ]


def board(rules: RuleSet) -> str:
    if rules.board:
        return f"always {rules.board}"
    style = "printed pieces" if rules.style == "printed" else "pieces with shuffled signs"
    return f"{' and '.join(map(str, rules.islands))} {style}"


def deck(rules: RuleSet) -> str:
    signs = ", ".join(f"{letter} {sign}" for letter, sign in zip(rules.letters, rules.signs, strict=True))
    freebooters = ", one of them a freebooter" if rules.freebooters else ""
    if rules.deck:
        each = zip(rules.deck, rules.letters, rules.signs, strict=True)
        return ", ".join(f"{number} {letter} {sign}" for number, letter, sign in each) + freebooters
    return f"{rules.cards} of each sign{freebooters}: {signs}"


def reason(rules: RuleSet, choice: Choice) -> str:
    """The booklet's reason for a choice, or the edition's own choice where an option changed it."""
    edition = rules.default or rules
    theirs = {other.name: other.value for other in choices(edition)}
    if choice.value != theirs.get(choice.name):
        return f"Chosen for this table; {edition.name} has: {theirs.get(choice.name, 'no such rule')}."
    return rules.because[choice.because]


def about(rules: RuleSet) -> str:
    """What a rule set is, in a sentence. That of a variant's base may not be true of the variant."""
    if not rules.is_variant:
        return rules.about
    return f"A rule set of your own, made from {(rules.default or rules).name}; what it changes is named below."


def page(rules: RuleSet) -> str:
    """A rule set as text."""
    name = f"{rules.variant}, a variant of {rules.name}" if rules.variant else rules.name
    lines = [f"{name}: {rules.title}", about(rules), f"After the {rules.booklet}.", ""]
    for choice in choices(rules):
        lines += [f"{choice.name:9}{choice.value}", f"{'':11}{reason(rules, choice)}"]
    return "\n".join(lines)


def whole(rules: RuleSet) -> dict[str, object]:
    """A rule set as data."""
    entries = {choice.name: {"is": choice.value, "because": reason(rules, choice)} for choice in choices(rules)}
    named = brief(rules) | ({"variant": rules.to_data()} if rules.is_variant else {})
    return {**named, "letters": rules.letters, "signs": list(rules.signs), "rules": entries}
