"""``cartagena rules``: which rule sets there are, and what one says and why."""

from collections.abc import Iterator
from typing import Annotated, Any

import typer

from cartagena.rulesets import RuleSet, load, names

from .output import AsJson, emit


def command(
    ruleset: Annotated[str | None, typer.Argument(help="A rule set, or your own .toml file; without it, all of them.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say what a rule set says, with the booklet behind each choice; or list the rule sets."""
    if ruleset is None:
        every = [load(name) for name in names()]
        emit("\n".join(map(line, every)), [brief(rules) for rules in every], as_json)
    else:
        rules = load(ruleset)
        emit(page(rules), whole(rules), as_json)


def line(rules: RuleSet) -> str:
    """One line of the list."""
    return f"{rules.name:14} {rules.title} ({rules.booklet})"


def brief(rules: RuleSet) -> dict[str, Any]:
    return {"name": rules.name, "title": rules.title, "booklet": rules.booklet, "about": rules.about}


def choices(rules: RuleSet) -> Iterator[tuple[str, str, str]]:
    """What the rule set chooses: the key, the choice in words, and the key of the reason."""
    yield "seats", str(rules.seats) if rules.seats else "2 to 5", "seats"
    yield "board", board(rules), "islands"
    yield "pirates", f"{rules.pirates} a player", "pirates"
    yield "cards", deck(rules), "cards"
    yield "deal", f"{rules.deal} to each player", "deal"
    yield "hands", "open" if rules.open_hands else "hidden", "hands"
    yield "row", f"{rules.row} open cards" if rules.row else "none, cards come from the stock", "row"
    yield "actions", f"1 to {rules.actions} a turn", "actions"
    yield "pass", "allowed" if rules.may_pass else "only when nothing can be done", "pass"
    if rules.nest:
        yield "captain", "needs a pirate aboard" if rules.crew else "needs nobody aboard", "crew"
        yield "limit", f"{rules.limit} cards after a freebooter", "limit"
    else:
        yield "return", "pirates may retreat from the sloop" if rules.may_return else "who is aboard stays", "return"


def board(rules: RuleSet) -> str:
    style = "printed pieces" if rules.style == "printed" else "pieces with shuffled signs"
    return f"{' and '.join(map(str, rules.islands))} {style}"


def deck(rules: RuleSet) -> str:
    signs = ", ".join(f"{letter} {sign}" for letter, sign in zip(rules.letters, rules.signs, strict=True))
    freebooters = ", one of them a freebooter" if rules.freebooters else ""
    return f"{rules.cards} of each sign{freebooters}: {signs}"


def reason(rules: RuleSet, key: str) -> str:
    """The booklet behind a choice; where the table chose otherwise, that it did."""
    edition = rules.default or rules
    changed = dict(zip(("key", "value"), ("", ""), strict=True))
    theirs = {name: value for name, value, _ in choices(edition)}
    ours = {name: value for name, value, _ in choices(rules)}
    names_of = {because: name for name, _, because in choices(rules)}
    name = names_of[key]
    if ours[name] != theirs.get(name, ours[name]):
        return f"Chosen for this table; {edition.name} has: {theirs[name]}."
    return changed["value"] or rules.because.get(key, "")


def page(rules: RuleSet) -> str:
    """All of it as text."""
    lines = [f"{rules.name}: {rules.title}", rules.about, f"After the {rules.booklet}.", ""]
    for name, value, because in choices(rules):
        lines.append(f"{name:9}{value}")
        why = reason(rules, because)
        if why:
            lines.append(f"{'':9}  {why}")
    return "\n".join(lines)


def whole(rules: RuleSet) -> dict[str, Any]:
    entries = {name: {"is": value, "because": reason(rules, because)} for name, value, because in choices(rules)}
    return {**brief(rules), "letters": rules.letters, "signs": list(rules.signs), "rules": entries}
