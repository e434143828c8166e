"""Colours for the pirates of a text board. The numbers stay, so no information is lost without colours."""

import os
import re
from typing import Final

import typer

from cartagena.game.render.captions import ENGLISH, Labels

SEATS: Final = ("bright_blue", "bright_red", "bright_yellow", "bright_green", (176, 116, 64))
PLAYER: Final = re.compile(r"^([> ] )([1-5])(?= \w)", re.MULTILINE)


def paint(board: str, labels: Labels = ENGLISH) -> str:
    """The board with each seat's number in its colour, unless ``NO_COLOR`` is set."""
    if os.environ.get("NO_COLOR"):
        return board
    names = [labels[name].format(n=n) for name in ("sloop_at", "start", "pirate", "sloop", "nest") for n in (1, 2)]
    track = re.compile(rf"^({'|'.join(map(re.escape, names))})\b(.*)$", re.MULTILINE)
    board = track.sub(lambda match: match[1] + re.sub("[1-5]", lambda seat: tint(seat[0]), match[2]), board)
    return PLAYER.sub(lambda match: match[1] + tint(match[2]), board)


def tint(seat: str) -> str:
    """A seat's number in its colour."""
    return typer.style(seat, fg=SEATS[int(seat) - 1], bold=True)
