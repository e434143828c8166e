"""Positions from random play, and the same positions with other hidden cards."""

import random

from cartagena import Game, Position
from cartagena.kernel import layout as at
from cartagena.kernel.cards import tally, total, unit

GAMES = ("jamaica-en", "tortuga-en", "nest-nl")
TABLES = [(rules, seats) for rules in GAMES for seats in (2, 5)]


def random_position(rules: str, seats: int, seed: int, moves: int) -> Position:
    """Return the position after ``moves`` random choices, or the last one before the end."""
    game = Game.new(rules, seats=seats, seed=seed)
    rng = random.Random(seed)
    for _ in range(moves):
        before = game.position
        game.play(rng.choice(list(game.legal_moves)))
        if game.is_over:
            return before
    return game.position


def redealt(position: Position, seat: int, seed: int) -> Position:
    """Shuffle what this seat (from 0) cannot see: other hands, if hidden, and the stock."""
    words = position.state()
    others = [] if position.rules.open_hands else [other for other in range(position.seats) if other != seat]
    hands = [at.SEAT + other * at.SEAT_WORDS + at.HAND for other in others]
    pool = [card for word in [words[at.STOCK], *(words[hand] for hand in hands)] for card in cards(word)]
    random.Random(seed).shuffle(pool)
    for hand in hands:
        size = total(words[hand])
        words[hand] = sum(unit(card) for card in pool[:size])
        pool = pool[size:]
    words[at.STOCK] = sum(unit(card) for card in pool)
    return position.with_words(words)


def cards(word: int) -> list[int]:
    return [card for card in range(at.CARDS) for _ in range(tally(word, card))]
