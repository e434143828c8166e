"""Advice on a position or a game, from any player."""

from cartagena.errors import PlayerError
from cartagena.game import Game, Position

from .model import Analysis, Limit, Player, check_view, explained
from .registry import create

ADVISER = "captain"
"""The player that is asked unless another one is named."""


def analyse(
    position: Position | str, limit: Limit | None = None, *, player: str | Player = ADVISER, seed: int = 0
) -> Analysis:
    """Analyse a position as the seat to choose sees it: the best move, win chances, whole turns and reasons.

    Args:
        position: a position, a view of one, or its text. What the seat may not know is hidden from the player.
        limit: the most that the analysis may cost, by default what the player says.
        player: who is asked: a name of the registry, or a player itself.
        seed: the seed of a player that is named.

    Raises PlayerError where no seat has to choose.

    >>> import cartagena
    >>> position = cartagena.Game.new("tortuga-en", seats=2, seed=1).position
    >>> found = cartagena.analyse(position, cartagena.Limit(nodes=200))
    >>> found.move in position.legal_moves, len(found.value), found.turns[0].moves[0] in position.legal_moves
    (True, 2, True)
    """
    shown = Position(position) if isinstance(position, str) else position
    if not isinstance(shown, Position):
        raise PlayerError("analyse takes a position first; name the player as player=")
    check_view(shown)
    asked = create(player, seed) if isinstance(player, str) else player
    try:
        return explained(asked, shown.view(shown.turn), limit)
    finally:
        close = getattr(asked, "close", None)
        if isinstance(player, str) and close is not None:
            close()


def hint(game: Game, limit: Limit | None = None, *, player: str | Player = ADVISER) -> Analysis:
    """Say what to play in a game now, and why. The game is not changed.

    >>> import cartagena
    >>> game = cartagena.Game.new("jamaica-en", seats=2, seed=1)
    >>> advice = cartagena.hint(game, cartagena.Limit(nodes=200))
    >>> advice.move in game.legal_moves, len(advice.why) > 0
    (True, True)
    """
    if not isinstance(game, Game):
        raise PlayerError("a hint is given in a game; use analyse for a position")
    return analyse(game.position, limit, player=player)
