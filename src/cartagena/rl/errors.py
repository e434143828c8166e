"""Errors of the environments, in the kinds that Gymnasium and PettingZoo use, and the checks that raise them."""

from collections.abc import Sequence
from operator import index
from typing import Any, Final

import numpy as np

from cartagena.errors import missing

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as error:
    raise missing(error, __name__, "rl") from None

from cartagena.errors import CartagenaError, shown
from cartagena.game import Game, Position
from cartagena.game.position import as_position
from cartagena.kernel import layout as at
from cartagena.rulesets import MIN_SEATS, RuleSet

from .spaces import observation
from .tables import PACKED_SIZE, EnvOptions, EnvSettings, Tables

MOST: Final = (1 << 62) - 1
"""The largest number that is taken for an action: it fits the arrays, and ``compiled.episode.HOLD`` lies beyond."""
RENDER_MODES: Final = ("human", "rgb_array", "ansi")


class BadArgument(gymnasium.error.Error, ValueError):
    """A bad argument; the message is one sentence."""


class BadAction(gymnasium.error.InvalidAction, ValueError):
    """A value that is not an action."""


class EpisodeIsOver(gymnasium.error.ResetNeeded, ValueError):
    """A step after the end of an episode, or before its beginning."""


def checked_settings(
    rules: str | RuleSet, seats: int | None, options: EnvOptions, usual: int = MIN_SEATS
) -> EnvSettings:
    """Return the settings of an environment. Raises BadArgument with one sentence.

    Without ``seats`` they are those that the rule set names, or ``usual``.
    """
    known = EnvOptions.__annotations__
    for name in options:
        if name not in known:
            raise BadArgument(f"{name} is not an argument of the environment; some are {', '.join(known)}.")
    try:
        return EnvSettings.of(rules, seats, usual=usual, **options)
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


def checked_options(options: object, tables: int = 1) -> Any:
    """The position that the options of a reset name, or a list of one for each table, or None. Raises BadArgument."""
    if options is None or options == {}:
        return None
    if not isinstance(options, dict) or set(options) != {"position"}:
        unknown = next((key for key in options if key != "position"), "") if isinstance(options, dict) else options
        raise BadArgument(f"reset takes the option position, not {shown(unknown)}.")
    position = options["position"]
    if isinstance(position, list) and tables > 1 and len(position) != tables:
        raise BadArgument(f"a list of positions has one for each of the {tables} tables, not {len(position)}.")
    return position


def checked_position(given: object, rules: RuleSet) -> Position:
    """A position in which a seat must choose, with all cards known, read with these rules. Raises BadArgument."""
    try:
        if isinstance(given, str) and rules.is_variant:  # its text does not name the variant
            position = Position(given, rules)
        else:
            position = given.position if isinstance(given, Game) else as_position(given)  # type: ignore[arg-type]
    except CartagenaError as error:
        raise BadArgument(str(error)) from None
    if position.is_view or position.turn == 0:
        raise BadArgument("a game begins from a position with all cards known in which a seat must choose.")
    return position


def named(rules: RuleSet) -> str:
    """A rule set as people know it: a variant by its own name."""
    return f"{rules.variant or 'a variant'} ({rules.name})" if rules.is_variant else rules.name


def put_all(tables: Tables, given: Sequence[object]) -> None:
    """Put a position on every table, where games have just begun. Raises BadArgument."""
    settings = tables.settings
    for number, each in enumerate(given):
        position = checked_position(each, settings.rules)
        if position.rules.name != settings.rules.name or position.table != settings.lay(0).table:
            wanted = f"{named(settings.rules)} with {settings.seats} seats and the board's and crews' sizes"
            raise BadArgument(
                f"the position must be of {wanted}, not of {named(position.rules)} with {position.seats}."
            )
        tables.put(position, number)
    tables.engine.observe()
