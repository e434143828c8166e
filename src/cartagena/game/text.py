"""A position as text for a terminal."""

from .position import Position


def draw_text(position: Position) -> str:
    """The position word by word, one line each."""
    return "\n".join(str(position).split(" "))
