"""Check that players do not peek: hidden cards dealt anew must change no move."""

from dataclasses import dataclass
from random import Random

from cartagena.game import CartagenaError, Game, Position
from cartagena.kernel import layout as at
from cartagena.kernel.cards import tally, unit
from cartagena.kernel.chance import unseen
from cartagena.players import Limit, create


def redealt(position: Position, seat: int, chance: Random) -> Position:
    """The same position to a seat, with the cards it cannot see dealt anew."""
    view, words = position.view(seat), position.state()
    hidden = unseen(view.table, view.state())
    cards = [card for card in range(at.CARDS) for _ in range(tally(hidden, card))]
    chance.shuffle(cards)
    for other in range(position.seats):
        hand = at.SEAT + other * at.SEAT_WORDS + at.HAND
        if view.words[hand] != position.words[hand]:
            words[hand] = sum(unit(cards.pop()) for _ in range(position.hand_size(other + 1)))
    words[at.STOCK] = sum(unit(card) for card in cards)
    return position.with_words(words)


@dataclass
class Count:
    """Counts of a check: decisions, illegal ones, those that changed, and those where hidden cards were dealt anew."""

    decisions: int = 0
    illegal: int = 0
    changed: int = 0
    redealt: int = 0


def check(game: Game, levels: tuple[str, ...], limit: Limit, most: int, seed: int = 0) -> Count:
    """Let players play a game and make each decision twice: as it is, and with the hidden cards dealt anew."""
    chance, count = Random(seed), Count()
    while not game.is_over and count.decisions < most:
        seat, level = game.turn, levels[game.turn - 1]
        other = redealt(game.position, seat, chance)
        one = create(level, seed).decide(game.view(seat), limit)
        count.decisions += 1
        count.redealt += other != game.position
        count.changed += create(level, seed).decide(other.view(seat), limit) != one
        try:
            game.play(one)
        except CartagenaError:
            count.illegal += 1
            game.play(game.legal_moves[0])
    return count
