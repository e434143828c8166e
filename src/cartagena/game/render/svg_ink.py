"""Basic SVG elements, and the symbols that are drawn once and used often."""

from collections.abc import Iterable
from html import escape
from typing import Final
from zlib import crc32

from .shapes import BODY, PIRATES, SIGNS, Pirate, Sign

INK: Final = "#2f2418"
SEPIA: Final = "#7a6040"
PAPER: Final = "#f4e7c8"
GOLD: Final = "#c8962c"
SERIF: Final = "Georgia,'Palatino Linotype','DejaVu Serif',serif"
CARD_WIDTH: Final = 34
CARD_HEIGHT: Final = 48


def number(value: float) -> str:
    """A number with at most one decimal."""
    return f"{round(value, 1):g}"


def attributes(values: dict[str, object]) -> str:
    """Attributes in the order given. ``fill_opacity`` becomes fill-opacity, ``class_`` class."""
    parts = []
    for key, value in values.items():
        text = number(value) if isinstance(value, int | float) else str(value)
        parts.append(f' {key.rstrip("_").replace("_", "-")}="{escape(text)}"')
    return "".join(parts)


def tag(name: str, *inside: str, **values: object) -> str:
    """An element with its attributes and content."""
    content = "".join(inside)
    head = f"<{name}{attributes(values)}"
    return f"{head}>{content}</{name}>" if content else f"{head}/>"


def group(*inside: str, title: str = "", **values: object) -> str:
    """A group with a title for tooltips and screen readers."""
    return tag("g", tag("title", escape(title)) if title else "", *inside, **values)


def path(d: str, **values: object) -> str:
    return tag("path", d=d, **values)


def once(d: str) -> tuple[str, str]:
    """The definition and the id of a path that is used several times.

    The id is a checksum of the path, so two pictures on one page share an id only where they share the path.
    """
    identity = f"p{crc32(d.encode()):08x}"
    return tag("defs", path(d, id=identity)), identity


def again(identity: str, **values: object) -> str:
    """A use of a path that ``once`` defined."""
    return tag("use", href="#" + identity, **values)


def words(x: float, y: float, text: str, size: float, **values: object) -> str:
    """Text with its baseline at y."""
    return tag("text", escape(text), x=x, y=y, font_size=size, **values)


def move(x: float, y: float) -> str:
    """The transform that moves an element to a point."""
    return f"translate({number(x)} {number(y)})"


def sign_id(name: str) -> str:
    """The id of a sign's symbol."""
    return "sign-" + name.replace(" ", "-")


def use(identity: str, x: float, y: float, width: float, height: float) -> str:
    """A symbol with its upper left corner at a point."""
    return tag("use", href="#" + identity, x=x, y=y, width=width, height=height)


def pirate(seat: int, x: float, y: float, height: float) -> str:
    """A pirate of a seat (from 1) whose feet stand at a point."""
    width = height * 2 / 3
    return use(f"pirate-{seat}", x - width / 2, y - height, width, height)


def sign(name: str, x: float, y: float, size: float) -> str:
    """A sign with its middle at a point."""
    return use(sign_id(name), x - size / 2, y - size / 2, size, size)


def stroke(shape: Sign, d: str, how: str) -> str:
    """One stroke of a sign."""
    match how:
        case "tone":
            return path(d, fill=shape.tone, stroke=INK, stroke_width=2)
        case "paper":
            return path(d, fill="#fbf3dc", stroke=INK, stroke_width=2)
        case "accent":
            return path(d, fill="none", stroke=shape.accent, stroke_width=3.5)
        case "line":
            return path(d, fill="none", stroke=INK, stroke_width=2)
        case _:
            return path(d, fill=INK)


def sign_symbol(name: str, shape: Sign) -> str:
    drawn = (stroke(shape, d, how) for d, how in shape.strokes)
    return tag(
        "symbol", *drawn, id=sign_id(name), viewBox="-1 -1 50 50", stroke_linejoin="round", stroke_linecap="round"
    )


def pirate_symbol(seat: int, shape: Pirate) -> str:
    """A pawn: the body in a darker shade of the cloth, the head in its own shape with the seat's number."""
    return tag(
        "symbol",
        path("M2 34.5h20", stroke="#000", stroke_width=3, stroke_opacity=0.25),
        path(BODY, fill=shape.fill, stroke=INK, stroke_width=1.8),
        path(BODY, fill="#000", fill_opacity=0.2),
        path(shape.head, fill=shape.fill, stroke=INK, stroke_width=1.8),
        words(12, 14.2, str(seat), 11.5, fill=shape.number, text_anchor="middle", font_weight="bold"),
        id=f"pirate-{seat}",
        viewBox="-1 -1 26 38",
        stroke_linejoin="round",
        stroke_linecap="round",
        font_family="Verdana,'DejaVu Sans',sans-serif",
    )


def card_symbol(identity: str, fill: str, edge: str, width: float, *inside: str) -> str:
    """A card's blank face or back."""
    frame = tag("rect", x=1, y=1, width=32, height=46, rx=4, fill=fill, stroke=edge, stroke_width=width)
    return tag("symbol", frame, *inside, id=identity, viewBox=f"0 0 {CARD_WIDTH} {CARD_HEIGHT}")


def card_symbols() -> Iterable[str]:
    """The plain face, the gold-edged face and the back of a card."""
    yield card_symbol("card-face", "#fbf3dc", INK, 1.2)
    gold = tag("rect", x=4, y=4, width=26, height=40, rx=2.5, fill="none", stroke=GOLD, stroke_width=1.2)
    star = path("M17 36.5l1.5 3 3.3.5-2.4 2.3.6 3.3-3-1.6-3 1.6.6-3.3-2.4-2.3 3.3-.5z", fill=GOLD)
    yield card_symbol("card-freebooter", "#fff1c2", GOLD, 2.6, gold, star)
    lattice = path("M4 12L17 4l13 8M4 24L17 12l13 12M4 36L17 24l13 12M4 44L17 36l13 8", fill="none", stroke="#d9b878")
    rose = path("M17 15l2.5 6.5L26 24l-6.5 2.5L17 33l-2.5-6.5L8 24l6.5-2.5z", fill="#d9b878", stroke="#5a2a22")
    yield card_symbol("card-back", "#7b3a2e", INK, 1.2, lattice, rose)


def definitions(names: Iterable[str], seats: int) -> str:
    """All symbols: the signs of this game, the pirates of these seats, the cards."""
    signs = (sign_symbol(name, SIGNS[name]) for name in names)
    pirates = (pirate_symbol(seat, PIRATES[seat - 1]) for seat in range(1, seats + 1))
    paper = tag(
        "radialGradient",
        tag("stop", offset="0", stop_color="#f7ebcd"),
        tag("stop", offset="0.7", stop_color="#efdcb2"),
        tag("stop", offset="1", stop_color="#d9bd88"),
        id="parchment",
        cx="50%",
        cy="45%",
        r="75%",
    )
    return tag("defs", paper, *signs, *pirates, *card_symbols())
