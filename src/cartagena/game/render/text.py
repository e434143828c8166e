"""A position as plain text for a terminal, at most 80 columns wide."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Final

from ..scene import Scene
from .captions import (
    ENGLISH,
    Labels,
    counted_cards,
    crowd,
    duties,
    fields,
    headline,
    in_turn,
    long_place,
    seat_name,
    title_of,
)

WIDTH: Final = 80
CELL: Final = 5
INDENT: Final = 7
PIECES_IN_LINE: Final = 2

Cell = tuple[str, str]


def draw_text(position: Scene, labels: Labels = ENGLISH) -> str:
    """Draw the position: the tunnel row by row, then the cards, then whose turn it is.

    Fields show their number, the letter of their sign and below it the seats of the pirates there.
    """
    return "\n".join(line.rstrip() for line in lines(position, labels))


def lines(position: Scene, labels: Labels) -> Iterator[str]:
    yield title(position, labels)
    yield ""
    yield from track(position, labels)
    yield ""
    yield from supply(position, labels)
    yield ""
    yield from seats(position, labels)
    yield ""
    yield from turn(position, labels)


def title(position: Scene, labels: Labels) -> str:
    """The game's title, with the rule set's name at the right."""
    said = title_of(position.rules, labels)
    return f"{said}{position.rules.name:>{WIDTH - len(said)}}"


# --- the board


def track(position: Scene, labels: Labels) -> Iterator[str]:
    """Start, fields, sloop and nest in track order."""
    standing = crowd(position)
    yield end_line(position, standing.get("s", ()), long_place("s", labels))
    for number, island in enumerate(fields(position), 1):
        if number == 2:
            yield end_line(position, standing.get("b", ()), labels["sloop_at"].format(n=position.sloop))
        if position.rules.nest:
            yield f"--- {labels['island'].format(n=number)} ".ljust(WIDTH, "-")
        for start in range(0, len(island), PIECES_IN_LINE):
            yield from stretch(island[start : start + PIECES_IN_LINE], standing, labels)
    last = "n" if position.rules.nest else "b"
    yield end_line(position, standing.get(last, ()), long_place(last, labels))


def end_line(position: Scene, here: Sequence[int], name: str) -> str:
    """The pirates at a place that is not a field."""
    groups = (str(seat) * list(here).count(seat) for seat in range(1, position.seats + 1))
    return f"{name:<{INDENT}}" + (" " + " ".join(filter(None, groups)) if here else " -")


def stretch(pieces: Sequence[Sequence[Cell]], standing: Mapping[str, Sequence[int]], labels: Labels) -> Iterator[str]:
    """Some pieces side by side in three lines: numbers, signs, pirates."""
    crews = (["".join(map(str, standing.get(name, "."))) for name, _ in piece] for piece in pieces)
    yield across(labels["field"], ([name for name, _ in piece] for piece in pieces))
    yield across(labels["sign"], ([letter for _, letter in piece] for piece in pieces))
    yield across(labels["pirate"], crews)
    yield ""


def across(label: str, pieces: Iterable[Sequence[str]]) -> str:
    """Cells in columns, with a bar between pieces."""
    return f"{label:<{INDENT}}" + " |".join("".join(f"{cell:>{CELL}}" for cell in piece) for piece in pieces)


# --- the cards


def supply(position: Scene, labels: Labels) -> Iterator[str]:
    """Row, stock and discard pile."""
    width = max(INDENT, *(len(labels[name]) for name in ("row", "stock", "discard")))
    if position.rules.row:
        yield f"{labels['row']:<{width}} -> " + (" ".join(position.row) or "-")
    yield f"{labels['stock']:<{width}} {counted_cards(position.stock_size, labels)}"
    thrown = position.discard
    size = counted_cards(sum(thrown.values()), labels)
    yield from folded(f"{labels['discard']:<{width}} {size}" + (f": {cards(thrown)}" if thrown else ""))


def cards(counts: Mapping[str, int]) -> str:
    """Cards by kind, with the number where there are several."""
    return " ".join(card + (f"*{count}" if count > 1 else "") for card, count in counts.items())


def seats(position: Scene, labels: Labels) -> Iterator[str]:
    """Each seat with its hand. An arrow marks the seat to highlight."""
    for seat in range(1, position.seats + 1):
        arrow = ">" if seat == in_turn(position) else " "
        yield from folded(f"{arrow} {seat} {seat_name(seat, labels):<{INDENT}} {hand(position, seat, labels)}")


def hand(position: Scene, seat: int, labels: Labels) -> str:
    """A hand, or only its size where it is hidden."""
    held = position.hand(seat)
    size = counted_cards(position.hand_size(seat), labels)
    if held is None:
        return labels["hidden"].format(cards=size)
    return size + (f": {cards(held)}" if held else "")


def turn(position: Scene, labels: Labels) -> Iterator[str]:
    """Whose turn it is, what is due, what the letters mean."""
    said = headline(position, labels)
    if not position.is_over:
        said = labels["taken"].format(turn=said, n=position.used, all=position.rules.actions)
    yield from folded(". ".join([said, *duties(position, labels)]) + ".")
    pairs = zip(position.rules.letters, position.rules.signs, strict=True)
    named = (f"{letter} {labels.get(f'sign_{name}', name)}" for letter, name in pairs)
    yield from folded(f"({', '.join(named)})")


def folded(text: str) -> list[str]:
    """Wrap a long line."""
    return wrap(text, WIDTH, subsequent_indent=" " * (INDENT + 1))
