"""The worlds compiled for CUDA devices: one for each policy."""

from functools import cache

from cartagena.backends.loader import World
from cartagena.backends.policies import UNIFORM, module_of

from . import intrinsics, words


@cache
def world_with(policy: str = UNIFORM) -> World:
    """The world in which games are played with this policy."""
    replaced = {"kernel.intrinsics": intrinsics, "backends.portable.words": words}
    found = World(f"cartagena.backends._cuda_{policy}", replaced)
    if policy != UNIFORM:
        found.replace("backends.portable.policy", found.load(module_of(policy)))
    return found
