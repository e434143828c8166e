"""A game told card by card from before the opening deal: what has happened, and what each seat remembers of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from cartagena.game import Position
from cartagena.game.notation.cards import card_text, format_cards
from cartagena.game.rng import Chance
from cartagena.game.setup import TO_ROW, deal_opening, deal_order, lay_board, lay_table
from cartagena.kernel import layout as at
from cartagena.kernel.cards import tally, unit
from cartagena.kernel.chance import due, source
from cartagena.kernel.legal import chooser, count_actions, legal
from cartagena.kernel.step import step
from cartagena.kernel.view import view
from cartagena.rulesets import RuleSet, RuleSetError, load

from .resampling import UNSEEN, Event, cards_of

MOST_TURNS: Final = 100_000


@dataclass(frozen=True)
class Table:
    """What does not change during a game: the table before the deal, the order of the deal, the limit of turns."""

    laid: Position
    order: tuple[int, ...]
    turns: int

    @property
    def numbers(self) -> Sequence[int]:
        return self.laid.table

    @property
    def deck(self) -> int:
        return self.laid.table[at.T_DECK]

    def __deepcopy__(self, memo: Any) -> "Table":
        return self


def fixed_board(rules: RuleSet) -> str:
    """The board where none is named: the printed pieces in their printed order."""
    if rules.style == "random":
        return lay_board(rules, Chance.from_seed(0))
    ends = [sum(rules.islands[:number]) for number in range(len(rules.islands) + 1)]
    return "|".join("/".join(rules.printed[first:last]) for first, last in pairwise(ends))


def lay(rules: str, seats: int, board: str, turns: int) -> Table:
    """The table for a game. Raises one clear sentence where it cannot be laid."""
    chosen = load(rules)
    if not 1 <= turns <= MOST_TURNS:
        raise RuleSetError(f"turns must be a whole number from 1 to {MOST_TURNS}, not {turns}.")
    laid = lay_table(chosen, seats, board or fixed_board(chosen))
    return Table(laid, tuple(deal_order(chosen, seats)), turns)


class Story:
    """A game so far. ``words`` is the kernel's state; ``events`` tell how it came about."""

    __slots__ = ("dealt", "events", "table", "tokens", "turns", "words")

    def __init__(self, table: Table) -> None:
        self.table = table
        self.words = table.laid.state()
        self.dealt = 0
        self.turns = 0
        self.events: list[Event] = []
        self.tokens: list[list[str]] = [[] for _ in range(table.laid.seats)]

    def __deepcopy__(self, memo: Any) -> "Story":
        again = Story.__new__(Story)
        again.table, again.dealt, again.turns = self.table, self.dealt, self.turns
        again.words, again.events = list(self.words), list(self.events)
        again.tokens = [list(tokens) for tokens in self.tokens]
        return again

    # --- what is

    @property
    def dealing(self) -> bool:
        """Whether the opening is being dealt."""
        return self.dealt < len(self.table.order)

    @property
    def over(self) -> bool:
        return self.words[at.OVER] != 0 or self.turns >= self.table.turns

    @property
    def winner(self) -> int:
        """The winner's seat from 0, or -1."""
        result = self.words[at.OVER]
        return result - 1 if 0 < result < at.NOBODY else -1

    @property
    def is_chance(self) -> bool:
        return not self.over and (self.dealing or due(self.words) > 0)

    @property
    def actor(self) -> int:
        return chooser(self.words)

    def legal_actions(self) -> list[int]:
        out = [0] * at.MAX_LEGAL
        return out[: legal(self.table.numbers, self.words, out)]

    def chances(self) -> dict[int, int]:
        """For each card that can be dealt now how many there are; empty where none is due."""
        if not self.is_chance:
            return {}
        word = self.words[at.STOCK] if self.dealing else source(self.table.numbers, self.words)
        return dict(cards_of(word))

    def position(self) -> Position:
        laid = self.table.laid
        return laid.with_words(self.words)

    # --- what happens

    def deal(self, card: int) -> None:
        """Chance brings a card."""
        if self.dealing:
            target = self.table.order[self.dealt]
            deal_opening(self.words, target, card)
            self.dealt += 1
            self._tell(Event(card, target, deal=True), f"+{self._letter(card)}")
            return
        mover = self.words[at.TURN]
        target = TO_ROW if self.words[at.ROW_DUE] else mover
        fresh = 0 if self.words[at.STOCK] else self.words[at.DISCARD]
        before = self._hand(mover)
        step(self.table.numbers, self.words, at.DEAL + card)
        gained = taken(self._hand(mover) - before) if target == TO_ROW else ()
        event = Event(card, target, deal=True, taker=mover, gained=gained, fresh=fresh)
        self._tell(event, f"+{self._letter(card)}")

    def act(self, action: int) -> None:
        """A seat plays a legal action."""
        seat = self.actor
        word = str(self.table.laid.move(action))
        if action == at.END:
            self._end(seat, word)
            return
        lost = -1
        if action < at.RETREAT:
            lost = action % at.CARD_SLOTS
        elif at.DROP <= action < at.DEAL:
            lost = action - at.DROP
        before = self._hand(seat) - (unit(lost) if lost >= 0 else 0)
        step(self.table.numbers, self.words, action)
        gained = taken(self._hand(seat) - before)
        self._tell(Event(action, seat, lost=lost, taker=seat, gained=gained), word)

    def _end(self, seat: int, word: str) -> None:
        """A turn ends; who was forced to pass has shown that no card of the hand could be played."""
        passed = self.words[at.USED] == 0
        before = list(self.words)
        step(self.table.numbers, self.words, at.END)
        forced = passed and (self.words[at.PASSES] > 0 or self.words[at.OVER] > 0)
        self.turns += 1
        barred = self._playable(before, seat) if forced else frozenset()
        self._tell(Event(at.END, seat, barred=barred), f"{word}!" if forced else word)

    def _playable(self, words: list[int], seat: int) -> frozenset[int]:
        """The cards that the seat could have played then: those that alone in its hand would have been an action."""
        cards = []
        for card in range(at.CARDS):
            if tally(self.table.deck, card):
                words[at.SEAT + seat * at.SEAT_WORDS + at.HAND] = unit(card)
                if count_actions(self.table.numbers, words):
                    cards.append(card)
        return frozenset(cards)

    def _tell(self, event: Event, word: str) -> None:
        """Everybody remembers what happened, a hidden deal without its card."""
        self.events.append(event)
        for seat, tokens in enumerate(self.tokens):
            tokens.append(word if self._sees(event, seat) else "+?")

    def _sees(self, event: Event, seat: int) -> bool:
        hidden = event.deal and event.seat not in (TO_ROW, seat)
        return not hidden or self.table.laid.rules.open_hands

    def _hand(self, seat: int) -> int:
        return self.words[at.SEAT + seat * at.SEAT_WORDS + at.HAND]

    def _letter(self, card: int) -> str:
        return card_text(self.table.laid.rules, card)

    # --- who knows what

    def seen_by(self, seat: int) -> list[int]:
        """The words of the seat's view."""
        out = [0] * at.WORDS
        view(self.table.numbers, self.words, seat, out)
        return out

    def hand_text(self, seat: int) -> str:
        return format_cards(self.table.laid.rules, self._hand(seat))

    def tokens_of(self, seat: int) -> list[str]:
        return self.tokens[seat]

    def information(self, seat: int) -> str:
        """All that the seat has seen and done, as words: the board, its seat, and every event since."""
        laid = self.table.laid
        return " ".join((laid.rules.name, laid.board, f"{laid.seats}.{seat + 1}", *self.tokens[seat]))

    def remembered(self, seat: int) -> list[Event]:
        """The events as the seat knows them."""
        return [event if self._sees(event, seat) else blind(event) for event in self.events]


def taken(word: int) -> tuple[int, ...]:
    """Cards that came from the open row, for all to see."""
    return tuple(cards_of(word).elements())


def blind(event: Event) -> Event:
    """A deal whose card was not seen."""
    return Event(UNSEEN, event.seat, deal=True, fresh=event.fresh)
