"""``--rules``: every verb that reads a position or a record reads it by the given rule set."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.helpers import called, refused
from tests.game.deal_vectors import dealt

from cartagena import Record
from cartagena.game.variants import VARIANT, variant_text
from cartagena.rulesets import from_file

ONE_HOME = 'base = "jamaica-en"\nname = "one-home"\npirates = 2\npieces = 1\nhome = 1\n'
NEARLY = "jamaica-en SPBKDH 2,6/s,s HP/HS2 - B17D17H15K17P16S15 - - 1.0"
"""The first seat can bring a pirate home, which wins by these rules and not by those of the package."""
WON = "jamaica-en SPBKDH 2,b/s,s P/HS2 - B17D17H15K17P16S15 H - =1"
PLAYED = WON.replace("=1", "1.1")
SOLVABLE = "tortuga-en+actions1+cards3 PKDHSB/HDKBPS 7,12/7,12 KS/BK DKDPBP BDH3PS2 - - 2.0"

Say = Callable[..., str]


@pytest.fixture
def rules(tmp_path: Path) -> str:
    file = tmp_path / "one-home.toml"
    file.write_text(ONE_HOME)
    return str(file)


def say(*arguments: str) -> str:
    """What a call prints that succeeds."""
    done = called(*arguments)
    assert (done.returncode, done.stderr) == (0, ""), done
    return done.stdout.rstrip("\n")


def test_a_position_is_played_by_the_rules_of_the_file(rules: str) -> None:
    own = ("--rules", rules)
    assert say("apply", NEARLY, "6:H") == PLAYED
    assert say("apply", NEARLY, "6:H", *own) == WON
    assert say("legal", WON, *own) == ""
    assert refused(called("legal", WON)) == "turn: that seat has not all its pirates home."
    assert refused(called("legal", PLAYED, *own)) == "turn: a seat has 1 pirate home, so it has won."
    assert int(say("perft", "2", NEARLY, *own)) < int(say("perft", "2", NEARLY))
    assert say("show", WON, *own) != say("show", PLAYED)


def test_a_small_game_is_solved_by_the_rules_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "quick.toml"
    file.write_text('base = "tortuga-en+actions1+cards3"\nname = "quick"\nhome = 1\n')
    assert json.loads(say("solve", SOLVABLE, "--json", "--rules", str(file)))["value"] == [0.0, 1.0]
    assert json.loads(say("solve", SOLVABLE, "--json"))["value"] != [0.0, 1.0]
    assert refused(called("solve", "--rules", str(file))) == "--rules belongs to a position."


def test_a_record_without_its_variant_is_replayed_by_the_rules_of_the_file(tmp_path: Path, rules: str) -> None:
    record = tmp_path / "game.txt"
    record.write_text(f"{NEARLY}\n6:H\n")
    assert json.loads(say("replay", str(record), "--json"))["result"] == "*"
    told = json.loads(say("replay", str(record), "--json", "--rules", rules))
    assert (told["result"], told["turns"][-1]["position"]) == ("1", WON)
    assert told["tags"][VARIANT] == variant_text(from_file(rules))
    assert say("show", str(record), "--rules", rules) == say("show", WON, "--rules", rules)
    assert "not over" in refused(called("review", str(record), "--nodes", "1"))
    assert "Seat 1 (seat 1) won" in say("review", str(record), "--nodes", "1", "--rules", rules)


def test_a_deal_whose_record_lacks_the_variant_is_verified_by_the_rules_of_the_file(tmp_path: Path, rules: str) -> None:
    whole = dealt({"Rules": "jamaica-en", "Salt1": "rum", VARIANT: variant_text(from_file(rules))}, 2, 4)
    record = tmp_path / "deal.txt"
    record.write_text("\n".join(line for line in str(whole).splitlines() if not line.startswith(f"[{VARIANT} ")))
    assert "follow from it" in say("verify", str(record), "--rules", rules)
    assert "set-up, is not the one that was promised" in refused(called("verify", str(record)))


def test_other_rules_than_those_of_the_text_are_refused(tmp_path: Path, rules: str) -> None:
    other, own = tmp_path / "other.toml", tmp_path / "own.txt"
    other.write_text('base = "tortuga-en"\nrow = 5\n')
    sentence = "Rule set: the position is one of jamaica-en, not of tortuga-en."
    for verb in (("legal", NEARLY), ("apply", NEARLY, "6:H"), ("perft", "1", NEARLY), ("show", NEARLY)):
        assert refused(called(*verb, "--rules", str(other))) == sentence
    own.write_text(say("new", rules, "--seed", "1", "--record"))
    assert say("replay", str(own), "--rules", rules) == say("replay", str(own))
    other.write_text('base = "jamaica-en"\ndraw = 2\n')
    assert refused(called("replay", str(own), "--rules", str(other))) == (
        f"{own}: the record has rules of its own, the variant one-home, and they are not the given ones."
    )


@pytest.mark.parametrize("verb", ["legal", "apply", "perft", "show", "solve", "replay", "review", "verify"])
def test_a_wrong_file_of_rules_is_one_sentence(verb: str) -> None:
    words = {"perft": ("1", NEARLY), "apply": (NEARLY, "6:H")}.get(verb, (NEARLY,))
    assert (
        refused(called(verb, *words, "--rules", "no-such.toml"))
        == "no-such.toml: cannot be read: No such file or directory."
    )


def test_a_record_reads_its_positions_by_given_rules(rules: str) -> None:
    record = Record.parse(f"{NEARLY}\n6:H", from_file(rules))
    assert (record.tags["Result"], record.opening.rules) == ("1", from_file(rules))
    assert Record.parse(str(record), from_file(rules)) == Record.parse(str(record)) == record
    assert Record.from_json({"opening": NEARLY, "moves": [{"move": "6:H"}]}, from_file(rules)) == record
