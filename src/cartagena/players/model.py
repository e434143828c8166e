"""The player protocol: a player is shown the view of a seat and answers with a move."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import Final, Protocol, runtime_checkable

from cartagena.errors import PlayerError, of_kind, shown, whole
from cartagena.game import Move, Position

THREADS: Final = "CARTAGENA_THREADS"
"""The environment variable with the number of threads that one process may search in."""
MAX_TIME: Final = 10**9
"""The most seconds of a limit: more than 30 years."""
MAX_NODES: Final = 10**15
"""The most nodes of a limit: about as many as are searched in that time."""
WHY: Final = (
    "only-move",
    "wins",
    "brings-home",
    "boards",
    "long-jump",
    "moves-straggler",
    "draws-two",
    "draws-one",
    "saves-actions",
    "breaks-chain",
    "takes-pair",
    "sails",
    "takes-captaincy",
    "cuts-hands",
    "best-value",
)
"""All reasons that a player may give for a move.

>>> from cartagena.players import WHY
>>> "brings-home" in WHY
True
"""


@dataclass(frozen=True, slots=True)
class Limit:
    """The most that one decision may cost: seconds, nodes, or both (the first one reached ends the search).

    A limit that names neither means the player's own default, as no limit does.

    >>> Limit(time=0.5), Limit(nodes=1000)
    (Limit(time=0.5, nodes=None), Limit(time=None, nodes=1000))
    """

    time: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.time is not None and not (is_number(self.time, Real) and 0 < self.time <= MAX_TIME):
            raise PlayerError(f"a time limit is a number of seconds above 0, at most 10^9, not {shown(self.time)}")
        nodes = whole(self.nodes)
        if self.nodes is not None and (nodes is None or not 1 <= nodes <= MAX_NODES):
            raise PlayerError(f"a node limit is a whole number from 1 to 10^15, not {shown(self.nodes)}")
        object.__setattr__(self, "nodes", nodes)
        if self.time is not None and type(self.time) is not int:  # JSON cannot write every number of NumPy
            object.__setattr__(self, "time", float(self.time))

    def to_json(self) -> dict[str, float | int]:
        """The fields that are set, as the engine protocol writes them."""
        given = {"time": self.time, "nodes": self.nodes}
        return {key: value for key, value in given.items() if value is not None}


def is_number(value: object, kind: type) -> bool:
    """True for a number of that kind. ``True`` and ``False`` are not numbers."""
    return isinstance(value, kind) and not isinstance(value, bool)


def limit_or(limit: Limit | None, default: Limit) -> Limit:
    """The limit, or the default where it sets nothing. Raises PlayerError for what is no limit."""
    if limit is not None and not isinstance(limit, Limit):
        raise PlayerError(f"a limit is written as Limit(time=0.5) or Limit(nodes=1000), not {shown(limit)}")
    return default if limit is None or limit == Limit() else limit


@dataclass(frozen=True, slots=True)
class Line:
    """A whole turn, as far as it can be known before cards are dealt, with the win chance of each seat after it.

    >>> from cartagena import Move
    >>> Line((Move("s:B"), Move("end")), (0.6, 0.4)).moves
    (Move('s:B'), Move('end'))
    """

    moves: tuple[Move, ...]
    value: tuple[float, ...]
    visits: int = 0


@dataclass(frozen=True, slots=True)
class Analysis:
    """A player's move, the win chance of each seat, the best whole turns, the reasons, and the nodes searched.

    >>> from cartagena import Move
    >>> Analysis(Move("s:B"), value=(0.6, 0.4), why=("long-jump",)).why
    ('long-jump',)
    """

    move: Move
    value: tuple[float, ...] = ()
    turns: Sequence[Line] = ()
    why: tuple[str, ...] = ()
    nodes: int = 0
    depth: int = field(default=0, compare=False)
    visits: tuple[tuple[int, int], ...] = field(default=(), compare=False)
    """How often a search has tried each action of the view; without a search it is empty."""


@runtime_checkable
class Player(Protocol):
    """A player. ``view`` is what the seat to choose may know, and all that a player is ever shown.

    A player may also have ``limit``, its own limit of a decision; ``get_ready()``, which loads what the first decision
    needs before a clock starts; ``policy(view)``, see ``PolicyPlayer``; and ``close()``, which ends it.

    >>> class First:
    ...     name = "first"
    ...
    ...     def decide(self, view, limit=None):
    ...         return view.legal_moves[0]
    >>> isinstance(First(), Player)
    True
    """

    @property
    def name(self) -> str:
        """The player's name."""
        ...

    def decide(self, view: Position, limit: Limit | None = None) -> Move:
        """Choose the move to play. ``view`` has at least one legal move and is no chance position."""
        ...


@runtime_checkable
class Analyst(Player, Protocol):
    """A player that can also explain its choice.

    >>> from cartagena.players import Analyst, create
    >>> isinstance(create("captain"), Analyst)
    True
    """

    def analyse(self, view: Position, limit: Limit | None = None) -> Analysis:
        """Find the move with values and reasons, without playing it: an analysis is not remembered."""
        ...


@runtime_checkable
class PolicyPlayer(Player, Protocol):
    """A player that also says how likely each of its moves is.

    >>> from cartagena.players import PolicyPlayer, create
    >>> isinstance(create("deckhand"), PolicyPlayer), isinstance(create("captain"), PolicyPlayer)
    (True, False)
    """

    def policy(self, view: Position) -> Mapping[Move, float]:
        """The chances of the moves, whatever the seed. They add up to 1; a move that is left out is never played."""
        ...


@runtime_checkable
class GamePlayer(Player, Protocol):
    """A player that remembers its games and keeps them apart. Players that remember nothing need none of this.

    >>> from cartagena.players import GamePlayer, create
    >>> isinstance(create("captain"), GamePlayer)
    True
    """

    def enter_game(self, game: str | None) -> None:
        """Play the next moves in this game, which is new or was entered before. With None nothing is remembered."""
        ...


def explained(player: Player, view: Position, limit: Limit | None = None) -> Analysis:
    """A player's analysis of a view, or just its move where it cannot explain."""
    if isinstance(player, Analyst):
        return player.analyse(view, limit)
    return Analysis(player.decide(view, limit))


def choose(
    player: Player, view: Position, limit: Limit | None = None, game: str | None = None, *, explain: bool = True
) -> Analysis:
    """Let a player choose a move in a game, and explain it where it can, unless only the move is wanted.

    A player that remembers what it has played does so for this ``game`` only; without a game it remembers nothing.

    >>> from cartagena import Game
    >>> from cartagena.players import choose, create
    >>> game = Game.new("jamaica-en", seats=2, seed=1)
    >>> choose(create("sailor"), game.view(1), game="table 7").move in game.legal_moves
    True
    """
    if not isinstance(player, Player):
        raise PlayerError(f'a player has a name and decides, as create("sailor") does, unlike {shown(player)}')
    if game is not None and not isinstance(game, str):
        raise PlayerError(f"a game is named by a text, not by {shown(game)}")
    if isinstance(player, GamePlayer):
        player.enter_game(game)
    if not of_kind(PlayerError, "explain", explain, bool):
        return Analysis(player.decide(view, limit))
    own = getattr(player, "choose", None)
    chosen: Analysis = own(view, limit) if own is not None else explained(player, view, limit)
    return chosen


def check_view(view: Position) -> None:
    """Raise PlayerError unless a seat has to choose."""
    if not isinstance(view, Position):
        raise PlayerError(f"a player decides in a Position, such as game.view(1), not in {shown(view)}")
    if view.turn == 0:
        raise PlayerError("there is nothing to choose in this position: a card is to be dealt, or the game is over")
