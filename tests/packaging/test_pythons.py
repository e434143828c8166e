"""The rules run on every Python from 3.11 that this machine has. ``make pythons`` tries the whole package on each."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.wheel import ROOT
from tools.pythons import found_pythons

PROGRAM = """
import json, sys
from cartagena import Game
game = Game.new("nest-nl", seats=3, seed=11)
while not game.is_over and len(game.moves) < 200:
    game.play(game.legal_moves[len(game.moves) % len(game.legal_moves)])
print(json.dumps([list(sys.version_info[:2]), str(game.position)]))
"""


def played(python: Path) -> list[object]:
    command = [str(python), "-c", PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(ROOT / "src")})
    assert done.returncode == 0, done.stderr
    found: list[object] = json.loads(done.stdout)
    return found


def test_python_3_11_is_among_them() -> None:
    assert "3.11" in found_pythons()


@pytest.mark.parametrize("version", found_pythons())
def test_the_rules_play_the_same_game(version: str) -> None:
    found = played(found_pythons()[version])
    assert found == [[int(part) for part in version.split(".")], played(Path(sys.executable))[1]]
