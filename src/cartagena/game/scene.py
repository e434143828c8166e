"""What a position shows: the part of ``Position`` that pictures and texts are made from."""

from cartagena.kernel import layout as at
from cartagena.kernel.cards import total
from cartagena.kernel.chance import due
from cartagena.kernel.legal import chooser
from cartagena.kernel.moves import hand_of, hand_size, is_becalmed
from cartagena.rulesets import RuleSet

from .notation.actions import place_text
from .notation.cards import card_counts, card_text
from .notation.format import places, row_of
from .outcome import Outcome
from .seats import NO_SEAT, check_seat


class Scene:
    """The visible facts of a position. Seats count from 1, and 0 is ``NO_SEAT``."""

    __slots__ = ("board", "rules", "table", "words")

    rules: RuleSet
    """The rule set."""
    board: str
    """The board pieces as they are written."""
    table: tuple[int, ...]
    """The kernel's numbers for the rule set at this table."""
    words: tuple[int, ...]
    """The kernel's numbers for the position."""

    @property
    def seats(self) -> int:
        """How many seats play."""
        return self.table[at.T_SEATS]

    @property
    def pirates(self) -> int:
        """How many pirates each seat has."""
        return self.table[at.T_PIRATES]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.words[at.OVER] != 0

    @property
    def is_chance(self) -> bool:
        """Whether a card is to be dealt now."""
        return due(self.state()) > 0

    @property
    def is_view(self) -> bool:
        """Whether some cards are hidden here."""
        return self.words[at.HIDDEN] != 0

    @property
    def active(self) -> int:
        """The seat whose turn it is. ``NO_SEAT`` when the game is over."""
        return NO_SEAT if self.is_over else self.words[at.TURN] + 1

    @property
    def turn(self) -> int:
        """The seat that must choose now: the active one, or one that must drop a card.

        ``NO_SEAT`` while a card is to be dealt (``is_chance``) and when the game is over (``is_over``).
        """
        return chooser(self.state()) + 1

    @property
    def used(self) -> int:
        """How many actions of this turn are taken."""
        return self.words[at.USED]

    @property
    def row(self) -> list[str]:
        """The cards of the open row, the next one first."""
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
        """The board's pieces, island by island. A tunnel is one island."""
        return [island.split("/") for island in self.board.split("|")]

    @property
    def sloop(self) -> int | None:
        """The island the sloop lies at, 1 or 2. None in a game where it does not sail."""
        return self.words[at.SLOOP] or None

    @property
    def is_captain(self) -> bool:
        """Whether the active seat may sail without spending an action."""
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
        """The seat that must drop a card now. ``NO_SEAT`` when no seat must."""
        return self.words[at.DROPPER]

    @property
    def passes(self) -> int:
        """How many turns before this one were forced passes in a row."""
        return self.words[at.PASSES]

    @property
    def is_becalmed(self) -> bool:
        """Whether in the nest nothing but sailing is left: no seat has a card, and no pirate could be pushed.

        The game is over when a turn ends so.
        """
        return is_becalmed(self.table, self.state()) != 0

    def places(self, seat: int) -> list[str]:
        """Where the pirates of a seat stand, in track order."""
        return [place_text(self.table, place) for place in places(self.state(), check_seat(seat, self.seats))]

    def hand_size(self, seat: int) -> int:
        """How many cards a seat holds."""
        return hand_size(self.state(), check_seat(seat, self.seats))

    def hand(self, seat: int) -> dict[str, int] | None:
        """The cards a seat holds and how many of each. None where they are hidden in this view."""
        cards = hand_of(self.state(), check_seat(seat, self.seats))
        return None if total(cards) != self.hand_size(seat) else card_counts(self.rules, cards)

    def outcome(self) -> Outcome | None:
        """How the game ended. None while it goes on."""
        if not self.is_over:
            return None
        winner = self.words[at.OVER]
        return Outcome(None if winner == at.DEADLOCK else winner)

    def state(self) -> list[int]:
        """A copy of the words as a list that kernel functions may change."""
        return list(self.words)
