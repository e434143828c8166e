"""The gunner: compares all whole turns and takes the one that ends best by hand-set weights."""

import numpy as np

from cartagena.backends.arrays import FloatArray
from cartagena.game import Game, Move, Position
from cartagena.kernel.layout import MAX_SEATS

from .compiled.turn_search import best_turn, new_space
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
        self.space = new_space()

    def get_ready(self) -> None:
        """Load the compiled comparison of turns, so that no decision pays for it."""
        Gunner().analyse(Game.new("jamaica-en", seed=1).view(1))

    def analyse(self, view: Position, limit: Limit | None = None) -> Analysis:  # noqa: ARG002
        check_view(view)
        actions = view.legal_actions()
        if len(actions) == 1:
            return Analysis(view.move(actions[0]), why=("only-move",))
        result = np.zeros(MAX_SEATS + 1)
        barred = self.memory().of(view).barred(view)
        chosen = self.first_action(view, barred, result)
        if chosen < 0:
            chosen = self.first_action(view, [], result)
        value = tuple(float(share) for share in result[: view.seats])
        return Analysis(view.move(chosen), value, why=reasons(view, view.move(chosen)), nodes=int(result[MAX_SEATS]))

    def policy(self, view: Position) -> dict[Move, float]:
        """The one move that it plays, whatever the seed."""
        return {self.analyse(view).move: 1.0}

    def first_action(self, view: Position, barred: list[int], result: FloatArray) -> int:
        """The best first action that is not barred, or -1 where every action is."""
        bars = np.asarray(self.space.bars)
        bars[:] = 0
        bars[barred] = 1
        rules, words = np.array(view.table, np.int64), np.array(view.words, np.int64)
        return best_turn(rules, words, weights_for(view, self.weights), self.space, result)
