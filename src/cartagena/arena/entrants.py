"""The entrants of a contest: a player's name, perhaps with a limit, as ``captain@0.1s`` or ``captain@5000n``."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from cartagena.errors import PlayerError, shown
from cartagena.players import Limit

SPEC: Final = re.compile(r"(?P<name>.+?)(?:@(?:(?P<time>[0-9]*\.?[0-9]+)s|(?P<nodes>[0-9]{1,1000})n))?")


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player with its limit. ``label`` names it in tables.

    >>> from cartagena.arena import Entrant
    >>> Entrant.parse("captain@0.1s").limit
    Limit(time=0.1, nodes=None)
    """

    label: str
    name: str
    limit: Limit | None = None

    @classmethod
    def parse(cls, spec: str) -> "Entrant":
        """Parse an entrant. Raises PlayerError."""
        if not isinstance(spec, str):
            raise PlayerError(f"a player is named by a text, such as captain@5000n, not by {shown(spec)}")
        match = SPEC.fullmatch(spec)
        if match is None:
            raise PlayerError("a player's name is empty")
        if match["time"]:
            return cls(spec, match["name"], Limit(time=float(match["time"])))
        if match["nodes"]:
            return cls(spec, match["name"], Limit(nodes=int(match["nodes"])))
        return cls(spec, match["name"])


def line_ups(labels: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """All groups of ``seats`` players. Where there are fewer players, they take several seats in turn."""
    if len(labels) < seats:
        return [tuple(labels[seat % len(labels)] for seat in range(seats))]
    return list(combinations(labels, seats))


def rotations(line_up: Sequence[str]) -> list[tuple[str, ...]]:
    """The rotations of a group around the table."""
    return [tuple(line_up[first:]) + tuple(line_up[:first]) for first in range(len(line_up))]
