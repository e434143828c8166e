"""The engine as a whole, its typed layer included, is the same under Node, in Chromium and on this processor."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from tests.conformance.engine import ask_chromium, ask_node, traces
from tests.conformance.run_wasm import as_native, levels_question, native_answers, views
from tests.conformance.tracing import cases, plain_trace

from cartagena.game import Position
from cartagena.players import LEVELS

SEED = 2026
CAP = 30


@cache
def seen() -> list[Position]:
    return views(len(cases()))[::5]


@cache
def expected() -> tuple[list[Any], list[Any]]:
    """The games of the plain rules, and what every level answers on this processor."""
    played = [plain_trace(case.start, SEED, 3, CAP) for case in cases()]
    games = [{"states": states, "sums": [f"{number:x}"]} for states, number in played]
    return games, [native_answers(level, seen()) for level in LEVELS]


@pytest.mark.parametrize("ask", [ask_node, ask_chromium])
def test_games_and_the_moves_of_every_level_are_the_same(ask: Callable[[list[dict[str, Any]]], list[Any]]) -> None:
    answers = ask(
        [
            *(traces(case, SEED, 3, 4, CAP) for case in cases()),
            *(levels_question(level, seen()) for level in LEVELS),
        ]
    )
    games, levels = expected()
    for case, found, played in zip(cases(), answers, games, strict=False):
        assert found == played, case
    for level, found, native in zip(LEVELS, answers[len(cases()) :], levels, strict=True):
        assert as_native(found) == native, level
