"""What a seat may see, as data. The only source is ``Position.view``; what is not listed here is not told."""

from typing import Any

from cartagena.game import Move, Position
from cartagena.game.options import card_counts, cards_of, options, refusals
from cartagena.kernel import layout as at


def hands_json(view: Position) -> list[dict[str, Any]]:
    """The hands as a view shows them: the one part of a position that is not the same for every viewer."""
    return [hand_json(view, seat) for seat in range(1, view.seats + 1)]


def public_json(view: Position) -> dict[str, Any]:
    """A view as data (``wire_table.PositionJson``) without the hands; a spectator's view will do for everybody."""
    rules, words = view.rules, view.words
    islands = view.board.split("|")
    return {
        "rules": rules.name,
        "game": rules.game,
        "pieces": [piece for island in islands for piece in island.split("/")],
        "islands": [len(island.replace("/", "")) for island in islands],
        "fields": view.board.replace("/", "").replace("|", ""),
        "signs": dict(zip(rules.letters, rules.signs, strict=True)),
        "pirates": [view.places(seat) for seat in range(1, view.seats + 1)],
        "row": view.row if rules.row else None,
        "stock": pile_size(view, words[at.STOCK]) + (words[at.HIDDEN] >> at.HIDDEN_STOCK),
        "discard": {"size": pile_size(view, words[at.DISCARD]), "cards": card_counts(view, words[at.DISCARD])},
        "sloop": words[at.SLOOP] or None,
        "turn": turn_json(view),
    }


def position_json(view: Position) -> dict[str, Any]:
    """A view as data, the hands included."""
    return {**public_json(view), "hands": hands_json(view)}


def hand_json(view: Position, seat: int) -> dict[str, Any]:
    """A hand: its size, and its cards where the view shows them."""
    size = view.hand_size(seat)
    cards = cards_of(view, seat)
    return {"size": size, "cards": cards if sum(cards.values()) == size else None}


def pile_size(view: Position, word: int) -> int:
    return sum(card_counts(view, word).values())


def turn_json(view: Position) -> dict[str, Any]:
    words = view.words
    return {
        "seat": view.active,
        "chooser": view.turn,
        "used": view.used,
        "actions": view.table[at.T_ACTIONS],
        "captain": words[at.CAPTAIN] == 1,
        "passes": words[at.PASSES],
        "row_due": words[at.ROW_DUE],
        "owed": words[at.OWED],
        "dropper": words[at.DROPPER] or None,
    }


def move_json(move: Move) -> dict[str, Any]:
    """The parts of a move."""
    return {
        "move": str(move),
        "kind": move.kind,
        "from": move.place or None,
        "card": move.card or None,
        "seat": move.seat or None,
    }


def options_json(view: Position) -> dict[str, Any]:
    """What the seat whose view this is can choose from, and why near misses are not legal."""
    return {
        "legal": [{**move_json(item.move), "to": item.to or None, "cards": item.cards} for item in options(view)],
        "illegal": [
            {**move_json(item.move), "reason": item.error.reason, "message": str(item.error)} for item in refusals(view)
        ],
    }
