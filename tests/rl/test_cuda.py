"""The tables on a device are those on the processor: on Numba's simulator, and on a device where there is one."""

import os
import subprocess
import sys

import pytest

from cartagena.backends import has_cuda

MACHINES = {"simulator": ("1", "34", "8"), "device": ("0", "1000", "200")}
"""Whether it is simulated, tables (more than a warp has), steps."""


@pytest.mark.parametrize("machine", MACHINES if has_cuda() else ["simulator"])
def test_masks_observations_and_steps_are_the_processors(machine: str) -> None:
    """A process of its own, because the simulator is chosen when Numba is loaded."""
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
