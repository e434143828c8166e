"""How a game ended."""

from dataclasses import dataclass

from cartagena.rulesets import MAX_SEATS

from .seats import check_seat


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a game: the seat that won, or None after a deadlock, when every seat had to pass in a row.

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
            check_seat(self.winner, MAX_SEATS)

    @property
    def is_deadlock(self) -> bool:
        """Whether no seat has won."""
        return self.winner is None

    def __str__(self) -> str:
        return str(self.winner or 0)
