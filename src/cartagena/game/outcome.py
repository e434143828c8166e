"""How a game ended."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """The winner's seat from 1, or None where everybody had to pass in a row and nobody has won."""

    winner: int | None

    @property
    def is_deadlock(self) -> bool:
        return self.winner is None

    def __str__(self) -> str:
        return str(self.winner or 0)
