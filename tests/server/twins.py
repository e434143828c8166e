"""Pairs of games that differ only in what one seat (or a spectator) cannot see, stored in a server's database."""

import json
import random
import secrets
from dataclasses import dataclass, field
from typing import Any

from cartagena import Move, Position
from cartagena.game.fair_deal import next_card
from cartagena.game.rng import Chance
from cartagena.game.setup import open_position
from cartagena.rulesets import by_name
from cartagena.server.protocol.requests import TableSetup
from cartagena.server.storage.database import Database
from cartagena.server.storage.rows import CommitRows
from cartagena.server.tables.tokens import digest, new_table_id

AT = 1_790_000_000_000


@dataclass
class Twin:
    """One of a pair: the table's name, and the opening and moves it is stored with."""

    table: str
    opening: Position
    moves: list[tuple[int, str, list[str]]]
    levels: dict[int, str] = field(default_factory=dict)
    """The computer players, by their seats."""


@dataclass
class Card:
    """A card that came to another seat, from its first hand (move -1) or by the deal of a move, and was not played."""

    seat: int
    move: int
    deal: int
    card: str
    played: bool = False
    from_row: bool = False


def play_out(opening: Position, length: int, chance: random.Random, deals: Chance) -> list[tuple[int, str, list[str]]]:
    """Random play: the seat, its move, the cards dealt after it."""
    position, dealt = opening, 0
    found: list[tuple[int, str, list[str]]] = []
    while len(found) < length and not position.is_over:
        seat = position.turn
        move = chance.choice(list(position.legal_moves))
        position, cards = position.play(move), []
        while position.is_chance:
            card = next_card(position, deals, dealt)
            position, dealt = position.play(card), dealt + 1
            cards.append(card.card)
        found.append((seat, str(move), cards))
    return found


def unseen_cards(opening: Position, moves: list[tuple[int, str, list[str]]], viewer: int) -> list[Card]:
    """The cards of the hidden hands that were never shown, with where they came from."""
    from cartagena.game.options import cards_of
    from cartagena.game.position import shows_card

    held = [
        Card(seat, -1, 0, text)
        for seat in range(1, opening.seats + 1)
        if seat != viewer
        for text, number in cards_of(opening, seat).items()
        for _ in range(number)
    ]
    position = opening
    for number, (seat, move, cards) in enumerate(moves):
        parsed, before = Move.parse(move), cards_of(position, seat)
        if parsed.kind in ("advance", "drop") and seat != viewer:
            next(c for c in held if c.seat == seat and c.card == parsed.card and not c.played).played = True
            before[parsed.card] -= 1
        position = position.play(move)
        for index, text in enumerate(cards):
            after = position.play(f"+{text}")
            if not shows_card(position, after, viewer):
                held.append(Card(seat, number, index, text))
                before[text] = before.get(text, 0) + 1
            position = after
        if seat != viewer:
            for text, count in cards_of(position, seat).items():
                taken = range(count - before.get(text, 0))
                held += [Card(seat, number, 0, text, from_row=True) for _ in taken]
    return [card for card in held if not card.played and not card.from_row]


def swapped(opening: Position, moves: list[tuple[int, str, list[str]]], viewer: int, chance: random.Random) -> Any:
    """The same game with the cards that no seat has shown dealt otherwise; None where the rules make that visible."""
    final = after(opening, moves)
    hidden = unseen_cards(opening, moves, viewer) if opening.rules.hidden_hands else []
    pool = [card.card for card in hidden]
    stock = [text for text, number in _stock(final).items() for _ in range(number)]
    mixed = pool + stock
    chance.shuffle(mixed)
    new_moves = [(seat, move, list(cards)) for seat, move, cards in moves]
    hands = _hands(opening)
    for card, text in zip(hidden, mixed, strict=False):
        if card.move < 0:
            hands[card.seat - 1][card.card] -= 1
            hands[card.seat - 1][text] = hands[card.seat - 1].get(text, 0) + 1
        else:
            new_moves[card.move][2][card.deal] = text
    words = str(opening).split(" ")
    words[3] = "/".join(_multiset(opening, hand) for hand in hands)
    words[5] = _multiset(opening, _rest(opening, hands))
    try:
        twin = Position.parse(" ".join(words))
        same = after(twin, new_moves).view(viewer) == final.view(viewer)
    except ValueError:
        return None
    return (twin, new_moves) if same else None


def after(opening: Position, moves: list[tuple[int, str, list[str]]]) -> Position:
    for _, move, cards in moves:
        opening = opening.play(move, *(f"+{card}" for card in cards))
    return opening


def _stock(position: Position) -> dict[str, int]:
    from cartagena.game.options import card_counts
    from cartagena.kernel import layout as at

    return card_counts(position, position.words[at.STOCK])


def _hands(position: Position) -> list[dict[str, int]]:
    from cartagena.game.options import cards_of

    return [cards_of(position, seat) for seat in range(1, position.seats + 1)]


def _rest(opening: Position, hands: list[dict[str, int]]) -> dict[str, int]:
    """What is left for the stock when the hands are these."""
    total = _stock(opening)
    for hand in _hands(opening):
        total = {text: total.get(text, 0) + hand.get(text, 0) for text in {*total, *hand}}
    for hand in hands:
        total = {text: number - hand.get(text, 0) for text, number in total.items()}
    return total


def _multiset(position: Position, cards: dict[str, int]) -> str:
    letters = sorted(cards, key=lambda text: (text[0], text[1:]))
    return "".join(f"{text}{cards[text] if cards[text] > 1 else ''}" for text in letters if cards[text] > 0) or "-"


def make_pair(rules: str, seats: int, viewer: int, length: int, seed: int) -> tuple[Twin, Twin] | None:
    """Two games that look the same to one seat."""
    chance = random.Random(seed)
    opening = open_position(by_name(rules), seats, Chance.from_seed(seed))
    moves = play_out(opening, length, chance, Chance.from_seed(f"draws {seed}"))
    other = swapped(opening, moves, viewer, chance)
    if other is None or (other[0], other[1]) == (opening, moves):
        return None
    return Twin(new_table_id(), opening, moves), Twin(new_table_id(), *other)


def setup_of(twin: Twin) -> TableSetup:
    seats: Any = [
        {"kind": "computer", "level": twin.levels[n]} if n in twin.levels else {"kind": "here", "name": f"Seat {n}"}
        for n in range(1, twin.opening.seats + 1)
    ]
    return TableSetup(rules=twin.opening.rules.name, seats=seats, spectators="public", lobby=True, lots=False)


def rows(twin: Twin, tokens: list[str]) -> CommitRows:
    """What the database holds of it: each seat has a token of its own."""
    setup = setup_of(twin).model_dump_json()
    table: dict[str, object] = {
        "id": twin.table, "created": AT, "touched": AT, "stage": "playing", "lobby": True, "wake": False, "due": None,
        "setup": setup, "secret": secrets.token_hex(32),
    }  # fmt: skip
    order = list(range(1, twin.opening.seats + 1))
    data: list[tuple[str, dict[str, Any], str | None]] = [
        ("deal", {"opening": str(twin.opening), "order": order}, None)
    ]
    data += [
        ("move", {"seat": seat, "move": move, "cards": cards, "ms": 0}, f"{seat}/m{number}")
        for number, (seat, move, cards) in enumerate(twin.moves)
    ]
    events: list[dict[str, object]] = [
        {
            "table_id": twin.table,
            "number": number,
            "at": AT + number,
            "kind": kind,
            "data": json.dumps(content),
            "move_id": name,
        }
        for number, (kind, content, name) in enumerate(data, 1)
    ]
    keys: list[dict[str, object]] = [
        {"table_id": twin.table, "number": number, "kind": "seat", "digest": digest(token + twin.table),
         "chairs": str(number), "revoked": False, "host": number == 1}
        for number, token in enumerate(tokens, 1)
    ]  # fmt: skip
    return CommitRows([table], events, keys)


async def store(database: str, twins: list[Twin], tokens: list[str]) -> None:
    """Store games. The token of a seat is one of these, followed by the name of the table."""
    base = Database(database)
    for twin in twins:
        await base.write(rows(twin, tokens[: twin.opening.seats]))
    await base.close()
