"""Games of the simple levels for data sets, played by compiled code: the same games as those that the players play.

A game that compiled code cannot play, because it is very long, is left to the players.
"""

import hashlib
import hmac
import struct
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from types import ModuleType
from typing import Any, Final, TypeAlias

import numpy as np

from cartagena.game import Game
from cartagena.game.notation.actions import action_moves
from cartagena.game.notation.cards import card_letters, card_number, format_cards, format_queue
from cartagena.game.notation.format import hidden_cards, row_of, write_seat, write_turn
from cartagena.kernel import layout as at
from cartagena.rulesets import RuleSet

from .tables import code_of_levels

LEVELS: Final = ("random", "deckhand", "sailor", "gunner")
"""The levels, in the order of their numbers in ``compiled.opponents``."""
PLIES: Final = 2048
DRAWS: Final = 64
"""Draws that are worked out at a time."""
MOST_DRAWS: Final = 4096
SEEDS: Final = 0xFFFFFFFF
MOST_TEXTS: Final = 100_000
WORD: Final = 8
"""Bytes of a word."""
ROW: Final = slice(at.ROW, at.ROW_LEN + 1)
TURN: Final = slice(0, at.SLOOP + 1)
STOCK: Final = slice(at.STOCK, at.STOCK + 1)
DISCARD: Final = slice(at.DISCARD, at.DISCARD + 1)
Words: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"
THREAD: Final = threading.local()


@lru_cache(maxsize=1)
def code() -> ModuleType:
    """The compiled loop over a game."""
    return code_of_levels("rl.compiled.whole_game")


class Texts(dict[Any, str]):
    """Texts that are written once, by what they are written from."""

    def __init__(self, write: Callable[[Any], str]) -> None:
        super().__init__()
        self.write = write

    def __missing__(self, key: Any) -> str:
        if len(self) >= MOST_TEXTS:
            self.clear()
        text = self[key] = self.write(key)
        return text

    def of(self, words: Words) -> list[str]:
        """The texts of some words of many states, by the bytes of these words."""
        width = words.shape[1] * WORD
        return [self[key] for key in np.ascontiguousarray(words).view(f"V{width}").ravel().tolist()]


class PositionTexts:
    """Positions of a rule table as text, with the parts that many positions have in common written once.

    Parts are looked up by the bytes of their words, which need not become numbers.
    """

    def __init__(self, rules: RuleSet, table: tuple[int, ...]) -> None:
        starts = [at.SEAT + seat * at.SEAT_WORDS for seat in range(table[at.T_SEATS])]
        self.planes = [slice(start, start + at.HAND) for start in starts]
        self.hands = [slice(start + at.HAND, start + at.HAND + 1) for start in starts]
        self.pirates = Texts(lambda raw: write_seat(table, numbers(raw)))
        self.cards = Texts(lambda raw: format_cards(rules, numbers(raw)[0]))
        self.row = Texts(lambda raw: format_queue(rules, row_of([0] * at.ROW + list(numbers(raw)))))
        self.turns = Texts(lambda raw: f"{numbers(raw)[at.SLOOP] or '-'} {write_turn(list(numbers(raw)))}")
        self.hidden: dict[int, tuple[str, list[str]]] = {}

    def hidden_parts(self, word: int) -> tuple[str, list[str]]:
        """The stock and each hand as ``?n`` where a view with this word hides them; empty texts for the others."""
        sizes = [word >> at.HIDDEN_STOCK, *(hidden_cards([0] * at.HIDDEN + [word], n) for n in range(len(self.hands)))]
        stock, *hands = [f"?{size}" if size else "" for size in sizes]
        return self.hidden.setdefault(word, (stock, hands if any(hands) else []))

    def both(self, head: str, states: Words, hidden: list[int]) -> tuple[list[str], list[str]]:
        """All positions of a game and their views. ``head`` is the rule set and the board."""
        places = list(map("/".join, zip(*[self.pirates.of(states[:, planes]) for planes in self.planes], strict=True)))
        held = list(zip(*[self.cards.of(states[:, hand]) for hand in self.hands], strict=True))
        queues, turns = self.row.of(states[:, ROW]), self.turns.of(states[:, TURN])
        stocks, discards = self.cards.of(states[:, STOCK]), self.cards.of(states[:, DISCARD])
        positions, views = [], []
        for here, cards, queue, stock, discard, turn, word in zip(
            places, held, queues, stocks, discards, turns, hidden, strict=True
        ):
            left, sizes = self.hidden.get(word) or self.hidden_parts(word)
            hands = "/".join(cards)
            seen = "/".join([size or own for size, own in zip(sizes, cards, strict=True)]) if sizes else hands
            positions.append(f"{head} {here} {hands} {queue} {stock} {discard} {turn}")
            views.append(f"{head} {here} {seen} {queue} {left or stock} {discard} {turn}")
        return positions, views


def numbers(raw: bytes) -> tuple[int, ...]:
    """Words from their bytes."""
    return struct.unpack(f"={len(raw) // WORD}q", raw)


@lru_cache(maxsize=16)
def texts_of(rules: RuleSet, table: tuple[int, ...]) -> PositionTexts:
    """The texts of a rule table, kept from game to game."""
    return PositionTexts(rules, table)


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

    def columns(self) -> dict[str, list[Any]]:
        """All choices, column by column. Seats count from 1."""
        opening, loop = self.opening, self.loop
        head = " ".join(str(opening).split(" ", 2)[:2])
        count, draws = (int(self.space.counts[index]) for index in (loop.PLIES, loop.DRAWS))
        notes = self.space.plies[: count * loop.PLY_SIZE].reshape(count, loop.PLY_SIZE)
        seats, actions, turns, firsts = notes.T.tolist()
        states = self.space.states[: count * at.WORDS].reshape(count, at.WORDS)
        texts = texts_of(opening.rules, opening.table)
        positions, views = texts.both(head, states, self.views()[:, at.HIDDEN].tolist())
        cards = [card_texts(opening.rules)[card] for card in self.space.cards[:draws].tolist()]
        dealt = [" ".join(cards[first:last]) for first, last in pairwise([*firsts, draws])]
        moves = move_texts(opening.rules, opening.table)
        return {
            "turn": turns, "seat": [seat + 1 for seat in seats], "position": positions, "view": views,
            "move": [moves[action] for action in actions], "action": actions, "dealt": dealt,
        }  # fmt: skip

    def views(self) -> Any:
        """The words of the view of each choice."""
        count = int(self.space.counts[self.loop.PLIES])
        return self.space.views[: count * at.WORDS].reshape(count, at.WORDS)


@lru_cache(maxsize=16)
def move_texts(rules: RuleSet, table: tuple[int, ...]) -> dict[int, str]:
    """The moves of all actions as text."""
    return {action: move.text for action, move in action_moves(rules, table).items()}


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
