"""The cards: hands, the open row, stock and discard pile, below the chart."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ..plurals import counted
from ..scene import Scene
from .captions import in_turn, long_place, seat_name, sign_name
from .shapes import PIRATES
from .svg_ink import CARD_HEIGHT, CARD_WIDTH, GOLD, INK, PAPER, SEPIA, group, move, path, pirate, sign, tag, use, words

PANEL_HEIGHT: Final = 78
GAP: Final = 12
STEP: Final = CARD_WIDTH + 3
FAN: Final = 7
"""Distance between cards of one kind."""


def face(position: Scene, card: str, x: float, y: float) -> str:
    """A card face up. Freebooters have a golden edge."""
    return use(blank(card), x, y, CARD_WIDTH, CARD_HEIGHT) + face_sign(position, card, x, y)


def blank(card: str) -> str:
    """The paper a card is printed on."""
    return "card-freebooter" if card.endswith("!") else "card-face"


def face_sign(position: Scene, card: str, x: float, y: float) -> str:
    """The sign on a card's face."""
    return sign(sign_name(position, card), x + CARD_WIDTH / 2, y + CARD_HEIGHT / 2 - 2, 27)


def back(x: float, y: float) -> str:
    return use("card-back", x, y, CARD_WIDTH, CARD_HEIGHT)


def count_mark(x: float, y: float, count: int) -> str:
    """A number on a small seal."""
    wide = 9 + 3.5 * len(str(count))
    seal = tag(
        "rect", x=x - wide, y=y - 9, width=2 * wide, height=18, rx=9, fill="#7b2d24", stroke=PAPER, stroke_width=1.3
    )
    return seal + words(x, y + 4.4, str(count), 12.5, text_anchor="middle", fill="#fff8e4", font_weight="bold")


def fan(kinds: Sequence[int], width: float) -> list[float]:
    """The place of each card, so that all fit the room. Cards of one kind move closer first."""
    between, within = len(kinds) - 1, sum(kinds) - len(kinds)
    spare = width - CARD_WIDTH
    step = min(STEP, spare / max(1, between))
    close = min(FAN, (spare - between * step) / max(1, within))
    offsets, x = [], 0.0
    for count in kinds:
        offsets += [x + nth * close for nth in range(count)]
        x += step + (count - 1) * close
    return offsets


def open_hand(position: Scene, cards: Mapping[str, int], width: float) -> Iterable[str]:
    """The cards of a hand, kind by kind, with a seal where there are several of a kind."""
    spots = iter(fan(list(cards.values()), width))
    for card, count in cards.items():
        x = 0.0
        for _ in range(count):
            x = next(spots)
            yield use(blank(card), x, 0, CARD_WIDTH, CARD_HEIGHT)
        yield face_sign(position, card, x, 0)
        if count > 1:
            yield count_mark(x + CARD_WIDTH / 2, CARD_HEIGHT - 1, count)


def hidden_hand(size: int, width: float) -> Iterable[str]:
    """Card backs and their number."""
    step = min(15.0, (width - CARD_WIDTH) / max(1, size - 1))
    for nth in range(size):
        yield back(nth * step, 0)
    if size:
        yield count_mark((size - 1) * step + CARD_WIDTH / 2, CARD_HEIGHT - 1, size)


def hand(position: Scene, seat: int, x: float, y: float, width: float) -> str:
    """A seat's hand, or card backs where it is hidden."""
    cards = position.hand(seat)
    drawn = hidden_hand(position.hand_size(seat), width) if cards is None else open_hand(position, cards, width)
    title = f"{seat_name(seat)} holds {counted(position.hand_size(seat), 'card')}"
    return group(*drawn, title=title, data_hand=seat, transform=move(x, y))


def panel(x: float, y: float, width: float, edge: str, thick: float) -> str:
    """A leaf of paper that cards lie on."""
    return tag(
        "rect",
        x=x,
        y=y,
        width=width,
        height=PANEL_HEIGHT,
        rx=9,
        fill=PAPER,
        fill_opacity=0.75,
        stroke=edge,
        stroke_width=thick,
    )


def standing(position: Scene, seat: int) -> str:
    """How many pirates of a seat are at the sloop and in the nest."""
    places = position.places(seat)
    shown = ("b", "n") if position.rules.nest else ("b",)
    return ", ".join(f"{long_place(place)} {places.count(place)}" for place in shown)


def seat_panel(position: Scene, seat: int, x: float, y: float, width: float) -> str:
    """A seat: its pirate, its name, its hand."""
    chosen = seat == in_turn(position)
    shape = PIRATES[seat - 1]
    flag = path(f"M{x + 1} {y + 9}a8 8 0 0 1 8-8h4v{PANEL_HEIGHT - 2}h-4a8 8 0 0 1-8-8z", fill=shape.fill)
    edge = panel(x, y, width, GOLD if chosen else SEPIA, 4 if chosen else 1.2)
    return group(
        edge,
        flag,
        pirate(seat, x + 36, y + 50, 42),
        words(x + 58, y + 28, seat_name(seat), 17, font_weight="bold", fill=INK),
        words(x + 58, y + 45, counted(position.hand_size(seat), "card"), 12, fill=SEPIA),
        words(x + 20, y + 67, standing(position, seat), 12, fill=SEPIA, font_style="italic"),
        hand(position, seat, x + 138, y + 14, width - 154),
        title=f"Seat {seat}, {seat_name(seat)}, {shape.shape}",
    )


def seats_height(seats: int) -> float:
    rows = -(-seats // columns(seats))
    return rows * (PANEL_HEIGHT + GAP)


def columns(seats: int) -> int:
    """How many seats are side by side."""
    return 3 if seats in (3, 5) else 2


def seat_panels(position: Scene, left: float, top: float, width: float) -> Iterable[str]:
    """All seats, two or three in a row. The last row fills the width."""
    across = columns(position.seats)
    for start in range(0, position.seats, across):
        row = range(start + 1, min(start + across, position.seats) + 1)
        each = (width - GAP * (len(row) - 1)) / len(row)
        y = top + start // across * (PANEL_HEIGHT + GAP)
        for nth, seat in enumerate(row):
            yield seat_panel(position, seat, left + nth * (each + GAP), y, each)


# --- what lies in the middle of the table


def arrow(x: float, y: float) -> str:
    """The arrow card, which points at the end of the row that is drawn from."""
    card = use("card-face", x, y, CARD_WIDTH, CARD_HEIGHT)
    return card + path(f"M{x + 6} {y + 20}h11v-7l12 11-12 11v-7h-11z", fill="#7b2d24", stroke=INK, stroke_width=1)


def empty_slot(x: float, y: float) -> str:
    """The dashed outline of a card that is not there."""
    size = {"x": x + 1, "y": y + 1, "width": CARD_WIDTH - 2, "height": CARD_HEIGHT - 2}
    return tag("rect", **size, rx=4, fill="none", stroke=SEPIA, stroke_dasharray="4 3")


def open_row(position: Scene, x: float, y: float) -> str:
    """The open row behind its arrow, and empty places for the cards still to come."""
    drawn = [arrow(x, y)]
    spots = [x + STEP * (nth + 1) + 4 for nth in range(position.rules.row)]
    drawn += [face(position, card, spot, y) for card, spot in zip(position.row, spots, strict=False)]
    drawn += [empty_slot(spot, y) for spot in spots[len(position.row) :]]
    title = f"Open row, next card first: {' '.join(sign_name(position, card) for card in position.row) or 'empty'}"
    return group(*drawn, title=title, data_row=len(position.row))


def pile(name: str, size: int, x: float, y: float, card: str) -> str:
    """A pile of cards with its name and size."""
    layers = min(4, -(-size // 12))
    cards = [use(card, x - nth * 2, y - nth * 2, CARD_WIDTH, CARD_HEIGHT) for nth in range(layers)]
    return group(
        *(cards or [empty_slot(x, y)]),
        words(x + CARD_WIDTH / 2, y + CARD_HEIGHT + 12, name, 11.5, text_anchor="middle", fill=INK),
        count_mark(x + CARD_WIDTH / 2, y + CARD_HEIGHT / 2, size),
        title=f"{name}: {counted(size, 'card')}",
    )


def tallies(position: Scene, x: float, y: float, width: float, lines: int) -> Iterable[str]:
    """A legend of the signs with the number of each in the discard pile."""
    across = -(-len(position.rules.signs) // lines)
    step = min(150.0, width / across)
    for nth, (letter, name) in enumerate(zip(position.rules.letters, position.rules.signs, strict=True)):
        left, top = x + nth % across * step, y + nth // across * 33 + (0 if lines > 1 else 15)
        yield sign(name, left, top, 25)
        yield words(left + 17, top - 1, f"{letter} {name}", 11, fill=SEPIA, font_style="italic")
        yield words(left + 17, top + 13, str(position.discard.get(letter, 0)), 13, fill=INK, font_weight="bold")
        if letter + "!" in position.discard:
            yield use("card-freebooter", left + 42, top + 1, 10, 14)


def supply(position: Scene, left: float, top: float, width: float) -> str:
    """Row, stock and discard pile across the table."""
    x = left + 16
    drawn = [panel(left, top, width, SEPIA, 1.2)]
    if position.rules.row:
        drawn.append(open_row(position, x, top + 15))
        x += STEP * (position.rules.row + 1) + 24
    drawn.append(pile("Stock", position.stock_size, x + 8, top + 9, "card-back"))
    drawn.append(pile("Discard", sum(position.discard.values()), x + 74, top + 9, "card-face"))
    cards = " ".join(f"{sign_name(position, card)} {count}" for card, count in position.discard.items())
    key = tallies(position, x + 142, top + 24, left + width - x - 150, 2 if position.rules.row else 1)
    drawn.append(group(*key, title=f"Discarded: {cards or 'nothing'}"))
    return group(*drawn)
