"""Write ``docs/rules/booklets.md`` from the ``@booklet`` marks of the tests: ``python -m tests.docs.booklets``."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "rules" / "booklets.md"
BOOKLETS = {
    "en": "Cartagena, English booklet (2000)",
    "de": "Cartagena, German booklet (2000)",
    "nl": "Cartagena, Dutch booklet (2000)",
    "sv": "Cartagena, Swedish booklet (2000)",
    "nest": "Cartagena 2, the Pirate's Nest, Dutch booklet (2006)",
    "ruling": "Our rulings, where the booklets are silent or wrong",
}
HEAD = """# From the booklets to the tests

Every sentence of the five booklets that states a rule has a test. This page lists them by booklet and section, in our
own words. `python -m tests.docs.booklets` writes it from the marks in the tests, and a test fails when the two differ.
"""


class Mark(NamedTuple):
    """One mark: the subject of a sentence and the test that checks it."""

    booklet: str
    section: str
    subject: str
    test: str


def marks_of(path: Path) -> list[Mark]:
    """Marks of one test file, in file order."""
    tests = [node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)]
    found = []
    for node in tests:
        for decorator in node.decorator_list:
            if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "booklet":
                booklets, section, subject = (ast.literal_eval(value) for value in decorator.args)
                test = f"{path.relative_to(ROOT).as_posix()}::{node.name}"
                found += [Mark(name, section, subject, test) for name in booklets.split()]
    return found


def all_marks() -> list[Mark]:
    files = sorted((ROOT / "tests" / "kernel").glob("*.py")) + sorted((ROOT / "tests" / "rulesets").glob("*.py"))
    return [mark for path in files for mark in marks_of(path)]


def page() -> str:
    """Render the page."""
    marks = all_marks()
    parts = [HEAD]
    for name, title in BOOKLETS.items():
        rows = [mark for mark in marks if mark.booklet == name]
        sections = sorted({mark.section for mark in rows}, key=str.lower)
        parts.append(f"\n## {title}\n\n| section | subject | test |\n| --- | --- | --- |\n")
        for section in sections:
            parts += [
                f"| {mark.section} | {mark.subject} | `{mark.test}` |\n" for mark in rows if mark.section == section
            ]
    return "".join(parts)


if __name__ == "__main__":
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
