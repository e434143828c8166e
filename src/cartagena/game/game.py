"""A game being played: a position with a history, and chance that is dealt by itself."""

from collections.abc import Iterator, Sequence
from typing import Any

from cartagena.errors import IllegalMove
from cartagena.rulesets import RuleSet, load, vary

from .move import Move
from .outcome import Outcome
from .position import LegalMoves, Position
from .record import Record
from .rng import Chance, new_seed
from .setup import open_position


class Game:
    """A game from its opening to now.

    >>> game = Game.new("tortuga-en", seats=3, seed=7)
    >>> game.turn, game.legal_moves.count() > 0
    (1, True)
    >>> first = game.legal_moves[0]
    >>> game.play(first) == [first]
    True
    >>> game.undo()[0] == first
    True

    A game made by ``new`` deals due cards by itself, always the same ones for the same seed and moves. A game from a
    position without a seed leaves them to you: play ``+D`` and the like.
    """

    def __init__(self, position: Position | str, *, seed: int | str | None = None) -> None:
        self.opening = Position.parse(position) if isinstance(position, str) else position
        self.tags: dict[str, str] = {}
        self.chance: Chance | None = None
        if seed is not None:
            self.chance = Chance.from_seed(seed)
            self.tags["Seed"] = str(seed)
        self._moves: list[Move] = []
        self._positions: list[Position] = [self.opening]

    @classmethod
    def new(
        cls,
        rules: str | RuleSet = "jamaica-en",
        *,
        seats: int | None = None,
        seed: int | str | None = None,
        board: str | None = None,
        **sizes: Any,
    ) -> "Game":
        """Deal a new game. ``sizes`` are entries a person's own rule set file may have, such as ``pirates=3``."""
        chosen = load(rules) if isinstance(rules, str) else rules
        chosen = vary(chosen, sizes, chosen.name)
        seats = chosen.seats or 2 if seats is None else seats
        seed = new_seed() if seed is None else seed
        return cls(open_position(chosen, seats, Chance.from_seed(seed), board), seed=seed)

    # --- looking

    @property
    def position(self) -> Position:
        return self._positions[-1]

    @property
    def rules(self) -> RuleSet:
        return self.opening.rules

    @property
    def seats(self) -> int:
        return self.opening.seats

    @property
    def turn(self) -> int:
        """The seat that must choose now, from 1; 0 while a card is to be dealt or when the game is over."""
        return self.position.turn

    @property
    def legal_moves(self) -> LegalMoves:
        return self.position.legal_moves

    @property
    def moves(self) -> Sequence[Move]:
        """All moves so far, dealt cards included."""
        return tuple(self._moves)

    def view(self, seat: int) -> Position:
        """What a seat (from 1) may know now; 0 is a spectator."""
        return self.position.view(seat)

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self.position.outcome()

    @property
    def is_over(self) -> bool:
        return self.position.is_over

    # --- playing

    def play(self, move: Move | str) -> list[Move]:
        """Play a move and deal the cards it brings; what was played and dealt. A wrong move changes nothing."""
        before = len(self._moves)
        self._push(Move.parse(move) if isinstance(move, str) else move)
        self.deal()
        return self._moves[before:]

    def deal(self) -> list[Move]:
        """Deal the cards that are due now, where the game has a chance of its own; what was dealt."""
        before = len(self._moves)
        while self.chance is not None and self.position.is_chance:
            self._push(self._draw(self.chance))
        return self._moves[before:]

    def undo(self) -> list[Move]:
        """Take the last choice back with the cards it brought; what was taken back."""
        count = len(self._moves)
        while count and self._moves[count - 1].is_chance and self.chance is not None:
            count -= 1
        if not count:
            raise IllegalMove("there is no move to take back", "nothing-to-undo")
        taken = self._moves[count - 1 :]
        del self._moves[count - 1 :]
        del self._positions[count:]
        return taken

    def _push(self, move: Move) -> None:
        position = self.position.play(move)
        self._positions.append(position)
        self._moves.append(move)

    def _draw(self, chance: Chance) -> Move:
        number = sum(move.is_chance for move in self._moves)
        return Move("deal", card=chance.card(self.position.chances(), "draw", number))

    def history(self) -> Iterator[tuple[Position, Move]]:
        """Each position with the move that was played there."""
        return zip(self._positions, self._moves, strict=False)

    # --- keeping

    def record(self) -> Record:
        """The game so far as a record."""
        return Record.of(self.opening, self._moves, tags=self.tags)

    @classmethod
    def from_record(cls, record: Record) -> "Game":
        """The game that a record tells."""
        game = cls(record.opening)
        for entry in record.moves:
            game.play(entry.move)
        game.tags = dict(record.tags)
        if "Seed" in record.tags:
            game.chance = Chance.from_seed(record.tags["Seed"])
        return game

    def svg(self) -> str:
        """A picture of the table now as SVG."""
        return self.position.svg()

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg()

    def __str__(self) -> str:
        return self.position.text()

    def __repr__(self) -> str:
        return f"<Game {self.position}>"
