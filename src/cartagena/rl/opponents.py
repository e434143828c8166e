"""Who plays the other seats of an environment: players by name, players, policies, and leagues of them.

An opponent is one of these:

- the name of a player, as in ``cartagena.players``;
- a player, that is an object with ``decide(view, limit)``, or a class of players;
- a policy: a function from observations to actions. It gets a dictionary like that of an environment, always with one
  row a game (``observation``: n times 832, ``action_mask``: n times 1,200), and returns n actions;
- a ``League`` of opponents: every game draws one.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cartagena.errors import has_parts, shown
from cartagena.game import CartagenaError, Position
from cartagena.kernel import layout as at
from cartagena.players import GamePlayer, Player, create
from cartagena.players.registry import maker

from . import errors
from .compiled.episode import HOLD, RUNNING
from .tables import LEVELS, Seen, Tables

__all__ = ["League"]

Policy: TypeAlias = Callable[[Seen], ArrayLike]
Opponent: TypeAlias = Any
"""The name of a player, a player, a class of players, a policy or a league."""

_games = count()


class League:
    """Opponents of which every game draws one, each as likely as any other. It may grow while games are played.

    >>> from cartagena.rl.opponents import League
    >>> league = League(["deckhand", "sailor"])
    >>> league.add(lambda seen: seen["action_mask"].argmax(axis=1))
    >>> len(league.members)
    3
    """

    def __init__(self, members: Iterable[Opponent]) -> None:
        if isinstance(members, str | bytes) or not has_parts(members):
            raise errors.BadArgument(f"a league is made of a list of opponents, not of {shown(members)}.")
        self.members: list[Opponent] = []
        for member in members:
            self.add(member)
        if not self.members:
            raise errors.BadArgument("a league needs at least one opponent.")

    def add(self, member: Opponent) -> None:
        """Add an opponent: from now on new games may draw it."""
        checked_opponent(member)
        if isinstance(member, League):
            raise errors.BadArgument("a league cannot be a member of a league.")
        self.members.append(member)

    def draw(self, rng: np.random.Generator) -> Opponent:
        """Draw the opponent of a game."""
        if not isinstance(rng, np.random.Generator):
            raise errors.BadArgument(f"rng must be a generator such as numpy.random.default_rng(1), not {shown(rng)}.")
        return self.members[int(rng.integers(len(self.members)))]


def is_policy(opponent: Opponent) -> TypeGuard[Policy]:
    """Whether the opponent is a function from observations to actions."""
    return callable(opponent) and not hasattr(opponent, "decide")


def checked_opponent(opponent: Opponent) -> None:
    """Raise BadArgument unless this is an opponent."""
    if isinstance(opponent, str):
        try:
            create(opponent)
        except CartagenaError as error:
            raise errors.BadArgument(f"{error}.") from None
    elif not (isinstance(opponent, League) or is_policy(opponent) or callable(getattr(opponent, "decide", None))):
        raise errors.BadArgument(
            f"an opponent is the name of a player, a player, a policy or a League, not {shown(opponent)}."
        )


def checked_opponents(opponents: Opponent | Sequence[Opponent], seats: int) -> tuple[Opponent, ...]:
    """Return an opponent for each other seat: the one that is given, or one each. Raises BadArgument."""
    if isinstance(opponents, Sequence) and not isinstance(opponents, str):
        seated = tuple(opponents)
    else:
        seated = (opponents,) * (seats - 1)
    for opponent in seated:
        checked_opponent(opponent)
    if len(seated) != seats - 1:
        each = f", or one for each of the {seats - 1} other seats" if seats > 2 else ""
        raise errors.BadArgument(f"name one opponent{each}, not {len(seated)}.")
    return seated


# --- at a table


class SeatedPlayer:
    """A player in one game."""

    def __init__(self, opponent: Opponent, seed: int) -> None:
        self.player: Player = create(opponent, seed) if isinstance(opponent, str) else own_player(opponent, seed)
        self.game = f"environment {next(_games)}"

    def reply(self, position: Position) -> int:
        """The action of the player for the seat that must choose; it sees the view of that seat."""
        view = position.view(position.turn)
        if isinstance(self.player, GamePlayer):
            self.player.enter_game(self.game)
        action = view.action(self.player.decide(view))
        if action not in view.legal_actions():
            raise errors.BadAction(f"the opponent {self.player.name} chose a move that is not legal here.")
        return action


def own_player(opponent: Player | type[Player], seed: int) -> Player:
    """The player itself, or a new one of its class."""
    return maker(opponent.__name__, opponent)(seed) if isinstance(opponent, type) else opponent


def policy_actions(policy: Policy, tables: Tables, rows: NDArray[np.int64]) -> NDArray[np.integer]:
    """Return the actions of a policy for these games, whose observations are up to date. Raises BadAction."""
    masks = tables.masks[rows]
    actions = np.asarray(policy({"observation": tables.observations[rows], "action_mask": masks}))
    if actions.shape != (len(rows),) or actions.dtype.kind not in "iu":
        raise errors.BadAction(f"a policy of an opponent returns {len(rows)} whole numbers, one for each row.")
    inside = (actions >= 0) & (actions < at.ACTIONS)
    legal = inside & (masks[np.arange(len(rows)), np.where(inside, actions, 0)] != 0)
    if not legal.all():
        raise errors.BadAction(f"the policy of an opponent chose {actions[~legal][0]}, which is not legal here.")
    return actions


class Others:
    """The other seats at many tables: who sits there, and their choices until every learner must choose again."""

    def __init__(self, tables: Tables, learners: Sequence[int], opponents: Sequence[Opponent]) -> None:
        self.tables = tables
        self.opponents = tuple(opponents)
        self.seats = tables.settings.seats
        self.learners = np.resize(np.array(learners, dtype=np.int64), tables.number)
        self._rows = np.arange(tables.number)
        self._pool: list[Opponent] = list(LEVELS)
        self._players: dict[tuple[int, int], SeatedPlayer] = {}
        self._sits = np.full((tables.number, self.seats), -1, dtype=np.int64)
        """The number in the pool of the opponent in each seat; the first ones are compiled levels."""
        self._changes = any(self._is_renewed(opponent) for opponent in self.opponents)
        self._begun = False

    def _is_renewed(self, opponent: Opponent) -> bool:
        """Whether every game needs another one."""
        return opponent not in LEVELS if isinstance(opponent, str) else not is_policy(opponent)

    def begin(self, rows: NDArray[np.int64], rng: np.random.Generator) -> None:
        """Seat the opponents of the games that begin in these rows."""
        self.tables.forget(rows)
        if self._begun and not self._changes:
            return
        for row in rows.tolist():
            for step, opponent in enumerate(self.opponents, 1):
                seat = (int(self.learners[row]) + step) % self.seats
                drawn = opponent.draw(rng) if isinstance(opponent, League) else opponent
                self._sits[row, seat] = self._member(drawn)
                if self._is_renewed(drawn):
                    self._players[row, seat] = SeatedPlayer(drawn, int(rng.integers(1 << 31)))
        self._begun = True

    def _member(self, opponent: Opponent) -> int:
        """The opponent's number in the pool, which is extended if it is not there."""
        for number, known in enumerate(self._pool):
            if known is opponent or (isinstance(opponent, str) and known == opponent):
                return number
        self._pool.append(opponent)
        return len(self._pool) - 1

    def play(self) -> None:
        """Let the others choose until at every table the learner must choose or the game is over."""
        tables = self.tables
        while (waits := (tables.status == RUNNING) & (tables.viewers != self.learners)).any():
            members = np.where(waits, self._sits[self._rows, tables.viewers], -1)
            tables.engine.step(self._replies(members), observe=False)
        tables.viewers[:] = self.learners
        tables.sitting[:] = self.learners + 1
        tables.gained[:] = tables.rewards[self._rows, self.learners]

    def _replies(self, members: NDArray[np.int64]) -> NDArray[np.int64]:
        """The actions of these members of the pool; HOLD where the number is -1."""
        inside = members < len(LEVELS)
        actions = self.tables.reply(np.where(inside, members, -1)) if (members[inside] >= 0).any() else None
        if actions is None:
            actions = np.full(len(members), HOLD, dtype=np.int64)
        others = np.unique(members[~inside]).tolist()
        if any(is_policy(self._pool[member]) for member in others):
            self.tables.engine.observe()
        for member in others:
            rows = np.flatnonzero(members == member)
            if is_policy(self._pool[member]):
                actions[rows] = policy_actions(self._pool[member], self.tables, rows)
            else:
                seats = self.tables.viewers[rows].tolist()
                actions[rows] = [
                    self._players[row, seat].reply(self.tables.position(row))
                    for row, seat in zip(rows.tolist(), seats, strict=True)
                ]
        return actions
