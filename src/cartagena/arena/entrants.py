"""The entrants of a contest: a player's name, perhaps with a limit, as ``captain@0.1s`` or ``captain@5000n``."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from random import Random
from typing import Final

from cartagena.errors import PlayerError, shown
from cartagena.players import Limit

SPEC: Final = re.compile(r"(?P<name>.+?)(?:@(?:(?P<time>[0-9]*\.?[0-9]+)s|(?P<nodes>[0-9]{1,1000})n))?")
LIMIT: Final = re.compile(r"[\w-]+(@(?![0-9]*\.?[0-9]+s$|[0-9]{1,1000}n$)(?:[-+.\d].*)?)")
"""A player with what is meant as a limit and is none."""


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
        if strange := LIMIT.fullmatch(spec):
            raise PlayerError(f"{shown(strange[1])} is not a limit; limits look like @0.1s or @5000n")
        match = SPEC.fullmatch(spec)
        if match is None or match["name"].startswith("@"):
            raise PlayerError("a player's name is empty")
        if match["time"]:
            return cls(spec, match["name"], Limit(time=float(match["time"])))
        if match["nodes"]:
            return cls(spec, match["name"], Limit(nodes=int(match["nodes"])))
        return cls(spec, match["name"])


def line_ups(labels: Sequence[str], seats: int) -> list[tuple[str, ...]]:
    """All different groups of players; where there are fewer than seats, some take one seat more than others."""
    if len(labels) >= seats:
        return list(dict.fromkeys(combinations(labels, seats)))
    each, more = divmod(seats, len(labels))
    return [tuple(labels) * each + extra for extra in combinations(labels, more)]


# --- who sits after whom


def cyclic_orders(seats: int) -> list[tuple[int, ...]]:
    """Orders around a table in which each of ``seats`` sits after each other one equally often.

    With a prime number of seats these are the steps of 1, 2, 3 … around a circle. With four seats no three orders will
    do, so these are all six.
    """
    if seats == 4:
        return [(0, *rest) for rest in permutations(range(1, seats))]
    return [tuple(step * place % seats for place in range(seats)) for step in range(1, seats)]


def drawn(line_up: Sequence[str], seed: str, number: int) -> list[str]:
    """A group in an order drawn by the seed for a round: the order in which players are named decides nothing."""
    if len(line_up) == 2:
        return list(line_up)
    names = sorted(line_up)
    Random(f"{seed}/{number}").shuffle(names)
    return names


def seatings(line_up: Sequence[str]) -> list[list[tuple[str, ...]]]:
    """How a group sits down, deal by deal: each deal has one order around the table, played from every seat.

    After all these deals each player has sat before and after every other one equally often. A seating that players of
    one name make twice is played once.

    >>> from cartagena.arena.entrants import seatings
    >>> seatings("abc")
    [[('a', 'b', 'c'), ('b', 'c', 'a'), ('c', 'a', 'b')], [('a', 'c', 'b'), ('c', 'b', 'a'), ('b', 'a', 'c')]]
    >>> seatings("abbb")
    [[('a', 'b', 'b', 'b'), ('b', 'b', 'b', 'a'), ('b', 'b', 'a', 'b'), ('b', 'a', 'b', 'b')]]
    >>> seatings("aa")
    [[('a', 'a')]]
    """
    orders = [rotations([line_up[seat] for seat in order]) for order in cyclic_orders(len(line_up))]
    times = Counter(frozenset(order) for order in orders)
    if len({*times.values()}) > 1:
        return orders
    return list({frozenset(order): order for order in reversed(orders)}.values())[::-1]


def rotations(order: Sequence[str]) -> list[tuple[str, ...]]:
    """The different rotations of an order around the table."""
    return list(dict.fromkeys((*order[first:], *order[:first]) for first in range(len(order))))
