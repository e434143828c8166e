"""Positions: values that know the rules they are played by. Playing a move gives another position."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NoReturn, overload

from cartagena.errors import CartagenaError, IllegalMove, of_kind, shown, takes, whole
from cartagena.kernel import layout as at
from cartagena.kernel import legal, reasons
from cartagena.kernel.chance import weight
from cartagena.kernel.step import pass_turn, step
from cartagena.kernel.view import view
from cartagena.rulesets import RuleSet

from .move import Move
from .notation.actions import action_moves, action_to_move, word_actions
from .notation.cards import card_letters, card_number
from .notation.format import hidden_cards, write_position
from .notation.parse import read_position
from .reasons import refusal
from .scene import Scene
from .seats import NO_SEAT, check_seat, colour
from .turns import Turn, distinct_turns, moves_of

new = object.__new__
# A position refuses assignment; its slots are filled through their descriptors, which is also the fastest way.
set_rules, set_board, set_table, set_words = (
    Scene.__dict__[name].__set__ for name in ("rules", "board", "table", "words")
)


def word_of(move: object) -> str:
    """The text of a move. Empty for what is neither a move nor a text."""
    return move.text if isinstance(move, Move) else move if isinstance(move, str) else ""


def require_choice(words: Sequence[int]) -> None:
    """Raise IllegalMove where the hand that the next move depends on is hidden."""
    if words[at.HIDDEN] == 0 or words[at.OVER]:
        return
    seat = (words[at.DROPPER] or words[at.TURN] + 1) - 1
    if hidden_cards(words, seat):
        raise IllegalMove(f"the hand of {colour(seat)} is hidden in this view", "hidden-hand")


def shows_card(before: "Position", after: "Position", seat: int) -> bool:
    """Whether the deal between two positions shows its card to a seat."""
    return before.row_due > 0 or hidden_cards(after.view(seat).words, before.words[at.TURN]) == 0


class LegalMoves(Sequence[Move]):
    """The legal moves of a position, computed when they are asked for. Moves may be given as text.

    >>> moves = Position("jamaica-en BPHSDK s,s/s,s BD/DK - B16D15H17K16P17S17 - - 1.0").legal_moves
    >>> moves
    <LegalMoves s:B s:D>
    >>> len(moves), "s:B" in moves, "s:K" in moves, moves.index("s:D"), moves.count("s:B")
    (2, True, False, 1, 1)
    """

    def __init__(self, position: "Position") -> None:
        self._position = position

    def count(self, value: object = None) -> int:
        """Count the legal moves without listing them. With a move: 1 if it is legal, else 0."""
        if value is not None:
            return int(value in self)
        require_choice(self._position.words)
        return legal.count(self._position.table, self._position.state())

    @takes(CartagenaError, start=int)
    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        """The place of a move in the list. Raises IllegalMove, a ValueError, where it is not legal."""
        words = self._position.legal_words()
        end = len(words) if stop is None else of_kind(CartagenaError, "stop", stop, int)
        try:
            return words.index(word_of(value), start, end)
        except ValueError:
            raise IllegalMove(f"{word_of(value)[:40] or shown(value)} is not among the legal moves") from None

    def __len__(self) -> int:
        return self.count()

    def __bool__(self) -> bool:
        return self.count() > 0

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, Move | str):
            return False
        try:
            return self._position.why_not(move) is None
        except ValueError:
            return False

    def __iter__(self) -> Iterator[Move]:
        moves = action_moves(self._position.rules, self._position.table)
        return (moves[action] for action in self._position.legal_actions())

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        return list(self)[index]

    def __repr__(self) -> str:
        return f"<LegalMoves {' '.join(map(str, self))}>"


class Position(Scene):
    """A position of either game, or a seat's view of one. An immutable value that is equal to others with its text.

    The text of a variant's position is read with its rule set, whose name the text begins with. Raises NotationError
    where the text is not notation, ImpossiblePosition where no game can reach it.

    >>> start = Position("jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0")
    >>> start.turn, start.hand(1), [str(move) for move in start.legal_moves]
    (1, {'B': 2}, ['s:B'])
    >>> start.play("s:B")
    Position('jamaica-en BPHSDK s,1/s,s B/DK - B15D16H17K16P17S17 B - 1.1')
    """

    __slots__ = ()

    def __init__(self, text: str, rules: RuleSet | None = None) -> None:
        parts = read_position(text, rules)
        self._fill(parts.rules, parts.board, parts.table, parts.words)

    def _fill(self, rules: RuleSet, board: str, rule_table: tuple[int, ...], words: Sequence[int]) -> None:
        set_rules(self, rules)
        set_board(self, board)
        set_table(self, rule_table)
        set_words(self, tuple(words))

    @classmethod
    def parse(cls, text: str, rules: RuleSet | None = None) -> "Position":
        """Read a position. The same as ``Position(text)``, or for a variant's ``Position(text, rules)``."""
        return cls(text, rules)

    @classmethod
    def from_kernel(cls, rules: RuleSet, board: str, table: tuple[int, ...], words: Sequence[int]) -> "Position":
        """Wrap numbers that the kernel made. They are trusted, not checked."""
        self = new(cls)
        self._fill(rules, board, table, words)
        return self

    def with_words(self, words: Sequence[int]) -> "Position":
        """The same table with other words that the kernel made. They are trusted, not checked."""
        other = new(Position)
        set_rules(other, self.rules)
        set_board(other, self.board)
        set_table(other, self.table)
        set_words(other, tuple(words))
        return other

    # --- what may be done

    def legal_actions(self) -> list[int]:
        """The legal moves as the kernel's numbers, ascending."""
        require_choice(self.words)
        out = [0] * at.MAX_LEGAL
        return out[: legal.legal(self.table, self.state(), out)]

    def legal_words(self) -> list[str]:
        """The legal moves as text, in the order of ``legal_moves``."""
        return [move.text for move in self.legal_moves]

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves: a sequence that also answers ``in``, ``count`` and ``index`` for text."""
        return LegalMoves(self)

    def action(self, move: Move | str) -> int:
        """The kernel's number for a move, -1 if the game has no such move."""
        action = word_actions(self.rules, self.table).get(word_of(move))
        if action is None:
            action = -1 if isinstance(move, Move) else self.action(Move(move))
        return action

    def move(self, action: int) -> Move:
        """The move that a number of the kernel means. Raises IllegalMove where it means none."""
        return action_to_move(self.rules, self.table, action)

    def why_not(self, move: Move | str) -> IllegalMove | None:
        """None if the move is legal, else the error that playing it would raise."""
        return self._why_not(self.state(), self.action(move), move)

    def _why_not(self, words: list[int], action: int, move: Move | str) -> IllegalMove | None:
        require_choice(words)
        reason = reasons.reason(self.table, words, action)
        if reason == reasons.LEGAL:
            return None
        return refusal(self.rules, self.table, words, Move(move) if isinstance(move, str) else move, reason)

    def play(self, *moves: Move | str) -> "Position":
        """The position after these moves. Raises NotationError or IllegalMove."""
        words, known = list(self.words), word_actions(self.rules, self.table)
        for move in moves:
            action = known.get(word_of(move))
            if action is None:
                action = self.action(move)
            error = self._why_not(words, action, move)
            if error is not None:
                raise error
            step(self.table, words, action)
        return self.with_words(words)

    def play_on(self, move: Move | str) -> "Position":
        """The position after a move that was not the last of its game. Raises NotationError or IllegalMove.

        Games that are older than the ruling on becalmed positions went on there; a new move is refused by ``play``.

        >>> board, stock = "CDGMPST/CDGMPST|CDGMPST/CDGMPST/CDGMPST", "C14C!D14D!G14G!M14M!P14P!S14S!T14T!"
        >>> becalmed = Position(f"nest-nl {board} s,b,b,b/s,b,b,b -/- - {stock} - 1 1.1")
        >>> [str(after).split()[-1] for after in (becalmed.play("end"), becalmed.play_on("end"))]
        ['=0', '2.0c']
        """
        after = self.play(move)
        if not after.is_over or word_of(move) != "end":
            return after
        words = self.state()
        pass_turn(self.table, words)
        return self.with_words(words)

    def turns(self) -> list[Turn]:
        """All turns of the seat to choose that lead to different positions, each with one sequence of moves.

        A turn ends with ``end`` or with the game, or earlier where a card must be dealt or another seat must drop one;
        ``after`` gives the position then.

        >>> from cartagena import Game
        >>> position = Game.new("tortuga-en", seats=2, seed=7, pirates=1, actions=2).position
        >>> len(position.turns()), str(position.turns()[0])
        (18, 's:B end')
        """
        require_choice(self.words)
        ends = distinct_turns(self.table, self.words)
        moves = action_moves(self.rules, self.table)
        return [
            Turn(tuple(moves[action] for action in path), path[-1] == at.END or after[at.OVER] != 0)
            for after, path in ends.items()
        ]

    def after(self, turn: "Turn | str | Iterable[Move | str]") -> "Position":
        """The position after a turn, or after any moves in a list or a text. Raises NotationError or IllegalMove.

        >>> from cartagena import Game
        >>> position = Game.new("tortuga-en", seats=2, seed=7, pirates=1, actions=2).position
        >>> position.after(position.turns()[0]) == position.after("s:B end") == position.play("s:B", "end")
        True
        """
        return self.play(*moves_of(turn))

    def chances(self) -> dict[str, int]:
        """For each card that may be dealt now, how many of it there are among those it is drawn from."""
        if not self.is_chance:
            return {}
        state = self.state()
        weights = {text: weight(self.table, state, card_number(self.rules, text)) for text in card_letters(self.rules)}
        return {text: number for text, number in weights.items() if number}

    # --- what a seat may know

    def view(self, seat: int) -> "Position":
        """What a seat may know. ``NO_SEAT`` is a spectator."""
        words = list(self.words)
        view(self.table, words, self._observer(seat), words)
        return self.with_words(words)

    def deals(self, number: int = 1, seed: int = 0) -> list["Position"]:
        """Complete a view: positions with the hidden cards dealt, every deal as likely as any other.

        The same seed gives the same deals; deal i is the one that game i of ``rollouts`` with this seed starts from.

        Args:
            number: How many positions.
            seed: A whole number from 0.

        >>> from cartagena import Game
        >>> view = Game.new("jamaica-en", seats=2, seed=7).view(1)
        >>> [deal.view(1) == view for deal in view.deals(3, seed=1)]
        [True, True, True]
        """
        from cartagena.backends.rollouts import completed

        return [self.with_words(words) for words in completed(self, number, seed)]

    def _observer(self, seat: int) -> int:
        """The seat as an index from 0, and -1 for a spectator. Raises IllegalMove for seats that are not there."""
        return NO_SEAT - 1 if whole(seat) == NO_SEAT else check_seat(seat, self.seats)

    def seen(self, move: Move | str, seat: int) -> Move:
        """A legal move as a seat sees it: a card dealt to a hand it cannot see is ``+?``."""
        seat = self._observer(seat) + 1
        move = move if isinstance(move, Move) else Move(move)
        if not move.is_chance or move.is_hidden or shows_card(self, self.play(move), seat):
            return move
        return Move("+?")

    # --- as a picture

    def text(self) -> str:
        """Draw a board for a terminal, at most 80 columns wide."""
        from .render.text import draw_text

        return draw_text(self)

    def svg(self) -> str:
        """Draw the table as an SVG picture."""
        from .render.svg import draw_svg

        return draw_svg(self)

    def _repr_svg_(self) -> str:
        return self.svg()

    # --- as a value

    def __str__(self) -> str:
        return write_position(self.rules, self.board, self.table, self.state())

    def __repr__(self) -> str:
        return f"Position({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return (self.rules.name, self.board, self.table, self.words)

    def __reduce__(self) -> tuple[object, ...]:
        return Position.from_kernel, (self.rules, self.board, self.table, self.words)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{name} cannot be set: a position does not change, play a move to get another")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{name} cannot be deleted: a position does not change")


def as_position(value: Position | str) -> Position:
    """The position itself, or the one that a text says. Raises NotationError for anything else.

    >>> as_position(None)
    Traceback (most recent call last):
    cartagena.NotationError: a position is a text of at most 2000 characters
    """
    return value if isinstance(value, Position) else Position(value)
