"""The compiled worlds: one for each policy, because a policy is compiled into the games it plays."""

from functools import cache

from cartagena.backends.loader import World
from cartagena.backends.policies import UNIFORM, module_of

from . import intrinsics, words

world = World("cartagena.backends._compiled", {"kernel.intrinsics": intrinsics, "backends.portable.words": words})


@cache
def world_with(policy: str) -> World:
    """The world in which games are played with this policy."""
    if policy == UNIFORM:
        return world
    replaced = {"kernel.intrinsics": intrinsics, "backends.portable.words": words}
    found = World(f"cartagena.backends._compiled_{policy}", replaced)
    found.replace("backends.portable.policy", found.load(module_of(policy)))
    return found
