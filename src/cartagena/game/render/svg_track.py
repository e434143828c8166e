"""The track: rows of stone tunnel with bends between them, fields, and the pirates at both ends."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, degrees, pi, sin
from typing import Final

from .captions import long_place, seat_name
from .svg_chart import Point, line
from .svg_ink import INK, PAPER, SEPIA, again, group, move, number, once, path, pirate, sign, tag, words

ROW_GAP: Final = 126
HALF: Final = 50
"""Half the width of the tunnel with its walls."""
TILE: Final = 82
BROADEST: Final = 108
"""A row with few fields is longer than they are."""
BEND: Final = 22
"""How far a bend reaches out before it turns."""
SWAY: Final = 6


@dataclass(frozen=True)
class Row:
    """A row of fields between two edges, walked to the right or to the left."""

    left: float
    right: float
    y: float
    fields: int
    rightward: bool

    @property
    def pitch(self) -> float:
        return min(BROADEST, (self.right - self.left) / self.fields)

    def sway(self, x: float) -> float:
        """Vertical offset at x: the row winds a little."""
        return SWAY * sin(2 * pi * (x - self.left) / (self.right - self.left))

    def point(self, x: float) -> Point:
        return x, self.y + self.sway(x)

    def slope(self, x: float) -> float:
        """The row's direction there, in degrees."""
        width = self.right - self.left
        return degrees(atan2(SWAY * 2 * pi / width * cos(2 * pi * (x - self.left) / width), 1))

    def centres(self) -> list[float]:
        """The centres of the fields in track order."""
        middle = (self.left + self.right) / 2
        centres = [middle + self.pitch * (nth + 0.5 - self.fields / 2) for nth in range(self.fields)]
        return centres if self.rightward else centres[::-1]

    def course(self) -> list[Point]:
        """The centre line in track order."""
        steps = round((self.right - self.left) / 24)
        points = [self.point(self.left + (self.right - self.left) * nth / steps) for nth in range(steps + 1)]
        return points if self.rightward else points[::-1]


def corner(x: float, y: float, clockwise: bool) -> str:
    """A quarter turn to a point."""
    return f"A{BEND} {BEND} 0 0 {int(clockwise)} {number(x)} {number(y)}"


def bend(before: Row, after: Row) -> str:
    """The turn between two rows."""
    side = 1 if before.rightward else -1
    x = before.right if before.rightward else before.left
    down = 1 if after.y > before.y else -1
    turn = side == down
    first = corner(x + side * BEND, before.y + down * BEND, turn)
    return f"{first}V{number(after.y - down * BEND)}{corner(x, after.y, turn)}"


def course(rows: Sequence[Row]) -> str:
    """The centre line of the whole tunnel, as the continuation of a path."""
    path = ""
    for nth, row in enumerate(rows):
        path += (bend(rows[nth - 1], row) if nth else "") + line(row.course()).replace("M", "L")
    return path


def from_above(row: Row, y: float) -> str:
    """The way into the right end of a row from a place above it."""
    x = row.right + BEND
    return f"M{number(x)} {number(y)}V{number(row.y - BEND)}{corner(row.right, row.y, True)}"


def to_above(row: Row, y: float) -> str:
    """The way from the right end of a row to a place above it."""
    return f"{corner(row.right + BEND, row.y - BEND, False)}V{number(y)}"


def masonry(d: str) -> str:
    """Walls of cut stone around a dark floor, along a line."""
    defined, way = once(d)
    layers: tuple[tuple[float, str, dict[str, object]], ...] = (
        (2 * HALF + 8, "#000", {"stroke_opacity": 0.15}),
        (2 * HALF + 3, INK, {}),
        (2 * HALF, "#b8a888", {}),
        (2 * HALF, INK, {"stroke_dasharray": "1.3 17", "stroke_opacity": 0.8}),
        (TILE + 7, INK, {}),
        (TILE + 4, "#5d4c38", {}),
        (TILE + 4, "#76624a", {"stroke_dasharray": "1.6 25"}),
    )
    return group(
        defined,
        *(again(way, stroke=colour, stroke_width=width, **more) for width, colour, more in layers),
        fill="none",
        stroke_linejoin="bevel",
    )


def chevrons(rows: Sequence[Row]) -> Iterable[str]:
    """Direction marks in the bends."""
    for before, after in pairwise(rows):
        x = before.right + BEND if before.rightward else before.left - BEND
        down = 1 if after.y > before.y else -1
        marks = "".join(
            f"M{number(x - 9)} {number((before.y + after.y) / 2 + nth * 13 * down)}l9 {9 * down}l9 {-9 * down}"
            for nth in (-1, 0, 1)
        )
        yield path(marks, fill="none", stroke="#d9bd88", stroke_width=3.2, stroke_linecap="round", stroke_opacity=0.85)


@dataclass(frozen=True)
class DrawnField:
    """A field to be drawn. ``opens`` is set for the first field of a piece."""

    name: str
    sign: str
    seats: Sequence[int]
    opens: bool
    shade: bool


def tile(field: DrawnField, row: Row, x: float) -> str:
    """A stone slab with its sign, its number and the pirates on it."""
    centre, y = row.point(x)
    width = row.pitch - 4
    slab = tag(
        "rect",
        x=-width / 2,
        y=-TILE / 2,
        width=width,
        height=TILE,
        rx=5,
        fill="#e9d7a8" if field.shade else "#f3e6c3",
        stroke=INK,
        stroke_width=1.4,
    )
    name = words(-width / 2 + 4, -TILE / 2 + 11, field.name, 9.5, fill=SEPIA)
    title = f"Field {field.name}, {field.sign}"
    if field.seats:
        title += ": " + ", ".join(seat_name(seat).lower() for seat in field.seats)
    return group(
        group(slab, joint(row) if field.opens else "", name, transform=f"rotate({number(row.slope(x))})"),
        *standing(field, width),
        title=title,
        data_place=field.name,
        transform=move(centre, y),
    )


def joint(row: Row) -> str:
    """The seam before the first field of a piece."""
    x = row.pitch / 2 * (-1 if row.rightward else 1)
    return path(f"M{number(x)} {-HALF}v{2 * HALF}", stroke=INK, stroke_width=5) + path(
        f"M{number(x)} {-HALF + 1}v{2 * HALF - 2}", stroke="#b23a2e", stroke_width=2.2
    )


def standing(field: DrawnField, width: float) -> Iterable[str]:
    """A large sign on a vacant field, else a small one above one to three pirates."""
    if not field.seats:
        yield sign(field.sign, 0, 4, min(46, width - 8))
        return
    yield sign(field.sign, 3, -18, min(32, width - 16))
    tall = min(38.0, width * (0.7 if len(field.seats) < 3 else 0.6))
    apart = min(tall * 0.66, (width - tall * 0.66) / max(1, len(field.seats) - 1))
    for nth, seat in enumerate(field.seats):
        yield pirate(seat, (nth - (len(field.seats) - 1) / 2) * apart, TILE / 2 - 3, tall)


def tiles(rows: Sequence[Row], fields: Sequence[DrawnField]) -> Iterable[str]:
    """All fields along the rows."""
    spots = [(row, x) for row in rows for x in row.centres()]
    for field, (row, x) in zip(fields, spots, strict=True):
        yield tile(field, row, x)


def rows_of(count: int, widest: int, allowed: Iterable[int]) -> list[int]:
    """Split fields into as few and as even rows as possible, so many as are allowed."""
    rows = next(rows for rows in allowed if count <= rows * widest)
    short, longer = divmod(count, rows)
    return [short + (nth >= rows - longer) for nth in range(rows)]


# --- crowds


def muster(place: str, seats: Sequence[int], total: int, x: float, feet: float, width: float) -> str:
    """The pirates on a place that is not a field, in a column for each seat."""
    slot = min(42.0, width / total)
    left = x - slot * (total - 1) / 2
    drawn = []
    for seat in range(1, total + 1):
        count = list(seats).count(seat)
        column = left + slot * (seat - 1)
        drawn += [pirate(seat, column + x, feet - y, 36) for x, y in pile_up(count, slot)]
        if count > 1:
            drawn.append(tally(column, feet + 9, count))
    crews = ", ".join(f"{seat_name(seat).lower()} {list(seats).count(seat)}" for seat in sorted(set(seats)))
    return group(*drawn, title=f"{long_place(place).capitalize()}: {crews or 'empty'}", data_place=place)


def pile_up(count: int, slot: float) -> Iterable[Point]:
    """Offsets of the pirates of a column, the last one first. A wide slot has room for two columns."""
    if count > 4 and slot > 40:
        half = -(-count // 2)
        yield from ((-9, y) for _, y in pile_up(half, 0))
        yield from ((9, y) for _, y in pile_up(count - half, 0))
        return
    step = min(13.0, 70 / max(1, count - 1))
    yield from ((0, nth * step) for nth in reversed(range(count)))


def tally(x: float, y: float, count: int) -> str:
    """The number of pirates in a column."""
    disc = tag("circle", cx=x, cy=y - 3.5, r=7, fill=PAPER, stroke=INK, stroke_width=1)
    return disc + words(x, y, str(count), 10.5, text_anchor="middle", font_weight="bold", fill=INK)
