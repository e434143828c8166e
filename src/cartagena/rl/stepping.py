"""A game that is stepped by the compiled kernel. What its seats remember is worked out when it is asked for."""

from copy import deepcopy
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from cartagena.game import Position
from cartagena.game.notation.cards import format_cards
from cartagena.kernel import layout as at
from cartagena.kernel.cards import tally, total
from cartagena.kernel.legal import winner
from cartagena.kernel.validate import deal_first
from cartagena.kernel.view import view

from .compiled.one_game import CHANCE, FINISHED, LOWEST, PLAYERS, play, see
from .history import GameSetup, History
from .resampling import Remembered
from .spaces.observation import SIZE


@lru_cache(maxsize=4096)
def outcomes_of(cards: int) -> tuple[tuple[int, float], ...]:
    """The cards of a card word, each with its probability."""
    number = total(cards)
    return tuple((card, times / number) for card in range(at.CARDS) if (times := tally(cards, card)))


class SteppedGame:
    """A game so far. ``player`` is the seat to choose, from 0, or CHANCE or FINISHED (see ``compiled.one_game``).

    ``record`` starts with the words of the state. ``kept`` is the memory of the seats, which follows the game in plain
    Python and only when it is asked for, because playouts never need it: ``pending`` are the actions that it lacks, and
    a copy of the game shares it until one of them plays on.
    """

    __slots__ = ("dealt", "kept", "known", "pending", "player", "record", "setup", "shared", "size", "turns")

    def __init__(self, setup: GameSetup) -> None:
        self.setup = setup
        self.record: NDArray[np.int64] = setup.blank.copy()
        self.dealt = 0
        self.turns = 0
        self.pending: list[int] = []
        self.kept: History | None = None
        self.shared = False
        self.known: list[int] | None = None
        self.size = 0
        self.player = CHANCE
        if not self.dealing:
            self._stand(play(setup.rule_numbers, self.record, -1))

    def __deepcopy__(self, memo: object) -> "SteppedGame":
        again = SteppedGame.__new__(SteppedGame)
        again.setup, again.dealt, again.turns = self.setup, self.dealt, self.turns
        again.player, again.size, again.known = self.player, self.size, self.known
        again.record, again.pending = self.record.copy(), self.pending[:]
        again.kept, again.shared = self.kept, True
        self.shared = True
        return again

    # --- the present state

    @property
    def dealing(self) -> bool:
        """Whether the opening is being dealt."""
        return self.dealt < len(self.setup.order)

    @property
    def words(self) -> list[int]:
        words: list[int] = self.record[: at.WORDS].tolist()
        return words

    @property
    def winner(self) -> int:
        """The winner's seat from 0, or -1."""
        return int(winner(self.record))

    def legal(self) -> list[int]:
        """The legal actions of the seat to choose, in a list not to be changed, or none where no seat chooses."""
        if self.known is None:
            self.known = self.record[at.WORDS : at.WORDS + self.size].tolist()
        return self.known

    def outcomes(self) -> tuple[tuple[int, float], ...]:
        """The cards that can be dealt now with their probabilities, or none if no card is due."""
        if self.player != CHANCE:
            return ()
        return outcomes_of(int(self.record[at.STOCK if self.dealing else at.WORDS]))

    def position(self) -> Position:
        return self.setup.laid.with_words(self.words)

    # --- playing

    def play(self, action: int) -> None:
        """Play a legal action, or deal a card that can be dealt."""
        self.pending.append(action)
        if self.player == CHANCE:
            if self.dealing:
                deal_first(self.record, self.setup.order[self.dealt], action)
                self.dealt += 1
                if self.dealt < len(self.setup.order):
                    return
                action = -1
            else:
                action += at.DEAL
        elif action == at.END:
            self.turns += 1
        self._stand(play(self.setup.rule_numbers, self.record, action))

    def _stand(self, code: int) -> None:
        """Note who must choose now, by what ``play`` returned."""
        self.known = None
        self.size, self.player = code // PLAYERS, code % PLAYERS + LOWEST
        if self.turns >= self.setup.turns:
            self.size, self.player = 0, FINISHED

    # --- what each seat knows

    def memory(self) -> History:
        """The same game with the memory of its seats."""
        if self.kept is None:
            self.kept, self.shared = History(self.setup), False
        if self.pending:
            if self.shared:
                self.kept, self.shared = deepcopy(self.kept), False
            for action in self.pending:
                self.kept.play(action)
            self.pending = []
        return self.kept

    @property
    def events(self) -> list[Remembered]:
        return self.memory().events

    def tokens_of(self, seat: int) -> list[str]:
        return self.memory().tokens[seat]

    def information(self, seat: int) -> str:
        """All that the seat has seen and done, as text."""
        return self.memory().information(seat)

    def remembered(self, seat: int) -> list[Remembered]:
        """The events as the seat knows them."""
        return self.memory().remembered(seat)

    def seen_by(self, seat: int) -> list[int]:
        """The words of the seat's view."""
        out = [0] * at.WORDS
        view(self.setup.numbers, self.words, seat, out)
        return out

    def observation(self, seat: int) -> NDArray[np.uint8]:
        """What the seat observes, as ``spaces.observation`` describes it."""
        out = np.zeros(SIZE, dtype=np.uint8)
        see(self.setup.rule_numbers, self.record, seat, out)
        return out

    def hand_text(self, seat: int) -> str:
        return format_cards(self.setup.laid.rules, int(self.record[at.SEAT + seat * at.SEAT_WORDS + at.HAND]))
