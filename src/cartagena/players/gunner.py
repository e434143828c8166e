"""The gunner: looks through all its whole turns and takes the one that ends best by hand-set weights."""

from typing import Any

import numpy as np

from cartagena.game import Move, Position
from cartagena.kernel.layout import ACTIONS, MAX_SEATS

from .compiled.turn_search import NUMBERS, ROOM, SLOTS, STATES, best_turn
from .explain import reasons
from .model import Analysis, Limit, check_view
from .repetition import Memory
from .weights import HAND, weights_for


class Gunner:
    """A turn-level heuristic: no search beyond the own turn, no chance, no rivals' replies."""

    name = "gunner"

    def __init__(self, seed: int = 0, weights: str = HAND) -> None:
        self.seed = seed
        self.weights = weights
        self.room = np.zeros(ROOM, np.int64)
        self.slots = np.zeros(SLOTS, np.int64)
        self.numbers = np.zeros(NUMBERS)
        self.first = np.zeros(STATES, np.int64)
        self.bars = np.zeros(ACTIONS, np.int64)
        self.memory = Memory()

    def decide(self, view: Position, limit: Limit | None = None) -> Move:
        return self.analyse(view, limit).move

    def analyse(self, view: Position, limit: Limit | None = None) -> Analysis:  # noqa: ARG002
        check_view(view)
        actions = view.legal_actions()
        if len(actions) == 1:
            self.memory.note(view, actions[0])
            return Analysis(view.move(actions[0]), why=("only-move",))
        result = np.zeros(MAX_SEATS + 1)
        table, words = np.array(view.table, np.int64), np.array(view.words, np.int64)
        weights = weights_for(view, self.weights)
        chosen = self.look(table, words, weights, self.memory.barred(view), result)
        self.memory.note(view, chosen)
        value = tuple(float(share) for share in result[: view.seats])
        return Analysis(view.move(chosen), value, why=reasons(view, view.move(chosen)), nodes=int(result[MAX_SEATS]))

    def look(self, table: Any, words: Any, weights: Any, barred: list[int], result: Any) -> int:
        """The best first action, if possible none of those that are barred."""
        self.bars[:] = 0
        self.bars[barred] = 1
        room = (self.room, self.slots, self.numbers, self.first)
        chosen = int(best_turn(table, words, weights, *room, self.bars, result))
        return chosen if chosen >= 0 else self.look(table, words, weights, [], result)
