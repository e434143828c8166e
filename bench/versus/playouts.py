"""Random games to the end on one core: actions per second."""

from functools import partial
from typing import Final

from bench.versus.readings import Reading, Readings, Task, rate

from cartagena.backends import rollouts

GAMES: Final = (
    ("jamaica-en", 2),
    ("tortuga-en", 2),
    ("hispaniola-en", 2),
    ("nest-nl", 2),
    ("jamaica-en", 4),
    ("tortuga-en", 4),
    ("hispaniola-en", 4),
    ("nest-nl", 4),
)
CHUNK: Final = 1000
"""Games in one call."""


def measure(task: Task) -> Readings:
    """Measure every game."""
    for rules, seats in GAMES:
        yield f"{rules}, {seats} seats", Reading(rate(partial(play, rules, seats), task.seconds), "actions/s")


def play(rules: str, seats: int) -> int:
    """Play one chunk of games; return the number of actions."""
    return rollouts(rules, CHUNK, 1, backend="cpu", threads=1, seats=seats).actions
