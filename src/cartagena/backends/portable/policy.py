"""The policy ``uniform``: each legal move is as likely as any other. See ``backends.policies`` for others."""

from ...kernel.intrinsics import RuleTable, Words, rule
from ...kernel.legal import drawn
from .generator import draw
from .intrinsics import Word


@rule
def choose(rules: RuleTable, state: Words, key: Word) -> int:
    """The move that a key brings."""
    return drawn(rules, state, draw(key))
