"""A copy of the package holds only what it was asked for, whichever module is loaded into it first."""

import subprocess
import sys

import pytest

LOADED = """
import sys
from cartagena.backends.cpu import compiled_with, intrinsics
compiled_with(episode="rl.compiled.episode").load({module!r})
for root in ("_compiled", "_compiled_in_rl"):
    for room in ("kernel", "backends.portable"):
        assert sys.modules[f"cartagena.backends.{{root}}.{{room}}.intrinsics"] is intrinsics, (root, room)
assert not [name for name in sys.modules if name.endswith(".cpu.compiler") and "_compiled" in name]
"""


@pytest.mark.parametrize("module", ["rl.compiled.whole_game", "rl.compiled.opponents", "rl.compiled.afterstates"])
def test_the_first_module_of_a_copy_leaves_the_compiler_alone(module: str) -> None:
    """Otherwise kept code would name modules that other processes do not have."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(module=module)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
