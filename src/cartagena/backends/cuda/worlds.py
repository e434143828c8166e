"""The worlds compiled for CUDA devices: one for each policy."""

from functools import cache

from cartagena.backends.policies import UNIFORM, module_of
from cartagena.backends.worlds import World

from . import machine, words


@cache
def world_with(policy: str = UNIFORM) -> World:
    """The world in which games are played with this policy."""
    replaced = {"kernel.machine": machine, "backends.common.machine": words}
    found = World(f"cartagena.backends._cuda_{policy}", replaced)
    if policy != UNIFORM:
        found.replace("backends.common.policy", found.load(module_of(policy)))
    return found
