"""Games of the simple levels for data sets, played by compiled code: the same games as those that the players play.

A game that compiled code cannot play, because it is very long, is left to the players.
"""

import hashlib
import hmac
import threading
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from types import ModuleType
from typing import Any, Final, TypeAlias

import numpy as np

from cartagena.errors import missing

try:
    import pyarrow as pa
except ModuleNotFoundError as error:
    raise missing(error, __name__, "rl") from None
from numpy.typing import NDArray

from cartagena.game import Game
from cartagena.game.notation.actions import action_moves, place_words
from cartagena.game.notation.cards import card_letters, card_number, card_text
from cartagena.kernel import layout as at
from cartagena.rulesets import RuleSet

from .spaces.observation import MASK_TYPE, SIZE
from .tables import code_of_levels

LEVELS: Final = ("random", "deckhand", "sailor", "gunner")
"""The levels, in the order of their numbers in ``compiled.opponents``."""
PLIES: Final = 2048
DRAWS: Final = 64
"""Draws that are worked out at a time."""
MOST_DRAWS: Final = 4096
SEEDS: Final = 0xFFFFFFFF
Words: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
THREAD: Final = threading.local()


@lru_cache(maxsize=1)
def code() -> ModuleType:
    """The compiled loop over a game."""
    return code_of_levels("rl.compiled.whole_game")


@lru_cache(maxsize=1)
def writer() -> ModuleType:
    """The compiled writer of positions."""
    return code_of_levels("rl.compiled.position_texts")


@lru_cache(maxsize=1)
def view_code() -> ModuleType:
    """The compiled observations and masks."""
    return code_of_levels("rl.compiled.view_columns")


@lru_cache(maxsize=16)
def packed_texts(rules: RuleSet, table: tuple[int, ...]) -> Words:
    """The texts of cards and places for ``compiled.position_texts``."""
    code: Any = writer()
    texts, cards = np.zeros(code.TEXTS, np.int64), list(card_texts(rules))
    texts[code.KINDS] = len(cards)
    texts[code.ORDER : code.ORDER + len(cards)] = cards
    named = {code.CARD + card: card_text(rules, card) for card in cards}
    named |= {code.PLACE + place: text for place, text in enumerate(place_words(table))}
    for index, text in named.items():
        texts[index] = int.from_bytes(text.encode(), "little")
    return texts


def written(rules: RuleSet, table: tuple[int, ...], head: str, states: Words) -> pa.Array:
    """Positions, or views, as text. ``head`` is the rule set and the board."""
    code: Any = writer()
    begin = np.frombuffer(bytearray(f"{head} ".encode()), np.uint8)
    ends = np.zeros(len(states) + 1, np.int32)
    out = np.empty(len(states) * (len(begin) + code.LONGEST), np.uint8)
    code.write_all(np.array(table, np.int64), packed_texts(rules, table), begin, states.reshape(-1), ends, out)
    return pa.StringArray.from_buffers(len(states), pa.py_buffer(ends), pa.py_buffer(out[: ends[-1]]))


class LevelGame:
    """One game of the levels. ``play`` tells whether it could be played to its end or to the last turn."""

    def __init__(self, game: Game, levels: Sequence[str], seeds: Sequence[int], turns: int) -> None:
        self.opening = game.position
        self.chance = game.chance
        self.loop: Any = code()
        order = np.array(list(card_texts(self.opening.rules)), np.int64)
        seats = np.array([[LEVELS.index(name), seed & SEEDS, 0] for name, seed in zip(levels, seeds, strict=True)])
        self.space = self.loop.GameSpace(
            np.array(self.opening.words, np.int64), np.zeros(self.loop.COUNTS, np.int64), seats.reshape(-1),
            np.zeros(len(levels) * self.loop.MEMORY, np.int64), np.zeros(MOST_DRAWS, np.uint64),
            np.zeros(MOST_DRAWS, np.int64), order, *rooms(),
        )  # fmt: skip
        self.limits = np.array([turns, 0, PLIES, len(order)], np.int64)

    def play(self) -> bool:
        """Play the game. False where that cannot be done here."""
        from cartagena.players.weights import HAND, weights_for

        rules, planning = np.array(self.opening.table, np.int64), planning_space()
        weights, result = weights_for(self.opening, HAND), np.zeros(at.MAX_SEATS + 1)
        while True:
            ended = self.loop.play_on(rules, self.space, planning, weights, result, self.limits)
            if ended != self.loop.NEEDS_DRAWS:
                return bool(ended == self.loop.OVER_NOW)
            if not self.draw():
                return False

    def draw(self) -> bool:
        """Work out more draws, as ``Chance.below`` does. False where there is no space for them."""
        first = int(self.limits[self.loop.KNOWN_DRAWS])
        if self.chance is None or first + DRAWS > MOST_DRAWS:
            return False
        key = self.chance.key
        drawn = [hmac.digest(key, b"draw:%d:0" % number, hashlib.sha256)[:8] for number in range(first, first + DRAWS)]
        self.space.draws[first : first + DRAWS] = np.frombuffer(b"".join(drawn), ">u8")
        self.limits[self.loop.KNOWN_DRAWS] = first + DRAWS
        return True

    @property
    def turns(self) -> int:
        return int(self.space.counts[self.loop.TURNS])

    @property
    def result(self) -> int:
        """The winner's seat, 0 for a deadlock, -1 for a game that was stopped."""
        over = int(self.space.state[at.OVER])
        return -1 if over == 0 else 0 if over == at.DEADLOCK else over

    def columns(self) -> dict[str, Any]:
        """All choices, column by column. Seats count from 1."""
        rules, table, loop = self.opening.rules, self.opening.table, self.loop
        head = " ".join(str(self.opening).split(" ", 2)[:2])
        count, draws = (int(self.space.counts[index]) for index in (loop.PLIES, loop.DRAWS))
        seats, actions, turns, firsts = self.space.plies[: count * loop.PLY_SIZE].reshape(count, loop.PLY_SIZE).T
        states = self.space.states[: count * at.WORDS].reshape(count, at.WORDS)
        cards = [card_texts(rules)[card] for card in self.space.cards[:draws].tolist()]
        return {
            "turn": pa.array(turns),
            "seat": pa.array(seats + 1),
            "position": written(rules, table, head, states),
            "view": written(rules, table, head, self.views()),
            "move": move_texts(rules, table).take(pa.array(actions)),
            "action": pa.array(actions),
            "dealt": [" ".join(cards[first:last]) for first, last in pairwise([*firsts.tolist(), draws])],
        }

    def views(self) -> Words:
        """The words of the view of each choice."""
        count = int(self.space.counts[self.loop.PLIES])
        views: Words = self.space.views[: count * at.WORDS].reshape(count, at.WORDS)
        return views

    def observations(self) -> NDArray[np.uint8]:
        """The observation of each choice."""
        found = np.zeros((len(self.views()), SIZE), np.uint8)
        view_code().observe_all(np.array(self.opening.table, np.int64), self.views().reshape(-1), found)
        return found

    def masks(self) -> NDArray[np.int8]:
        """The mask of each choice."""
        found = np.zeros((len(self.views()), at.ACTIONS), MASK_TYPE)
        view_code().mark_all(np.array(self.opening.table, np.int64), self.views().reshape(-1), found)
        return found


@lru_cache(maxsize=16)
def move_texts(rules: RuleSet, table: tuple[int, ...]) -> pa.Array:
    """The moves of all actions as text."""
    moves = action_moves(rules, table)
    return pa.array([moves[action].text if action in moves else None for action in range(at.ACTIONS)])


@lru_cache(maxsize=16)
def card_texts(rules: RuleSet) -> dict[int, str]:
    """The dealt cards as moves, by their numbers."""
    return {card_number(rules, text): f"+{text}" for text in card_letters(rules)}


def rooms() -> tuple[Any, ...]:
    """Space for the plies of one game, their states and views."""
    return tuple(np.zeros(PLIES * size, np.int64) for size in (code().PLY_SIZE, at.WORDS, at.WORDS))


def planning_space() -> Any:
    """Space for the gunner's turns, one for each thread."""
    from cartagena.players.compiled.turn_search import new_space

    if not hasattr(THREAD, "planning"):
        THREAD.planning = new_space()
    return THREAD.planning
