"""What goes wrong in an environment, said in the kind of error that Gymnasium and PettingZoo use."""

from operator import index
from typing import Any, Final

import gymnasium
import numpy as np
from gymnasium import spaces

from cartagena.kernel import layout as at
from cartagena.rulesets import RuleSet

from .spaces import observation
from .tables import PACKED_SIZE, Options, Settings

MOST: Final = (1 << 63) - 1
"""The largest number that fits the arrays; whatever does is a number that the game can call illegal."""
RENDER_MODES: Final = ("human", "rgb_array", "ansi")


class BadArgument(gymnasium.error.Error, ValueError):
    """An argument that makes no sense; the message is one sentence."""


class BadAction(gymnasium.error.InvalidAction, ValueError):
    """Something that is not an action at all."""


class EpisodeIsOver(gymnasium.error.ResetNeeded, ValueError):
    """A step after the end, or before the beginning."""


def checked_settings(rules: str | RuleSet, seats: int, options: Options) -> Settings:
    """The settings of an environment, or why they make none."""
    known = Options.__annotations__
    for name in options:
        if name not in known:
            raise BadArgument(f"{name} is no argument of the environment; among others there are {', '.join(known)}.")
    try:
        return Settings.of(rules, seats, **options)
    except ValueError as error:
        raise BadArgument(str(error)) from None


def checked_mode(mode: str | None) -> str | None:
    """A render mode that exists."""
    if mode is not None and mode not in RENDER_MODES:
        raise BadArgument(f"render_mode must be {', '.join(RENDER_MODES)} or None, not {mode!r}.")
    return mode


def checked_action(action: Any) -> int:
    """An action as a number; whether it is legal is the game's business."""
    try:
        number = index(action)
    except TypeError:
        number = MOST + 1
    if abs(number) > MOST:
        raise BadAction(f"an action is a whole number from 0 to {at.ACTIONS - 1}, not {action!r}.")
    return number


def action_space() -> spaces.Discrete:
    """The one fixed action space."""
    return spaces.Discrete(at.ACTIONS)


def observation_space(*, packed: bool = False) -> spaces.Dict:
    """What a seat sees, and the mask of what it can choose: a byte for each action, or a bit."""
    mask: spaces.Box[Any] = spaces.Box(0, 1, (at.ACTIONS,), observation.MASK_TYPE)
    if packed:
        mask = spaces.Box(0, 255, (PACKED_SIZE,), dtype=np.uint8)
    return spaces.Dict(
        {
            "observation": spaces.Box(0, observation.HIGH, dtype=observation.HIGH.dtype.type),
            "action_mask": mask,
        }
    )
