"""One game between players: deal it, play it, time it, and judge it."""

import time
import traceback
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from cartagena.errors import shown, takes
from cartagena.game import CartagenaError, Game, Move, Position
from cartagena.players import Limit, Player, PlayerError, PlayerFailed, create
from cartagena.players.luck import luck_of
from cartagena.players.model import limit_or
from cartagena.rulesets import RuleSet

from .entrants import Entrant

MOST_TURNS: Final = 300
GRACE: Final = 0.05
"""Seconds beyond its limit that a player may take."""
ADDED: Final = ("output", "luck")
"""Fields that lines of version 0.1.0 have not; they are left out where they are empty."""
DIGITS: Final = 6
"""Decimal places of luck in files of results."""
MAX_OUTPUT: Final = 4000
"""Characters that are kept of what a player that forfeits has written."""


@dataclass(frozen=True)
class Fixture:
    """A game to be played. Games of one ``deal`` have the same board and cards, with seats exchanged.

    ``opening`` is the text of a position to start from; without it the seed deals one.

    >>> from cartagena import rule_set
    >>> from cartagena.arena import Entrant, Fixture, play
    >>> fixture = Fixture(0, 0, rule_set("tortuga-en", pieces=1, pirates=2), ("sailor", "random"), seed="example")
    >>> play(fixture, {name: Entrant.parse(name) for name in fixture.seats}).is_decided
    True
    """

    number: int
    deal: int
    rules: RuleSet
    seats: tuple[str, ...]
    seed: str
    opening: str = ""

    def new_game(self) -> Game:
        """Deal the game, and name its players."""
        seed = f"{self.seed}-{self.deal}"
        fixed = Game(Position(self.opening, self.rules), seed=seed) if self.opening else None
        game = fixed or Game.new(self.rules, seats=len(self.seats), seed=seed)
        game.tags |= {f"Seat{number}": label for number, label in enumerate(self.seats, 1)}
        return game


@dataclass
class Result:
    """A game that was played. ``winner`` is a seat from 1, 0 for none, or None for a game that was broken off.

    After a forfeit ``reason`` says why, and ``output`` has the end of the program's standard error, or the traceback of
    a player in Python. Seconds are counted for each seat; ``overruns`` are decisions beyond the limit of the player.

    >>> from cartagena.arena import Result
    >>> Result(0, 0, ("sailor", "random"), winner=1).shares()
    [1.0, 0.0]
    """

    number: int
    deal: int
    seats: tuple[str, ...]
    winner: int | None = None
    turns: int = 0
    moves: int = 0
    forfeit: int = 0
    reason: str = ""
    decisions: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    slowest: list[float] = field(default_factory=list)
    overruns: list[int] = field(default_factory=list)
    output: str = ""
    luck: list[float] = field(default_factory=list)
    """What the cards of the game changed for each seat, with mean 0 (see ``players.luck``); empty in older files."""
    record: str = field(default="", repr=False, compare=False)
    """The text of the game's record. It is kept in a file of its own, not in files of results."""

    def to_json(self) -> dict[str, object]:
        """The fields of a line in a file of results. Lines of version 0.1.0 stay as they are."""
        return {key: value for key, value in asdict(self).items() if key != "record" and (value or key not in ADDED)}

    @classmethod
    @takes(PlayerError, data=Mapping)
    def from_json(cls, data: Mapping[str, Any]) -> "Result":
        """The result of a line of a file."""
        try:
            return cls(**{**data, "seats": tuple(data["seats"])})
        except (KeyError, TypeError):
            raise PlayerError(f"a result has number, deal and seats, unlike {shown(data)}") from None

    def shares(self) -> list[float]:
        """Each seat's share of the win. The others share the win of a forfeit. An undecided game has none."""
        if self.forfeit:
            rest = 1.0 / (len(self.seats) - 1)
            return [0.0 if seat == self.forfeit else rest for seat in range(1, len(self.seats) + 1)]
        return [float(seat == self.winner) for seat in range(1, len(self.seats) + 1)]

    @property
    def is_decided(self) -> bool:
        """Whether a seat has won or forfeited the game."""
        return bool(self.forfeit or self.winner)


def player_seed(fixture: Fixture, label: str) -> int:
    """A seed for a player that follows from the game alone."""
    return zlib.crc32(f"{fixture.seed}/{fixture.deal}/{label}".encode())


class Seat:
    """A player at the table, with its clock."""

    def __init__(self, player: Player, limit: Limit | None) -> None:
        self.player = player
        self.limit = limit
        self.time = time_of(player, limit)
        self.decisions = 0
        self.seconds = 0.0
        self.slowest = 0.0
        self.overruns = 0
        self.is_ready = hasattr(player, "get_ready")
        if self.is_ready:
            player.get_ready()  # type: ignore[attr-defined]

    def decide(self, game: Game) -> Move:
        """Ask the player for a move and time it.

        The first decision of a player that cannot ``get_ready`` may load what it needs: it is never an overrun.
        """
        view = game.view(game.turn)
        begin = time.perf_counter()
        move = self.player.decide(view, self.limit)
        taken = time.perf_counter() - begin
        self.decisions += 1
        self.seconds += taken
        if self.decisions > 1 or self.is_ready:
            self.slowest = max(self.slowest, taken)
            self.overruns += self.time is not None and taken > self.time + GRACE
        return move

    def leave(self) -> None:
        close = getattr(self.player, "close", None)
        if close is not None:
            close()


def time_of(player: Player, limit: Limit | None) -> float | None:
    """Seconds that a player may take for a decision: those of ``limit``, else of the player's own limit, else None."""
    own = getattr(player, "limit", None)
    chosen = limit_or(limit, own) if isinstance(own, Limit) else limit
    return None if chosen is None else chosen.time


@takes(PlayerError, fixture=Fixture, entrants=Mapping)
def play(fixture: Fixture, entrants: Mapping[str, Entrant], most_turns: int = MOST_TURNS) -> Result:
    """Play a game to its end, to a forfeit, or for ``most_turns`` turns.

    >>> from cartagena import rule_set
    >>> from cartagena.arena import Entrant, Fixture, play
    >>> fixture = Fixture(0, 0, rule_set("nest-nl"), ("sailor", "random"), seed="example")
    >>> play(fixture, {name: Entrant.parse(name) for name in fixture.seats}).forfeit
    0
    """
    game = fixture.new_game()
    result = Result(fixture.number, fixture.deal, fixture.seats)
    if unknown := [label for label in fixture.seats if label not in entrants]:
        raise PlayerError(f"there is no entrant {shown(unknown[0])} for the game")
    chairs = [take_seat(fixture, entrants[label]) for label in fixture.seats]
    try:
        while not game.is_over and result.turns < most_turns:
            take_move(game, chairs, result)
            if result.forfeit:
                break
    finally:
        for chair in chairs:
            chair.leave()
    outcome = game.outcome()
    if outcome is not None:
        result.winner = outcome.winner or 0
    note_times(result, chairs)
    if result.forfeit:
        game.tags |= {"Forfeit": str(result.forfeit), "Reason": result.reason}
    record = game.record()
    result.record = str(record)
    result.luck = [round(luck, DIGITS) for luck in luck_of(list(record.positions()))]
    return result


def take_seat(fixture: Fixture, entrant: Entrant) -> Seat:
    return Seat(create(entrant.name, player_seed(fixture, entrant.label)), entrant.limit)


def take_move(game: Game, chairs: Sequence[Seat], result: Result) -> None:
    """Let the seat that must choose make a move. A player that fails or plays an illegal move forfeits."""
    seat = game.turn
    try:
        move = chairs[seat - 1].decide(game)
        game.play(move)
    except PlayerFailed as error:
        result.forfeit, result.reason, result.output = seat, str(error), error.output
    except PlayerError:
        raise
    except CartagenaError as error:
        result.forfeit, result.reason = seat, f"illegal move: {error}"
    except (Exception, SystemExit) as error:  # a user's player may raise anything
        result.forfeit, result.reason = seat, f"{type(error).__name__}: {error}"
        result.output = traceback.format_exc()[-MAX_OUTPUT:]
    else:
        result.moves += 1
        result.turns += move.kind == "end"


def note_times(result: Result, chairs: Sequence[Seat]) -> None:
    result.decisions = [chair.decisions for chair in chairs]
    result.seconds = [round(chair.seconds, 3) for chair in chairs]
    result.slowest = [round(chair.slowest, 4) for chair in chairs]
    result.overruns = [chair.overruns for chair in chairs]
