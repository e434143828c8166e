"""Colours for the pirates of a text board. The numbers stay, so no information is lost without colours."""

import os
import re
from typing import Final

import typer

SEATS: Final = ("bright_blue", "bright_red", "bright_yellow", "bright_green", (176, 116, 64))
TRACK: Final = re.compile(r"^(start|pirate|sloop(?: at island [12])?|nest)\b(.*)$", re.MULTILINE)
PLAYER: Final = re.compile(r"^([> ] )([1-5])(?= [A-Z])", re.MULTILINE)


def paint(board: str) -> str:
    """The board with each seat's number in its colour, unless ``NO_COLOR`` is set."""
    if os.environ.get("NO_COLOR"):
        return board
    board = TRACK.sub(lambda match: match[1] + re.sub("[1-5]", lambda seat: tint(seat[0]), match[2]), board)
    return PLAYER.sub(lambda match: match[1] + tint(match[2]), board)


def tint(seat: str) -> str:
    """A seat's number in its colour."""
    return typer.style(seat, fg=SEATS[int(seat) - 1], bold=True)
