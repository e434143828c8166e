"""Set-up: laying the board, dealing the hands and the first row."""

from dataclasses import dataclass
from itertools import pairwise

from cartagena.kernel import layout as at
from cartagena.kernel import setup
from cartagena.kernel.cards import unit
from cartagena.kernel.step import start_turn
from cartagena.rulesets import MAX_SEATS, MIN_SEATS, RuleSet, RuleSetError, check_deal, compile_table

from .chance import Chance
from .letters import card_letters, card_number, parse_board
from .position import Position
from .reading import set_board


@dataclass
class Deck:
    """What is left to be dealt during set-up, card by card."""

    rules: RuleSet
    chance: Chance
    left: dict[str, int]
    dealt: int = 0

    @classmethod
    def full(cls, rules: RuleSet, chance: Chance) -> "Deck":
        plain = rules.cards - rules.freebooters
        return cls(rules, chance, {text: 1 if text[-1] == "!" else plain for text in card_letters(rules)})

    def deal(self, number: int) -> list[int]:
        """So many cards off the top, fewer where the deck runs out."""
        cards = []
        for _ in range(min(number, sum(self.left.values()))):
            text = self.chance.card(self.left, "deal", self.dealt)
            self.left[text] -= 1
            self.dealt += 1
            cards.append(card_number(self.rules, text))
        return cards


def pack(cards: list[int]) -> int:
    """Cards as a card word."""
    return sum(unit(card) for card in cards)


def lay_board(rules: RuleSet, chance: Chance) -> str:
    """A board from the rule set's pieces: in any order, either way round; or with signs shuffled on each piece."""
    if rules.style == "random":
        pieces = [shuffled(rules.letters, chance, f"piece{number}") for number in range(rules.pieces)]
    else:
        order = list(rules.printed)
        chance.shuffle(order, "pieces")
        pieces = [piece[:: 1 - 2 * chance.below(2, "turn", number)] for number, piece in enumerate(order)]
    ends = [sum(rules.islands[:number]) for number in range(len(rules.islands) + 1)]
    return "|".join("/".join(pieces[first:last]) for first, last in pairwise(ends))


def shuffled(letters: str, chance: Chance, label: str) -> str:
    """The letters in an order that follows from chance."""
    items = list(letters)
    chance.shuffle(items, label)
    return "".join(items)


def open_position(rules: RuleSet, seats: int, chance: Chance, board: str | None = None) -> Position:
    """The position a game starts from. Raises RuleSetError where the table cannot be laid."""
    if isinstance(seats, bool) or not isinstance(seats, int) or not MIN_SEATS <= seats <= MAX_SEATS:
        raise RuleSetError(
            f"{rules.name}: seats must be a whole number from {MIN_SEATS} to {MAX_SEATS}, not {seats!r}."
        )
    check_deal(rules.name, rules, seats)
    board = board or lay_board(rules, chance)
    islands = parse_board(rules, board)
    table = compile_table(rules, seats, sum(len(island) for island in islands), rules.pirates)
    words = [0] * at.WORDS
    setup.clear(table, words)
    set_board(words, rules, islands)
    deck = Deck.full(rules, chance)
    for seat in range(seats):
        for _ in range(rules.pirates):
            setup.stand(table, words, seat, 0)
        words[at.SEAT + seat * at.SEAT_WORDS + at.HAND] = pack(deck.deal(rules.deal))
    row = deck.deal(rules.row)
    words[at.ROW] = sum(card << (number * at.ROW_BITS) for number, card in enumerate(row))
    words[at.ROW_LEN] = len(row)
    words[at.STOCK] = pack(deck.deal(sum(deck.left.values())))
    start_turn(table, words)
    return Position(rules, board, table, words)
