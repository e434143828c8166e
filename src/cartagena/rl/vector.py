"""Many tables at once as a Gymnasium vector environment, in compiled code.

``gymnasium.make_vec`` makes one, or the class itself:

    env = CartagenaVectorEnv(1024, rules="jamaica-en", seats=2)
    seen, info = env.reset(seed=1)
    seen, rewards, terminated, truncated, info = env.step(actions)

With ``opponents="self"`` every step is one choice at every table: the observation is that of the seat to choose
(``info["seat"]``, from 1), the reward that of the seat that has just chosen, and ``info["rewards"]`` has those of all
seats. With any other ``opponents`` the learner keeps one seat (``seat``; 0 spreads the tables over all seats) and
opponents play the others: one for all of them, or one for each, as in ``cartagena.rl.opponents``. ``random``,
``deckhand``, ``sailor`` and ``gunner`` play in compiled code; other players and policies are called from here.

An action that is not legal, or outside the action space, forfeits its game. ``info["reason"]`` and ``info["why"]`` then
say why, with None for the other tables, and ``info["_reason"]`` marks the tables, as in Gymnasium's own vector
environments. With ``backend="cuda"`` the info has no reasons.

A table whose game is over starts a new one at its next step (Gymnasium's NEXT_STEP mode): the action is ignored and the
reward is 0. Nothing is copied: the arrays that come back are the environment's own and are written again by the next
step; ``copy=True`` returns copies, for libraries that keep what they are given. PyTorch takes the arrays as they are
(``torch.from_dlpack(seen["observation"])``). ``backend="cuda"`` keeps them all on the graphics card, behind
``__cuda_array_interface__`` and ``__dlpack__``; there JAX takes them as they are too, while on a processor it copies
those whose memory does not begin at a multiple of 64 bytes.

Switch off ``observations`` or ``masks`` that you do not need. ``masks="bits"`` gives a bit for each action instead of a
byte, an eighth of the memory: action a is bit a % 8, from the lowest, of byte a // 8; ``tables.unpacked`` turns it into
bytes. ``action_masks()`` and ``state()`` are as in ``cartagena.rl.gymnasium``, with a row for each table.
"""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from cartagena.errors import missing

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.utils.seeding import np_random
    from gymnasium.vector.utils import batch_space
except ModuleNotFoundError as error:
    raise missing(error, __name__, "rl") from None

from cartagena.backends import has_cuda
from cartagena.backends.arguments import checked_number
from cartagena.backends.arrays import BackendArray, FlagArray
from cartagena.backends.vector import host
from cartagena.errors import shown
from cartagena.game import CartagenaError
from cartagena.kernel import layout as at
from cartagena.rulesets import RuleSet

from . import errors
from .opponents import League, Opponent, Others, checked_opponents, is_policy
from .spaces.actions import why_not
from .tables import BITS, FORFEIT, RUNNING, EnvOptions, Seen, Tables

__all__ = ["CartagenaVectorEnv"]

BACKENDS: Final = ("cpu", "cuda")
E = TypeVar("E", bound=np.generic)
Info: TypeAlias = dict[str, NDArray[np.generic]]
SELF: Final = "self"
RANDOM: Final = "random"
MOST_TABLES: Final = 1 << 22


class CartagenaVectorEnv(gymnasium.vector.VectorEnv[Seen, BackendArray, NDArray[np.generic]]):
    """Many tables that are stepped together.

    Without ``seats`` there are as many as the rule set's file names, or 2.

    >>> from cartagena.rl.vector import CartagenaVectorEnv
    >>> env = CartagenaVectorEnv(8, "jamaica-en", seats=2, opponents="sailor")
    >>> seen, info = env.reset(seed=1)
    >>> seen, rewards, terminated, truncated, info = env.step(env.sample())
    >>> rewards.shape, seen["action_mask"].shape
    ((8,), (8, 1200))
    """

    metadata = {"autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        rules: str | RuleSet = "jamaica-en",
        seats: int | None = None,
        *,
        opponents: Opponent | Sequence[Opponent] = SELF,
        seat: int = 0,
        observations: bool = True,
        masks: bool | str = True,
        backend: str = "cpu",
        copy: bool = False,
        **options: Unpack[EnvOptions],
    ) -> None:
        self.settings = errors.checked_settings(rules, seats, options)
        self.num_envs = num_envs = checked_number("num_envs", num_envs, 1, MOST_TABLES, errors.BadArgument)
        checked_word("backend", backend, BACKENDS)
        seats = self.settings.seats
        seat = checked_number("seat", seat, 0, seats, errors.BadArgument)
        checked_masks(masks)
        if backend == "cuda" and not has_cuda():
            raise errors.BadArgument("there is no CUDA device here, or the package's extra `gpu` is not installed.")
        self.tables = Tables(self.settings, num_envs, backend=backend, observations=observations, masks=masks)
        if copy and backend != "cpu":
            raise errors.BadArgument("copy=True needs the backend cpu.")
        self.copy = copy
        self._others = self._seat_others(opponents, [seat - 1] if seat else list(range(seats)))
        parts = {"observation": observations, "action_mask": masks}
        whole = errors.observation_space(packed=masks == BITS)
        self.single_observation_space = spaces.Dict({name: whole[name] for name, wanted in parts.items() if wanted})
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.single_action_space = errors.action_space()
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seen: Seen = {
            name: array
            for name, array in (("observation", self.tables.observations), ("action_mask", self.tables.masks))
            if parts[name]
        }
        self._begun = False

    def _seat_others(self, opponents: Opponent | Sequence[Opponent], learners: list[int]) -> Others | None:
        """Seat the learners and their opponents; None where the learner plays all seats, or others move at random."""
        if isinstance(opponents, str) and opponents == RANDOM:
            self.tables.seat_learners(learners)
        if isinstance(opponents, str) and opponents in (SELF, RANDOM):
            return None
        seated = checked_opponents(opponents, self.settings.seats)
        if self.tables.backend != "cpu":
            raise errors.BadArgument(f"with the backend cuda, opponents must be {SELF} or {RANDOM}.")
        if any(is_policy(each) or isinstance(each, League) for each in seated) and not self.tables.is_seen:
            raise errors.BadArgument("opponents that are policies need observations=True and masks=True.")
        return Others(self.tables, learners, seated)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        arrays = {"observation": self.tables.observations, "action_mask": self.tables.masks}
        self._seen = {name: arrays[name] for name in self._seen}

    def reset(
        self, *, seed: int | Sequence[int] | NDArray[np.integer] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, Info]:
        """Begin a new game at every table; the same seed gives the same games.

        ``seed`` may be a list with a seed for each table. The option ``position`` names where all games begin, or is a
        list with a position for each table. ``reset_mask`` is refused: games that end begin anew by themselves.
        """
        seeds = checked_seeds(seed, self.num_envs)
        positions = errors.checked_options(options, self.num_envs)
        if positions is not None and self.tables.backend != "cpu":
            raise errors.BadArgument("the option position needs the backend cpu.")
        super().reset(seed=None if seeds is None else seeds[0], options=options)
        keys = self.np_random.integers(1 << 63, size=self.num_envs, dtype=np.uint64)
        if has_several(seed) and seeds is not None:
            keys = np.array([np_random(each)[0].integers(1 << 63, dtype=np.uint64) for each in seeds], np.uint64)
        self.tables.seed(keys)
        self.tables.start()
        if positions is not None:
            given = positions if isinstance(positions, list) else [positions] * self.num_envs
            errors.put_all(self.tables, given)
        self._begun = True
        self._let_others_play(np.arange(self.num_envs))
        return self._shown(self._seen), self._info()

    def step(self, actions: object) -> tuple[Seen, NDArray[np.float32], FlagArray, FlagArray, Info]:
        """Play one choice at every table."""
        self._check_begun()
        tables = self.tables
        try:
            chosen = tables.engine.taken(actions, "actions")
        except CartagenaError as error:
            raise errors.BadAction(str(error)) from None
        played = np.maximum(host(chosen), -1) if tables.backend == "cpu" else chosen  # below lies HOLD
        beginning = np.flatnonzero(tables.status != RUNNING) if self._others is not None else None
        tables.engine.step(played, observe=beginning is None)
        reasons = self._reasons(chosen)
        if beginning is not None:
            self._let_others_play(beginning)
        ends = self._shown({"ended": tables.ended, "cut": tables.cut})
        rewards = tables.gained.copy() if self.copy else tables.gained
        return self._shown(self._seen), rewards, ends["ended"], ends["cut"], {**self._info(), **reasons}

    def _reasons(self, actions: BackendArray) -> Info:
        """Why learners have just forfeited their games, in the form of Gymnasium's infos; nothing where none has."""
        if self.tables.backend != "cpu" or not (forfeited := self.tables.status == FORFEIT).any():
            return {}
        chosen, (reasons, sentences) = host(actions), np.full((2, self.num_envs), None, dtype=object)
        for number in np.flatnonzero(forfeited).tolist():
            error = why_not(self.tables.position(number), int(chosen[number]))
            reasons[number], sentences[number] = error.reason, str(error)
        return {"reason": reasons, "_reason": forfeited, "why": sentences, "_why": forfeited}

    def _check_begun(self) -> None:
        if not self._begun:
            raise errors.EpisodeIsOver("no game has begun; call reset() first.")

    def _let_others_play(self, beginning: NDArray[np.int64]) -> None:
        """Seat the opponents of the games that begin, and let them play up to the learners' next choices."""
        if self._others is not None:
            self._others.begin(beginning, self.np_random)
            self._others.play()
            self.tables.engine.observe()

    def _shown(self, arrays: dict[str, NDArray[E]]) -> dict[str, NDArray[E]]:
        return {name: array.copy() for name, array in arrays.items()} if self.copy else arrays

    def _info(self) -> Info:
        return self._shown({"seat": self.tables.sitting, "rewards": self.tables.rewards})

    def sample(self) -> Any:
        """Return a random legal action for every table, drawn in compiled code."""
        self._check_begun()
        return self.tables.sample()

    def action_masks(self) -> NDArray[np.bool_]:
        """What can be chosen at every table, as sb3-contrib asks for it; needs ``masks=True``."""
        if self.tables.masks.shape != (self.num_envs, at.ACTIONS):
            raise errors.BadArgument("action_masks() needs masks=True.")
        self._check_begun()
        masks: NDArray[np.bool_] = host(self.tables.masks).astype(np.bool_)
        return masks

    def state(self) -> NDArray[np.uint8]:
        """Return every table with all hands open, as seat 1 would observe it: for centralised critics."""
        if self.tables.backend != "cpu":
            raise errors.BadArgument("state() needs the backend cpu.")
        return self.tables.state()


def has_several(seed: object) -> bool:
    """True for a list or an array of seeds."""
    is_list = isinstance(seed, Sequence) and not isinstance(seed, str | bytes)
    return is_list or (isinstance(seed, np.ndarray) and seed.ndim > 0)


def checked_seeds(seed: object, number: int) -> list[int] | None:
    """The seeds of all tables, one seed for all, or None. Raises BadArgument."""
    if seed is None:
        return None
    several = has_several(seed)
    seeds = list(seed) if several else [seed]  # type: ignore[call-overload]
    if several and len(seeds) != number:
        raise errors.BadArgument(f"a list of seeds has one for each of the {number} tables, not {len(seeds)}.")
    return [checked_number("seed", each, 0, 2**63 - 1, errors.BadArgument) for each in seeds]


def checked_masks(masks: object) -> None:
    """Raise BadArgument unless masks are wanted, not wanted, or wanted as bits."""
    if not isinstance(masks, bool) and not (isinstance(masks, str) and masks == BITS):
        raise errors.BadArgument(f"masks must be True, False or {BITS!r}, not {shown(masks)}.")


def checked_word(name: str, value: object, words: tuple[str, ...]) -> None:
    """Raise BadArgument unless the value is one of the words."""
    if value not in words:
        raise errors.BadArgument(f"{name} must be {' or '.join(words)}, not {shown(value)}.")
