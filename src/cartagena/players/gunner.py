"""The gunner: compares all whole turns and takes the one that ends best by hand-set weights."""

from typing import Any

import numpy as np

from cartagena.game import Game, Position
from cartagena.kernel.layout import MAX_SEATS

from .compiled.turn_search import best_turn, new_room
from .explain import reasons
from .model import Analysis, Limit, check_view
from .repetition import RememberingPlayer
from .weights import HAND, checked, weights_for


class Gunner(RememberingPlayer):
    """A turn-level heuristic: no search beyond its own turn, no chance, no replies."""

    name = "gunner"

    def __init__(self, seed: int = 0, weights: str = HAND) -> None:
        super().__init__(seed)
        self.weights = checked(weights)
        self.room = new_room()

    def get_ready(self) -> None:
        """Load the compiled comparison of turns, so that no decision pays for it."""
        Gunner().analyse(Game.new("jamaica-en", seed=1).view(1))

    def analyse(self, view: Position, limit: Limit | None = None) -> Analysis:  # noqa: ARG002
        check_view(view)
        actions = view.legal_actions()
        if len(actions) == 1:
            return Analysis(view.move(actions[0]), why=("only-move",))
        result = np.zeros(MAX_SEATS + 1)
        table, words = np.array(view.table, np.int64), np.array(view.words, np.int64)
        weights = weights_for(view, self.weights)
        chosen = self.look(table, words, weights, self.memory().of(view).barred(view), result)
        value = tuple(float(share) for share in result[: view.seats])
        return Analysis(view.move(chosen), value, why=reasons(view, view.move(chosen)), nodes=int(result[MAX_SEATS]))

    def look(self, table: Any, words: Any, weights: Any, barred: list[int], result: Any) -> int:
        """The best first action that is not barred, or the best one of all where every action is."""
        bars: Any = self.room.bars
        bars[:] = 0
        bars[barred] = 1
        chosen = int(best_turn(table, words, weights, self.room, result))
        return chosen if chosen >= 0 else self.look(table, words, weights, [], result)
