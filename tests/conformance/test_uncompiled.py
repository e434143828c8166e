"""Compiled code gives the same results as the same functions without the compiler."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.conformance.uncompiled import everything

ROOT = Path(__file__).parents[2]


def test_everything_compiled_gives_the_same_results_uncompiled() -> None:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "tests.conformance.uncompiled"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == everything()
