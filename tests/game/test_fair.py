"""The fair deal is bound by the commitment, depends on every salt, is proved card by card, and is unbiased."""

import json
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from cartagena import Move, Record, UnfairDeal
from cartagena.game import fair_deal
from cartagena.game.setup import open_position
from cartagena.rulesets import by_name

from .deal_vectors import PATH, dealt, judged, vectors

SECRET = "5a" * 32


def played(
    rules: str = "jamaica-en", salts: tuple[str, ...] = ("a", "b"), moves: int = 60, secret: str = SECRET
) -> Record:
    """A record dealt from the secret, with the first legal moves that bring cards where there are any."""
    chance = fair_deal.chance_of(secret, salts)
    opening = position = open_position(by_name(rules), len(salts), chance)
    dealt = 0
    done: list[Move] = []
    for _ in range(moves):
        if position.is_over:
            break
        if position.is_chance:
            move = fair_deal.next_card(position, chance, dealt)
            dealt += 1
        else:
            move = position.legal_moves[-1 if len(done) % 4 else 0]
        done.append(move)
        position = position.play(move)
    lots = " ".join(map(str, fair_deal.draw_lots(chance, len(salts))))
    salted = {f"Salt{n}": salt for n, salt in enumerate(salts, 1)}
    tags = {"Rules": rules, **salted, "Lots": lots, "Table": "t1", "Secret": secret}
    return Record(opening, done, {**tags, "Commitment": bound(tags, len(salts))})


def bound(tags: Mapping[str, str], seats: int) -> str:
    """The commitment to these tags."""
    return fair_deal.commitment(tags["Secret"], fair_deal.bound_terms(tags, seats))


def with_tags(record: Record, **tags: str) -> Record:
    return Record(record.opening, record.moves, {**record.tags, **tags})


@pytest.mark.parametrize("rules", ["jamaica-en", "tortuga-en", "hispaniola-de", "nest-nl"])
def test_an_honest_record_is_proved_also_as_text(rules: str) -> None:
    record = played(rules)
    assert "follow from it" in fair_deal.check(record)
    assert fair_deal.check(Record.parse(str(record))) == fair_deal.check(record)


@pytest.mark.parametrize(
    ("tags", "sentence"),
    [
        ({"Secret": "00" * 32}, "not the one that was promised"),
        ({"Salt1": "other"}, "does not follow|do not follow"),
        ({"Lots": "9 9"}, "lots"),
        ({"Pirates": "many"}, "describe no table"),
        ({"Pirates": "9" * 5000}, "describe no table"),
        ({"Pirates": "3"}, "set-up, is not the one"),
    ],
)
def test_a_changed_tag_is_found(tags: dict[str, str], sentence: str) -> None:
    with pytest.raises(UnfairDeal, match=sentence):
        fair_deal.check(with_tags(played(), **tags))


def test_a_changed_card_is_found() -> None:
    record = played()
    number = next(index for index, entry in enumerate(record.moves) if entry.move.is_chance)
    position = list(record.positions())[number]
    other = next(card for card in position.chances() if card != record.moves[number].move.card)
    moves = [*(entry.move for entry in record.moves[:number]), Move(f"+{other}")]
    forged = Record(record.opening, moves, record.tags)
    with pytest.raises(UnfairDeal, match=f"move {number + 1}: .* was dealt, but"):
        fair_deal.check(forged)


# --- what a person can prove who kept the commitment and the salt


SEEN = played().tags["Commitment"]


def test_the_commitment_that_was_seen_and_the_own_salt_prove_that_this_deal_was_promised() -> None:
    told = fair_deal.check(played(), SEEN, ["b"], [2])
    assert told.startswith("Proved: this deal was promised before you added your randomness")
    assert "Not proved" not in told


def test_what_the_record_says_of_computers_is_told_to_be_compared() -> None:
    """A server alone could give a chair to a computer, choose its salt and leave both out of the record."""
    assert "by the record no chair was a computer's at the deal" in fair_deal.check(played(), SEEN, ["b"], [2])
    assert "To compare" not in fair_deal.check(played(), SEEN, ["b"], [2], [])


def test_without_them_it_is_said_what_was_not_proved() -> None:
    assert fair_deal.check(played()).count("Not proved") == 2
    assert "--chair" in fair_deal.check(played(), SEEN, ["a"])
    assert "--salt" in fair_deal.check(played(), SEEN)
    assert "--commitment" in fair_deal.check(played(), salts=["a"])


@pytest.mark.parametrize(
    ("forged", "sentence"),
    [
        (played(secret="5b" * 32), "not the one that you saw"),
        (played(salts=("a", "x")), "'b' that you added is not part"),
        (played(salts=("a", "")), "'b' that you added is not part"),
        (with_tags(played(), Table="t2"), "set-up, is not the one"),
        (with_tags(played(), Computers="1"), "set-up, is not the one"),
        (with_tags(played(), Style="random"), "set-up, is not the one"),
        (with_tags(played(), Deal="5"), "set-up, is not the one"),
        (with_tags(played(), Secret="5b" * 32), "set-up, is not the one"),
        (Record(played().opening, (), {k: v for k, v in played().tags.items() if k != "Lots"}), "set-up"),
    ],
)
def test_a_record_forged_as_a_whole_fails(forged: Record, sentence: str) -> None:
    with pytest.raises(UnfairDeal, match=sentence):
        fair_deal.check(forged, SEEN, ["b"])


@pytest.mark.parametrize("case", json.loads(PATH.read_text(encoding="utf-8")), ids=lambda case: case["name"])
def test_verify_judges_every_record_of_the_vectors_as_the_page_does(case: dict[str, Any]) -> None:
    assert judged(case["name"], Record.parse(case["record"]), case["kept"]) == case


def test_the_vectors_are_those_of_this_package() -> None:
    assert json.loads(PATH.read_text(encoding="utf-8")) == vectors()


def test_a_dealer_that_tries_salts_for_a_computer_or_orders_of_salts_is_found_out() -> None:
    mixed = {"Rules": "jamaica-en", "Table": "t1", "Salt1": "anns", "Computers": "2"}
    wanted = next(record for n in range(999) if "K2" in hand_of(record := dealt({**mixed, "Salt2": f"{n}"}, 2, 0), 2))
    with pytest.raises(UnfairDeal, match="chair 2 was a computer's"):
        fair_deal.check(wanted, wanted.tags["Commitment"], ["anns"], [1])
    people = {"Rules": "jamaica-en", "Table": "t1", "Salt1": "bens", "Salt2": "anns"}
    with pytest.raises(UnfairDeal, match="does not count at your chair 1"):
        fair_deal.check(dealt(people, 2), salts=["anns"], chairs=[1])


@pytest.mark.parametrize("form", [1, 2])
def test_a_promise_that_names_no_computers_proves_nothing(form: int) -> None:
    """After it has heard Ann's randomness, the server tries salts for its computer until that has the hand it wants."""
    tags = {"Rules": "jamaica-en", "Table": "t1", "Salt1": "anns"}
    tried = (dealt({**tags, "Salt2": f"try{number}"}, 2, 0, form) for number in range(9999))
    wanted = next(record for record in tried if "K3" in hand_of(record, 2))
    seen = dealt({**tags, "Salt2": ""}, 2, 0, form).tags["Commitment"]
    assert wanted.tags["Commitment"] == seen, "the server has kept its word, as far as that went"
    with pytest.raises(UnfairDeal, match=r"^not proved: the commitment has an older form"):
        fair_deal.check(wanted, seen, ["anns"], [1])
    with pytest.raises(UnfairDeal, match=r"^not proved: the commitment has an older form"):
        fair_deal.check(wanted)


def test_a_commitment_fits_one_secret_only() -> None:
    """A table of a strange name would let the server choose where the secret ends, and so among several deals."""
    long = {"Rules": "jamaica-en", "Salt1": "anns", "Table": "t1:table=t2", "Secret": "5a"}
    short = {**long, "Table": "t2", "Secret": "5a:table=t1"}
    assert bound(long, 2) == bound(short, 2)
    opening = fair_deal.opening_of(short, 2, fair_deal.chance_of(short["Secret"], ["anns", ""]))
    with pytest.raises(UnfairDeal, match="hexadecimal digits"):
        fair_deal.check(Record(opening, [], {**short, "Commitment": bound(short, 2)}))


def hand_of(record: Record, seat: int) -> str:
    return str(record.opening).split()[3].split("/")[seat - 1]


def test_an_empty_salt_proves_nothing() -> None:
    with pytest.raises(UnfairDeal, match="not part of the deal"):
        fair_deal.check(played(salts=("", "b")), salts=[""])


def test_a_record_without_secret_cannot_be_proved() -> None:
    record = Record(played().opening, [], {})
    with pytest.raises(UnfairDeal, match="no tag Commitment"):
        fair_deal.check(record)


def test_every_salt_moves_the_deal() -> None:
    openings = {str(played(salts=salts, moves=0).opening) for salts in (("", ""), ("a", ""), ("", "a"), ("a", "a"))}
    assert len(openings) == 4
    assert fair_deal.commitment(SECRET) != fair_deal.commitment("5b" * 32)


def test_lots_are_even() -> None:
    starts = Counter(fair_deal.draw_lots(fair_deal.chance_of(f"{n:064x}", ["", "", ""]), 3)[0] for n in range(3000))
    assert all(850 < number < 1150 for number in starts.values())
