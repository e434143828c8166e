"""Rule sets by name: games, editions, options."""

from pathlib import Path
from typing import Any

import pytest
from tests.support import booklet

from cartagena.rulesets import (
    RuleSet,
    RuleSetError,
    by_name,
    compile_table,
    editions,
    load,
    names,
    rule_set,
    rule_sets,
    vary,
)


def test_the_package_has_four_games_in_all_their_editions() -> None:
    assert names() == (
        *(f"{game}-{edition}" for game in ("jamaica", "tortuga", "hispaniola") for edition in ("en", "de", "nl", "sv")),
        "nest-nl",
    )
    assert editions("nest") == ("nl",)
    with pytest.raises(RuleSetError, match="there is no game 'zz'; the games are"):
        editions("zz")


def test_no_table_has_less_than_nothing() -> None:
    with pytest.raises(RuleSetError, match="there cannot be -1 seats, pieces or pirates"):
        compile_table(by_name("jamaica-en"), -1, 6, 6)


@pytest.mark.parametrize("name", names())
def test_each_rule_set_knows_its_name_and_says_why(name: str) -> None:
    rules = by_name(name)
    assert rules.name == name
    assert rules.options == ""
    assert rules.booklet
    assert {"pass", "return", "actions", "cards", "deal", "pirates", "islands", "hands", "row"} <= set(rules.because)


@booklet("de", "the game", "passing is part of the edition")
@booklet("en nl sv", "how to play", "no passing in the edition")
@pytest.mark.parametrize("game", ["jamaica", "tortuga", "hispaniola"])
def test_only_the_german_edition_lets_a_turn_pass(game: str) -> None:
    assert {edition: by_name(f"{game}-{edition}").may_pass for edition in editions(game)} == {
        "en": False,
        "de": True,
        "nl": False,
        "sv": False,
    }


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("jamaica-en+pass", "jamaica-en+pass"),
        ("jamaica-de+pass", "jamaica-de"),
        ("jamaica-de-pass", "jamaica-de-pass"),
        ("jamaica-en+return", "jamaica-en"),
        ("jamaica-en-return", "jamaica-en-return"),
        ("jamaica-en-crew", "jamaica-en"),
        ("nest-nl-return", "nest-nl"),
        ("nest-nl+crew", "nest-nl"),
        ("nest-nl-crew", "nest-nl-crew"),
        ("jamaica-en+actions3", "jamaica-en"),
        ("jamaica-en+cards17", "jamaica-en"),
        ("nest-nl+cards15", "nest-nl"),
        ("nest-nl+cards17", "nest-nl+cards17"),
        ("tortuga-sv+pass-return+actions5+cards20", "tortuga-sv+pass-return+actions5+cards20"),
        ("tortuga-sv+cards2+actions1-return+pass", "tortuga-sv+pass-return+actions1+cards2"),
    ],
)
def test_options_that_change_nothing_are_dropped_and_the_others_are_sorted(written: str, canonical: str) -> None:
    assert by_name(written).name == canonical
    assert by_name(canonical) == by_name(written)
    assert load(written).name == canonical


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("jamaica\n\x1b[31m-en", "jamaica\ufffd\ufffd.31m-en is not a rule set"),
        ("", "an empty name is not a rule set; there are jamaica-en"),
        ("chess-en", "chess-en is not a rule set"),
        ("jamaica", "jamaica is not a rule set"),
        ("jamaica-fr", "jamaica-fr is not a rule set"),
        ("nest-en", "nest-en is not a rule set"),
        ("jamaica-en+", "is not a rule set"),
        ("jamaica-en pass", "is not a rule set"),
        ("jamaica-en+fly", r"\+fly is not an option; options are \+pass"),
        ("jamaica-en+pass1", r"\+pass1 is not an option"),
        ("jamaica-en-cards5", "-cards5 is not an option"),
        ("jamaica-en+cards", r"\+cards is not an option"),
        ("jamaica-en+cards05", r"\+cards05 is not an option"),
        ("jamaica-en+cards21", "cards must be a whole number from 2 to 20, not 21"),
        ("jamaica-en+cards1", "cards must be a whole number from 2 to 20, not 1"),
        ("jamaica-en+actions0", "actions must be a whole number from 1 to 5, not 0"),
        ("jamaica-en+actions6", "actions must be a whole number from 1 to 5, not 6"),
        ("jamaica-en+cards" + "9" * 1000, "is not an option"),
        ("jamaica-en+pass-pass", "the option pass is given twice"),
        ("jamaica-en+crew", "crew has no meaning in jamaica, it must be off"),
        ("nest-nl+return", "return has no meaning in nest, it must be off"),
    ],
)
def test_a_name_that_is_not_a_rule_set_is_refused_in_one_short_sentence(name: str, sentence: str) -> None:
    with pytest.raises(RuleSetError, match=sentence) as caught:
        by_name(name)
    assert len(str(caught.value)) < 400
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (None, "a rule set has a name, such as jamaica-en, not None"),
        (b"jamaica-en", "a rule set has a name, such as jamaica-en, not b'jamaica-en'"),
        ("my\0rules.toml", "cannot be read: it is not the name of a file"),
        ("absent.toml", "absent.toml: cannot be read: No such file or directory"),
    ],
)
def test_what_names_no_rule_set_and_no_file_is_refused_in_a_sentence(name: Any, sentence: str) -> None:
    with pytest.raises(RuleSetError, match=sentence):
        load(name)


@pytest.mark.parametrize(
    "rules",
    [
        *map(by_name, names()),
        by_name("jamaica-en+pass+actions5"),
        vary(by_name("nest-nl-crew"), {"pirates": 3, "deal": 2, "seats": 4}, "x"),
        vary(by_name("tortuga-de"), {"style": "random", "pieces": 8, "cards": 9}, "x"),
    ],
    ids=lambda rules: rules.name,
)
def test_a_rule_set_can_be_typed_in(rules: RuleSet) -> None:
    again = eval(repr(rules), {"rule_set": rule_set})
    assert again == rules
    assert (again.name, again.options, again.because) == (rules.name, rules.options, rules.because)


def test_a_rule_set_is_read_by_name_or_from_a_file_and_varied(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('base = "nest-nl"\npirates = 3\n')
    mine = rule_set(str(tmp_path / "mine.toml"), deal=2)
    assert mine == rule_set(rule_set("nest-nl", deal=2), pirates=3) == rule_set("nest-nl", pirates=3, deal=2)
    assert [rules.name for rules in rule_sets()] == list(names())
    with pytest.raises(RuleSetError, match="nest-nl: pirates must be a whole number from 1 to 8, not 9"):
        rule_set("nest-nl", pirates=9)


def test_the_browser_table_lists_the_editions_of_this_version() -> None:
    """If this fails: python tools/editions.py > web/src/game/editions.ts"""
    from tools.editions import typescript

    assert Path("web/src/game/editions.ts").read_text(encoding="utf-8") == typescript()
