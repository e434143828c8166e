"""A position as plain text for a terminal, at most 80 columns wide."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Final

from ..plurals import counted
from ..scene import Scene
from .captions import crowd, duties, fields, headline, in_turn, long_place, seat_name

WIDTH: Final = 80
CELL: Final = 5
INDENT: Final = 7
PIECES_IN_LINE: Final = 2

Cell = tuple[str, str]


def draw_text(position: Scene) -> str:
    """Draw the position: the tunnel row by row, then the cards, then whose turn it is.

    Fields show their number, the letter of their sign and below it the seats of the pirates there.
    """
    return "\n".join(line.rstrip() for line in lines(position))


def lines(position: Scene) -> Iterator[str]:
    yield title(position)
    yield ""
    yield from track(position)
    yield ""
    yield from supply(position)
    yield ""
    yield from seats(position)
    yield ""
    yield from turn(position)


def title(position: Scene) -> str:
    """The game's title, with the rule set's name at the right."""
    return f"{position.rules.title}{position.rules.name:>{WIDTH - len(position.rules.title)}}"


# --- the board


def track(position: Scene) -> Iterator[str]:
    """Start, fields, sloop and nest in track order."""
    standing = crowd(position)
    yield end_line(position, standing, "s")
    for number, island in enumerate(fields(position), 1):
        if number == 2:
            yield end_line(position, standing, "b", f" at island {position.sloop}")
        if position.rules.nest:
            yield f"--- island {number} " + "-" * (WIDTH - 13)
        for start in range(0, len(island), PIECES_IN_LINE):
            yield from stretch(island[start : start + PIECES_IN_LINE], standing)
    yield end_line(position, standing, "n" if position.rules.nest else "b")


def end_line(position: Scene, standing: Mapping[str, Sequence[int]], place: str, note: str = "") -> str:
    """The pirates at a place that is not a field."""
    here = standing.get(place, ())
    groups = (str(seat) * list(here).count(seat) for seat in range(1, position.seats + 1))
    return f"{long_place(place) + note:<{INDENT}}" + (" " + " ".join(filter(None, groups)) if here else " -")


def stretch(pieces: Sequence[Sequence[Cell]], standing: Mapping[str, Sequence[int]]) -> Iterator[str]:
    """Some pieces side by side in three lines: numbers, signs, pirates."""
    yield across("field", ([name for name, _ in piece] for piece in pieces))
    yield across("sign", ([letter for _, letter in piece] for piece in pieces))
    yield across("pirate", (["".join(map(str, standing.get(name, "."))) for name, _ in piece] for piece in pieces))
    yield ""


def across(label: str, pieces: Iterable[Sequence[str]]) -> str:
    """Cells in columns, with a bar between pieces."""
    return f"{label:<{INDENT}}" + " |".join("".join(f"{cell:>{CELL}}" for cell in piece) for piece in pieces)


# --- the cards


def supply(position: Scene) -> Iterator[str]:
    """Row, stock and discard pile."""
    if position.rules.row:
        yield f"{'row':<{INDENT}} -> " + (" ".join(position.row) or "-")
    yield f"{'stock':<{INDENT}} {counted(position.stock_size, 'card')}"
    thrown = position.discard
    yield from folded(
        f"{'discard':<{INDENT}} {counted(sum(thrown.values()), 'card')}" + (f": {cards(thrown)}" if thrown else "")
    )


def cards(counts: Mapping[str, int]) -> str:
    """Cards by kind, with the number where there are several."""
    return " ".join(card + (f"*{count}" if count > 1 else "") for card, count in counts.items())


def seats(position: Scene) -> Iterator[str]:
    """Each seat with its hand. An arrow marks the seat to highlight."""
    for seat in range(1, position.seats + 1):
        arrow = ">" if seat == in_turn(position) else " "
        yield from folded(f"{arrow} {seat} {seat_name(seat):<7} {hand(position, seat)}")


def hand(position: Scene, seat: int) -> str:
    """A hand, or only its size where it is hidden."""
    held = position.hand(seat)
    if held is None:
        return f"{counted(position.hand_size(seat), 'card')}, hidden"
    return counted(position.hand_size(seat), "card") + (f": {cards(held)}" if held else "")


def turn(position: Scene) -> Iterator[str]:
    """Whose turn it is, what is due, what the letters mean."""
    said = headline(position)
    if not position.is_over:
        said += f", {position.used} of {position.rules.actions} actions taken"
    yield from folded(". ".join([said, *duties(position)]) + ".")
    pairs = zip(position.rules.letters, position.rules.signs, strict=True)
    yield from folded("(" + ", ".join(f"{letter} {name}" for letter, name in pairs) + ")")


def folded(text: str) -> list[str]:
    """Wrap a long line."""
    return wrap(text, WIDTH, subsequent_indent=" " * (INDENT + 1))
