"""Set-up: laying the board, dealing the hands and the first row."""

from itertools import pairwise
from typing import Final

from cartagena.errors import NotationError, shown, whole
from cartagena.kernel import layout as at
from cartagena.kernel import validate
from cartagena.kernel.cards import tally
from cartagena.kernel.step import start_turn
from cartagena.rulesets import MAX_SEATS, MIN_SEATS, RuleSet, RuleSetError, check_deal, compile_table

from .notation.cards import card_letters, card_number, parse_board
from .notation.parse import set_board
from .position import Position
from .rng import Chance

TO_ROW: Final = -1
"""Target of an opening card that is dealt to the row, as ``validate.deal_first`` takes it."""


def lay_board(rules: RuleSet, chance: Chance) -> str:
    """Lay a board: the rule set's own, printed pieces in any order and direction, or pieces with shuffled signs."""
    if rules.board:
        return rules.board
    if rules.style == "random":
        pieces = [shuffled(rules.letters, chance, f"piece{number}") for number in range(rules.pieces)]
    else:
        order = list(rules.printed)
        chance.shuffle(order, "pieces")
        pieces = [piece[:: 1 - 2 * chance.below(2, "turn", number)] for number, piece in enumerate(order)]
    ends = [sum(rules.islands[:number]) for number in range(len(rules.islands) + 1)]
    return "|".join("/".join(pieces[first:last]) for first, last in pairwise(ends))


def shuffled(letters: str, chance: Chance, label: str) -> str:
    """The letters, shuffled."""
    items = list(letters)
    chance.shuffle(items, label)
    return "".join(items)


def lay_table(rules: RuleSet, seats: int, board: str) -> Position:
    """The position before the first card is dealt: pirates at the start, the deck in the stock, seat 1 to move.

    Raises RuleSetError for sizes that do not fit, NotationError or ImpossiblePosition for a wrong board.
    """
    number = whole(seats)
    if number is None or not MIN_SEATS <= number <= MAX_SEATS:
        raise RuleSetError(
            f"{rules.name}: seats must be a whole number from {MIN_SEATS} to {MAX_SEATS}, not {shown(seats)}."
        )
    if not isinstance(board, str):
        raise NotationError(f"board: a board is text such as BPHSDK/DBKPHS, not {shown(board)}.", "board")
    check_deal(rules.name, rules, seats)
    islands = parse_board(rules, board)
    rule_table = compile_table(rules, seats, sum(len(island) for island in islands), rules.pirates)
    words = [0] * at.WORDS
    validate.clear(rule_table, words)
    set_board(words, rules, islands)
    validate.lay_out(rule_table, words)
    start_turn(rule_table, words)
    return Position.from_kernel(rules, board, rule_table, words)


def deal_order(rules: RuleSet, seats: int) -> list[int]:
    """The target of each card of the opening: seats from 0, then ``TO_ROW``, as far as the deck lasts."""
    order = [seat for seat in range(seats) for _ in range(rules.dealt(seat))] + [TO_ROW] * rules.row
    return order[: sum(rules.counts)]


def open_position(rules: RuleSet, seats: int, chance: Chance, board: str | None = None) -> Position:
    """Deal the opening position. Raises RuleSetError for sizes that do not fit."""
    laid = lay_table(rules, seats, lay_board(rules, chance) if board is None else board)
    words = laid.state()
    left = {text: tally(words[at.STOCK], card_number(rules, text)) for text in card_letters(rules)}
    for number, target in enumerate(deal_order(rules, seats)):
        card = chance.card(left, "deal", number)
        left[card] -= 1
        validate.deal_first(words, target, card_number(rules, card))
    return laid.with_words(words)
