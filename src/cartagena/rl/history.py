"""The history of a game, card by card from before the opening deal, and what each seat remembers of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cartagena.game import Position
from cartagena.game.notation.cards import card_text
from cartagena.game.rng import Chance
from cartagena.game.setup import TO_ROW, deal_order, lay_board, lay_table
from cartagena.kernel import layout as at
from cartagena.kernel.cards import tally, unit
from cartagena.kernel.chance import due
from cartagena.kernel.legal import chooser, count_actions
from cartagena.kernel.step import step
from cartagena.kernel.validate import deal_first
from cartagena.rulesets import RuleSet, RuleSetError, load

from .resampling import UNSEEN, Remembered, cards_of

MOST_TURNS: Final = 100_000


@dataclass(frozen=True)
class GameSetup:
    """What does not change during a game: the table before the deal, the order of the deal, the turn limit."""

    laid: Position
    order: tuple[int, ...]
    turns: int

    @property
    def numbers(self) -> Sequence[int]:
        return self.laid.table

    @property
    def deck(self) -> int:
        return self.laid.table[at.T_DECK]

    @cached_property
    def rule_numbers(self) -> NDArray[np.int64]:
        """The rule table as an array."""
        return np.array(self.laid.table, dtype=np.int64)

    @cached_property
    def blank(self) -> NDArray[np.int64]:
        """The state before the deal, with space for the legal actions behind it."""
        return np.array([*self.laid.words, *(0 for _ in range(at.MAX_LEGAL))], dtype=np.int64)

    def __deepcopy__(self, memo: object) -> "GameSetup":
        return self


def fixed_board(rules: RuleSet) -> str:
    """Return the board that is used if none is named: the printed pieces in their printed order."""
    if rules.style == "random":
        return lay_board(rules, Chance.from_seed(0))
    ends = [sum(rules.islands[:number]) for number in range(len(rules.islands) + 1)]
    return "|".join("/".join(rules.printed[first:last]) for first, last in pairwise(ends))


def set_up_game(rules: str | RuleSet, seats: int, board: str, turns: int) -> GameSetup:
    """Return the set-up of a game. Raises RuleSetError if its parts do not fit together."""
    chosen = load(rules) if isinstance(rules, str) else rules
    if not 1 <= turns <= MOST_TURNS:
        raise RuleSetError(f"turns must be a whole number from 1 to {MOST_TURNS}, not {turns}.")
    laid = lay_table(chosen, seats, board or fixed_board(chosen))
    return GameSetup(laid, tuple(deal_order(chosen, seats)), turns)


class History:
    """A game so far. ``words`` is the kernel's state; ``events`` are the actions and deals that led to it."""

    __slots__ = ("dealt", "events", "setup", "tokens", "turns", "words")

    def __init__(self, setup: GameSetup) -> None:
        self.setup = setup
        self.words = setup.laid.state()
        self.dealt = 0
        self.turns = 0
        self.events: list[Remembered] = []
        self.tokens: list[list[str]] = [[] for _ in range(setup.laid.seats)]

    def __deepcopy__(self, memo: object) -> "History":
        again = History.__new__(History)
        again.setup, again.dealt, again.turns = self.setup, self.dealt, self.turns
        again.words, again.events = list(self.words), list(self.events)
        again.tokens = [list(tokens) for tokens in self.tokens]
        return again

    # --- the present state

    @property
    def dealing(self) -> bool:
        """Whether the opening is being dealt."""
        return self.dealt < len(self.setup.order)

    @property
    def over(self) -> bool:
        return self.words[at.OVER] != 0 or self.turns >= self.setup.turns

    @property
    def is_chance(self) -> bool:
        return not self.over and (self.dealing or due(self.words) > 0)

    @property
    def actor(self) -> int:
        return chooser(self.words)

    # --- actions and deals

    def play(self, action: int) -> None:
        """Play a legal action, or deal a card that can be dealt."""
        if self.is_chance:
            self.deal(action)
        else:
            self.act(action)

    def deal(self, card: int) -> None:
        """Deal a card."""
        if self.dealing:
            target = self.setup.order[self.dealt]
            deal_first(self.words, target, card)
            self.dealt += 1
            self._remember(Remembered(card, target, deal=True), f"+{self._letter(card)}")
            return
        mover = self.words[at.TURN]
        target = TO_ROW if self.words[at.ROW_DUE] else mover
        fresh = 0 if self.words[at.STOCK] else self.words[at.DISCARD]
        before = self._hand(mover)
        step(self.setup.numbers, self.words, at.DEAL + card)
        gained = taken(self._hand(mover) - before) if target == TO_ROW else ()
        event = Remembered(card, target, deal=True, taker=mover, gained=gained, fresh=fresh)
        self._remember(event, f"+{self._letter(card)}")

    def act(self, action: int) -> None:
        """Play a legal action."""
        seat = self.actor
        word = str(self.setup.laid.move(action))
        if action == at.END:
            self._end(seat, word)
            return
        lost = -1
        if action < at.RETREAT:
            lost = action % at.CARD_SLOTS
        elif at.DROP <= action < at.DEAL:
            lost = action - at.DROP
        before = self._hand(seat) - (unit(lost) if lost >= 0 else 0)
        step(self.setup.numbers, self.words, action)
        gained = taken(self._hand(seat) - before)
        self._remember(Remembered(action, seat, lost=lost, taker=seat, gained=gained), word)

    def _end(self, seat: int, word: str) -> None:
        """End a turn. A seat that was forced to pass has shown that it could play no card of its hand."""
        passed = self.words[at.USED] == 0
        before = list(self.words)
        step(self.setup.numbers, self.words, at.END)
        forced = passed and (self.words[at.PASSES] > 0 or self.words[at.OVER] > 0)
        self.turns += 1
        barred = self._playable(before, seat) if forced else frozenset()
        self._remember(Remembered(at.END, seat, barred=barred), f"{word}!" if forced else word)

    def _playable(self, words: list[int], seat: int) -> frozenset[int]:
        """The cards that the seat could have played: each of them, alone in its hand, would have allowed an action."""
        cards = []
        for card in range(at.CARDS):
            if tally(self.setup.deck, card):
                words[at.SEAT + seat * at.SEAT_WORDS + at.HAND] = unit(card)
                if count_actions(self.setup.numbers, words):
                    cards.append(card)
        return frozenset(cards)

    def _remember(self, event: Remembered, word: str) -> None:
        """Add an event to the memory of every seat, a hidden deal without its card."""
        self.events.append(event)
        for seat, tokens in enumerate(self.tokens):
            tokens.append(word if self._sees(event, seat) else "+?")

    def _sees(self, event: Remembered, seat: int) -> bool:
        hidden = event.deal and event.seat not in (TO_ROW, seat)
        return not hidden or self.setup.laid.rules.open_hands

    def _hand(self, seat: int) -> int:
        return self.words[at.SEAT + seat * at.SEAT_WORDS + at.HAND]

    def _letter(self, card: int) -> str:
        return card_text(self.setup.laid.rules, card)

    # --- what each seat knows

    def tokens_of(self, seat: int) -> list[str]:
        return self.tokens[seat]

    def information(self, seat: int) -> str:
        """All that the seat has seen and done, as text: the board, its seat, and every event."""
        laid = self.setup.laid
        return " ".join((laid.rules.name, laid.board, f"{laid.seats}.{seat + 1}", *self.tokens[seat]))

    def remembered(self, seat: int) -> list[Remembered]:
        """The events as the seat knows them."""
        return [event if self._sees(event, seat) else blind(event) for event in self.events]


def taken(word: int) -> tuple[int, ...]:
    """The cards of a card word, here taken from the open row in sight of all."""
    return tuple(cards_of(word).elements())


def blind(event: Remembered) -> Remembered:
    """The same deal with its card unseen."""
    return Remembered(UNSEEN, event.seat, deal=True, fresh=event.fresh)
