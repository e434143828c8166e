"""Cartagena as a PettingZoo environment: ``cartagena.rl.pettingzoo.env(rules="jamaica-en", seats=3)``.

Agents are ``player_1`` to ``player_5``, seat 1 starts. An observation is a dictionary with ``observation`` (the vector
that ``cartagena.rl.spaces.observation`` describes) and ``action_mask``; the mask is in the info too. A mask is never
all zero: who has nothing to choose, because it is another seat's choice or the game is over, has the one mark
``end``. Cards are dealt by themselves after the move that brings them.

Rewards come with the last step. With ``rewards="zero-sum"`` the winner gets 1 and the others -1 / (seats - 1); in a
deadlock all get 0. With ``rewards="win"`` the winner gets 1 and the others 0; in a deadlock all get 1 / seats. After
``turns`` turns the game is truncated and nobody gets anything. An action that is not legal loses the game: -1 for the
seat that chose it, 0 for the others, and the reason is in the infos.
"""

from typing import Any, Unpack

import numpy as np
from gymnasium import spaces
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from cartagena.rulesets import RuleSet

from . import errors
from .rendering import Shown, ShownOptions
from .spaces.actions import why_not
from .tables import CUT, FORFEIT, RUNNING, Options, Tables, idle_mask


def env(rules: str | RuleSet = "jamaica-en", seats: int = 3, **options: Unpack[ShownOptions]) -> Any:
    """The environment, with PettingZoo's check that calls come in order."""
    return InOrder(RawEnv(rules, seats, **options))


class InOrder(OrderEnforcingWrapper):  # type: ignore[misc]
    """PettingZoo's order-enforcing wrapper, with the two questions of every step asked of the environment directly."""

    @property
    def agents(self) -> Any:
        """The agents still in the game; asking before the first reset is refused as everywhere in PettingZoo."""
        if not self._has_reset:
            raise AttributeError("agents cannot be accessed before reset")
        return self.env.agents

    def last(self, observe: bool = True) -> Any:
        """What the selected agent sees and has got."""
        if not self._has_reset:
            raise AttributeError("agent_selection cannot be accessed before reset")
        return self.env.last(observe)


class RawEnv(Shown, AECEnv):  # type: ignore[misc]
    """The environment without any wrapper."""

    metadata = {  # noqa: RUF012
        "name": "cartagena_v1",
        "render_modes": list(errors.RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: str | RuleSet = "jamaica-en",
        seats: int = 3,
        *,
        render_mode: str | None = None,
        **options: Unpack[Options],
    ) -> None:
        super().__init__()
        self.settings = errors.checked_settings(rules, seats, options)
        self.render_mode = errors.checked_mode(render_mode)
        self.possible_agents = [f"player_{seat + 1}" for seat in range(seats)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observations = {agent: errors.observation_space() for agent in self.possible_agents}
        self._actions = {agent: errors.action_space() for agent in self.possible_agents}
        self._tables = Tables(self.settings)
        self._seen, self._mask = self._tables.observations[0], self._tables.masks[0]
        self._running = False
        self._choice = np.zeros(1, dtype=np.int64)
        self._rng = np.random.default_rng()
        self._idle = idle_mask()
        self._sight: tuple[Any, Any] = (None, None)

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._actions[agent]

    # --- playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """A new game; the same one for the same seed."""
        if seed is not None:
            self._rng, _ = np_random(seed)
        self._tables.seed(self._rng.integers(1 << 63))
        self._tables.start()
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
        """It is this seat's choice."""
        self._running = True
        self.agent_selection = self.possible_agents[seat]
        self._sight = (self._seen.copy(), self._mask.copy())
        self.infos[self.agent_selection] = {"action_mask": self._sight[1]}

    def step(self, action: Any) -> None:
        """The selected agent's choice; one whose game is over says None."""
        if not self.agents:
            raise errors.EpisodeIsOver("the game is over and all agents are done; call reset() for a new one.")
        agent = self.agent_selection
        if not self._running:
            if action is not None:
                raise errors.EpisodeIsOver(f"the game is over for {agent}: the only step left is None.")
            self._was_dead_step(None)
            return
        number = self._choice[0] = errors.checked_action(action)
        self.infos[agent] = {"action_mask": self._idle}
        self._cumulative_rewards[agent] = 0.0
        self._tables.step(self._choice)
        if self._tables.status[0] == RUNNING:
            self._turn_to(int(self._tables.viewers[0]))
        else:
            self._finish(number)
        self._show()

    def _finish(self, action: int) -> None:
        """The game is over: rewards for all, and everybody's last look."""
        self._running = False
        status = self._tables.status[0]
        reason = {}
        if status == FORFEIT:
            error = why_not(self._tables.position(), action)
            reason = {"reason": error.reason, "why": str(error), "forfeit": self.agent_selection}
        for agent in self.agents:
            self.rewards[agent] = float(self._tables.rewards[0, self._seat[agent]])
            self.terminations[agent] = bool(status != CUT)
            self.truncations[agent] = bool(status == CUT)
            self.infos[agent] = {"action_mask": self._idle, **reason}
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees now. Who is not to choose has only ``end`` in its mask."""
        seat = self._seat.get(agent)
        if seat is None:
            raise errors.BadArgument(f"there is no {agent} at this table; there are {', '.join(self.possible_agents)}.")
        if self._running and agent == self.agent_selection:
            seen, mask = self._sight
        else:
            seen, mask = self._tables.look(seat)[0], self._idle
        return {"observation": seen, "action_mask": mask}


raw_env = RawEnv
