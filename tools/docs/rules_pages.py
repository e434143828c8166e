"""Pages about the rules that are made from the rule sets: one for each edition, their differences, and pictures."""

import ast
import hashlib
import re

from cartagena import Game, Position
from cartagena.cli.verbs.rules import choices, reason
from cartagena.rulesets import RuleSet, load
from cartagena.rulesets import names as rule_set_names

LANGUAGES = {"en": "English", "de": "German", "nl": "Dutch", "sv": "Swedish"}
PARSED = re.compile(r"Position\.parse\(\s*(?:\.\.\.)?\s*((?:\"[^\"]*\"[\s.]*)+)\)")
BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SEED = 5


def names() -> list[str]:
    """The names of all rule sets."""
    return list(rule_set_names())


def pages() -> dict[str, str]:
    """All generated pages and their pictures, by path."""
    made = {"rules/differences.md": differences()}
    for name in names():
        rules = load(name)
        made[f"rules/editions/{name}.md"] = edition(rules)
        made[f"rules/editions/{name}.svg"] = Game.new(name, seats=3, seed=SEED).position.svg()
    return made


def language(rules: RuleSet) -> str:
    return LANGUAGES[rules.name.rpartition("-")[2]]


def edition(rules: RuleSet) -> str:
    """The page of one edition of a game."""
    game = rules.name.partition("-")[0]
    rows = [f"| {choice.name} | {choice.value} | {reason(rules, choice)} |" for choice in choices(rules)]
    return "\n".join(
        [
            f"# {rules.title}: the {language(rules)} edition",
            "",
            f"{rules.about} After the {rules.booklet}.",
            "",
            f"![The opening for three players, dealt with seed {SEED}]({rules.name}.svg)",
            "",
            "| rule | what is played | why |",
            "| --- | --- | --- |",
            *rows,
            "",
            f"[The whole rules, with our rulings](../{game}.md) · [How the editions differ](../differences.md)",
            "",
            "```sh",
            f"cartagena play {rules.name}",
            "```",
            "",
        ]
    )


def differences() -> str:
    """The page that compares the editions of each game."""
    parts = [
        "# How the editions differ",
        "",
        "Made from the rule sets; rules that an edition has alone are in bold type.",
        "",
    ]
    games: dict[str, list[RuleSet]] = {}
    for name in names():
        games.setdefault(name.partition("-")[0], []).append(load(name))
    for sets in games.values():
        parts += [f"## {sets[0].title}", "", *table(sets), ""]
    return "\n".join(parts)


def table(sets: list[RuleSet]) -> list[str]:
    """The rules of all editions of a game, one column each."""
    links = [f"[{language(rules)}](editions/{rules.name}.md)" for rules in sets]
    lines = [f"| rule | {' | '.join(links)} |", f"| --- |{' --- |' * len(sets)}"]
    for row in zip(*map(choices, sets), strict=True):
        values = [choice.value for choice in row]
        alone = [len(sets) > 2 and values.count(value) == 1 and len(set(values)) == 2 for value in values]
        shown = [f"**{value}**" if bold else value for value, bold in zip(values, alone, strict=True)]
        lines.append(f"| {row[0].name} | {' | '.join(shown)} |")
    return lines


def positions(code: str) -> list[str]:
    """The positions that a block of examples starts from."""
    found = []
    for match in PARSED.finditer(code):
        texts = re.findall(r"\"[^\"]*\"", match[1])
        found.append("".join(ast.literal_eval(text) for text in texts))
    return found


def figure(text: str) -> str:
    """The path of the picture of a position."""
    return f"rules/figures/{hashlib.sha256(text.encode()).hexdigest()[:12]}.svg"


def figures(markdown: str) -> dict[str, str]:
    """The pictures of all positions in the examples of a page, by path."""
    texts = [text for block in BLOCK.findall(markdown) for text in positions(block)]
    return {figure(text): Position.parse(text).svg() for text in texts}


def with_figures(markdown: str) -> str:
    """The page with a picture before each example, of the position it starts from."""

    def drawn(match: re.Match[str]) -> str:
        pictures = [
            f"![The position of the example]({figure(text).removeprefix('rules/')})\n\n" for text in positions(match[1])
        ]
        return "".join(pictures) + match[0]

    return BLOCK.sub(drawn, markdown)
