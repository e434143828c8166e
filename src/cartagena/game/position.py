"""Positions: values that know the rules they are played by. Nothing changes one; playing a move gives another."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from cartagena.errors import IllegalMove
from cartagena.kernel import layout as at
from cartagena.kernel import legal, reasons
from cartagena.kernel.cards import total
from cartagena.kernel.chance import due, weight
from cartagena.kernel.moves import hand_of, hand_size
from cartagena.kernel.step import step
from cartagena.kernel.view import view
from cartagena.rulesets import RuleSet

from .move import Move
from .notation.actions import action_to_move, action_words, move_to_action, place_text, word_actions
from .notation.cards import card_counts, card_letters, card_number, card_text
from .notation.format import places, row_of, write_position
from .notation.parse import read_position
from .outcome import Outcome
from .reasons import CODES, colour, sentence

if TYPE_CHECKING:
    from cartagena.kernel.intrinsics import Words

CHANCE: Final = 0
"""What ``turn`` is while a card is to be dealt and nobody has a choice."""


def require_choice(words: Sequence[int]) -> None:
    """Raise IllegalMove where the hand that the next move depends on is hidden."""
    if words[at.HIDDEN] == 0 or words[at.OVER]:
        return
    seat = (words[at.DROPPER] or words[at.TURN] + 1) - 1
    if (words[at.HIDDEN] >> (seat * at.HIDDEN_BITS)) & 0xFF:
        raise IllegalMove(f"the hand of {colour(seat)} is hidden in this view", "hidden-hand")


class LegalMoves(Sequence[Move]):
    """The legal moves of a position, worked out only as far as they are asked for."""

    def __init__(self, position: "Position") -> None:
        self._position = position

    def count(self, value: object = None) -> int:
        """How many legal moves there are, without listing them; with a move, 1 if it is legal and else 0."""
        if value is not None:
            return int(value in self)
        self._position.require_choice()
        return legal.count(self._position.table, self._position.state())

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
        for action in self._position.legal_actions():
            yield action_to_move(self._position.rules, self._position.table, action)

    def __getitem__(self, index: int) -> Move:  # type: ignore[override]
        return list(self)[index]

    def __repr__(self) -> str:
        return f"<LegalMoves {' '.join(map(str, self))}>"


class Position:
    """A position of either game, or a seat's view of one.

    ``table`` and ``words`` are the kernel's numbers. ``turn`` is the seat to move from 1, or ``CHANCE``.

    >>> start = Position.parse("jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0")
    >>> [str(move) for move in start.legal_moves]
    ['s:B']
    >>> str(start.play("s:B"))
    'jamaica-en BPHSDK s,1/s,s B/DK - B15D16H17K16P17S17 B - 1.1'
    """

    __slots__ = ("board", "rules", "table", "words")

    def __init__(self, rules: RuleSet, board: str, table: tuple[int, ...], words: Sequence[int]) -> None:
        self.rules = rules
        self.board = board
        self.table = table
        self.words = tuple(words)

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Read the nine words. Raises NotationError or ImpossiblePosition."""
        parts = read_position(text)
        return cls(parts.rules, parts.board, parts.table, parts.words)

    # --- what it shows

    @property
    def seats(self) -> int:
        return self.table[at.T_SEATS]

    @property
    def pirates(self) -> int:
        """Pirates a seat."""
        return self.table[at.T_PIRATES]

    @property
    def is_over(self) -> bool:
        return self.words[at.OVER] != 0

    @property
    def is_chance(self) -> bool:
        """Whether a card is to be dealt now."""
        return due(self.state()) > 0

    @property
    def is_view(self) -> bool:
        """Whether something is hidden here."""
        return self.words[at.HIDDEN] != 0

    @property
    def active(self) -> int:
        """The seat whose turn it is, from 1; 0 when the game is over."""
        return 0 if self.is_over else self.words[at.TURN] + 1

    @property
    def turn(self) -> int:
        """The seat that must choose now, from 1: the active one or one that must drop a card; CHANCE for a deal."""
        return legal.chooser(self.state()) + 1

    @property
    def used(self) -> int:
        """Actions taken this turn."""
        return self.words[at.USED]

    def places(self, seat: int) -> list[str]:
        """Where the pirates of a seat (from 1) stand, in track order."""
        return [place_text(self.table, place) for place in places(self.state(), seat - 1)]

    def hand_size(self, seat: int) -> int:
        """How many cards a seat (from 1) holds."""
        return hand_size(self.state(), seat - 1)

    def hand(self, seat: int) -> dict[str, int] | None:
        """The cards a seat (from 1) holds and how many of each; None where they are hidden in this view."""
        cards = hand_of(self.state(), seat - 1)
        return None if total(cards) != self.hand_size(seat) else card_counts(self.rules, cards)

    @property
    def row(self) -> list[str]:
        """The open row, the next card first."""
        return [card_text(self.rules, card) for card in row_of(self.state())]

    @property
    def stock_size(self) -> int:
        """How many cards lie face down."""
        return total(self.words[at.STOCK]) + (self.words[at.HIDDEN] >> at.HIDDEN_STOCK)

    @property
    def discard(self) -> dict[str, int]:
        """The cards of the discard pile and how many of each."""
        return card_counts(self.rules, self.words[at.DISCARD])

    @property
    def islands(self) -> list[list[str]]:
        """The board's pieces, island by island; a tunnel is one island."""
        return [island.split("/") for island in self.board.split("|")]

    @property
    def sloop(self) -> int:
        """The island the sloop lies at, 1 or 2; 0 in a game where it does not sail."""
        return self.words[at.SLOOP]

    @property
    def is_captain(self) -> bool:
        """Whether the active seat may cross for nothing now."""
        return self.words[at.CAPTAIN] != 0

    @property
    def row_due(self) -> int:
        """How many cards are still to be dealt to the row."""
        return self.words[at.ROW_DUE]

    @property
    def owed(self) -> int:
        """How many cards are still owed to the active seat."""
        return self.words[at.OWED]

    @property
    def dropper(self) -> int:
        """The seat that must drop a card now, from 1; 0 when nobody must."""
        return self.words[at.DROPPER]

    @property
    def passes(self) -> int:
        """How many turns before now were forced passes in a row."""
        return self.words[at.PASSES]

    def state(self) -> "Words":
        """The words as a list that can be changed without changing the position."""
        return list(self.words)

    # --- what may be done

    def require_choice(self) -> None:
        """Raise IllegalMove where the moves cannot be told because the hand they depend on is hidden in this view."""
        require_choice(self.words)

    def legal_actions(self) -> list[int]:
        """The legal moves as the kernel's numbers, ascending."""
        self.require_choice()
        out = [0] * at.MAX_LEGAL
        return out[: legal.legal(self.table, self.state(), out)]

    def legal_words(self) -> list[str]:
        """The legal moves as words, in the order of ``legal_moves``."""
        words = action_words(self.rules, self.table)
        return [words[action] for action in self.legal_actions()]

    @property
    def legal_moves(self) -> LegalMoves:
        return LegalMoves(self)

    def action(self, move: Move | str) -> int:
        """The kernel's number for a move, -1 if the game has no such move."""
        if isinstance(move, str):
            known = word_actions(self.rules, self.table).get(move)
            return known if known is not None else self.action(Move.parse(move))
        return move_to_action(self.rules, self.table, move)

    def move(self, action: int) -> Move:
        """The move that a kernel's number means."""
        return action_to_move(self.rules, self.table, action)

    def why_not(self, move: Move | str) -> IllegalMove | None:
        """None if the move is legal, else the error that playing it would raise."""
        return self._why_not(self.state(), self.action(move), move)

    def _why_not(self, words: "Words", action: int, move: Move | str) -> IllegalMove | None:
        require_choice(words)
        found = reasons.reason(self.table, words, action)
        if found == reasons.LEGAL:
            return None
        code = CODES[found]
        move = Move.parse(move) if isinstance(move, str) else move
        return IllegalMove(sentence(self.rules, self.table, words, move, code), code)

    def play(self, *moves: Move | str) -> "Position":
        """The position after these moves. Raises NotationError or IllegalMove; this position stays as it is."""
        words = self.state()
        for move in moves:
            action = self.action(move)
            error = self._why_not(words, action, move)
            if error is not None:
                raise error
            step(self.table, words, action)
        return self._with(words)

    def chances(self) -> dict[str, int]:
        """For each card that may be dealt now, how many of it there are among those it is drawn from."""
        if not self.is_chance:
            return {}
        state = self.state()
        weights = {text: weight(self.table, state, card_number(self.rules, text)) for text in card_letters(self.rules)}
        return {text: number for text, number in weights.items() if number}

    # --- who may know what

    def view(self, seat: int) -> "Position":
        """What a seat (from 1) may know; 0 is a spectator."""
        if not 0 <= seat <= self.seats:
            raise IllegalMove(f"there is no seat {seat} at this table", "no-such-seat")
        words = self.state()
        view(self.table, self.state(), seat - 1, words)
        return self._with(words)

    def seen(self, move: Move, seat: int) -> Move:
        """A legal move as a seat (from 1; 0 is a spectator) sees it: a card dealt to a hand it can't see is ``+?``."""
        if not move.is_chance or move.is_hidden:
            return move
        after = self.play(move).view(seat)
        unseen = (after.words[at.HIDDEN] >> (self.words[at.TURN] * at.HIDDEN_BITS)) & 0xFF
        return Move("deal", card="?") if unseen and not self.words[at.ROW_DUE] else move

    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        if not self.is_over:
            return None
        winner = self.words[at.OVER]
        return Outcome(None if winner == at.NOBODY else winner)

    # --- as a picture

    def text(self) -> str:
        """A readable board for a terminal."""
        from .render.text import draw_text

        return draw_text(self)

    def svg(self) -> str:
        """A picture of the table as SVG."""
        from .render.svg import draw_svg

        return draw_svg(self)

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg()

    # --- as a value

    def _with(self, words: Sequence[int]) -> "Position":
        return Position(self.rules, self.board, self.table, words)

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
