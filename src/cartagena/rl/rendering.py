"""A position as pixels, painted with NumPy alone, and a window that shows them."""

from collections.abc import Sequence
from typing import Any, Final

import gymnasium
import numpy as np
from numpy.typing import NDArray

from cartagena.game import Position
from cartagena.kernel import layout as at
from cartagena.kernel.track import number_at

Pixels = NDArray[np.uint8]
Colour = tuple[int, int, int]

SQUARE: Final = 40
GAP: Final = 4
ACROSS: Final = 10
HAND_LINE: Final = 24

SEA: Final = (232, 226, 208)
FIELD: Final = (250, 247, 238)
EDGE: Final = (120, 110, 90)
INK: Final = (40, 36, 30)
SEATS: Final = ((38, 92, 170), (190, 48, 44), (214, 168, 30), (52, 130, 68), (120, 78, 44))

# 3 columns and 5 rows of a letter or digit, a bit for each dot, top row first.
FONT: Final = {
    "B": 0b110101110101110, "C": 0b011100100100011, "D": 0b110101101101110, "G": 0b011100101101011,
    "H": 0b101101111101101, "K": 0b101101110101101, "M": 0b101111111101101, "P": 0b110101110100100,
    "S": 0b011100010001110, "T": 0b111010010010010, "s": 0b000011110011110, "b": 0b100110101101110,
    "n": 0b000110101101101, "!": 0b010010010000010, "-": 0b000000111000000, "0": 0b111101101101111,
    "1": 0b010110010010111, "2": 0b111001111100111, "3": 0b111001111001111, "4": 0b101101111001001,
    "5": 0b111100111001111, "6": 0b111100111101111, "7": 0b111001001001001, "8": 0b111101111101111,
    "9": 0b111101111001111,
}  # fmt: skip


def box(pixels: Pixels, left: int, top: int, width: int, height: int, colour: Colour) -> None:
    """Paint a filled rectangle."""
    pixels[top : top + height, left : left + width] = colour


def write(pixels: Pixels, text: str, left: int, top: int, size: int, colour: Colour) -> None:
    """Write text in the small font; a dot has ``size`` pixels, and unknown characters are blank."""
    for letter in text:
        dots = FONT.get(letter, 0)
        for dot in range(15):
            if (dots >> (14 - dot)) & 1:
                box(pixels, left + dot % 3 * size, top + dot // 3 * size, size, size, colour)
        left += 4 * size


def square_at(place: int) -> tuple[int, int]:
    """Return where a place is: row by row, every second row backwards, so that the track is one line."""
    row, along = divmod(place, ACROSS)
    column = along if row % 2 == 0 else ACROSS - 1 - along
    return GAP + column * (SQUARE + GAP), GAP + row * (SQUARE + GAP)


def place_name(position: Position, place: int, signs: Sequence[int]) -> str:
    """Return the letter on a field, or that of start, sloop and nest."""
    for sign, letter in enumerate(position.rules.letters):
        if (signs[sign] >> place) & 1:
            return letter
    if place == 0:
        return "s"
    return "b" if place == position.table[at.T_BOAT] else "n"


def paint_place(pixels: Pixels, position: Position, place: int) -> None:
    """Paint one place with its letter and the pirates on it, a row for each seat."""
    left, top = square_at(place)
    box(pixels, left, top, SQUARE, SQUARE, EDGE)
    box(pixels, left + 1, top + 1, SQUARE - 2, SQUARE - 2, FIELD)
    name = place_name(position, place, position.words[at.SIGN : at.SIGN + at.MAX_SIGNS])
    write(pixels, name, left + 4, top + 4, 2, INK)
    state = position.state()
    for seat in range(position.seats):
        for number in range(number_at(state, seat, place)):
            box(pixels, left + 4 + number * 4, top + 15 + seat * 5, 3, 4, SEATS[seat])


def paint_hands(pixels: Pixels, position: Position, top: int) -> None:
    """Paint each seat's hand behind its colour; the seat to choose has a frame."""
    hands = str(position).split(" ")[3].split("/")
    for seat, hand in enumerate(hands):
        row = top + seat * HAND_LINE
        if position.turn == seat + 1:
            box(pixels, GAP - 2, row - 2, 20, 20, INK)
        box(pixels, GAP, row, 16, 16, SEATS[seat])
        write(pixels, hand, GAP + 26, row + 2, 2, INK)


def paint(position: Position) -> Pixels:
    """Return the whole table as row-major RGB."""
    places = position.table[at.T_GOAL] + 1
    rows = -(-places // ACROSS)
    top = GAP + rows * (SQUARE + GAP) + GAP
    height = top + (position.seats + 1) * HAND_LINE
    pixels = np.empty((height, GAP + ACROSS * (SQUARE + GAP), 3), dtype=np.uint8)
    pixels[:] = SEA
    for place in range(places):
        paint_place(pixels, position, place)
    paint_hands(pixels, position, top)
    words = str(position).split(" ")
    write(pixels, words[4], GAP + 26, top + position.seats * HAND_LINE + 2, 2, INK)
    return pixels


class Screen:
    """A window that opens with the first picture."""

    def __init__(self) -> None:
        self._pygame: Any = None
        self._window: Any = None

    def show(self, pixels: Pixels) -> None:
        """Show a picture. A window that its user closes stays closed until the next one."""
        if self._pygame is None:
            self._pygame = import_pygame()
        size = (pixels.shape[1], pixels.shape[0])
        if self._window is None or self._window.get_size() != size:
            self._window = self._open(size)
        self._pygame.event.pump()
        self._pygame.surfarray.blit_array(self._window, pixels.swapaxes(0, 1))
        self._pygame.display.flip()

    def _open(self, size: tuple[int, int]) -> Any:
        """Open a window of that size. Raises Gymnasium's error if that is impossible."""
        try:
            self._pygame.display.init()
            window = self._pygame.display.set_mode(size)
        except self._pygame.error as error:
            raise gymnasium.error.Error(f"no window can be opened here: {error}.") from None
        self._pygame.display.set_caption("Cartagena")
        return window

    def close(self) -> None:
        """Close the window; calling it again does nothing."""
        if self._pygame is not None:
            self._pygame.display.quit()
        self._pygame = self._window = None


def import_pygame() -> Any:
    """Import pygame, which only windows need."""
    try:
        import pygame
    except ModuleNotFoundError:
        raise gymnasium.error.DependencyNotInstalled(
            "a window needs pygame; install it with: pip install pygame-ce"
        ) from None
    return pygame
