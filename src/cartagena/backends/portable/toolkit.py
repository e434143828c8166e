"""What compiled code shares besides the rules: copies of states, draws, deals, and the completion of a view.

Numbers that look random come from ``generator``; ``value`` is always a word that ``mix`` has scattered.
"""

from ...kernel.cards import pick, total, unit
from ...kernel.chance import deal, source, unseen
from ...kernel.intrinsics import RuleTable, Words, rule
from ...kernel.layout import HAND, HIDDEN, HIDDEN_BITS, HIDDEN_STOCK, MAX_SEATS, SEAT, SEAT_WORDS, STOCK, WORDS
from ...kernel.legal import legal, share
from ...kernel.step import step
from .generator import mix, next_key, upper
from .intrinsics import Word, block


@rule
def copy(words: RuleTable, target: Words) -> None:
    """Copy the words of a state onto another."""
    for index in range(WORDS):
        target[index] = words[index]


@rule
def below(value: Word, limit: int) -> int:
    """A number from 0 to ``limit`` - 1, each as likely as any other."""
    return share(upper(value), limit)


@rule
def draw_card(cards: int, value: Word) -> int:
    """One of the cards of a card word, each as likely as it is frequent."""
    return pick(cards, below(value, total(cards)))


@block
def apply(table: RuleTable, state: Words, action: int) -> None:
    """Play a legal action on the state, in place."""
    step(table, state, action)


@block
def list_moves(table: RuleTable, state: Words, out: Words) -> int:
    """Write the legal moves into ``out``, in ascending order, and return their number."""
    return legal(table, state, out)


@block
def deal_card(table: RuleTable, state: Words, value: Word) -> None:
    """Deal one due card."""
    deal(table, state, draw_card(source(table, state), value))


@block
def deal_hidden(table: RuleTable, state: Words, key: Word) -> None:
    """Complete a view: give hidden hands and the stock cards that are nowhere in sight."""
    hidden = state[HIDDEN]
    if hidden == 0:
        return
    cards = unseen(table, state)
    left = total(cards)
    for seat in range(MAX_SEATS):
        for _ in range((hidden >> (seat * HIDDEN_BITS)) & 0xFF):
            key = next_key(key)
            card = pick(cards, below(mix(key), left))
            cards -= unit(card)
            left -= 1
            state[SEAT + seat * SEAT_WORDS + HAND] += unit(card)
    if hidden >> HIDDEN_STOCK:
        state[STOCK] = cards
    state[HIDDEN] = 0
