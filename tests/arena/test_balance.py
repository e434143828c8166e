"""How balanced a rule set is: what is counted, said and drawn."""

import xml.etree.ElementTree as ET

from tests.variants import every_key

from cartagena.arena import Result
from cartagena.arena.balance import Balance, BalanceConfig, measure
from cartagena.backends import rollouts
from cartagena.rulesets import RuleSet, by_name


def made(results: list[Result], rules: RuleSet | None = None) -> Balance:
    random = rollouts("jamaica-en", games=4, seed=1, backend="plain")
    return Balance(rules or by_name("jamaica-en"), 2, "sailor", random, results)


def test_a_variant_is_measured_told_and_drawn() -> None:
    rules = every_key()["tunnel"]
    found = measure(BalanceConfig(rules, player="sailor", games=30, level_games=6), backend="plain")
    data = found.data()
    assert data["rules"] == rules.to_data()
    assert (data["seats"], data["random"]["games"], data["level"]["games"]) == (3, 30, 6)
    assert sum(each["won"] for each in data["random"]["by-seat"]) + data["random"]["deadlocks"] == 30
    assert found.text().startswith("narrow: The narrow tunnel, 3 seats\n30 random games: ")
    picture = ET.fromstring(found.svg())
    bars = [each for each in picture.iter() if each.tag.endswith("rect") and each.get("width") not in ("10", "520")]
    assert len(bars) == 6
    assert all(float(each.get("height", "-1")) >= 0 for each in bars)


def test_luck_explains_all_none_or_too_little_to_say() -> None:
    seats = ("sailor", "sailor")
    winners = [1, 2, 1, 2]
    lucky = [
        Result(n, n, seats, winner=won, luck=[0.5, -0.5] if won == 1 else [-0.5, 0.5]) for n, won in enumerate(winners)
    ]
    other = [Result(n, n, seats, winner=won, luck=[0.0, 0.0]) for n, won in enumerate(winners)]
    assert made(lucky).luck == 1.0
    assert made(other).luck == 0.0
    assert made(lucky[:1]).luck is None
    assert made([lucky[0], lucky[2]]).luck is None
    assert "too few games to measure luck" in made(lucky[:1]).text()


def test_games_that_nobody_won_are_counted() -> None:
    found = made([Result(0, 0, ("sailor", "sailor"), winner=0, turns=4), Result(1, 1, ("sailor", "sailor"), turns=8)])
    assert (found.deadlocks, found.unfinished, found.turns) == (1, 1, 6.0)
    assert "no game was decided" in found.text()
    assert found.data()["level"]["by-seat"] == []
    ET.fromstring(found.svg())
