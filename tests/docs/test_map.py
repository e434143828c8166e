"""The map of the code in ``docs/design.md`` is true: files exist, rooms are complete, terms are defined once."""

import re

import pytest
from tests.docs.booklets import ROOT

DESIGN = (ROOT / "docs/design.md").read_text(encoding="utf-8")
JOURNEYS = ["A click", "A captain's decision", "A playout", "A review"]
PACKAGE = ROOT / "src/cartagena"


def section(title: str) -> str:
    """The text below a heading, up to the next heading of the same or a higher level."""
    found = re.search(rf"^(#+) {re.escape(title)}\n(.*?)(?=^#{{1,3}} |\Z)", DESIGN, re.MULTILINE | re.DOTALL)
    assert found, f"no section {title}"
    return found[2]


@pytest.mark.parametrize("title", JOURNEYS)
def test_every_file_of_a_journey_exists(title: str) -> None:
    named = re.findall(r"`((?:src|web)/[\w./-]+)`", section(title))
    assert len(named) >= 10
    assert [path for path in named if not (ROOT / path).is_file()] == []


def test_every_other_file_named_exists_too() -> None:
    named = set(re.findall(r"`((?:kernel|game|web)/[\w./]+)`", DESIGN))
    assert named
    assert [path for path in sorted(named) if not (PACKAGE / path).exists() and not (ROOT / path).exists()] == []


def test_the_rooms_are_all_listed() -> None:
    listed = set(re.findall(r"`([\w/]+)`(?=[^|]* \|)", "\n".join(line for line in section("Rooms").splitlines())))
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    parts = {f"server/{path.parent.name}" for path in (PACKAGE / "server").glob("*/__init__.py")}
    assert rooms - listed == set()
    assert parts - listed == set()


def test_terms_are_sorted_and_defined_once() -> None:
    terms = re.findall(r"^\| ([a-z ]+) \|", section("Glossary"), re.MULTILINE)[1:]
    assert terms == sorted(set(terms))
    assert {"seat", "chair", "view", "table", "word", "turn", "action"} <= set(terms)
