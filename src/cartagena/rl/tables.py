"""The tables of an environment: what they have agreed on, and a vector engine that plays at all of them at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cartagena.backends.arguments import checked_number
from cartagena.backends.arrays import BITS, PACKED_SIZE, BackendArray, FloatArray, IntArray, VectorSettings
from cartagena.backends.openings import Start, new_deals_on, start_of
from cartagena.backends.vector import host, make_engine
from cartagena.errors import CartagenaError, RuleSetError, shown, whole
from cartagena.game import Position
from cartagena.game.rng import Chance
from cartagena.game.setup import lay_board, lay_table
from cartagena.kernel import layout as at
from cartagena.rulesets import MIN_SEATS, RuleSet, load

from .compiled.episode import CUT, ENDED, FORFEIT, RUNNING
from .spaces import observation

if TYPE_CHECKING:
    from cartagena.players.compiled.turn_search import TurnSpace

__all__ = ["BITS", "CUT", "ENDED", "FORFEIT", "LEVELS", "PACKED_SIZE", "RUNNING", "EnvOptions", "EnvSettings", "Seen",
           "Tables", "idle_mask", "unpacked"]  # fmt: skip

REWARDS: Final = ("zero-sum", "win")
DEFAULT_TURNS: Final = 1000
MOST_TURNS: Final = 1_000_000
EPISODE: Final = "rl.compiled.episode"
LEVELS: Final = ("random", "deckhand", "sailor", "gunner")
"""The players that reply in compiled code, in the order of ``compiled.opponents``."""


Seen: TypeAlias = dict[str, NDArray[np.integer]]
"""Observations: the arrays ``observation`` and ``action_mask``."""


class EnvOptions(TypedDict, total=False):
    """The arguments of every environment besides its rules and seats; ``EnvSettings.of`` has the defaults."""

    board: str | None
    turns: int
    rewards: str


@dataclass(frozen=True)
class EnvSettings:
    """What the tables of an environment have agreed on, checked once for every adapter."""

    rules: RuleSet
    seats: int
    board: str | None
    turns: int
    zero_sum: bool

    @classmethod
    def of(
        cls,
        rules: str | RuleSet,
        seats: int | None,
        board: str | None = None,
        turns: int = DEFAULT_TURNS,
        rewards: str = "zero-sum",
        usual: int = MIN_SEATS,
    ) -> "EnvSettings":
        """Check the arguments of an environment. Raises RuleSetError with one sentence.

        Without ``seats`` they are those that the rule set names, or ``usual``.
        """
        chosen = load(rules) if isinstance(rules, str) else rules
        if not isinstance(chosen, RuleSet):
            raise RuleSetError(f"rules must be the name of a rule set, not {shown(rules)}.")
        if board is not None and not isinstance(board, str):
            raise RuleSetError(f"board must be a text such as BPHSDK/DBKPHS, not {shown(board)}.")
        if rewards not in REWARDS:
            raise RuleSetError(f"rewards must be {' or '.join(REWARDS)}, not {shown(rewards)}.")
        turns = checked_number("turns", turns, 1, MOST_TURNS, RuleSetError)
        seats = chosen.seats or usual if seats is None else seats
        number = whole(seats)
        settings = cls(chosen, seats if number is None else number, board, turns, rewards == "zero-sum")
        settings.lay(0)
        return settings

    def lay(self, seed: int | str) -> Position:
        """Return a table before the deal, on the board that was named or on one that follows from the seed."""
        return lay_table(self.rules, self.seats, self.board or lay_board(self.rules, Chance.from_seed(seed)))

    def start(self) -> Start:
        """Return how games are dealt: on the board that was named, or each on a new one."""
        return new_deals_on(self.rules, self.lay(0)) if self.board else start_of(self.rules, self.seats)


def unpacked(masks: NDArray[np.integer]) -> NDArray[np.int8]:
    """Return masks of bits as masks of bytes."""
    return np.unpackbits(masks.view(np.uint8), axis=-1, count=at.ACTIONS, bitorder="little").view(np.int8)


PlanningSpace: TypeAlias = "tuple[TurnSpace, FloatArray, FloatArray]"
"""What the gunner needs to compare turns: working space, weights, and space for a result."""


class Tables:
    """Many tables of one rule set. What a seat may see comes out of ``observations`` and ``masks`` only.

    Every array belongs to the engine, which writes it again in every step (``backends.portable.games`` describes them).
    """

    def __init__(
        self,
        settings: EnvSettings,
        number: int = 1,
        *,
        backend: str = "cpu",
        observations: bool = True,
        masks: bool | str = True,
    ) -> None:
        self.settings = settings
        self.number = number
        self.backend = backend
        self._parts = observations, masks
        self.is_seen = observations and masks is True
        self._laid = settings.lay(0)
        wanted = VectorSettings(
            settings.start(), number, EPISODE, settings.turns, settings.zero_sum, observations, masks
        )
        self.engine = make_engine(backend, wanted)
        arrays = self.engine.arrays
        self.observations, self.masks = arrays.observations, arrays.masks
        self.viewers, self.sitting = arrays.viewers, arrays.sitting
        self.status, self.rewards, self.gained = arrays.status, arrays.rewards, arrays.gained
        self.ended, self.cut = arrays.ended, arrays.cut
        self._spaces: list[PlanningSpace] = []
        self._memories: IntArray = np.zeros((0, 0), np.int64)

    def __getstate__(self) -> dict[str, Any]:
        """The games as plain arrays: memory of the engine cannot travel."""
        if self.backend != "cpu":
            raise CartagenaError("an environment on a device cannot be copied or pickled; use the backend cpu.")
        arrays = {name: part.copy() for name, part in self.engine.arrays._asdict().items() if hasattr(part, "copy")}
        given = {"settings": self.settings, "number": self.number, "parts": self._parts}
        return {**given, "arrays": arrays, "memories": self._memories}

    def __setstate__(self, state: dict[str, Any]) -> None:
        observations, masks = state["parts"]
        self.__init__(state["settings"], state["number"], observations=observations, masks=masks)  # type: ignore[misc]
        for name, part in state["arrays"].items():
            getattr(self.engine.arrays, name)[...] = part
        self._memories = state["memories"]

    def seed(self, keys: ArrayLike) -> None:
        """Set where the chance of each table starts."""
        self.engine.put("keys", keys)

    def seat_learners(self, seats: Sequence[int]) -> None:
        """Let a learner play only these seats, table by table in turn; at the others moves are random."""
        self.engine.put("learners", np.resize(np.array(seats, dtype=np.int64), self.number))

    def start(self) -> None:
        """Begin a new game at every table."""
        self.engine.put("status", ENDED)
        self.engine.step(self.engine.taken(np.zeros(self.number, np.int64), "actions"))

    def step(self, actions: BackendArray) -> None:
        """Play one choice at every table; where the game is over, a new one begins."""
        self.engine.step(actions)

    def sample(self) -> Any:
        """Return a random legal action for every table, ``end`` where the game is over."""
        return self.engine.sample()

    def afterstates(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
        """List all choices of all tables: where each table's start, the actions, and what they lead to.

        The seat that chooses observes what an action leads to before any card is dealt. A table whose game is over has
        the one choice ``end``, which leads nowhere. Only the backend cpu can do this.
        """
        from cartagena.backends.cpu import compiled_with

        compiled = compiled_with(episode=EPISODE).load("rl.compiled.afterstates")
        record = self.engine.record  # type: ignore[attr-defined]
        firsts = np.empty(self.number + 1, dtype=np.int64)
        compiled.count_choices(record, firsts)
        actions = np.empty(firsts[-1], dtype=np.int64)
        seen = np.empty((firsts[-1], observation.SIZE), dtype=np.uint8)
        compiled.list_afterstates(record, firsts, actions, seen)
        return firsts, actions, seen

    def reply(self, levels: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return what a compiled level (see ``compiled.opponents``) chooses at each table; below 0 it holds the table.

        Only the backend cpu can do this.
        """
        compiled = compiled_opponents()
        record = self.engine.record  # type: ignore[attr-defined]
        actions = np.empty(self.number, dtype=np.int64)
        planned = levels == compiled.GUNNER
        if not len(self._memories):
            self._memories = np.zeros((self.number, compiled.MEMORY), np.int64)
        compiled.reply_all(record, np.where(planned, -1, levels), self._memories, actions)
        if planned.any():

            def plan(numbers: IntArray, space: PlanningSpace) -> None:
                compiled.plan_all(record, numbers, self._memories, actions, *space)

            self._plan(np.flatnonzero(planned), plan)
        return actions

    def forget(self, numbers: IntArray) -> None:
        """Let compiled levels forget the games at these tables, where new ones begin."""
        if len(self._memories):
            self._memories[numbers] = 0

    def _plan(self, numbers: IntArray, plan: Callable[[IntArray, PlanningSpace], None]) -> None:
        """Plan turns at these tables, in as many threads as a player may search in."""
        from cartagena.players.threads import thread_budget, with_threads

        parts = np.array_split(numbers, min(thread_budget(), len(numbers)))
        while len(self._spaces) < len(parts):
            self._spaces.append(planning_space(self.settings.rules))
        with_threads(len(parts), lambda part: plan(parts[part], self._spaces[part]))

    def state(self) -> NDArray[np.uint8]:
        """Return every table with all hands open, as the first seat would observe it, in a new array.

        Only the backend cpu can do this.
        """
        out = np.zeros((self.number, observation.SIZE), dtype=np.uint8)
        record = self.engine.record  # type: ignore[attr-defined]
        compiled_opponents().reveal_all(record, out, 0, self.number)
        return out

    def observe(self, seat: int) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """Return what a seat of the only table sees and can choose, in new arrays."""
        before = self.viewers[0]
        self.viewers[0] = seat
        self.engine.observe()
        self.viewers[0] = before
        return self.observations[0].copy(), self.masks[0].copy()

    def put(self, position: Position, number: int = 0) -> None:
        """Put a position of the same rule set and seats, or a view of one, on a table; a seat must choose there."""
        arrays = self.engine.arrays
        arrays.states[number] = position.words
        arrays.viewers[number], arrays.status[number] = position.turn - 1, RUNNING
        arrays.sitting[number] = position.turn

    def position(self, number: int = 0) -> Position:
        """Return the position at a table, with all cards open."""
        words = host(self.engine.arrays.states)[number].tolist()
        return Position.from_kernel(self.settings.rules, board_text(self._laid, words), self._laid.table, words)


def compiled_opponents() -> ModuleType:
    """Return the compiled replies of the levels."""
    return code_of_levels("rl.compiled.opponents")


def code_of_levels(module: str) -> ModuleType:
    """Return a module of compiled code that lets levels choose."""
    from cartagena.backends.cpu import compiled_with

    return compiled_with(episode=EPISODE).load(module)


def planning_space(rules: RuleSet) -> PlanningSpace:
    """Return what the gunner needs to compare turns."""
    from cartagena.players.compiled.turn_search import new_space
    from cartagena.players.weights import by_hand

    return new_space(), by_hand(rules), np.zeros(at.MAX_SEATS + 1)


def idle_mask() -> NDArray[np.int8]:
    """Return the read-only mask of a seat that has nothing to choose."""
    mask = np.zeros(at.ACTIONS, dtype=np.int8)
    mask[at.END] = 1
    mask.setflags(write=False)
    return mask


def board_text(laid: Position, words: Sequence[int]) -> str:
    """Return the board in notation, read from the words of a state."""
    letters = laid.rules.letters
    signs = {
        place: letters[sign]
        for sign in range(len(letters))
        for place in range(at.MAX_PLACES)
        if (words[at.SIGN + sign] >> place) & 1
    }
    text = iter(signs[place] for place in sorted(signs))
    return "".join(mark if mark in "/|" else next(text) for mark in laid.board)
