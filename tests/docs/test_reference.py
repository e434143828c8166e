"""The reference pages are what the docstrings say."""

import subprocess
import sys

from tests.docs.booklets import ROOT


def test_the_reference_is_current() -> None:
    command = [sys.executable, str(ROOT / "tools/reference.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
