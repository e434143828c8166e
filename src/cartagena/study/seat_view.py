"""A finished game as one seat saw it: views in the place of positions, and only the cards that the seat was shown."""

from typing import Final

from cartagena.errors import StudyError
from cartagena.game import Position, Record
from cartagena.kernel.step import step

from .luck import Split, Valuation, Values, result_of, split_course

DEALS: Final = 32
"""Deals of the hidden cards over which V of a view is the mean."""


class SeatValuation(Valuation):
    """V of a seat's views: the mean of V over deals of what the seat cannot see. It depends on the view alone."""

    def __init__(self, opening: Position, seat: int) -> None:
        super().__init__(opening)
        self.seat = seat

    def looks_ahead(self, position: Position) -> bool:
        """Return whether V of a view is the mean over the cards that are due, which the seat must be shown."""
        if not super().looks_ahead(position):
            return False
        return position.row_due > 0 or position.hand(position.active) is not None

    def after(self, position: Position, card: str) -> Position:
        """Return the view after a card that may be dealt. The hand that it goes to may be hidden."""
        words = position.state()
        step(position.table, words, position.action(f"+{card}"))
        return position.with_words(words).view(self.seat)

    def look(self, position: Position) -> Values:
        """Return the mean evaluation of a view, or the result of a game that is over."""
        if position.is_over:
            return super().look(position)
        hidden = any(position.hand(seat) is None for seat in range(1, position.seats + 1))
        values = list(map(super().look, position.deals(DEALS if hidden else 1)))
        return tuple(sum(column) / len(values) for column in zip(*values, strict=True))


def check_seat_of(record: Record, seat: int) -> None:
    """Raise StudyError for a seat that does not play in the game of a record."""
    seats = record.opening.seats
    if type(seat) is not int or not 1 <= seat <= seats:
        raise StudyError(f"There is no seat {str(seat)[:20]} in this game; its seats are 1 to {seats}.")


def seat_split(record: Record, seat: int) -> Split:
    """Split a record by what one seat could know: its own cards and all that lay open."""
    positions = list(record.positions())
    moves = [before.seen(entry.move, seat) for before, entry in zip(positions, record.moves, strict=False)]
    views = [position.view(seat) for position in positions]
    return split_course(views, moves, result_of(record), SeatValuation(record.opening, seat))
