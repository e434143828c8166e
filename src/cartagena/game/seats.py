"""Seats: their colours, and a check that a seat number belongs to a seat."""

from typing import Final

from cartagena.errors import IllegalMove, shown, whole

NO_SEAT: Final = 0
"""The number that stands for no seat: ``turn`` when no seat must choose, and the seat of a spectator's ``view``.

>>> from cartagena import NO_SEAT, Game
>>> Game.new("jamaica-en", seats=2, seed=1).view(NO_SEAT).is_view
True
"""
COLOURS: Final = ("blue", "red", "yellow", "green", "brown")


def colour(seat: int) -> str:
    """The colour of a seat counted from 0."""
    return COLOURS[seat] if 0 <= seat < len(COLOURS) else f"seat {seat + 1}"


def check_seat(seat: object, seats: int) -> int:
    """Return the seat as an index from 0. Raises IllegalMove unless it is a whole number from 1 to ``seats``."""
    number = whole(seat)
    if number is None or not 1 <= number <= seats:
        raise IllegalMove(f"there is no seat {shown(seat)} at this table", "no-such-seat")
    return number - 1
