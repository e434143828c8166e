"""Errors of the environments, in the kinds that Gymnasium and PettingZoo use, and the checks that raise them."""

from operator import index
from typing import Final

import gymnasium
import numpy as np
from gymnasium import spaces

from cartagena.errors import shown
from cartagena.kernel import layout as at
from cartagena.rulesets import RuleSet

from .spaces import observation
from .tables import PACKED_SIZE, EnvOptions, EnvSettings

MOST: Final = (1 << 63) - 1
"""The largest number that fits the arrays."""
RENDER_MODES: Final = ("human", "rgb_array", "ansi")


class BadArgument(gymnasium.error.Error, ValueError):
    """A bad argument; the message is one sentence."""


class BadAction(gymnasium.error.InvalidAction, ValueError):
    """A value that is not an action."""


class EpisodeIsOver(gymnasium.error.ResetNeeded, ValueError):
    """A step after the end of an episode, or before its beginning."""


def checked_settings(rules: str | RuleSet, seats: int, options: EnvOptions) -> EnvSettings:
    """Return the settings of an environment. Raises BadArgument with one sentence."""
    known = EnvOptions.__annotations__
    for name in options:
        if name not in known:
            raise BadArgument(f"{name} is not an argument of the environment; some are {', '.join(known)}.")
    try:
        return EnvSettings.of(rules, seats, **options)
    except ValueError as error:
        raise BadArgument(str(error)) from None


def checked_mode(mode: str | None) -> str | None:
    """Return the render mode if it exists. Raises BadArgument."""
    if mode is not None and mode not in RENDER_MODES:
        raise BadArgument(f"render_mode must be {', '.join(RENDER_MODES)} or None, not {shown(mode)}.")
    return mode


def checked_action(action: object) -> int:
    """Return an action as a number, legal or not. Raises BadAction if it is no number."""
    try:
        number = index(action)  # type: ignore[arg-type]  # TypeError for what is no whole number
    except TypeError:
        number = MOST + 1
    if abs(number) > MOST:
        raise BadAction(f"an action is a whole number from 0 to {at.ACTIONS - 1}, not {shown(action)}.")
    return number


def action_space() -> spaces.Discrete:
    """Return the fixed action space."""
    return spaces.Discrete(at.ACTIONS)


def observation_space(*, packed: bool = False) -> spaces.Dict:
    """Return the space of observations and masks; a mask has a byte for each action, or a bit."""
    bits, marks = spaces.Box(0, 255, (PACKED_SIZE,), np.uint8), spaces.Box(0, 1, (at.ACTIONS,), observation.MASK_TYPE)
    return spaces.Dict(
        {
            "observation": spaces.Box(0, observation.HIGH, dtype=observation.HIGH.dtype.type),
            "action_mask": bits if packed else marks,
        }
    )
