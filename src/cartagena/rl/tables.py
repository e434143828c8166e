"""The tables of an environment as arrays, and playing on all of them at once in compiled code."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypedDict

import numpy as np
from numpy.typing import NDArray

from cartagena.backends.openings import plan_of
from cartagena.backends.portable.deal import P_PIECES
from cartagena.game import CartagenaError, Position
from cartagena.game.rng import Chance
from cartagena.game.setup import lay_board, lay_table
from cartagena.kernel import layout as at
from cartagena.kernel.legal_mask import MARK_BITS, MARK_WORDS
from cartagena.rulesets import RuleSet, RuleSetError, load

from .compiled.episode import CUT, ENDED, FORFEIT, RUNNING
from .spaces import observation

__all__ = ["CUT", "ENDED", "FORFEIT", "RUNNING", "Options", "Settings", "Tables", "idle_mask", "unpacked"]

REWARDS: Final = ("zero-sum", "win")
DEFAULT_TURNS: Final = 1000
MOST_TURNS: Final = 1_000_000
BITS: Final = "bits"
PACKED_SIZE: Final = MARK_WORDS * MARK_BITS // 8
"""Bytes of a mask with a bit for each action; those behind the last action are 0."""


class Options(TypedDict, total=False):
    """What every environment can be asked for besides its rules and seats; ``Settings.of`` has what holds else."""

    board: str | None
    turns: int
    rewards: str


@dataclass(frozen=True)
class Settings:
    """What the tables of an environment have agreed on; checked here, in one sentence each, for every adapter."""

    rules: RuleSet
    seats: int
    board: str | None
    turns: int
    zero_sum: bool

    @classmethod
    def of(
        cls,
        rules: str | RuleSet,
        seats: int,
        board: str | None = None,
        turns: int = DEFAULT_TURNS,
        rewards: str = "zero-sum",
    ) -> "Settings":
        chosen = load(rules) if isinstance(rules, str) else rules
        if not isinstance(chosen, RuleSet):
            raise RuleSetError(f"rules must be the name of a rule set, not {rules!r}.")
        if board is not None and not isinstance(board, str):
            raise RuleSetError(f"board must be a text such as BPHSDK/DBKPHS, not {board!r}.")
        if rewards not in REWARDS:
            raise RuleSetError(f"rewards must be {' or '.join(REWARDS)}, not {rewards!r}.")
        if isinstance(turns, bool) or not isinstance(turns, int) or not 1 <= turns <= MOST_TURNS:
            raise RuleSetError(f"turns must be a whole number from 1 to {MOST_TURNS}, not {turns!r}.")
        settings = cls(chosen, seats, board, turns, rewards == "zero-sum")
        settings.lay(0)
        return settings

    def lay(self, seed: int | str) -> Position:
        """A table before the deal, on the board that was named or on one that follows from the seed."""
        return lay_table(self.rules, self.seats, self.board or lay_board(self.rules, Chance.from_seed(seed)))


def unpacked(masks: NDArray[np.uint8]) -> NDArray[np.int8]:
    """Masks of bits as masks of bytes."""
    return np.unpackbits(masks, axis=-1, count=at.ACTIONS, bitorder="little").view(np.int8)


def laid_plan(settings: Settings) -> NDArray[np.int64]:
    """What a new table is laid with; on a board that was named no piece is laid."""
    plan = np.array(plan_of(settings.rules), dtype=np.int64)
    if settings.board:
        plan[P_PIECES] = 0
    return plan


def fixed_board_words(settings: Settings, laid: Position) -> NDArray[np.int64]:
    """A 1 and for each sign the mask of its fields where a board was named, else zeros."""
    words = np.zeros(1 + at.MAX_SIGNS, dtype=np.int64)
    if settings.board:
        words[0] = 1
        words[1:] = laid.words[at.SIGN : at.SIGN + at.MAX_SIGNS]
    return words


class Tables:
    """So many tables of one rule set. What a seat may see comes out of ``observations`` and ``masks`` only.

    ``masks="bits"`` makes masks of PACKED_SIZE bytes: action a is bit a % 8, from the lowest, of byte a // 8.
    """

    def __init__(
        self, settings: Settings, number: int = 1, *, observations: bool = True, masks: bool | str = True
    ) -> None:
        from .compiled import tables as compiled

        self.settings = settings
        self._code = compiled
        self.number = number
        self._first = first = settings.lay(0)
        self.table = np.array(first.table, dtype=np.int64)
        self.plan = laid_plan(settings)
        self.board = fixed_board_words(settings, first)
        self.states = np.zeros(number * at.WORDS, dtype=np.int64)
        self.keys = np.zeros(number, dtype=np.uint64)
        self.turns = np.zeros(number, dtype=np.int64)
        self.stands = np.full(number, ENDED, dtype=np.int64)
        self.learners = np.full(number, -1, dtype=np.int64)
        self.viewers = np.zeros(number, dtype=np.int64)
        self.scratch = np.zeros(at.WORDS + at.MAX_LEGAL, dtype=np.int64)
        self.moves = np.zeros(at.MAX_LEGAL, dtype=np.int64)
        self.rewards = np.zeros((number, settings.seats), dtype=np.float32)
        self.gained = np.zeros(number, dtype=np.float32)
        self.ended = np.zeros(number, dtype=np.bool_)
        self.cut = np.zeros(number, dtype=np.bool_)
        self.observations = np.zeros((number if observations else 0, observation.SIZE), dtype=np.uint8)
        self.masks: NDArray[Any] = np.zeros((number if masks else 0, at.ACTIONS), dtype=np.int8)
        marked = compiled.MASKED if masks else 0
        if masks == BITS:
            self.masks = np.zeros((number, PACKED_SIZE), dtype=np.uint8)
            marked = compiled.PACKED
        self._bind(marked | (compiled.OBSERVED if observations else 0))

    def _bind(self, wanted: int) -> None:
        """The arguments that stay the same, flattened once."""
        masks = self.masks.reshape(-1).view(np.int8)
        self._start = (
            self.table, self.plan, self.board, self.states, self.keys, self.turns, self.stands, self.settings.turns,
            self.learners, self.viewers, self.scratch, self.observations.reshape(-1), masks, wanted,
        )  # fmt: skip
        zero_sum = int(self.settings.zero_sum)
        self._gains = (self.rewards.reshape(-1), self.gained, self.ended, self.cut, zero_sum)

    def seed(self, keys: NDArray[np.uint64]) -> None:
        """Where the chance of each table starts."""
        self.keys[:] = keys

    def seat_learners(self, seats: Sequence[int]) -> None:
        """Let a learner play only these seats, table by table in turn; at the others moves are random."""
        self.learners[:] = np.resize(np.array(seats, dtype=np.int64), self.number)

    def sitting(self) -> NDArray[np.int64]:
        """The seat to choose at each table, from 1."""
        return self.viewers + 1

    def start(self) -> None:
        """A new game at every table."""
        self._code.start_tables(*self._start)

    def step(self, actions: NDArray[np.int64]) -> None:
        """One choice at every table; where the game is over, a new one."""
        self._code.step_tables(*self._start, actions, *self._gains)

    def sample(self) -> NDArray[np.int64]:
        """A random legal action for every table, ``end`` where the game is over."""
        actions = np.empty(self.number, dtype=np.int64)
        self._code.sample_choices(self.table, self.states, self.keys, self.stands, actions)
        return actions

    def afterstates(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
        """All choices of all tables: where each table's start, the actions, and what they lead to.

        What an action leads to is observed by the seat that chooses, before any card is dealt. A table whose game is
        over has the one choice ``end``, which leads nowhere.
        """
        firsts = np.empty(self.number + 1, dtype=np.int64)
        self._code.count_choices(self.table, self.states, self.stands, firsts)
        actions = np.empty(firsts[-1], dtype=np.int64)
        seen = np.empty((firsts[-1], observation.SIZE), dtype=np.uint8)
        self._code.list_afterstates(
            self.table, self.states, self.stands, self.viewers, firsts, self.scratch, self.moves, actions,
            seen.reshape(-1),
        )  # fmt: skip
        return firsts, actions, seen

    def checked_actions(self, actions: Any) -> NDArray[np.int64]:
        """One whole number for each table."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.number,) or not np.issubdtype(chosen.dtype, np.integer):
            raise CartagenaError(f"actions must be {self.number} whole numbers, one for each table.")
        return np.ascontiguousarray(chosen, dtype=np.int64)

    def look(self, seat: int) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        """What a seat of the first table sees and can choose, in new arrays."""
        seen = np.empty(observation.SIZE, dtype=np.uint8)
        mask = np.empty(at.ACTIONS, dtype=np.int8)
        self._code.look_at(self.table, self.states, self.stands, seat, self.scratch, seen, mask)
        return seen, mask

    def position(self, number: int = 0) -> Position:
        """The position at a table, with all cards open."""
        words = self.states[number * at.WORDS : (number + 1) * at.WORDS].tolist()
        return Position.from_kernel(self.settings.rules, board_text(self._first, words), self._first.table, words)


def idle_mask() -> NDArray[np.int8]:
    """The mask of a seat that has nothing to choose; not to be written to."""
    mask = np.zeros(at.ACTIONS, dtype=np.int8)
    mask[at.END] = 1
    mask.setflags(write=False)
    return mask


def board_text(laid: Position, words: Sequence[int]) -> str:
    """The board as notation, read off the words."""
    letters = laid.rules.letters
    signs = {
        place: letters[sign]
        for sign in range(len(letters))
        for place in range(at.MAX_PLACES)
        if (words[at.SIGN + sign] >> place) & 1
    }
    text = iter(signs[place] for place in sorted(signs))
    return "".join(mark if mark in "/|" else next(text) for mark in laid.board)
