"""The gunner: looks through all its whole turns and takes the one that ends best by hand-set weights."""

import numpy as np

from cartagena.game import Move, Position
from cartagena.kernel.layout import MAX_SEATS

from .core.turns import NUMBERS, ROOM, SLOTS, STATES, best_turn
from .model import Analysis, Limit, check_view
from .weights import weights_for


class Gunner:
    """A turn-level heuristic: no search beyond the own turn, no chance, no rivals' replies."""

    name = "gunner"

    def __init__(self, seed: int = 0, weights: str = "hand") -> None:
        self.seed = seed
        self.weights = weights
        self.room = np.zeros(ROOM, np.int64)
        self.slots = np.zeros(SLOTS, np.int64)
        self.numbers = np.zeros(NUMBERS)
        self.first = np.zeros(STATES, np.int64)

    def decide(self, view: Position, limit: Limit | None = None) -> Move:
        return self.analyse(view, limit).move

    def analyse(self, view: Position, limit: Limit | None = None) -> Analysis:  # noqa: ARG002
        check_view(view)
        actions = view.legal_actions()
        if len(actions) == 1:
            return Analysis(view.move(actions[0]), why=("only-move",))
        result = np.zeros(MAX_SEATS + 1)
        table, words = np.array(view.table, np.int64), np.array(view.words, np.int64)
        weights = weights_for(view, self.weights)
        chosen = best_turn(table, words, weights, self.room, self.slots, self.numbers, self.first, result)
        value = tuple(float(share) for share in result[: view.seats])
        return Analysis(view.move(int(chosen)), value, why=("best-value",), nodes=int(result[MAX_SEATS]))
