"""Cartagena as a PettingZoo environment: ``cartagena.rl.pettingzoo.env(rules="jamaica-en", seats=3)``.

Agents are ``player_1`` to ``player_5``; seat 1 starts. An observation is a dictionary with ``observation`` (the vector
that ``cartagena.rl.spaces.observation`` describes) and ``action_mask``; the mask is in the info too. A mask is never
empty: an agent that has nothing to choose, because another seat chooses or the game is over, has the one mark ``end``.
Cards are dealt automatically after the move that brings them. ``state()`` is the table with all hands open, as seat 1
would observe it, for centralised critics; ``action_masks()`` is the selected agent's mask as sb3-contrib asks for it.

Rewards come with the last step. With ``rewards="zero-sum"`` the winner gets 1 and the others -1 / (seats - 1); in a
deadlock all get 0. With ``rewards="win"`` the winner gets 1 and the others 0; in a deadlock all get 1 / seats. After
``turns`` turns the game is truncated and all rewards are 0. An illegal action loses the game: its seat gets -1, the
others 0, and the infos have the reason.
"""

from typing import Any, Final, Unpack

import numpy as np
from numpy.typing import NDArray

from cartagena.errors import missing

try:
    from gymnasium import spaces
    from gymnasium.utils.seeding import np_random
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ModuleNotFoundError as error:
    raise missing(error, __name__, "rl") from None

from cartagena.rulesets import RuleSet

from . import errors
from .single_table import SingleOptions, SingleTable
from .tables import CUT, RUNNING, Seen, idle_mask

__all__ = ["RawEnv", "env", "raw_env"]

PROBE: Final = "options"
"""An option that PettingZoo's own tests give to every environment; it means nothing."""


def env(rules: str | RuleSet = "jamaica-en", seats: int | None = None, **options: Unpack[SingleOptions]) -> "InOrder":
    """Return the environment, with PettingZoo's check that calls come in order.

    Without ``seats`` there are as many as the rule set's file names, or 3.

    >>> from cartagena.rl.pettingzoo import env
    >>> table = env("tortuga-en", seats=3)
    >>> table.reset(seed=1)
    >>> table.agent_selection, table.last()[0]["observation"].shape
    ('player_1', (832,))
    """
    return InOrder(RawEnv(rules, seats, **options))


class InOrder(OrderEnforcingWrapper):  # type: ignore[misc]
    """PettingZoo's order-enforcing wrapper; ``agents`` and ``last`` go to the environment directly, which is faster."""

    @property
    def agents(self) -> list[str]:
        """The agents still in the game; they are unknown before the first reset."""
        if not self._has_reset:
            raise AttributeError("agents cannot be accessed before reset")
        agents: list[str] = self.env.agents
        return agents

    def last(self, observe: bool = True) -> Any:
        """Return what the selected agent sees and its rewards."""
        if not self._has_reset:
            raise AttributeError("agent_selection cannot be accessed before reset")
        return self.env.last(observe)


class RawEnv(SingleTable, AECEnv):  # type: ignore[misc]
    """The environment without any wrapper; ``raw_env`` is the same class.

    >>> from cartagena.rl.pettingzoo import RawEnv
    >>> table = RawEnv("jamaica-en", 2)
    >>> table.reset(seed=1)
    >>> table.step(table.action_masks().argmax())
    >>> table.agents
    ['player_1', 'player_2']
    """

    metadata = {  # noqa: RUF012
        "name": "cartagena_v1",
        "render_modes": list(errors.RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }
    usual_seats = 3

    def __init__(
        self, rules: str | RuleSet = "jamaica-en", seats: int | None = None, **options: Unpack[SingleOptions]
    ) -> None:
        super().__init__(rules, seats, **options)
        seats = self.settings.seats
        self.possible_agents = [f"player_{seat + 1}" for seat in range(seats)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observations = {agent: errors.observation_space() for agent in self.possible_agents}
        self._actions = {agent: errors.action_space() for agent in self.possible_agents}
        self.state_space = errors.observation_space()["observation"]
        self._seen, self._mask = self._tables.observations[0], self._tables.masks[0]
        self._running = False
        self._rng = np.random.default_rng()
        self._idle = idle_mask()
        self._sight = self._seen.copy(), self._mask.copy()

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._seen, self._mask = self._tables.observations[0], self._tables.masks[0]

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of what an agent observes."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions."""
        return self._actions[agent]

    # --- playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; the same seed gives the same game. The option ``position`` names where it begins."""
        if seed is not None:
            self._rng, _ = np_random(seed)
        given = {name: value for name, value in (options or {}).items() if name != PROBE}
        self._begin(self._rng, given)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {"action_mask": self._idle} for agent in self.agents}
        self._skip_agent_selection = None
        self._turn_to(int(self._tables.viewers[0]))
        self._show()

    def _turn_to(self, seat: int) -> None:
        """Let this seat choose next."""
        self._running = True
        self.agent_selection = self.possible_agents[seat]
        self._sight = (self._seen.copy(), self._mask.copy())
        self.infos[self.agent_selection] = {"action_mask": self._sight[1]}

    def step(self, action: object) -> None:
        """Play the selected agent's choice; the last step of an agent whose game is over is None."""
        if not self.agents:
            raise errors.EpisodeIsOver("the game is over and all agents are done; call reset() for a new one.")
        agent = self.agent_selection
        if not self._running:
            if action is not None:
                raise errors.EpisodeIsOver(f"the game is over for {agent}: the only step left is None.")
            self._was_dead_step(None)
            return
        number = errors.checked_action(action)
        self.infos[agent] = {"action_mask": self._idle}
        self._cumulative_rewards[agent] = 0.0
        self._play(number)
        if self._tables.status[0] == RUNNING:
            self._turn_to(int(self._tables.viewers[0]))
        else:
            self._finish()
        self._show()

    def _finish(self) -> None:
        """Give all agents their rewards and let them take their last step."""
        self._running = False
        status = self._tables.status[0]
        if reason := self._forfeit():
            reason["forfeit"] = self.agent_selection
        for agent in self.agents:
            self.rewards[agent] = float(self._tables.rewards[0, self._seat[agent]])
            self.terminations[agent] = bool(status != CUT)
            self.truncations[agent] = bool(status == CUT)
            self.infos[agent] = {"action_mask": self._idle, **reason}
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> Seen:
        """Return what an agent sees now. Only the agent that must choose has more than ``end`` in its mask."""
        seat = self._seat.get(agent)
        if seat is None:
            raise errors.BadArgument(f"there is no {agent} at this table; there are {', '.join(self.possible_agents)}.")
        if self._running and agent == self.agent_selection:
            seen, mask = self._sight
        else:
            seen, mask = self._tables.observe(seat)[0], self._idle
        return {"observation": seen, "action_mask": mask}

    def action_masks(self) -> NDArray[np.bool_]:
        """What the selected agent can choose now, as sb3-contrib asks for it."""
        return np.asarray(self.infos[self.agent_selection]["action_mask"], dtype=np.bool_)


raw_env = RawEnv
