"""Wrappers for libraries that want one vector of floating-point numbers as the observation.

The mask is left out of the observation: it is in the info and in ``action_masks()``.

    env = Flat(gymnasium.make("cartagena/Jamaica-v1", opponents="sailor"))
    env = FlatVector(gymnasium.make_vec("cartagena/Jamaica-v1", num_envs=64, opponents="sailor"))
    env = FlatAgents(cartagena.rl.pettingzoo.env(seats=3))
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cartagena.errors import missing

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.utils import RecordConstructorArgs
    from gymnasium.vector.utils import batch_space
    from pettingzoo.utils.wrappers import BaseWrapper
except ModuleNotFoundError as error:
    raise missing(error, __name__, "rl") from None

from cartagena.backends.arrays import BackendArray
from cartagena.errors import shown

from .errors import BadArgument
from .spaces.observation import HIGH, SIZE
from .tables import Seen

__all__ = ["Flat", "FlatAgents", "FlatVector", "flat_space", "flattened"]

SCALE: Final = (1 / np.maximum(HIGH, 1)).astype(np.float32)


def flattened(seen: Seen) -> NDArray[np.float32]:
    """Return an observation, or a batch of them, as new floating-point numbers from 0 to 1.

    >>> from cartagena.rl.vector import CartagenaVectorEnv
    >>> from cartagena.rl.wrappers import flattened
    >>> flattened(CartagenaVectorEnv(4).reset(seed=1)[0]).shape
    (4, 832)
    """
    if not isinstance(seen, Mapping) or np.shape(seen.get("observation", ()))[-1:] != (SIZE,):
        raise BadArgument(f"an observation is what an environment returns, with {SIZE} numbers, not {shown(seen)}.")
    scaled: NDArray[np.float32] = np.multiply(seen["observation"], SCALE, dtype=np.float32)
    return scaled


def flat_space() -> "spaces.Box[np.float32]":
    """Return the space of flat observations.

    >>> from cartagena.rl.wrappers import flat_space
    >>> flat_space()
    Box(0.0, 1.0, (832,), float32)
    """
    return spaces.Box(0, 1, (SIZE,), np.float32)


class Flat(gymnasium.ObservationWrapper[NDArray[np.float32], object, Seen], RecordConstructorArgs):
    """A Gymnasium environment with flat observations.

    >>> from cartagena.rl.gymnasium import CartagenaEnv
    >>> from cartagena.rl.wrappers import Flat
    >>> env = Flat(CartagenaEnv("jamaica-en", opponents="deckhand"))
    >>> env.reset(seed=1)[0].shape, env.action_masks().shape
    ((832,), (1200,))
    """

    def __init__(self, env: gymnasium.Env[Seen, object]) -> None:
        RecordConstructorArgs.__init__(self)
        gymnasium.ObservationWrapper.__init__(self, env)
        self.observation_space = flat_space()

    def observation(self, observation: Seen) -> NDArray[np.float32]:
        """Return the observation without its mask."""
        return flattened(observation)

    def action_masks(self) -> NDArray[np.bool_]:
        """What the learner can choose now."""
        masks: NDArray[np.bool_] = self.env.get_wrapper_attr("action_masks")()
        return masks


class FlatVector(gymnasium.vector.VectorObservationWrapper):
    """A vector environment with flat observations, which are copies.

    >>> from cartagena.rl.vector import CartagenaVectorEnv
    >>> from cartagena.rl.wrappers import FlatVector
    >>> env = FlatVector(CartagenaVectorEnv(4))
    >>> env.reset(seed=1)[0].shape, env.action_masks().shape
    ((4, 832), (4, 1200))
    """

    def __init__(self, env: gymnasium.vector.VectorEnv[Seen, BackendArray, NDArray[np.generic]]) -> None:
        super().__init__(env)
        self.single_observation_space = flat_space()
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)

    def observations(self, observations: Seen) -> NDArray[np.float32]:
        """Return the observations without their masks."""
        return flattened(observations)

    def action_masks(self) -> NDArray[np.bool_]:
        """What can be chosen at every table."""
        masks: NDArray[np.bool_] = self.env.unwrapped.action_masks()  # type: ignore[attr-defined]
        return masks


class FlatAgents(BaseWrapper):  # type: ignore[misc]
    """A PettingZoo environment whose agents get flat observations; masks are in the infos.

    >>> from cartagena.rl.pettingzoo import env
    >>> from cartagena.rl.wrappers import FlatAgents
    >>> table = FlatAgents(env("jamaica-en", seats=2))
    >>> table.reset(seed=1)
    >>> table.observe("player_1").shape
    (832,)
    """

    def observation_space(self, agent: str) -> "spaces.Box[np.float32]":  # noqa: ARG002
        """Return the space of the flat observations."""
        return flat_space()

    def observe(self, agent: str) -> NDArray[np.float32]:
        """Return what an agent sees, without its mask."""
        return flattened(self.env.observe(agent))
