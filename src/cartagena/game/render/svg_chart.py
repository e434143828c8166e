"""The sea chart under the game: paper, sea, coasts, hills, rose and frame. Independent of the position."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin
from typing import Final

from .svg_ink import GOLD, INK, PAPER, SEPIA, again, group, move, number, once, path, tag, words

Point = tuple[float, float]

LAND: Final = "#e6d3a0"
SEA: Final = "#8fb3ad"
GOLDEN: Final = 0.6180339887498949


@dataclass(frozen=True)
class Box:
    """A rectangle by its edges."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> Point:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


def line(points: Iterable[Point]) -> str:
    """A path through points."""
    return "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)


# --- coasts


def corners(box: Box, radius: float) -> list[Point]:
    """The outline of a box with round corners, clockwise from the upper left."""
    centres = (
        (box.right - radius, box.top + radius, -pi / 2),
        (box.right - radius, box.bottom - radius, 0.0),
        (box.left + radius, box.bottom - radius, pi / 2),
        (box.left + radius, box.top + radius, pi),
    )
    return [
        (x + radius * cos(start + step * pi / 12), y + radius * sin(start + step * pi / 12))
        for x, y, start in centres
        for step in range(7)
    ]


def ragged(outline: Sequence[Point], stride: float) -> list[Point]:
    """A coast: points along the outline, each shifted in or out a little, always in the same way."""
    points: list[Point] = []
    walked = 0.0
    for (x, y), (u, v) in pairwise([*outline, outline[0]]):
        length = max(1e-9, ((u - x) ** 2 + (v - y) ** 2) ** 0.5)
        steps = max(1, round(length / stride))
        for step in range(steps):
            along = step / steps
            t = walked + along * length
            push = 5 * sin(t / 31 + 1) + 3.5 * sin(t / 13 + x / 90) + 2 * sin(t / 5.3)
            points.append(
                (x + (u - x) * along + push * (v - y) / length, y + (v - y) * along - push * (u - x) / length)
            )
        walked += length
    return points


def land(boxes: Sequence[Box]) -> str:
    """Boxes joined to one piece of land, with engraved lines along the coast."""
    shapes = [line(ragged(corners(box, 46), 13)) + "z" for box in boxes]
    defined, coast = once("".join(shapes))
    layers = (
        (64, "#4f8079", 0.10),
        (44, "#4f8079", 0.14),
        (24, "#4f8079", 0.20),
        (15.4, INK, 0.35),
        (14, "#c3cbb0", 1),
    )
    return group(
        defined,
        *(again(coast, fill="none", stroke=colour, stroke_width=w, stroke_opacity=o) for w, colour, o in layers),
        again(coast, fill="none", stroke=INK, stroke_width=4.5),
        again(coast, fill=LAND),
        *(hills(box) for box in boxes),
        stroke_linejoin="round",
    )


def scatter(box: Box, count: int) -> Iterable[Point]:
    """Points spread evenly without a pattern, always the same ones."""
    width, height = box.right - box.left, box.bottom - box.top
    for nth in range(count):
        yield box.left + width * ((nth * GOLDEN + 0.13) % 1), box.top + height * (nth + 0.5) / count


def hills(box: Box) -> str:
    """Tufts and knolls in ink."""
    inner = Box(box.left + 22, box.top + 24, box.right - 40, box.bottom - 14)
    area = (inner.right - inner.left) * (inner.bottom - inner.top)
    marks = []
    for nth, (x, y) in enumerate(scatter(inner, max(4, int(area / 1700)))):
        mark = ("q6-9 12 0m-8 0q4-5 8-1", "l2-7m3 7l1-9m2 9l3-6")[nth % 2]
        marks.append(f"M{number(x)} {number(y)}{mark}")
    return path("".join(marks), fill="none", stroke=SEPIA, stroke_opacity=0.5, stroke_width=1.1)


def palm(x: float, y: float, size: float) -> str:
    """A palm tree with its foot at a point."""
    trunk = path("M0 0c3-12 2-22-3-34", fill="none", stroke="#6d4a2a", stroke_width=4)
    leaves = (
        "M-3-34c-8-10-20-8-26 2 10-4 18-4 26-2zc-2-12-12-18-22-14 10 2 17 7 22 14z"
        "c2-13 12-19 22-15-10 2-17 8-22 15zc9-9 21-6 26 4-9-5-18-6-26-4z"
    )
    crown = path(leaves, fill="#6f8f54", stroke=INK, stroke_width=1.2)
    return group(trunk, crown, transform=f"{move(x, y)} scale({number(size)})", stroke_linejoin="round")


# --- sea


def rhumbs(x: float, y: float) -> str:
    """Rhumb lines from a rose across the chart."""
    rays = "".join(
        f"M{number(x)} {number(y)}l{number(1600 * cos(n * pi / 16))} {number(1600 * sin(n * pi / 16))}"
        for n in range(32)
    )
    return path(rays, stroke=SEPIA, stroke_width=0.7, stroke_opacity=0.28, fill="none")


def waves(box: Box) -> str:
    count = int((box.right - box.left) * (box.bottom - box.top) / 2600)
    marks = "".join(f"M{number(x)} {number(y)}q4-5 8 0t8 0" for x, y in scatter(box, count))
    return path(marks, fill="none", stroke="#3f6b66", stroke_width=1.1, stroke_opacity=0.45)


def rose(x: float, y: float, size: float) -> str:
    """A compass rose of sixteen points, half of each in shade."""
    points = []
    for nth in (*range(1, 16, 2), *range(2, 16, 4), *range(0, 16, 4)):
        reach = 30 if nth % 2 else 40 if nth % 4 else 56
        turn = f"rotate({number(nth * 22.5)})"
        blade = path(f"M0 {-reach}l7 {reach - 9}L0 0z", fill=INK) + path(f"M0 {-reach}l-7 {reach - 9}L0 0z", fill=PAPER)
        points.append(group(blade, transform=turn))
    circles = "".join(
        tag("circle", r=r, fill="none", stroke=SEPIA, stroke_width=w) for r, w in ((44, 1), (36, 2.5), (22, 0.8))
    )
    north = path("M0-76c5 5 5 9 0 17-5-8-5-12 0-17zM-9-66c6-1 6 5 4 8M9-66c-6-1-6 5-4 8", fill=GOLD, stroke=INK)
    drawn = group(
        circles, group(*points, stroke=INK, stroke_width=0.8), north, tag("circle", r=4, fill=GOLD, stroke=INK)
    )
    return group(drawn, transform=f"{move(x, y)} scale({number(size)})", stroke_linejoin="round")


# --- paper


def frame(width: float, height: float) -> str:
    """A double border with a chart's scale of black and white bars."""
    bars = []
    for inset, stroke, thick, dash in (
        (11, INK, 9, ""),
        (11, PAPER, 6.5, ""),
        (11, INK, 6.5, "30 30"),
        (19, INK, 1.2, ""),
    ):
        values: dict[str, object] = {"stroke_dasharray": dash} if dash else {}
        bars.append(
            tag(
                "rect",
                x=inset,
                y=inset,
                width=width - 2 * inset,
                height=height - 2 * inset,
                fill="none",
                stroke=stroke,
                stroke_width=thick,
                **values,
            )
        )
    return group(*bars)


def paper(width: float, height: float) -> str:
    """The sheet of paper with its stains."""
    stains = ((0.12, 0.85, 90), (0.8, 0.93, 60), (0.93, 0.3, 70), (0.45, 0.05, 50))
    return tag("rect", width=width, height=height, rx=6, fill="url(#parchment)") + "".join(
        tag("circle", cx=x * width, cy=y * height, r=r, fill="#a97c3c", fill_opacity=0.07) for x, y, r in stains
    )


def sea(box: Box, rose_at: Point) -> str:
    """Water over the paper, with rhumb lines and waves."""
    d = line(((box.left, box.top), (box.right, box.top), (box.right, box.bottom), (box.left, box.bottom))) + "z"
    defined, edge = once(d)
    clip = tag("clipPath", again(edge), id="clip-" + edge)
    water = group(
        again(edge, fill=SEA, fill_opacity=0.42), rhumbs(*rose_at), waves(box), clip_path=f"url(#clip-{edge})"
    )
    shore = f"M{number(box.left)} {number(box.bottom)}H{number(box.right)}m0 4H{number(box.left)}"
    return defined + clip + water + path(shore, fill="none", stroke=INK, stroke_width=1.2)


def ribbon(x: float, y: float, width: float, title: str, under: str) -> str:
    """A banner with the name of the game, its left upper corner at a point."""
    half = width / 2
    tails = f"M0 14h-26l12 17-12 17h40zM{number(width)} 14h26l-12 17 12 17h-40z"
    band = f"M0 6q{number(half)}-12 {number(width)} 0v44q{number(-half)}-12 {number(-width)} 0z"
    return group(
        path(tails, fill="#cfae72", stroke=INK, stroke_width=1.6),
        path(band, fill=PAPER, stroke=INK, stroke_width=1.8),
        words(half, 23, title, 21, text_anchor="middle", font_weight="bold", fill=INK, letter_spacing=1),
        words(half, 37, under, 11.5, text_anchor="middle", font_style="italic", fill=SEPIA),
        transform=move(x, y),
        stroke_linejoin="round",
    )
