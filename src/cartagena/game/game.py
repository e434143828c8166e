"""A game being played: a position with a history, and chance that deals the cards."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from cartagena.errors import IllegalMove, NotationError, shown
from cartagena.rulesets import RuleSet, rule_set

from .entries import Entry
from .fair_deal import next_card
from .move import Move
from .outcome import Outcome
from .position import LegalMoves, Position, as_position
from .record import DERIVED_TAGS, Record
from .rng import Chance, new_seed
from .setup import open_position
from .variants import SIZES


class Game:
    """A game from its opening to now.

    A game with a seed deals due cards itself, always the same ones for the same seed and moves. In a game without a
    seed they are moves like any other: play ``+D`` to deal a dagger.

    >>> game = Game.new("tortuga-en", seats=3, seed=7)
    >>> game.turn, game.legal_moves
    (1, <LegalMoves s:B s:D s:H s:S>)
    >>> game.play("s:B")
    [Move('s:B')]
    >>> game.undo()
    [Move('s:B')]
    """

    def __init__(self, position: Position | str, *, seed: int | str | None = None) -> None:
        self.tags: dict[str, str] = {}
        self.chance: Chance | None = None
        if seed is not None:
            self.chance = Chance.from_seed(seed)
            self.tags["Seed"] = str(seed)
        self._entries: list[Entry] = []
        self._positions = [as_position(position)]

    @classmethod
    def new(
        cls,
        rules: str | RuleSet = "jamaica-en",
        *,
        seats: int | None = None,
        seed: int | str | None = None,
        board: str | None = None,
        pieces: int | None = None,
        pirates: int | None = None,
        deal: int | None = None,
        actions: int | None = None,
        cards: int | None = None,
        style: str | None = None,
    ) -> "Game":
        """Deal a new game.

        Args:
            rules: A rule set, its name, or the path of a TOML file with one.
            seats: How many seats play. By default what the rule set says, or 2.
            seed: What all chance follows from. By default a new one, to be found in ``tags["Seed"]``.
            board: The board pieces as they are written. By default they are laid by chance.
            pieces: How many board pieces there are.
            pirates: How many pirates each seat has.
            deal: How many cards each seat is dealt.
            actions: How many actions a turn has.
            cards: How many cards there are of each sign.
            style: ``printed`` for pieces as they are printed, ``random`` for shuffled signs.

        >>> Game.new("jamaica-en", seed=7, pieces=1, pirates=2, deal=3)
        <Game jamaica-en SPBKDH s,s/s,s BDH/HS2 - B16D16H15K17P17S15 - - 1.0>
        """
        chosen = rule_set(rules, pieces=pieces, pirates=pirates, deal=deal, actions=actions, cards=cards, style=style)
        seats = chosen.seats or 2 if seats is None else seats
        seed = new_seed() if seed is None else seed
        game = cls(open_position(chosen, seats, Chance.from_seed(seed), board), seed=seed)
        game.tags |= size_tags(chosen)
        return game

    # --- looking

    @property
    def opening(self) -> Position:
        """The position that the game started from."""
        return self._positions[0]

    @property
    def position(self) -> Position:
        """The position now."""
        return self._positions[-1]

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return self.opening.rules

    @property
    def seats(self) -> int:
        """How many seats play."""
        return self.opening.seats

    @property
    def turn(self) -> int:
        """The seat that must choose now, from 1. ``NO_SEAT`` while a card is to be dealt and when the game is over."""
        return self.position.turn

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves now."""
        return self.position.legal_moves

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves so far, dealt cards included."""
        return tuple(entry.move for entry in self._entries)

    def view(self, seat: int) -> Position:
        """What a seat may know now. ``NO_SEAT`` is a spectator."""
        return self.position.view(seat)

    def outcome(self) -> Outcome | None:
        """How the game ended. None while it goes on."""
        return self.position.outcome()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.position.is_over

    # --- playing

    def play(self, move: Move | str, *, comment: str = "", evaluation: Sequence[float] = ()) -> list[Move]:
        """Play a move and deal the cards it brings. A wrong move raises and changes nothing.

        Args:
            move: The move, or its text.
            comment: What the record says about the move.
            evaluation: A number for each seat, for the record.

        Returns:
            What was played and dealt.
        """
        before = len(self._entries)
        self._push(Entry(move, comment, evaluation))
        self.deal()
        return self._moves_from(before)

    def deal(self) -> list[Move]:
        """Deal the cards that are due now, if the game has a seed.

        Returns:
            What was dealt.
        """
        before = len(self._entries)
        while self.chance is not None and self.position.is_chance:
            number = sum(entry.move.is_chance for entry in self._entries)
            self._push(Entry(next_card(self.position, self.chance, number)))
        return self._moves_from(before)

    def undo(self) -> list[Move]:
        """Take the last choice back with the cards it brought. Raises IllegalMove where there is none.

        Returns:
            What was taken back.
        """
        count = len(self._entries)
        while count and self._entries[count - 1].move.is_chance and self.chance is not None:
            count -= 1
        if not count:
            raise IllegalMove("there is no move to take back", "nothing-to-undo")
        taken = self._moves_from(count - 1)
        del self._entries[count - 1 :]
        del self._positions[count:]
        if self._entries:  # a record may go on after a becalmed position; a new move there is refused
            self._positions[-1] = self._positions[-2].play(self._entries[-1].move)
        return taken

    def _moves_from(self, number: int) -> list[Move]:
        return [entry.move for entry in self._entries[number:]]

    def _push(self, entry: Entry) -> None:
        self._positions.append(self.position.play(entry.move))
        self._entries.append(entry)

    def history(self) -> Iterator[tuple[Position, Move]]:
        """Each position with the move that was played there."""
        return zip(self._positions, self.moves, strict=False)

    # --- keeping

    def copy(self) -> "Game":
        """A game of its own that has gone the same way so far.

        >>> game = Game.new("jamaica-en", seed=7)
        >>> other = game.copy()
        >>> game == other, other.play(other.legal_moves[0]), game == other
        (True, [Move('s:B')], False)
        """
        other = object.__new__(type(self))
        own = {"tags": self.tags.copy(), "_entries": self._entries.copy(), "_positions": self._positions.copy()}
        vars(other).update(vars(self), **own)
        return other

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._key() == other._key()

    __hash__ = None  # type: ignore[assignment]  # a game changes

    def _key(self) -> tuple[object, ...]:
        return (self.opening, self._entries, self.tags, self.chance)

    def record(self) -> Record:
        """The game so far as a record.

        >>> print(Game.new("jamaica-en", seed=7).record().tags)
        {'Rules': 'jamaica-en', 'Seed': '7', 'Result': '*'}
        """
        return Record(self.opening, self._entries, self.tags)

    @classmethod
    def from_record(cls, record: Record) -> "Game":
        """Replay a record, with its comments, evaluations and tags.

        >>> game = Game.new("jamaica-en", seed=7)
        >>> Game.from_record(game.record()) == game
        True
        """
        if not isinstance(record, Record):
            raise NotationError(f"a game is made from a Record, not from {shown(record)}", "record")
        game = cls(record.opening, seed=record.tags.get("Seed"))
        game._entries, game._positions = list(record.moves), list(record.positions())
        game.tags = {key: value for key, value in record.tags.items() if key not in DERIVED_TAGS}
        return game

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the game as a record file, from which ``load`` continues it. A name in ``.json`` makes it JSON.

        A file that holds anything but records is replaced only with ``overwrite``.

        >>> from pathlib import Path
        >>> from tempfile import mkdtemp
        >>> game, file = Game.new("jamaica-en", seed=7), Path(mkdtemp()) / "game.txt"
        >>> game.save(file)
        >>> Game.load(file) == game
        True
        """
        self.record().write(path, overwrite=overwrite)

    @classmethod
    def load(cls, path: str | Path) -> "Game":
        """Read a game that was saved, or any record file. A game with a seed goes on dealing the same cards."""
        return cls.from_record(Record.read(path))

    def svg(self) -> str:
        """Draw the table now as an SVG picture."""
        return self.position.svg()

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.position.text()

    def __repr__(self) -> str:
        return f"<Game {self.position}>"


def size_tags(rules: RuleSet) -> dict[str, str]:
    """The tags of what a deal depends on besides the name of the rule set: sizes that differ from the edition's.

    The tag of a variant has its sizes too.
    """
    if rules.is_variant:
        return {}
    keys, edition = {**SIZES, "Style": "style"}, rules.default or rules
    return {tag: str(getattr(rules, key)) for tag, key in keys.items() if getattr(rules, key) != getattr(edition, key)}
