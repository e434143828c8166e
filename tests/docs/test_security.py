"""Every promise of the security page names a test, and that test exists."""

import re

from tests.docs.booklets import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


def test_every_line_of_the_tables_names_a_test() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    headings = [line for line in lines if line.endswith("| test |")]
    assert len(headings) == 5
    explained = lines.index("| against | what is proved to a person who kept the commitment, the salt and the chair |")
    claims = [*lines[:explained], *lines[explained + 5 :]]
    assert [
        line for line in claims if line not in headings and not re.search(r"`test_|`[a-z][^`]* [^`]*` \|$", line)
    ] == []
    assert len(claims) > 30


def test_every_test_that_is_named_exists() -> None:
    files = (ROOT / "tests").rglob("test_*.py")
    known = {name for path in files for name in re.findall(r"^def (test_\w+)\(", path.read_text(), re.MULTILINE)}
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) > 40
    assert named - known == set()


def test_every_test_of_the_page_that_is_named_exists() -> None:
    """Tests of the browser table have a sentence as their name, which the last column quotes."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "web" / "tests").rglob("*.test.ts")]
    columns = [line.split("|")[-2] for line in PAGE.splitlines() if line.startswith("| ") and "`" in line]
    named = {name for column in columns for name in re.findall(r"`([a-z][^`_]* [^`]*)`", column)}
    assert len(named) >= 5
    assert [name for name in named if not any(name in text for text in texts)] == []
