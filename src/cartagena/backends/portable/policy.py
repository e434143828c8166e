"""How moves are chosen in a playout: here, each legal move as likely as any other.

Another policy is a module with the same function, named to ``backends.rollouts`` (see ``policies``).
"""

from ...kernel.intrinsics import RuleTable, Words, rule
from ...kernel.legal import drawn
from .generator import draw
from .intrinsics import Word


@rule
def choose(table: RuleTable, state: Words, key: Word) -> int:
    """The move that the draw of a key falls on."""
    return drawn(table, state, draw(key))
