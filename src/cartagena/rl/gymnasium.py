"""Cartagena as Gymnasium environments: one learner, with computer players in the other seats.

Importing this module registers ``cartagena/Jamaica-v1``, ``cartagena/Tortuga-v1``, ``cartagena/Hispaniola-v1`` and
``cartagena/Nest-v1``:

    import gymnasium, cartagena.rl.gymnasium
    env = gymnasium.make("cartagena/Jamaica-v1", seats=3, opponents=("sailor", "deckhand"))

``opponents`` is one opponent for all other seats, or one for each: the name of a player, a player, a policy or a league
(see ``cartagena.rl.opponents``); they sit in order behind the learner. ``seat`` is the learner's seat from 1, or 0 for
another one in every game. Observations, masks and rewards are those of ``cartagena.rl.pettingzoo``; an illegal action
loses the episode, and the info has the reason. ``action_masks()`` is the mask as sb3-contrib asks for it, and
``state()`` is for centralised critics. ``gymnasium.make_vec`` makes the vector environment of ``cartagena.rl.vector``
from the same names.
"""

from collections.abc import Sequence
from typing import Any, Final, Unpack

import numpy as np
from numpy.typing import NDArray

from cartagena.errors import missing

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise missing(error, __name__, "rl") from None

from cartagena.errors import shown, whole
from cartagena.rulesets import RuleSet

from . import errors
from .opponents import League, Opponent, Policy, SeatedPlayer, checked_opponents, is_policy, policy_actions
from .single_table import SingleOptions, SingleTable
from .tables import CUT, RUNNING, Seen

__all__ = ["CartagenaEnv", "register"]

IDS: Final = {
    "cartagena/Jamaica-v1": "jamaica-en",
    "cartagena/Tortuga-v1": "tortuga-en",
    "cartagena/Hispaniola-v1": "hispaniola-en",
    "cartagena/Nest-v1": "nest-nl",
}

ONLY_ROW: Final = np.zeros(1, dtype=np.int64)


class CartagenaEnv(SingleTable, gymnasium.Env[dict[str, Any], object]):
    """A learner at a table with other players.

    Without ``seats`` there are as many as the rule set's file names, or 2.

    >>> from cartagena.rl.gymnasium import CartagenaEnv
    >>> env = CartagenaEnv("jamaica-en", seats=2, opponents="deckhand")
    >>> seen, info = env.reset(seed=1)
    >>> seen, reward, terminated, truncated, info = env.step(env.action_masks().argmax())
    >>> reward, terminated, truncated
    (0.0, False, False)
    """

    metadata = {"render_modes": list(errors.RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        rules: str | RuleSet = "jamaica-en",
        seats: int | None = None,
        *,
        opponents: Opponent | Sequence[Opponent] = "sailor",
        seat: int = 1,
        **options: Unpack[SingleOptions],
    ) -> None:
        super().__init__(rules, seats, **options)
        seats = self.settings.seats
        self.opponents = checked_opponents(opponents, seats)
        number = whole(seat)
        if number is None or not 0 <= number <= seats:
            raise errors.BadArgument(f"seat must be a whole number from 0 (any) to {seats}, not {shown(seat)}.")
        self.seat = number
        self.observation_space = errors.observation_space()
        self.action_space = errors.action_space()
        self._others: dict[int, SeatedPlayer | Policy] = {}
        self._learner = 0
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begin a new game and play up to the learner's first choice. The option ``position`` names where it begins."""
        super().reset(seed=seed, options=options)
        self._begin(self.np_random, options)
        self._learner = self.seat - 1 if self.seat else int(self.np_random.integers(self.settings.seats))
        others = [(self._learner + step) % self.settings.seats for step in range(1, self.settings.seats)]
        self._others = {other: self._seated(opponent) for other, opponent in zip(others, self.opponents, strict=True)}
        self._over = False
        self._let_others_play()
        self._show()
        return self._observed()

    def step(self, action: object) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Play the learner's choice, then those of the others until it is the learner's turn to choose again."""
        if self._over:
            raise errors.EpisodeIsOver("the game is over or has not begun; call reset() for a new one.")
        self._play(errors.checked_action(action))
        reason = self._forfeit()
        reward = float(self._tables.rewards[0, self._learner])
        self._let_others_play()
        if self._tables.status[0] != RUNNING:
            reward = float(self._tables.rewards[0, self._learner])
        self._over = bool(self._tables.status[0] != RUNNING)
        cut = bool(self._tables.status[0] == CUT)
        self._show()
        seen, info = self._observed()
        return seen, reward, self._over and not cut, cut, {**info, **reason}

    def _seated(self, opponent: Opponent) -> SeatedPlayer | Policy:
        """The opponent of a new game: a policy, or a player at the table."""
        drawn = opponent.draw(self.np_random) if isinstance(opponent, League) else opponent
        return drawn if is_policy(drawn) else SeatedPlayer(drawn, int(self.np_random.integers(1 << 31)))

    def _let_others_play(self) -> None:
        """Let the others choose; each gets only what its seat may see."""
        while self._tables.status[0] == RUNNING and (seat := int(self._tables.viewers[0])) != self._learner:
            other = self._others[seat]
            if isinstance(other, SeatedPlayer):
                self._play(other.reply(self._tables.position()))
            else:
                self._play(int(policy_actions(other, self._tables, ONLY_ROW)[0]))

    def action_masks(self) -> NDArray[np.bool_]:
        """What the learner can choose now, as sb3-contrib asks for it; only ``end`` when the game is over."""
        return self._tables.observe(self._learner)[1].astype(np.bool_)

    def _observed(self) -> tuple[Seen, dict[str, Any]]:
        seen, mask = self._tables.observe(self._learner)
        return {"observation": seen, "action_mask": mask}, {"action_mask": mask.copy(), "seat": self._learner + 1}


def register() -> None:
    """Register the ids with Gymnasium, unless that was done before. Importing this module does it.

    >>> import gymnasium
    >>> from cartagena.rl.gymnasium import register
    >>> register()
    >>> gymnasium.make("cartagena/Tortuga-v1").unwrapped.settings.rules.name
    'tortuga-en'
    """
    for name, rules in IDS.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point="cartagena.rl.gymnasium:CartagenaEnv",
                vector_entry_point="cartagena.rl.vector:CartagenaVectorEnv",
                kwargs={"rules": rules},
            )


register()
