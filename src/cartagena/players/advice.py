"""Advice on a position or a game, from any player."""

from cartagena.errors import PlayerError
from cartagena.errors import shown as wrong
from cartagena.game import Game, Position

from .model import Analysis, Limit, Player, check_view, explained
from .registry import create


def strongest(position: Position) -> str:
    """Return the strongest level for a position: the admiral where it has a network for the game, else the captain.

    >>> from cartagena import Game, rule_set
    >>> from cartagena.players.advice import strongest
    >>> small = rule_set("tortuga-en", pirates=3)
    >>> [strongest(Game.new(rules, seed=1).position) for rules in ("tortuga-en", small)]
    ['admiral', 'captain']
    """
    from .networks import has_network

    return "admiral" if has_network(position) else "captain"


def analyse(
    position: Position | str, limit: Limit | None = None, *, player: str | Player | None = None, seed: int = 0
) -> Analysis:
    """Analyse a position as the seat to choose sees it: the best move, win chances, whole turns and reasons.

    Args:
        position: a position, a view of one, or its text. What the seat may not know is hidden from the player.
        limit: the most that the analysis may cost, by default what the player says.
        player: who is asked: a name of the registry, or a player itself; by default the strongest level, which is the
            admiral where it has a network for the game and its seats, else the captain.
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
    player = strongest(shown) if player is None else player
    asked = create(player, seed) if isinstance(player, str) else player
    if not isinstance(asked, Player):
        raise PlayerError(f"player= takes the name of a player, such as captain, or a player, not {wrong(player)}")
    try:
        return explained(asked, shown.view(shown.turn), limit)
    finally:
        close = getattr(asked, "close", None)
        if isinstance(player, str) and close is not None:
            close()


def hint(game: Game, limit: Limit | None = None, *, player: str | Player | None = None) -> Analysis:
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
