"""The examples of the rules and notation pages run, and the table of booklets matches the tests."""

import doctest
import re
from pathlib import Path

import pytest
from tests.docs.booklets import BOOKLETS, PAGE, ROOT, all_marks, page

PAGES = [*sorted((ROOT / "docs" / "rules").glob("*.md")), ROOT / "docs/designers.md", ROOT / "docs/notation.md"]


@pytest.mark.parametrize(
    "path", [path for path in PAGES if path.stem not in ("index", "booklets")], ids=lambda p: p.stem
)
def test_the_examples_run(path: Path) -> None:
    failed, tried = doctest.testfile(str(path), module_relative=False, optionflags=doctest.REPORT_NDIFF)
    assert tried > 2
    assert failed == 0


def test_every_python_session_of_a_page_is_run_by_a_test() -> None:
    """A page that is in none of the lists of pages would not be run."""
    elsewhere = {"backends", "datasets", "first-lines", "players", "research", "review", "server-api", "tutorial"}
    blocks = re.compile(r"^```(?:python|pycon)", re.MULTILINE)
    pages = {path for path in (ROOT / "docs").rglob("*.md") if path.parent.name != "reference"}
    found = {path.stem for path in pages if blocks.search(path.read_text(encoding="utf-8"))}
    assert found == {"cluster", *elsewhere, *(path.stem for path in PAGES if path.stem not in ("index", "booklets"))}
    failed, tried = doctest.testfile(str(ROOT / "docs/cluster.md"), module_relative=False)
    assert (failed, tried) == (0, 2)


def test_the_table_of_booklets_is_made_from_the_tests() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tests.docs.booklets"


def test_every_booklet_has_all_its_sections() -> None:
    tunnel = {
        "the game in brief",
        "contents",
        "preparations",
        "Jamaica version",
        "Tortuga version",
        "how to play",
        "advance",
        "moving back",
        "end of game",
        "examples",
    }
    nest = {"the idea", "material", "preparation", "course of play", "the turn", "advance", "push", "sail"}
    nest |= {"captain", "freebooter", "end of the game", "summary", "examples"}
    marks = all_marks()
    for booklet in BOOKLETS:
        sections = {mark.section for mark in marks if mark.booklet == booklet}
        assert sections >= (nest if booklet == "nest" else tunnel if booklet != "ruling" else {"misprints", "deadlock"})
    assert len({(mark.booklet, mark.subject) for mark in marks}) == len({mark[:3] for mark in marks})


def test_links_of_all_pages_lead_somewhere_in_a_clone() -> None:
    """Those of the site are tested there. Pages that only the site has are linked by its own navigation."""
    lost = [
        f"{path.relative_to(ROOT)}: {target}"
        for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
        for target in re.findall(r"\]\(([^)#\s]+)", path.read_text(encoding="utf-8"))
        if ":" not in target and not (path.parent / target).exists()
    ]
    assert lost == []


def test_figures_that_a_page_quotes_are_those_of_the_measurement() -> None:
    """The arithmetic of the cluster page starts from the committed results."""
    text = " ".join((ROOT / "docs/cluster.md").read_text(encoding="utf-8").split())
    measured = (ROOT / "bench/results/scaling.md").read_text(encoding="utf-8")
    quoted = re.search(
        r"one server played ([\d,.]+) .*? two ([\d,.]+) and four ([\d,.]+) \(`bench/results/scaling.md`\)", text
    )
    assert quoted
    best = {n: max(re.findall(rf"^\| {n} \| \d \| ([\d,.]+) ", measured, re.MULTILINE), key=amount) for n in (1, 2, 4)}
    assert list(quoted.groups()) == list(best.values())


def amount(text: str) -> float:
    return float(text.replace(",", ""))
