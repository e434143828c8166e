"""The fixed action space: the kernel's numbers, and what they mean in notation on a given board.

The space is the same for all games. Cards are numbered by sign, signs in alphabetical order of their letters; places
are indexes along the track (see ``kernel.layout``).

    0    .. 799    advance: place * 16 + card
    800  .. 849    retreat: 800 + place
    850  .. 1169   push: 850 + seat * 64 + place
    1170           sail
    1171           end
    1172 .. 1185   drop: 1172 + card
    1186 .. 1199   deal: 1186 + card, chance only: never in a mask
"""

from typing import Final

from cartagena.errors import takes
from cartagena.game import CartagenaError, IllegalMove, Move, Position
from cartagena.kernel import layout as at
from cartagena.kernel.reasons import fits_the_game

__all__ = ["COUNT", "from_notation", "to_notation", "why_not"]

COUNT: Final = at.ACTIONS
"""The number of actions.

>>> from cartagena.rl.spaces.actions import COUNT
>>> COUNT
1200
"""


@takes(CartagenaError, position=Position, action=int)
def to_notation(position: Position, action: int) -> str:
    """Return an action in notation: 17:B, 18<, 3@14, sail, drop:D, end, +D. Raises CartagenaError for others.

    >>> from cartagena import Game
    >>> from cartagena.rl.spaces.actions import to_notation
    >>> to_notation(Game.new("jamaica-en", seed=1).position, 1171)
    'end'
    """
    if not fits_the_game(position.table, action):
        raise CartagenaError(f"{position.rules.name} has no action {action} on this board.")
    return str(position.move(action))


@takes(CartagenaError, position=Position)
def from_notation(position: Position, text: str) -> int:
    """Return the action that notation means on this board. Raises CartagenaError if this game has no such move.

    >>> from cartagena import Game
    >>> from cartagena.rl.spaces.actions import from_notation
    >>> from_notation(Game.new("jamaica-en", seed=1).position, "17:B")
    272
    """
    action = position.action(Move.parse(text))
    if action < 0 or not fits_the_game(position.table, action):
        raise CartagenaError(f"{position.rules.name} has no move {text} on this board.")
    return action


@takes(CartagenaError, position=Position, action=int)
def why_not(position: Position, action: int) -> IllegalMove:
    """Return why the seat that must choose cannot choose this action.

    >>> from cartagena import Game
    >>> from cartagena.rl.spaces.actions import why_not
    >>> why_not(Game.new("jamaica-en", seed=1).position, 1171).reason
    'must-act'
    """
    if 0 <= action < at.DEAL and fits_the_game(position.table, action):
        error = position.why_not(position.move(action))
        if error is not None:
            return error
    return IllegalMove(f"{position.rules.name} has no action {action} that a seat could choose", "not-in-this-game")
