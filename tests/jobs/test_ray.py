"""A Ray cluster of two nodes: the same results as local processes, also when a node dies in the middle."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cartagena.arena import Contest, run
from cartagena.jobs import executor
from cartagena.players import PlayerError

BOT = """
import os
from pathlib import Path

class Marked:
    name = "marked"

    def decide(self, view, limit=None):
        folder = Path({folder!r})
        (folder / str(os.getpid())).touch()
        return view.legal_moves[-1]
"""


PATIENCE = 600
"""Seconds to wait for a part of Ray: on a busy machine a node takes minutes to start."""
# Ray reads these when it is imported, which happens after all tests are collected.
os.environ.update(
    {
        "RAY_raylet_start_wait_time_s": str(PATIENCE),
        "RAY_gcs_server_request_timeout_seconds": str(PATIENCE),
        "RAY_gcs_rpc_server_connect_timeout_s": str(PATIENCE),
        "RAY_py_gcs_connect_timeout_s": str(PATIENCE),
        "RAY_worker_register_timeout_seconds": str(PATIENCE),
        "RAY_agent_register_timeout_ms": str(1000 * PATIENCE),
        "RAY_health_check_timeout_ms": str(1000 * PATIENCE),  # a node that is slow to answer is not dead
        "RAY_health_check_period_ms": "500",  # a dead one refuses, five times in a row
    }
)


class Cluster:
    """Two nodes on this machine, each a set of processes of its own, with as few processes as Ray can do with."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster as Nodes

        head = {"num_cpus": 1, "include_dashboard": False, "no_monitor": True, "include_log_monitor": False}
        self.nodes: Any = Nodes(initialize_head=True, head_node_args={**head, "wait": False})
        self.second: Any = self.nodes.add_node(wait=False, num_cpus=1)
        self.nodes.wait_for_nodes(timeout=PATIENCE)

    @property
    def address(self) -> str:
        return str(self.nodes.address)

    def kill_second(self) -> None:
        self.nodes.remove_node(self.second, allow_graceful=False)

    def stop(self) -> None:
        self.nodes.shutdown()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    found = Cluster()
    old = os.environ.get("RAY_ADDRESS")
    os.environ["RAY_ADDRESS"] = found.address
    yield found
    found.stop()
    if old is None:
        del os.environ["RAY_ADDRESS"]
    else:
        os.environ["RAY_ADDRESS"] = old


def told(path: Path) -> list[dict[str, Any]]:
    """The lines of a file of results without the times, which differ from run to run."""
    import json

    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [
        {key: value for key, value in line.items() if key not in ("seconds", "slowest", "overruns")} for line in lines
    ]


def test_results_are_the_same_on_a_cluster_that_loses_a_node(cluster: Cluster, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    seen.mkdir()
    bot = tmp_path / "bot.py"
    bot.write_text(BOT.format(folder=str(seen)), encoding="utf-8")
    contest = Contest(("marked", "sailor"), "nest-nl", games=40, code=(str(bot),), most_turns=60)
    results = []

    def tell(result: object) -> None:
        results.append(result)
        if len(results) == 8:
            cluster.kill_second()

    run(contest, tmp_path / "ray.jsonl", None, tell, place=executor("ray"))
    assert len(results) == 40
    run(contest, tmp_path / "here.jsonl", 1)
    assert told(tmp_path / "ray.jsonl") == told(tmp_path / "here.jsonl")
    assert str(os.getpid()) in {path.name for path in seen.iterdir()}, "here the bot ran in this process"
    assert len(list(seen.iterdir())) >= 2, "there it ran in others"


def test_bad_places_say_so_in_a_sentence() -> None:
    words = ["-m", "cartagena", "arena", "sailor", "random", "--games", "2", "--on", "ray://127.0.0.1:1"]
    short = {"RAY_CLIENT_INITIAL_CONNECTION_TIMEOUT_S": "1", "RAY_CLIENT_MAX_CONNECTION_TIMEOUT_S": "1"}
    found = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, check=False, env={**os.environ, **short}
    )
    assert found.returncode == 2
    assert "Traceback" not in found.stderr
    assert "The Ray cluster ray://127.0.0.1:1 cannot be reached" in found.stderr
    with pytest.raises(PlayerError):
        executor("ray:/")
