"""What environments with one table share: their arguments, the table, the reason of a forfeit, rendering."""

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from cartagena.rulesets import MIN_SEATS, RuleSet

from . import errors
from .rendering import Pixels, Screen, paint
from .spaces.actions import why_not
from .tables import FORFEIT, EnvOptions, Tables


class SingleOptions(EnvOptions, total=False):
    """The arguments of an environment with one table besides its rules and seats."""

    render_mode: str | None


class SingleTable:
    """The base of an environment with one table; the library's own class follows it in the list of bases."""

    usual_seats = MIN_SEATS
    """Seats where neither the caller nor the rule set names a number."""

    def __init__(self, rules: str | RuleSet, seats: int | None, **options: Unpack[SingleOptions]) -> None:
        super().__init__()
        self.render_mode = errors.checked_mode(options.pop("render_mode", None))
        self.settings = errors.checked_settings(rules, seats, options, self.usual_seats)
        self._tables = Tables(self.settings)
        self._choice = np.zeros(1, dtype=np.int64)
        self._screen = Screen()
        self._begun = False

    def __getstate__(self) -> dict[str, Any]:
        """The environment without its window."""
        return {**self.__dict__, "_screen": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._screen = Screen()

    def _begin(self, rng: np.random.Generator, options: dict[str, Any] | None) -> None:
        """Begin a new game, dealt or from the position that the options name."""
        position = errors.checked_options(options)
        self._tables.seed(rng.integers(1 << 63))
        self._tables.start()
        if position is not None:
            errors.put_all(self._tables, [position])
        self._begun = True

    def _play(self, action: int) -> None:
        """Play a choice at the table."""
        self._choice[0] = action
        self._tables.step(self._choice)

    def _forfeit(self) -> dict[str, str]:
        """Return why the last choice has forfeited the game, for an info; empty if it has not."""
        if self._tables.status[0] != FORFEIT:
            return {}
        error = why_not(self._tables.position(), int(self._choice[0]))
        return {"reason": error.reason, "why": str(error)}

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def state(self) -> NDArray[np.uint8]:
        """Return the table with all hands open, as seat 1 would observe it: for centralised critics."""
        whole: NDArray[np.uint8] = self._tables.state()[0]
        return whole

    def render(self) -> str | Pixels | None:
        """Show the table with all cards open: in a window, as an array of pixels, or as text."""
        if self.render_mode is None:
            return None
        if not self._begun:
            raise errors.EpisodeIsOver("no game has begun; call reset() first.")
        position = self._tables.position()
        if self.render_mode == "ansi":
            return position.text()
        pixels = paint(position)
        if self.render_mode == "rgb_array":
            return pixels
        self._screen.show(pixels)
        return None

    def close(self) -> None:
        """Close the window, if there is one."""
        self._screen.close()
