"""Print the games and editions of this version for the browser: python tools/editions.py > web/src/game/editions.ts"""

from cartagena.rulesets import RuleSet, rule_sets

HEAD = "/** The games and editions of this version, and what an edition decides. Written by tools/editions.py. */"


def entry(rules: RuleSet) -> str:
    """One edition as a line of TypeScript."""
    edition = rules.name.partition("-")[2]
    may_pass, nest = (str(each).lower() for each in (rules.may_pass, rules.nest))
    return f"  '{rules.name}': {{ game: '{rules.game}', edition: '{edition}', pass: {may_pass}, nest: {nest} }},"


def typescript() -> str:
    """The whole file."""
    return "\n".join((HEAD, "export const EDITIONS = {", *map(entry, rule_sets()), "} as const;", ""))


if __name__ == "__main__":
    print(typescript(), end="")
