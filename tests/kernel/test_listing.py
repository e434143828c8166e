"""Listing, counting, picking and explaining moves agree, over positions of every kind."""

import pytest
from tests.support import WORKED_A, WORKED_B, lay

from cartagena import Game, Position
from cartagena.kernel import layout as at
from cartagena.kernel import reasons
from cartagena.kernel.legal import count, legal, nth
from cartagena.kernel.legal_mask import MARK_BITS, MARK_WORDS, mark
from cartagena.kernel.step import step

POSITIONS = {
    "A": WORKED_A,
    "B": WORKED_B,
    "B sailed": str(Position.parse(WORKED_B).play("sail")),
    "jamaica": str(lay("jamaica-en", "s,8,b/6,6,20", "BDH/-")),
    "no return": str(lay("jamaica-en-return", "s,8,b/6,6,20", "BDH/-")),
    "may pass": str(lay("jamaica-de", "s,8,b/6,6,20", "BDH/-")),
    "must pass": str(lay("jamaica-en", "s,s/s,s", "-/-")),
    "three actions taken": str(lay("jamaica-en", "s,8,b/6,6,20", "BDH/-", turn="1.3")),
    "a card is due": str(lay("jamaica-en", "s,8/6,6", "B/-", turn="1.1+2")),
    "the row is due": str(lay("tortuga-en", "s,8/6,6", "B/-", row="BD", turn="1.1r10+1")),
    "a drop is due": str(lay("nest-nl", "s,s/s,s", "C8G!/D9", turn="1.1!1")),
    "the sloop is full": str(lay("nest-nl", "s,3,12,b,b,b/1,8,12,b,b,b/s,s,3,b,20,30", "CC!DG/-/-")),
    "the sloop is away": str(lay("nest-nl", "s,3,12,b,b,b/1,8,12,b,b,b/s,s,3,b,20,30", "CC!DG/-/-", sloop="2")),
    "no pirate is pushed": str(lay("nest-nl", "s,n/b,n", "C/-", turn="1.1")),
    "the sloop at the first island and empty": str(lay("nest-nl", "s,5,20/s,5,22", "CC!/-")),
    "over": "jamaica-en BDHKPS b/s B/D - B16D16H17K17P17S17 - - =1",
}


@pytest.mark.parametrize("text", POSITIONS.values(), ids=POSITIONS.keys())
def test_list_count_number_and_reason_agree(text: str) -> None:
    position = Position.parse(text)
    table, state, out = position.table, position.state(), [0] * at.MAX_LEGAL
    size = legal(table, state, out)
    listed = out[:size]
    assert listed == sorted(set(listed)), "ascending, without doubles"
    assert count(table, state) == size
    assert [nth(table, state, number) for number in range(size)] == listed
    allowed = [action for action in range(-1, at.ACTIONS + 1) if reasons.reason(table, state, action) == reasons.LEGAL]
    assert allowed == listed
    assert marked(position) == listed
    assert state == position.state(), "asking changes nothing"


def marked(position: Position) -> list[int]:
    """The actions whose bit is set."""
    words = [0] * MARK_WORDS
    mark(position.table, position.state(), words)
    assert all(0 <= word < 1 << MARK_BITS for word in words)
    return [action for action in range(MARK_WORDS * MARK_BITS) if words[action // MARK_BITS] >> action % MARK_BITS & 1]


@pytest.mark.parametrize("rules", ["jamaica-en", "jamaica-de", "tortuga-en", "hispaniola-en", "nest-nl"])
@pytest.mark.parametrize("seats", [2, 5])
def test_marks_are_the_listed_moves_all_through_a_game(rules: str, seats: int) -> None:
    position = Game.new(rules, seats=seats, seed=seats).position
    for number in range(400):
        assert marked(position) == position.legal_actions()
        if position.is_over:
            break
        actions = position.legal_actions()
        position = position.play(position.move(actions[number * 7919 % len(actions)]))


@pytest.mark.parametrize("text", POSITIONS.values(), ids=POSITIONS.keys())
def test_every_legal_move_applies_and_every_other_is_refused_with_a_known_reason(text: str) -> None:
    position = Position.parse(text)
    listed = set(position.legal_actions())
    for action in range(-1, at.ACTIONS + 1):
        if action in listed:
            words = position.state()
            step(position.table, words, action)
            assert words != position.state()
            after = position.with_words(words)
            assert Position.parse(str(after)) == after
        else:
            assert reasons.LEGAL < reasons.reason(position.table, position.state(), action) < reasons.REASONS


def test_every_reason_has_a_code_and_a_sentence() -> None:
    from cartagena.game.reasons import CODES, SENTENCES

    assert sorted(CODES) == list(range(1, reasons.REASONS))
    assert set(CODES.values()) == set(SENTENCES)
