"""The compiled players are the Python that is written: without the compiler they decide the same."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.players.uncompiled import everything

ROOT = Path(__file__).parents[2]


def test_decisions_and_games_are_the_same_without_the_compiler() -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "tests.players.uncompiled"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == everything()
