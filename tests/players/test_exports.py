"""What browsers get of the players, without the compiler, beside the players themselves."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_exports_decide_as_the_players_do() -> None:
    command = [sys.executable, "-m", "tests.players.browser_exports"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment)
    assert (done.returncode, done.stdout) == (0, "2\n"), done.stderr
