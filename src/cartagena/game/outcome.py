"""How a game ended."""

from dataclasses import dataclass

from cartagena.errors import CartagenaError, shown, whole
from cartagena.rulesets import MAX_SEATS

from .seats import check_seat


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a game: the seat that won, or None after a deadlock.

    A deadlock is a game in which every seat had to pass in a row, or one that is becalmed (``Position.is_becalmed``).

    >>> from cartagena import Game
    >>> game = Game("jamaica-en BDHKPS 6,b/2,2 B/H2 - B16D17H15K17P17S17 - - 1.0")
    >>> game.play("6:B")
    [Move('6:B')]
    >>> game.outcome()
    Outcome(winner=1)
    """

    winner: int | None

    def __post_init__(self) -> None:
        if self.winner is not None:
            object.__setattr__(self, "winner", check_seat(self.winner, MAX_SEATS) + 1)

    @property
    def is_deadlock(self) -> bool:
        """Whether no seat has won."""
        return self.winner is None

    def shares(self, seats: int) -> tuple[float, ...]:
        """What the result is worth to each seat: 1 to the winner and 0 to the others; a deadlock is shared equally.

        >>> from cartagena import Outcome
        >>> Outcome(2).shares(3), Outcome(None).shares(2)
        ((0.0, 1.0, 0.0), (0.5, 0.5))
        """
        number = whole(seats)
        if number is None or not 2 <= number <= MAX_SEATS:
            raise CartagenaError(f"seats must be a whole number from 2 to {MAX_SEATS}, not {shown(seats)}")
        if self.winner is None:
            return (1.0 / number,) * number
        return tuple(float(seat == self.winner) for seat in range(1, number + 1))

    def __str__(self) -> str:
        return str(self.winner or 0)
