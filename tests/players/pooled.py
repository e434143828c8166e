"""Games of one player in a row, compared with a fresh player for each game."""

import random
from collections.abc import Iterable, Iterator

from cartagena import Game
from cartagena.players import Limit, Player, choose, create

GAMES = ["jamaica-en", "tortuga-en", "hispaniola-en", "nest-nl"]
NODES = Limit(nodes=16)


def moves_of(player: Player, number: int, rules: str, most: int = 60) -> Iterator[str]:
    """The moves of a player in the first seat of one game, against random replies."""
    game = Game.new(rules, seats=2 + number % 2, seed=number)
    chance = random.Random(number)
    while not game.is_over and len(game.moves) < most:
        if game.turn == 1:
            move = choose(player, game.view(1), NODES, f"game {number}").move
            yield str(move)
            game.play(move)
        else:
            game.play(chance.choice(list(game.legal_moves)))


def compare(level: str, rules: str, numbers: Iterable[int], most: int = 60) -> int:
    """Play games with a pooled player and with fresh ones. Returns the number of decisions, which must be equal."""
    pooled, decisions = create(level, 5), 0
    choose(pooled, Game.new(rules, seats=5, seed=0).view(1), Limit(nodes=900), "an earlier game with a larger limit")
    for number in numbers:
        again, fresh = (list(moves_of(player, number, rules, most)) for player in (pooled, create(level, 5)))
        assert again == fresh, f"{level} decides otherwise in game {number} of {rules}"
        decisions += len(fresh)
    return decisions
