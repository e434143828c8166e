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
