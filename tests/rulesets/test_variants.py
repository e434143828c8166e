"""Variants: what files may change, and how they travel."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.variants import EVERY_KEY, every_key, variants

from cartagena import Game, ImpossiblePosition, NotationError, Position, Record, RuleSetError
from cartagena.rulesets import browser, by_name, compile_table, from_data, from_toml, rule_set, rule_sets, vary
from cartagena.rulesets.toml_files import OWN_KEYS


def test_the_examples_use_every_key() -> None:
    assert {key for entries in EVERY_KEY.values() for key in entries} == set(OWN_KEYS)


@pytest.mark.parametrize("name", EVERY_KEY)
def test_a_variant_is_its_own_value_with_the_name_of_its_base(name: str) -> None:
    rules = every_key()[name]
    base = by_name(EVERY_KEY[name]["base"])
    assert rules.name.startswith(base.name)
    assert rules.is_variant
    assert rules != base
    assert rules.digest != base.digest
    assert from_data(rules.to_data()) == rules
    assert eval(repr(rules), {"from_data": from_data}) == rules
    assert rule_set(rules, pieces=rules.pieces) == rules


def test_names_and_titles_change_no_hash_and_no_name() -> None:
    rules = from_toml('base = "jamaica-en"\nname = "mine"\ntitle = "My own"')
    assert (rules.name, rules.variant, rules.title) == ("jamaica-en", "mine", "My own")
    assert rules.content_hash == by_name("jamaica-en").content_hash


def test_the_hashes_of_the_editions_are_those_of_the_first_version() -> None:
    assert by_name("jamaica-en").digest == "61a139f38c71084f"
    assert by_name("nest-nl").digest == "0b4e7e63b46872c5"


def test_equal_numbers_of_cards_are_one_number() -> None:
    deck = dict.fromkeys("BDHKPS", 9)
    assert from_data({"base": "jamaica-en", "cards": deck}) == by_name("jamaica-en+cards9")
    fewer = from_data({"base": "jamaica-en", "cards": {"B": 3}})
    assert rule_set(fewer, cards=5) == by_name("jamaica-en+cards5")
    assert vary(fewer, {"signs": "BDK"}, "here").counts == (3, 17, 17)
    assert from_data({"base": "jamaica-en", "extra": [0, 0], "draw": "as many"}) == by_name("jamaica-en")


def test_a_changed_rule_set_is_what_its_file_says() -> None:
    """By its entries, its repr and a saved game it is the same again, also where the base's name says its cards."""
    base = by_name("jamaica-en")
    fewer = from_data({"base": "jamaica-en+pass+cards5", "cards": {"B": 9}, "deal": 2})
    assert (fewer.name, fewer.with_(cards=7).name) == ("jamaica-en+pass+cards5", "jamaica-en+pass+cards7")
    changed = [base.with_(deck=(9,) * 6), base.with_(extra=(1, 0, 0)), base.with_(extra=(0,)), fewer.with_(cards=7)]
    for rules in (fewer, *changed):
        assert from_data(rules.to_data()) == rules
        assert eval(repr(rules), {"from_data": from_data, "rule_set": rule_set}) == rules
        assert Game.from_record(Record.parse(str(Game.new(rules, seed=1).record()))).rules == rules
    assert changed[0] == by_name("jamaica-en+cards9")


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ({"name": "my own"}, "name must be 1 to 40 letters, digits, _ . or -, not 'my own'."),
        ({"title": ""}, "title must be one line of 1 to 80 characters, not ''."),
        ({"title": "a\nb"}, "title must be one line of 1 to 80 characters"),
        ({"signs": "BDX"}, "signs must be letters of BDHKPS, each at most once, not 'BDX'."),
        ({"signs": "BDD"}, "signs must be letters of BDHKPS, each at most once, not 'BDD'."),
        ({"signs": "BD"}, "signs must be at least 3 of BDHKPS, not 'BD'."),
        ({"cards": {"X": 3}}, "cards: X is not a sign in play; those are BDHKPS."),
        ({"cards": {"B": 21}}, "cards: B must be a whole number from 0 to 20, not 21."),
        ({"cards": {"B": True}}, "cards: B must be a whole number from 0 to 20, not True."),
        ({"cards": dict.fromkeys("BDHKPS", 0)}, "cards of a sign must be from 0 to 20, and not 0 of all."),
        ({"hands": "shown"}, "hands must be open or hidden, not 'shown'."),
        ({"draw": 3}, 'draw must be 1, 2 or "as many", not 3.'),
        ({"draw": True}, 'draw must be 1, 2 or "as many", not True.'),
        ({"row": 13}, "row must be a whole number from 0 to 12, not 13."),
        ({"limit": 5}, "limit has no meaning in jamaica, which has no freebooters; hold is for all."),
        ({"hold": 41}, "hold must be a whole number from 0 to 40, not 41."),
        ({"home": 7}, "home must be from 1 to 6, the number of pirates, or 0 for all, not 7."),
        ({"extra": 1}, "extra must be a list of at most 5 whole numbers from 0 to 12, one for each seat."),
        ({"extra": [0, 13]}, "extra must be a list of at most 5 whole numbers from 0 to 12, one for each seat."),
        ({"cards": 2, "deal": 4, "extra": [1]}, None),
        ({"cards": 2, "deal": 6, "extra": [0, 1]}, "deal must be from 0 to 5 with 2 seats and 12 cards and 1 of them"),
        ({"board": ""}, "board must be a text such as BPHSDK/DBKPHS, not ''."),
        ({"board": 7}, "board must be a text such as BPHSDK/DBKPHS, not 7."),
        ({"board": "BDHKPB"}, "board must have pieces with each of BDHKPS once, not 'BDHKPB'."),
        ({"board": "BDHKPS|BDHKPS"}, "islands must be like [6], not [1, 1]."),
        ({"board": "BDHKPS", "pieces": 2}, "pieces must be as many pieces as board has, or be left out."),
        ({"base": "nest-nl", "row": 3}, "row must be 0 in the nest, where freebooters cannot lie in an open row."),
        (
            {"base": "nest-nl", "islands": [4, 2]},
            "islands must be two numbers from 1, 5 in all, in the nest, not 4, 2.",
        ),
        ({"base": "nest-nl", "islands": [4, 3], "style": "random"}, "islands must be two numbers from 1, 6 in all,"),
    ],
)
def test_what_the_rules_cannot_express_is_refused_with_its_key(
    entries: dict[str, object], sentence: str | None
) -> None:
    data = {"base": "jamaica-en", **entries}
    if sentence is None:
        from_data(data, "mine")
        return
    with pytest.raises(RuleSetError) as caught:
        from_data(data, "mine")
    assert f"mine: {sentence}" in str(caught.value)


def test_a_board_stays_where_its_pieces_are_counted() -> None:
    fixed = every_key()["board"]
    assert rule_set(fixed, pieces=3) == fixed
    with pytest.raises(RuleSetError, match="pieces must be as many pieces as board has"):
        rule_set(fixed, pieces=4)


@settings(max_examples=15, deadline=None)
@given(variants())
def test_a_record_has_the_whole_variant(entries: dict[str, object]) -> None:
    rules = from_data(entries)
    assert from_data(rules.to_data()) == rules
    game = Game.new(rules, seats=2, seed=1)
    game.play(game.legal_moves[0])
    record = game.record()
    for read in (Record.parse(str(record)), Record.from_json(record.to_json())):
        assert read == record
        assert read.opening.rules == rules
    assert Game.from_record(record) == game
    assert Position(str(game.position), rules) == game.position
    assert record.tags["Rules"] == rules.name


def test_a_saved_game_has_its_rule_set_again(tmp_path: Path) -> None:
    for rules in (*every_key().values(), rule_set("jamaica-en", pirates=3, deal=2), by_name("tortuga-de+cards9")):
        game = Game.new(rules, seed=3)
        game.save(tmp_path / "game.txt", overwrite=True)
        assert Game.load(tmp_path / "game.txt").rules == rules
        assert ("Variant" in game.record().tags) == rules.is_variant


def test_a_text_of_a_variant_is_read_with_its_rule_set_only() -> None:
    rules = every_key()["tunnel"]
    position = Game.new(rules, seed=1).position
    with pytest.raises(ImpossiblePosition, match="must show each sign once"):
        Position(str(position))
    with pytest.raises(NotationError, match="the position is one of jamaica-en, not of tortuga-en"):
        Position("jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0", by_name("tortuga-en"))


@pytest.mark.parametrize(
    ("tag", "sentence"),
    [
        ("nonsense", "a variant is a JSON object"),
        ("[]", "a variant is a JSON object"),
        ("{}", "the variant: base must name"),
        ('{"base": "jamaica-en", "draw": 9}', "the variant: draw must be 1, 2"),
        ('{"base": "tortuga-en", "draw": 1}', "the position is one of jamaica-en, not of tortuga-en"),
        ("x" * 5000, "a variant is a JSON object"),
    ],
)
def test_a_wrong_variant_in_a_record_is_refused(tag: str, sentence: str) -> None:
    opening = "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0"
    with pytest.raises(NotationError, match=sentence.replace("[", ".")):
        Record.from_json({"opening": opening, "tags": {"Variant": tag}})


def test_tags_of_sizes_that_fit_no_game_are_as_good_as_none() -> None:
    opening = "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0"
    for tags in ({"Pirates": "many"}, {"Pirates": "99"}, {"Style": "painted"}):
        assert Record.from_json({"opening": opening, "tags": tags}).opening.rules == by_name("jamaica-en")


def test_rule_sets_are_numbers_for_a_browser() -> None:
    for rules in (*rule_sets(), *every_key().values()):
        told = (
            browser.variant(rules)
            if rules.is_variant
            else {**browser.numbers(rules), "changes": browser.changes(rules)}
        )
        for seats, change in told["changes"]["seats"].items():
            table = {str(index): number for index, number in enumerate(told["table"])} | change
            compiled = compile_table(rules, int(seats), rules.pieces, rules.pirates)
            assert list(table.values()) == list(map(str, compiled))
        assert sum(told.get("variant", {}).get("counts", ())) == sum(rules.counts) * rules.is_variant
    with pytest.raises(ValueError, match="more of a rule table than it should"):
        browser.difference((1, 2), (3, 4), (0,))
