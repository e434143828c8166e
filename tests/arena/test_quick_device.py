"""Quick games on a CUDA device are those of the processor: on Numba's simulator, or on a device if there is one."""

import os
import subprocess
import sys
from pathlib import Path

from cartagena.arena.train_config import TrainConfig
from cartagena.backends import has_cuda
from cartagena.players.networks import fresh, pack, write


def test_a_device_plays_the_quick_games_of_the_processor(tmp_path: Path) -> None:
    """Runs in a new process, because the simulator is chosen when Numba is loaded."""
    tiny, network = tmp_path / "tiny.toml", tmp_path / "pairs.network"
    tiny.write_text('base = "tortuga-en"\npirates = 2\npieces = 2\n')
    write(network, pack(fresh(1, pairs=True)), **TrainConfig(str(tiny), (3,), start=str(network)).about([]))
    done = subprocess.run(
        [sys.executable, "-m", "tests.arena.compare_quick", str(network)],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": str(int(not has_cuda()))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert all(int(samples) > 0 for samples in done.stdout.split())
