"""How far a player is from perfect play in a game that is solved."""

from dataclasses import dataclass

from cartagena.errors import StudyError, takes
from cartagena.game import Game
from cartagena.players import Limit, Player, create
from cartagena.players.model import choose

from .graph import CLOSE
from .solve import Solution

MOST_MOVES = 500
"""Moves after which a game is broken off."""


@dataclass(frozen=True)
class Regret:
    """What a player's moves cost: ``lost`` is the chance to win that all of them together gave away.

    ``decisions`` are those in which not all moves are equally good, ``best`` those of them in which a best move was
    played.

    >>> from cartagena.study import Regret
    >>> Regret(games=2, decisions=10, best=9, lost=0.5).mean
    0.05
    """

    games: int
    decisions: int
    best: int
    lost: float

    @property
    def mean(self) -> float:
        """The chance to win that a decision gives away on average."""
        return self.lost / self.decisions if self.decisions else 0.0

    def __add__(self, other: "Regret") -> "Regret":
        return Regret(
            self.games + other.games,
            self.decisions + other.decisions,
            self.best + other.best,
            self.lost + other.lost,
        )


@takes(StudyError, solution=Solution)
def regret(solution: Solution, player: str | Player, *, games: int = 1, seed: int = 1, nodes: int = 1000) -> Regret:
    """Let a player play a solved game against itself, and add up what its moves cost.

    In a game of hidden hands, which is solved as if they lay open, the regret includes the cost of what the player
    cannot see.

    Args:
        player: a name of the registry, or a player itself.
        seed: the seed of the cards that are dealt, and of a player that is named.
        nodes: the limit of a decision.

    >>> from cartagena import Game
    >>> from cartagena.study import regret, solve
    >>> solution = solve(Game.new("tortuga-en+cards2", pieces=1, pirates=1, deal=2, seed=1).position)
    >>> regret(solution, "sailor", games=2).lost
    0.0
    """
    total = Regret(0, 0, 0, 0.0)
    for number in range(games):
        chosen = create(player, seed + number) if isinstance(player, str) else player
        total += one_game(solution, chosen, f"{seed}-{number}", Limit(nodes=nodes))
    return total


def one_game(solution: Solution, player: Player, seed: str, limit: Limit) -> Regret:
    """Play a game from the start of a solution with the same player in both seats."""
    game = Game(solution.start, seed=seed)
    game.deal()
    decisions = best = 0
    lost = 0.0
    while not game.is_over and len(game.moves) < MOST_MOVES:
        position = game.position
        move = choose(player, position.view(position.turn), limit, f"{seed} seat {position.turn}").move
        values = solution.moves(position)
        cost = max(values.values()) - values[move]
        if max(values.values()) - min(values.values()) > CLOSE:
            decisions += 1
            best += cost < CLOSE
            lost += cost
        game.play(move)
    return Regret(1, decisions, best, lost)
