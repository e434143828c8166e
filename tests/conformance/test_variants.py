"""Plain and compiled rules give the same games of variants: states, moves and reasons."""

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.conformance.tracing import plain_trace, traced
from tests.variants import EVERY_KEY, variants

from cartagena.backends.openings import start_of
from cartagena.rulesets import from_data

CAP = 60
"""Turns after which a game is cut: some variants go on for ever."""


@settings(max_examples=40, deadline=None)
@given(variants(), st.integers(2, 5), st.integers(0, 2**32))
@example(EVERY_KEY["tunnel"], 3, 1)
@example(EVERY_KEY["board"], 2, 2)
@example(EVERY_KEY["nest"], 4, 3)
@example(EVERY_KEY["signs"], 5, 4)
def test_games_of_any_variant_are_the_same_on_plain_and_cpu(entries: dict[str, Any], seats: int, seed: int) -> None:
    start = start_of(from_data(entries), seats)
    states, found = plain_trace(start, seed, 0, CAP)
    assert traced(start, seed, 0, 1, CAP) == ([f"{found:x}"], states)
