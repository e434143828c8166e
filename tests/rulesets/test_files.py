"""Rule sets from TOML files."""

from pathlib import Path
from typing import Any

import pytest
from tests.support import booklet

from cartagena.rulesets import RuleSet, RuleSetError, by_name, from_data, from_file, from_toml, load, vary

EVERYTHING = """
base = "tortuga-en+pass"
style = "random"
pieces = 8
pirates = 3
deal = 2
actions = 4
cards = 10
seats = 4
return = false
"""


def test_a_file_changes_what_it_names_and_keeps_the_rest() -> None:
    rules = from_toml(EVERYTHING)
    assert rules.name == "tortuga-en+pass-return+actions4+cards10"
    assert (rules.style, rules.pieces, rules.pirates, rules.deal, rules.seats) == ("random", 8, 3, 2, 4)
    assert rules.open_hands
    assert not rules.hidden_hands


def test_a_file_that_changes_nothing_is_the_edition() -> None:
    assert from_toml('base = "nest-nl"') == by_name("nest-nl")
    assert by_name("nest-nl").hidden_hands


@booklet("nest", "preparation", "two pieces make the first island, three the second")
@pytest.mark.parametrize("entry", ["pieces = 5", "islands = [2, 3]"])
def test_the_nest_is_always_two_and_three_pieces(entry: str) -> None:
    assert from_toml(f'base = "nest-nl"\n{entry}').islands == (2, 3)


@booklet("en de nl sv", "preparations", "six pieces make one passage")
@pytest.mark.parametrize(("entry", "pieces"), [("pieces = 1", 1), ("islands = [6]", 6)])
def test_a_tunnel_is_one_row_of_pieces(entry: str, pieces: int) -> None:
    assert from_toml(f'base = "jamaica-en"\n{entry}').islands == (pieces,)
    assert by_name("jamaica-en").islands == (6,)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", 'own.toml: base must name the rule set to start from, for example base = "jamaica-en".'),
        ("base = 3", "own.toml: base must name the rule set"),
        ('base = "jamaica-xx"', "own.toml: base: jamaica-xx is not a rule set; there are jamaica-en"),
        ('base = "jamaica-en"\nseats = 9', "own.toml: seats must be a whole number from 2 to 5, not 9."),
        ('base = "jamaica-en"\nseats = 1', "own.toml: seats must be a whole number from 2 to 5, not 1."),
        ('base = "jamaica-en"\npirates = 0', "own.toml: pirates must be a whole number from 1 to 8, not 0."),
        ('base = "jamaica-en"\npirates = 9', "own.toml: pirates must be a whole number from 1 to 8, not 9."),
        ('base = "jamaica-en"\ndeal = 13', "own.toml: deal must be a whole number from 0 to 12, not 13."),
        ('base = "jamaica-en"\ndeal = 2.5', "own.toml: deal must be a whole number from 0 to 12, not 2.5."),
        ('base = "jamaica-en"\ndeal = true', "own.toml: deal must be a whole number from 0 to 12, not True."),
        ('base = "jamaica-en"\ncards = "many"', "own.toml: cards must be a whole number from 2 to 20, not 'many'."),
        ('base = "jamaica-en"\ncards = [1]', "own.toml: cards must be a whole number from 2 to 20, not a list."),
        ('base = "jamaica-en"\n[pirates]', "own.toml: pirates must be a whole number from 1 to 8, not a table."),
        (
            'base = "jamaica-en"\n[cards]',
            "own.toml: cards must be a whole number or a table with the number of some signs.",
        ),
        ('base = "jamaica-en"\ncards = 2020-01-01', "from 2 to 20, not a date or time."),
        ('base = "jamaica-en"\nactions = 6', "own.toml: actions must be a whole number from 1 to 5, not 6."),
        ('base = "jamaica-en"\npass = 1', "own.toml: pass must be true or false, not 1."),
        ('base = "jamaica-en"\ncrew = true', "own.toml: crew has no meaning in jamaica, it must be off."),
        ('base = "jamaica-en"\nstyle = "round"', "own.toml: style must be printed or random, not 'round'."),
        (
            'base = "jamaica-en"\ncolour = "red"',
            "own.toml: colour is not a key; the keys are base, name, title, signs, board, pieces",
        ),
        ('base = "jamaica-en"\npieces = 7', "own.toml: pieces must be one number from 1 to 6 (to 8 with style random)"),
        ('base = "jamaica-en"\npieces = 0', "own.toml: pieces must be one number from 1 to 6"),
        ('base = "jamaica-en"\nstyle = "random"\npieces = 9', "pieces must be one number from 1 to 8 in one tunnel"),
        ('base = "jamaica-en"\nislands = [2, 3]', "islands must be one number from 1 to 6"),
        ('base = "jamaica-en"\nislands = []', "in one tunnel, not an empty list."),
        ('base = "jamaica-en"\nislands = 6', "own.toml: islands must be a list of whole numbers."),
        ('base = "jamaica-en"\npieces = true', "own.toml: pieces must be a whole number."),
        (
            'base = "nest-nl"\nislands = [5]',
            "own.toml: islands must be two numbers from 1, 5 in all, in the nest, not 5.",
        ),
        ('base = "nest-nl"\npieces = 4', "own.toml: pieces must be 5 in the nest, not 4."),
        (
            'base = "jamaica-en"\ncards = 2\ndeal = 7',
            "own.toml: deal must be from 0 to 6 with 2 seats and 12 cards, not 7.",
        ),
        (
            'base = "jamaica-en"\ncards = 2\ndeal = 3\nseats = 5',
            "own.toml: deal must be from 0 to 2 with 5 seats and 12 cards, not 3.",
        ),
        ('base = "jamaica-en', "own.toml: not valid TOML (Unterminated string"),
        ("base = = 3", "own.toml: not valid TOML (Invalid value (at line 1"),
        ("a = " + "[" * 5000, "own.toml: not valid TOML (nested too deeply)."),
        ("a = " + "9" * 5000, "own.toml: not valid TOML (Exceeds the limit"),
        ('base = "jamaica-en"\ncards = 0x' + "f" * 9000, "not a number with too many digits."),
        ('base = "jamaica-en"\ncards = "' + "x" * 9000 + '"', "xxx..."),
        ('base = "jamaica-en"\ncards' + ".a" * 9000 + " = 1", "cards: a is not a sign in play"),
        ("#" * 70000, "own.toml: is larger than 65536 bytes."),
    ],
)
def test_a_wrong_value_is_refused_with_file_key_and_range(text: str, sentence: str) -> None:
    with pytest.raises(RuleSetError) as caught:
        from_toml(text, "own.toml")
    message = str(caught.value)
    assert sentence in message
    assert message.startswith("own.toml: ")
    assert len(message) < 400
    assert "\n" not in message


def test_a_long_random_tunnel_cannot_be_made_a_printed_one() -> None:
    rules = from_toml(EVERYTHING)
    with pytest.raises(RuleSetError, match="pieces must be from 1 to 6 with style printed, not 8"):
        vary(rules, {"style": "printed"}, "here")


def test_a_file_is_read_from_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(EVERYTHING, encoding="utf-8")
    assert load(str(path)) == from_file(path) == from_toml(EVERYTHING)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"base = '\xff'", "cannot be read: it is not UTF-8 text."),
        (b"#" * 70000, "is larger than 65536 bytes."),
        (b"\xc3\xa4" * 40000, "is larger than 65536 bytes."),
    ],
)
def test_a_file_that_is_not_a_small_text_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(content)
    with pytest.raises(RuleSetError) as caught:
        load(str(path))
    assert str(caught.value) == f"{path}: {sentence}"


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(RuleSetError, match="cannot be read: "):
            from_file(path)


def test_changing_nothing_gives_the_same_rule_set() -> None:
    rules: RuleSet = by_name("jamaica-en")
    assert rules.with_() is rules
    assert vary(rules, {}, "here") == rules


@pytest.mark.parametrize(
    ("key", "value"), [("pirates", 9), ("deal", -1), ("actions", 0), ("cards", 21), ("seats", 6), ("islands", ())]
)
def test_a_rule_set_outside_the_ranges_cannot_exist(key: str, value: object) -> None:
    with pytest.raises(RuleSetError, match=r"must be from \d to"):
        by_name("jamaica-en").with_(**{key: value})


@pytest.mark.parametrize(
    ("name", "changes", "sentence"),
    [
        ("jamaica-en", {"foo": 1}, "foo cannot be changed; what can are pirates, "),
        ("jamaica-en", {"letters": "BDK"}, "letters cannot be changed"),
        ("jamaica-en", {"open_hands": 1}, "open_hands must be true or false, not 1."),
        ("jamaica-en", {"board": 1}, "board must be a text, not 1."),
        (
            "jamaica-en",
            {"board": "BDK", "islands": (1,)},
            "board must have pieces with each of BDHKPS once, not 'BDK'.",
        ),
        ("jamaica-en", {"title": "two\nlines"}, "title must be one line of 1 to 80 characters, not 'two"),
        ("jamaica-en", {"variant": "my own"}, "variant must be 1 to 40 letters, digits, _ . or -, not 'my own'."),
        ("jamaica-en", {"board": "BDHKPS"}, "board has 1 pieces, islands has 6."),
        ("jamaica-en", {"deck": (1, 2)}, "cards must have a number for each of BDHKPS."),
        ("jamaica-en", {"deck": (0,) * 6}, "cards of a sign must be from 0 to 20, and not 0 of all."),
        ("jamaica-en", {"extra": (13,)}, "extra must have at most 5 numbers from 0 to 12."),
        ("jamaica-en", {"pirates": "3"}, "pirates must be a whole number, not '3'."),
        ("jamaica-en", {"pirates": True}, "pirates must be a whole number, not True."),
        ("jamaica-en", {"pirates": None}, "pirates must be a whole number, not None."),
        ("jamaica-en", {"may_pass": 1}, "may_pass must be true or false, not 1."),
        ("jamaica-en", {"style": "painted"}, "style must be printed or random, not 'painted'."),
        ("jamaica-en", {"islands": 3}, "islands must be a tuple of whole numbers, not 3."),
        ("jamaica-en", {"islands": (2, 3)}, "islands must be like [6], not [2, 3]."),
        ("nest-nl", {"islands": (3, 3)}, "islands must be from 1 to 5 in all with style printed, not 6."),
        ("jamaica-en", {"islands": (7,)}, "pieces must be from 1 to 6 with style printed, not 7."),
        ("jamaica-en", {"crew": True}, "crew has no meaning in jamaica, it must be off."),
        ("nest-nl", {"may_return": True}, "return has no meaning in nest, it must be off."),
        ("jamaica-en", {"deal": 12, "cards": 2, "seats": 5}, "deal must be from 0 to 2 with 5 seats and 12 cards"),
    ],
)
def test_a_changed_rule_set_is_checked(name: str, changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(RuleSetError) as caught:
        by_name(name).with_(**changes)
    assert str(caught.value).startswith(f"{name}: {sentence}")


def test_what_a_rule_set_is_made_of_makes_it_again() -> None:
    rules = by_name("jamaica-en+pass").with_(pirates=3, seats=None, islands=(8,), style="random")
    assert rules.to_data() == {"base": "jamaica-en", "pieces": 8, "pirates": 3, "style": "random", "pass": True}
    assert from_data(rules.to_data()) == rules
    assert from_data(rules.to_data()).digest == rules.digest
    others = [by_name("jamaica-en"), by_name("jamaica-de"), rules.with_(deal=5), rules.with_(seats=4)]
    assert len({rules.digest, *(other.digest for other in others)}) == 5
    assert by_name("nest-nl").to_data() == {"base": "nest-nl"}


def test_a_new_ruling_changes_the_hash_of_its_game_alone() -> None:
    hashes = {name: by_name(name).digest for name in ("jamaica-en", "tortuga-de", "hispaniola-sv", "nest-nl")}
    before = {"jamaica-en": "61a139f38c71084f", "tortuga-de": "8a61516a67153cfc", "hispaniola-sv": "addcf9f2cb898236"}
    assert hashes == {**before, "nest-nl": "0b4e7e63b46872c5"}, "files of results name these hashes"
    assert (by_name("jamaica-en").rulings, by_name("nest-nl").rulings) == (1, 2)
