"""Every promise of the security page names a test, and that test exists."""

import re

from tests.docs.booklets import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def test_every_line_of_the_tables_names_a_test() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    headings = [line for line in lines if line.endswith("| test |")]
    assert len(headings) == 5
    assert [line for line in lines if line not in headings and "`test_" not in line] == []
    assert len(lines) > 30


def test_every_test_that_is_named_exists() -> None:
    files = (ROOT / "tests").rglob("test_*.py")
    known = {name for path in files for name in re.findall(r"^def (test_\w+)\(", path.read_text(), re.MULTILINE)}
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) > 40
    assert named - known == set()
