"""The engine as a whole, its typed layer included, is the same under Node, in Chromium and on this processor."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.conformance.engine import ask_chromium, ask_node, traces
from tests.conformance.run_wasm import as_native, levels_question, native_answers, views
from tests.conformance.tracing import cases, plain_trace

from cartagena.players import LEVELS

SEED = 2026
CAP = 30


@pytest.mark.parametrize("ask", [ask_node, ask_chromium])
def test_games_and_the_moves_of_every_level_are_the_same(ask: Callable[[list[dict[str, Any]]], list[Any]]) -> None:
    seen = views(len(cases()))[::5]
    answers = ask(
        [
            *(traces(case, SEED, 3, 4, CAP) for case in cases()),
            *(levels_question(level, seen) for level in LEVELS),
        ]
    )
    for case, found in zip(cases(), answers, strict=False):
        states, number = plain_trace(case.start, SEED, 3, CAP)
        assert found == {"states": states, "sums": [f"{number:x}"]}, case
    for level, found in zip(LEVELS, answers[len(cases()) :], strict=True):
        assert as_native(found) == native_answers(level, seen), level
