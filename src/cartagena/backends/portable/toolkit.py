"""What compiled code shares besides the rules: copies of states, draws, deals, the completion of a view, and ``exp``.

Numbers that look random come from ``generator``; ``value`` is always a word that ``mix`` has scattered.
"""

from typing import Final

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
def apply(rules: RuleTable, state: Words, action: int) -> None:
    """Play a legal action on the state, in place."""
    step(rules, state, action)


@block
def list_moves(rules: RuleTable, state: Words, out: Words) -> int:
    """Write the legal moves into ``out``, in ascending order, and return their number."""
    return legal(rules, state, out)


@block
def deal_card(rules: RuleTable, state: Words, value: Word) -> None:
    """Deal one due card."""
    deal(rules, state, draw_card(source(rules, state), value))


@block
def deal_hidden(rules: RuleTable, state: Words, key: Word) -> None:
    """Complete a view: give hidden hands and the stock cards that are nowhere in sight."""
    hidden = state[HIDDEN]
    if hidden == 0:
        return
    cards = unseen(rules, state)
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


# --- the exponential function

LARGEST: Final = 80.0
"""Arguments of ``exp`` beyond this count as this."""
LOG2_E: Final = 1.4426950408889634
LN2_HIGH: Final = 6.93147180369123816490e-01  # its last 32 bits are zero, so that a small multiple is exact
LN2_LOW: Final = 1.90821492927058770002e-10
P1: Final = 1.66666666666666019037e-01
P2: Final = -2.77777777770155933842e-03
P3: Final = 6.61375632143793436117e-05
P4: Final = -1.65339022054652515390e-06
P5: Final = 4.13813679705723846039e-08


@rule
def power_of_two(power: int) -> float:
    """Two to the power of a number from -62 to 62, exactly."""
    if power < 0:
        return 1.0 / (1 << -power)
    return 1.0 * (1 << power)


@rule
def exp(value: float) -> float:
    """The exponential function for arguments from -80 to 80, within one unit in the last place.

    The system's own differs from machine to machine in the last bit, and a search that draws on it would choose other
    moves in the browser. This one is made of additions, multiplications and divisions in a fixed order, which give the
    same bits everywhere: value = power * ln 2 + rest, and exp(rest) by the rational approximation of fdlibm.
    """
    value = min(LARGEST, max(-LARGEST, value))
    power = int(value * LOG2_E + 1024.5) - 1024
    high = value - power * LN2_HIGH
    low = power * LN2_LOW
    rest = high - low
    square = rest * rest
    odd = rest - square * (P1 + square * (P2 + square * (P3 + square * (P4 + square * P5))))
    result = 1.0 - ((low - (rest * odd) / (2.0 - odd)) - high)
    half = power >> 1
    return result * power_of_two(half) * power_of_two(power - half)
