"""The one observation: every entry described, nothing hidden in it, the same for all games."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rl.play import TABLES, random_position, redealt
from tests.variants import every_key

from cartagena import Game, Position
from cartagena.kernel import layout as at
from cartagena.rl.spaces import observation
from cartagena.rulesets import from_data

A = (
    "tortuga-en BPHSDK/DBKPHS/PKDHSB/HKPBSD/KBSDHP/HDKBPS s,6,6,17,18,b/s,8,17,17,22,30/s,5,9,12,26,34"
    " BD4H/BHKP/BHKPS BDDHKSPBH B6D5H6K6P6S7 B6D6H6K8P8S8 - 1.0"
)


def test_fields_follow_one_another_and_fill_the_vector() -> None:
    end = 0
    for field in observation.FIELDS:
        assert field.start == end
        end += field.size
    assert end == observation.SIZE
    assert observation.VERSION == 1


def test_the_documentation_lists_every_field_as_it_is() -> None:
    text = (Path(__file__).parents[2] / "docs" / "research.md").read_text(encoding="utf-8")
    for field in observation.FIELDS:
        shape = " × ".join(map(str, field.shape))
        about = field.about.replace("``", "`")
        assert f"| `{field.name}` | {field.start} | {shape} | {field.high} | {about} |" in text
    assert f"version {observation.VERSION}" in text
    assert f"{observation.SIZE} whole numbers" in text
    for name, _, about in observation.RULES:
        assert f"{name} ({about})" in text


def test_no_entry_is_larger_than_the_space_allows_also_in_variants() -> None:
    widest = from_data({"base": "nest-nl", "limit": 20, "actions": 5, "pirates": 8, "cards": 20})
    for rules in (*every_key().values(), widest):
        position = Game.new(rules, seed=1).position
        assert (observation.observe(position.table, position.words, 0) <= observation.HIGH).all(), rules.to_data()


def test_every_field_shows_what_it_says() -> None:
    position = Position.parse(A)
    seen = observation.observe(position.table, position.words, 1)
    rules = dict(zip([name for name, _, _ in observation.RULES], observation.part(seen, "rules"), strict=True))
    assert rules["seats"] == 3
    assert rules["pirates"] == 6
    assert rules["row"] == 12
    assert rules["open"] == 1
    assert rules["boat"] == rules["goal"] == 37
    assert rules["nest"] == 0
    board = observation.part(seen, "board")
    assert "".join("BDHKPS"[int(np.argmax(board[:, place]))] for place in range(1, 37)) == position.board.replace(
        "/", ""
    )
    pirates = observation.part(seen, "pirates")
    assert (pirates[0, 17], pirates[0, 22]) == (2, 1), "the viewer is Red, seat 2"
    assert (pirates[2, 6], pirates[2, 37]) == (2, 1), "Blue, seat 1, sits two seats to the left"
    assert observation.part(seen, "hands")[2, :6].tolist() == [1, 4, 1, 0, 0, 0]
    assert observation.part(seen, "hand_sizes").tolist() == [4, 5, 6, 0, 0]
    row = observation.part(seen, "row")
    assert "".join("BDHKPS"[int(np.argmax(card))] for card in row if card.any()) == "BDDHKSPBH"
    assert observation.part(seen, "discard")[:6].tolist() == [6, 6, 6, 8, 8, 8]
    assert observation.part(seen, "unseen")[:6].tolist() == [6, 5, 6, 6, 6, 7]
    assert observation.part(seen, "stock")[0] == 36
    assert observation.part(seen, "seat").tolist() == [0, 1, 0, 0, 0]
    assert observation.part(seen, "turn").tolist() == [0, 0, 1, 0, 0]
    assert observation.part(seen, "actor").tolist() == [0, 0, 1, 0, 0]


def test_turn_marks_and_results_are_seen() -> None:
    start = Position.parse("jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0")
    owed = Position.parse("jamaica-en BPHSDK 1,2/s,s B2/DK - B15D16H17K16P17S17 - - 1.0").play("2<")
    assert observation.part(observation.observe(owed.table, owed.words, 0), "owed")[0] == 1
    assert not observation.part(observation.observe(owed.table, owed.words, 0), "actor").any()
    won = Position.parse("jamaica-en BPHSDK 1,b/s,s B2/DK - B15D16H17K16P17S17 - - 1.0").play("1:B")
    assert observation.part(observation.observe(won.table, won.words, 1), "result").tolist() == [0, 1, 0, 0, 0, 0]
    assert observation.mask(start.table, start.words, 0).sum() == 1
    assert observation.mask(start.table, start.words, 1).nonzero()[0].tolist() == [at.END]


def test_a_drop_is_the_droppers_choice() -> None:
    text = (
        "nest-nl STMDCPG/DCGMPST|GPDCMTS/TPMCGSD/PSGDCTM s,3,3,b,b,28/5,13,b,18,25,n C!D/C2D2G2M2 - C12D11D!G12G!M12M!"
        "P14P!S14S!T14T! - 1 1.0"
    )
    position = Position.parse(text).play("3:C!")
    assert position.turn == 2
    seen = observation.observe(position.table, position.words, 1)
    assert observation.part(seen, "drop")[0] == 1
    assert observation.part(seen, "actor").tolist() == [1, 0, 0, 0, 0]
    assert observation.part(seen, "turn").tolist() == [0, 1, 0, 0, 0]
    assert observation.mask(position.table, position.words, 1).sum() == 4


@pytest.mark.parametrize(("rules", "seats"), TABLES)
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), moves=st.integers(0, 150), other=st.integers(0, 10**6))
def test_what_a_seat_cannot_see_changes_nothing(rules: str, seats: int, seed: int, moves: int, other: int) -> None:
    position = random_position(rules, seats, seed, moves)
    for seat in range(seats):
        twin = redealt(position, seat, other)
        mine, theirs = (observation.observe(each.table, each.words, seat) for each in (position, twin))
        assert (mine == theirs).all()
        assert (mine <= observation.HIGH).all()
        masks = [observation.mask(each.table, each.words, seat) for each in (position, twin)]
        assert (masks[0] == masks[1]).all()
        assert masks[0].any()


def test_a_view_is_observed_like_the_whole_state() -> None:
    position = random_position("jamaica-en", 3, 5, 60)
    for seat in range(3):
        whole = observation.observe(position.table, position.words, seat)
        assert (whole == observation.observe(position.table, position.view(seat + 1).words, seat)).all()
