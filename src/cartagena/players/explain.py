"""Reasons for a move, as codes of the closed list ``WHY``, found by comparing the positions before and after it."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from cartagena.game import Move, Position
from cartagena.kernel import layout as at
from cartagena.kernel.step import step

from .compiled.evaluation import SCRATCH, judge_by_features
from .compiled.explanation import move_reasons
from .compiled.features import PAIRS_TO_DRAW, REACH_ANY, SIZE
from .weights import packaged

CODES: Final = (
    "wins", "brings-home", "boards", "long-jump", "moves-straggler", "cuts-hands", "draws-two", "draws-one", "sails",
    "saves-actions", "breaks-chain", "takes-pair", "takes-captaincy",
)  # fmt: skip
"""The codes of the reasons in the order of their bits, the most important first."""


def prospects_of(view: Position, words: Sequence[int]) -> list[float]:
    """The features of every seat that ``compiled.explanation`` compares."""
    out, values = np.zeros((at.MAX_SEATS, SIZE)), np.zeros(at.MAX_SEATS)
    numbers = np.array(view.table, np.int64), np.array(words, np.int64)
    judge_by_features(*numbers, out.reshape(-1), values, packaged("hand"), np.zeros(SCRATCH))
    chances: list[float] = out[:, [REACH_ANY, PAIRS_TO_DRAW]].reshape(-1).tolist()
    return chances


def reasons(view: Position, move: Move) -> tuple[str, ...]:
    """The codes that fit the move, the most important first, or ``best-value`` where none does."""
    before, after = view.state(), view.state()
    action = view.action(move)
    step(view.table, after, action)
    compared = action < at.END and not after[at.OVER]
    old, new = (prospects_of(view, words) if compared else [] for words in (before, after))
    bits = move_reasons(view.table, before, after, action, old, new)
    return tuple(code for bit, code in enumerate(CODES) if bits >> bit & 1) or ("best-value",)
