"""The compiled worlds: one for each policy, because a policy is compiled into the games it plays."""

from functools import cache

from cartagena.backends.policies import UNIFORM, module_of
from cartagena.backends.worlds import World

from . import machine, words

world = World("cartagena.backends._compiled", {"kernel.machine": machine, "backends.common.machine": words})


@cache
def world_with(policy: str) -> World:
    """The world in which games are played with this policy."""
    if policy == UNIFORM:
        return world
    replaced = {"kernel.machine": machine, "backends.common.machine": words}
    found = World(f"cartagena.backends._compiled_{policy}", replaced)
    found.replace("backends.common.policy", found.load(module_of(policy)))
    return found
