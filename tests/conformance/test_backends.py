"""Plain and compiled rules give the same states in whole games of every game and edition with 2 to 5 seats."""

import pytest
from tests.conformance.tracing import Case, cases, compare

GAMES = 15
WHOLE = 100
"""Games of each case before a release; ``make conformance`` plays 10,000."""


@pytest.mark.parametrize("case", cases(), ids=str)
def test_games_are_the_same_on_plain_and_cpu(case: Case, request: pytest.FixtureRequest) -> None:
    games = WHOLE if request.config.getoption("whole") else GAMES
    assert compare(case, 2026, range(games)) > games * 20


def test_every_rule_set_is_among_the_cases() -> None:
    from cartagena.rulesets import names

    assert {(name, case.seats) for case in cases() for name in case.names} == {
        (name, seats) for name in names() for seats in range(2, 6)
    }
