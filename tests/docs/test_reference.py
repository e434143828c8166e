"""Pages that are written from the code are current: the reference and the card of the networks."""

import subprocess
import sys

import pytest
from tests.docs.booklets import ROOT


@pytest.mark.parametrize("tool", ["reference", "networks"])
def test_a_written_page_is_current(tool: str) -> None:
    command = [sys.executable, str(ROOT / f"tools/{tool}.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_reference_shows_inherited_members_arguments_as_lists_and_short_headings() -> None:
    page = (ROOT / "docs/reference/cartagena.md").read_text("utf-8")
    position = page.partition("### class `Position`")[2].partition("\n### ")[0]
    for name in ("hand()", "places()", "turn", "row", "outcome()", "seats", "is_over"):
        assert f"\n#### `{name}`\n" in position
    assert all(f"`{name}" not in position for name in ("words`", "table`", "from_kernel"))  # for the kernel
    move = page.partition("### class `Move`")[2].partition("\n### ")[0]
    assert all(f"\n#### `{name}`\n" in move for name in ("kind", "place", "card", "seat"))
    assert "Args:" not in page
    assert "\n- `players`: names of the registry" in page
    assert max(len(line) for line in page.splitlines() if line.startswith("#")) < 60
