"""The cuda engine does what the cpu engine does: on Numba's simulator, and on a device if there is one."""

import os
import subprocess
import sys

import pytest

from cartagena.backends import has_cuda

MACHINES = {"simulator": ("1", "34", "8"), "device": ("0", "1000", "200")}
"""Whether it is simulated, the number of tables (more than a warp has), the number of steps."""


@pytest.mark.parametrize("machine", MACHINES if has_cuda() else ["simulator"])
def test_the_cuda_engine_does_what_the_cpu_engine_does(machine: str) -> None:
    """Runs in a new process, because the simulator is chosen when Numba is loaded."""
    simulated, *sizes = MACHINES[machine]
    done = subprocess.run(
        [sys.executable, "-m", "tests.rl.compare_cuda", *sizes],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": simulated},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "0" not in done.stdout.split(), "episodes ended and were cut on the way"
    assert done.stderr == ""
