"""Positions for tests, written as their interesting parts; cards that are not named are in the stock."""

from collections import Counter
from collections.abc import Iterable

from cartagena import Game, Position
from cartagena.game.notation.cards import card_letters
from cartagena.players import Limit, Player
from cartagena.rulesets import load

TUNNEL = "BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS"
ISLANDS = "STMDCPG/DCGMPST|GPDCMTS/TPMCGSD/PSGDCTM"


def build(
    rules: str, pirates: str, hands: str, row: str = "-", sloop: str = "-", turn: str = "1.0", stock_of: str = ""
) -> Position:
    """A position with an empty discard pile, or with all cards there whose sign is not in ``stock_of``."""
    chosen = load(rules)
    board = ISLANDS if chosen.nest else TUNNEL
    left = {text: 1 if text.endswith("!") else chosen.cards - chosen.freebooters for text in card_letters(chosen)}
    for word in [*hands.split("/"), row]:
        for text in word.replace("-", ""):
            left[text] -= 1
    stocked = {text: number for text, number in left.items() if not stock_of or text[0] in stock_of}
    stock, discards = pile(stocked), pile({text: left[text] for text in left if text not in stocked})
    held = "/".join(multiset(word) for word in hands.split("/"))
    return Position.parse(f"{rules} {board} {pirates} {held} {row} {stock} {discards} {sloop} {turn}")


def pile(counts: dict[str, int]) -> str:
    """Cards with their numbers as the notation writes them."""
    return "".join(f"{text}{number if number > 1 else ''}" for text, number in counts.items() if number) or "-"


def multiset(cards: Iterable[str]) -> str:
    """``PPS`` (or a list of cards, freebooters among them) as the notation writes it."""
    counts = Counter(card for card in cards if card != "-")
    return "".join(f"{card}{counts[card] if counts[card] > 1 else ''}" for card in sorted(counts)) or "-"


def whole_turn(player: Player, position: Position, nodes: int) -> tuple[list[str], Position]:
    """The moves of a player until its turn is over, and the position after them."""
    game = Game(position, seed=1)
    seat = game.turn
    moves = []
    while not game.is_over and game.turn == seat and "end" not in moves:
        move = player.decide(game.view(seat), Limit(nodes=nodes))
        moves.append(str(move))
        game.play(move)
    return moves, game.position
