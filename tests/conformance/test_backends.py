"""Plain and compiled rules give the same states in whole games of every game and edition with 2 to 5 seats."""

import pytest
from tests.conformance.tracing import Case, cases, compare

GAMES = 100


@pytest.mark.parametrize("case", cases(), ids=str)
def test_a_hundred_games_are_the_same_on_plain_and_cpu(case: Case) -> None:
    assert compare(case, 2026, range(GAMES)) > GAMES * 20


def test_every_rule_set_is_among_the_cases() -> None:
    from cartagena.rulesets import names

    assert {(name, case.seats) for case in cases() for name in case.names} == {
        (name, seats) for name in names() for seats in range(2, 6)
    }
