"""Shapes of the signs and pirates: data that the pictures and the browser table share.

A sign is a list of strokes on a square of 48 by 48, painted in order. A stroke is a path and how it is painted:

    ``tone``   filled with the sign's colour, with an ink outline
    ``ink``    filled with ink
    ``paper``  filled with the colour of the paper, with an ink outline
    ``line``   an ink line, not filled
    ``accent`` a thick line in the sign's second colour

A pirate is a head over a common body, on a rectangle 24 wide and 36 high. Each seat's head has its own shape, so that
colours need not be told apart.
"""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Sign:
    """The drawing of a sign."""

    tone: str
    accent: str
    strokes: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Pirate:
    """The drawing of a seat's pirates: the head's shape in words and as a path, the colours of cloth and number."""

    colour: str
    shape: str
    head: str
    fill: str
    number: str


def ring(x: float, y: float, radius: float) -> str:
    """A circle as a path."""
    arc = f"a{radius:g} {radius:g} 0 1 0"
    return f"M{x - radius:g} {y:g}{arc} {2 * radius:g} 0{arc} {-2 * radius:g} 0z"


SIGNS: Final[dict[str, Sign]] = {
    "bottle": Sign(
        "#7fa876",
        "#f6ecd0",
        (
            ("M19 8h10v8c0 4 8 6 8 14v11c0 3-1 5-4 5H15c-3 0-4-2-4-5V30c0-8 8-10 8-14z", "tone"),
            ("M18 2h12v7H18z", "ink"),
            ("M11 29h26v9H11z", "paper"),
            ("M16 33.5h16", "line"),
        ),
    ),
    "dagger": Sign(
        "#d5dde0",
        "#b23a2e",
        (
            ("M17 34L43 3l2 2L21 38z", "tone"),
            ("M19 36L44 4", "line"),
            ("M9 27l4-4 13 13-4 4z", "ink"),
            ("M13 33l4 4-8 8-4-4z", "ink"),
            (ring(5.5, 43, 4), "ink"),
        ),
    ),
    "hat": Sign(
        "#8a4b42",
        "#e9c65a",
        (
            ("M1 17c5 5 10 1 13-4 4-7 16-7 20 0 3 5 8 9 13 4 0 13-9 22-23 22S1 30 1 17z", "tone"),
            ("M4 24c5 4 11 8 20 8s15-4 20-8", "accent"),
            (ring(24, 20, 4), "paper"),
        ),
    ),
    "key": Sign(
        "#e0b84c",
        "#e0b84c",
        (
            ("M19 23l4-4 23 23-4 4-3-3-4 4-4-4 4-4-3-3-4 4-4-4 4-4z", "tone"),
            (ring(14, 14, 12), "tone"),
            (ring(14, 14, 5.5), "paper"),
        ),
    ),
    "pistol": Sign(
        "#a8713f",
        "#d5dde0",
        (
            ("M2 15h24v8c-5 0-6 3-8 8l-4 11c-2 5-13 3-11-2l6-15c1-4-3-6-7-6z", "tone"),
            ("M13 12h33v9H21z", "ink"),
            ("M10 13L7 5l6-2 6 10z", "ink"),
            ("M22 23c0 9 10 9 11-1", "line"),
        ),
    ),
    "skull": Sign(
        "#fbf6e6",
        "#f6ecd0",
        (
            ("M24 2C11 2 4 11 4 21c0 6 3 11 8 13v11h24V34c5-2 8-7 8-13C44 11 37 2 24 2z", "tone"),
            (ring(15.5, 22, 5.5), "ink"),
            (ring(32.5, 22, 5.5), "ink"),
            ("M24 27l-4 7h8z", "ink"),
            ("M18 38v7M24 38v7M30 38v7", "line"),
        ),
    ),
    "compass": Sign(
        "#e8d3a0",
        "#b23a2e",
        (
            (ring(24, 24, 21.5), "tone"),
            (ring(24, 24, 16.5), "paper"),
            ("M24 5l5.5 14L43 24l-14 5-5 14-5-14L5 24l14-5z", "ink"),
            ("M24 12v11", "accent"),
        ),
    ),
    "ducats": Sign(
        "#e9bf45",
        "#e9bf45",
        (
            (ring(24, 14, 11.5), "tone"),
            (ring(14, 33, 12), "tone"),
            (ring(34, 33, 12), "tone"),
            (ring(14, 33, 7), "line"),
            (ring(34, 33, 7), "line"),
            ("M24 9v10M19 14h10M14 30v6M34 30v6", "line"),
        ),
    ),
    "cannon": Sign(
        "#6f7678",
        "#a8713f",
        (
            ("M4 23c-3 5 0 12 6 10L42 20l-5-13z", "tone"),
            ("M35 4l4-2 8 20-4 2z", "ink"),
            (ring(3.5, 30, 3), "ink"),
            (ring(19, 35, 11), "paper"),
            ("M19 24v22M8 35h22M11 27l16 16M27 27L11 43", "line"),
            (ring(19, 35, 3.5), "ink"),
            (ring(40, 39, 6), "ink"),
        ),
    ),
    "map": Sign(
        "#efdca9",
        "#b23a2e",
        (
            ("M2 9l14-5 16 5 14-5v35l-14 5-16-5-14 5z", "tone"),
            ("M16 4v35M32 9v35", "line"),
            ("M7 35c3-9 6-3 9-9s6-8 12-5", "line"),
            ("M32 14l9 10M41 14l-9 10", "accent"),
        ),
    ),
    "parrot": Sign(
        "#4f9a5a",
        "#c8402f",
        (
            ("M25 31l9 15-7-3-2 4-6-16z", "ink"),
            ("M21 3C11 3 7 10 9 18c1 9 7 17 17 19 9 1 15-5 13-13C38 16 33 3 21 3z", "tone"),
            ("M21 19c10-1 18 5 22 20-12 0-22-6-22-20z", "ink"),
            ("M26 24c5 1 10 5 13 11", "accent"),
            ("M12 7C4 7 0 13 4 23c2-4 6-5 10-5 3-3 2-9-2-11z", "paper"),
            (ring(19.5, 10.5, 2.8), "ink"),
        ),
    ),
    "spyglass": Sign(
        "#c79a4b",
        "#6d4a2a",
        (
            ("M2 38l6 8 11-9-6-8z", "tone"),
            ("M11 29l8 10 12-10-8-10z", "paper"),
            ("M21 18l10 13 14-11L35 7z", "tone"),
            ("M33 5l3-3 12 15-3 4z", "ink"),
        ),
    ),
    "treasure chest": Sign(
        "#a8713f",
        "#e9c65a",
        (
            ("M3 21C3 10 8 5 14 5h20c6 0 11 5 11 16z", "tone"),
            ("M3 23h42v21H3z", "tone"),
            ("M11 6v38M37 6v38", "accent"),
            ("M3 22h42", "line"),
            ("M19 17h10v13H19z", "paper"),
            ("M24 21v5", "line"),
        ),
    ),
}

BODY: Final = "M8.5 15h7l2.5 12.5h3.5v6.5h-19v-6.5h3.5z"

PIRATES: Final[tuple[Pirate, ...]] = (
    Pirate("blue", "circle", ring(12, 10, 8.5), "#3f7fc4", "#ffffff"),
    Pirate("red", "square", "M4 2h16v16h-16z", "#cf4534", "#ffffff"),
    Pirate("yellow", "triangle", "M12 0.5l11.5 18.5h-23z", "#f4c437", "#2b2118"),
    Pirate("green", "diamond", "M12 0l10.5 10-10.5 10-10.5-10z", "#4b9d58", "#ffffff"),
    Pirate("brown", "hexagon", "M7 1.5h10l5 8.5-5 8.5h-10l-5-8.5z", "#8a5a33", "#ffffff"),
)
