"""Properties of every position, tested with random positions of every game, edition, option and size."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.referee.positions import deck_of, random_position
from tests.referee.rules import read_rules
from tests.support import count as count_cards
from tests.support import written

from cartagena import Game, Move, Position
from cartagena.kernel import layout as at
from cartagena.kernel import options, reasons
from cartagena.kernel.legal import count, legal, nth
from cartagena.kernel.step import step
from cartagena.rulesets import by_name, names

MANY = settings(max_examples=150)
SOME = settings(max_examples=50)
SEEDS = st.integers(0, 2**32 - 1)
TURNS = 400  # a game of random moves is cut after so many turns


def position_of(seed: int) -> Position:
    return Position.parse(random_position(random.Random(seed)))


def all_cards(position: Position) -> Counter[str]:
    words = str(position).split(" ")
    return sum((count_cards(words[index]) for index in (3, 4, 5, 6)), Counter())


def crowd(position: Position) -> Counter[str]:
    places = [place for seat in range(1, position.seats + 1) for place in position.places(seat)]
    return Counter(place for place in places if place.isdigit())


@MANY
@given(SEEDS)
def test_cards_are_conserved_and_no_field_holds_four(seed: int) -> None:
    rng = random.Random(seed)
    position = position_of(seed)
    deck = Counter(deck_of(read_rules(position.rules.name)))
    for _ in range(30):
        assert all_cards(position) == deck
        assert max(crowd(position).values(), default=0) <= 3
        for seat in range(1, position.seats + 1):
            assert len(position.places(seat)) == position.pirates
            if position.rules.nest:
                assert position.places(seat).count("b") <= 3
        if position.is_over:
            return
        position = position.play(rng.choice(list(position.legal_moves)))


@MANY
@given(SEEDS)
def test_reading_and_writing_a_position_are_inverses(seed: int) -> None:
    text = random_position(random.Random(seed))
    position = Position.parse(text)
    assert str(position) == text
    assert Position.parse(str(position)) == position
    for seat in range(position.seats + 1):
        seen = position.view(seat)
        assert Position.parse(str(seen)) == seen


@SOME
@given(SEEDS)
def test_reading_and_writing_a_move_are_inverses(seed: int) -> None:
    position = position_of(seed)
    for move in position.legal_moves:
        assert Move.parse(str(move)) == move
        assert position.move(position.action(move)) == move
        assert position.action(str(move)) == position.action(move)


@SOME
@given(SEEDS)
def test_reading_and_writing_a_record_are_inverses(seed: int) -> None:
    rng = random.Random(seed)
    game = Game(random_position(rng), seed=seed)
    game.deal()
    for _ in range(25):
        if not game.is_over:
            game.play(rng.choice(list(game.legal_moves)))
    record = game.record()
    assert record.parse(str(record)) == record
    assert record.from_json(record.to_json()) == record
    assert Game.from_record(record).position == game.position


@MANY
@given(SEEDS)
def test_a_rule_set_is_found_again_by_its_name(seed: int) -> None:
    rules = position_of(seed).rules
    assert by_name(rules.name) == rules


@MANY
@given(SEEDS)
def test_listing_counting_picking_and_explaining_agree(seed: int) -> None:
    position = position_of(seed)
    table, state, out = position.table, position.state(), [0] * at.MAX_LEGAL
    listed = out[: legal(table, state, out)]
    assert listed == sorted(set(listed))
    assert count(table, state) == len(listed) == position.legal_moves.count()
    assert [nth(table, state, number) for number in range(len(listed))] == listed
    why = [reasons.reason(table, state, action) for action in range(at.ACTIONS)]
    assert [action for action, reason in enumerate(why) if reason == reasons.LEGAL] == listed
    assert all(0 <= reason < reasons.REASONS for reason in why)
    for action in listed:
        after = position.state()
        step(table, after, action)
        assert after != state
        assert all(0 <= word < 1 << 62 for word in after)
    assert state == position.state()


@SOME
@given(SEEDS)
def test_taking_back_restores_every_position(seed: int) -> None:
    rng = random.Random(seed)
    game = Game(random_position(rng))
    seen = [game.position]
    for _ in range(20):
        if not game.is_over:
            game.play(rng.choice(list(game.legal_moves)))
            seen.append(game.position)
    while len(seen) > 1:
        assert game.position == seen.pop()
        game.undo()
    assert game.position == seen[0]
    assert not game.moves


@SOME
@given(SEEDS)
def test_what_is_taken_back_and_played_again_brings_the_same_cards(seed: int) -> None:
    rng = random.Random(seed)
    game = Game(random_position(rng), seed=seed)
    game.deal()
    for _ in range(10):
        if not game.is_over:
            before, played = game.position, game.play(rng.choice(list(game.legal_moves)))
            after = game.position
            assert game.undo() == played
            assert game.position == before
            assert game.play(played[0]) == played
            assert game.position == after


def reshuffled(position: Position, seat: int, rng: random.Random) -> Position:
    """The same table to the eyes of a seat (from 1): cards it cannot see are dealt anew."""
    words = str(position).split(" ")
    hands = [count_cards(hand) for hand in words[3].split("/")]
    hidden = [number for number in range(position.seats) if position.rules.hidden_hands and number != seat - 1]
    stock = count_cards(words[5])
    pool = list((sum((hands[number] for number in hidden), Counter()) + stock).elements())
    rng.shuffle(pool)
    for number in hidden:
        size = hands[number].total()
        hands[number], pool = Counter(pool[:size]), pool[size:]
    words[3], words[5] = "/".join(map(written, hands)), written(Counter(pool))
    return Position.parse(" ".join(words))


@MANY
@given(SEEDS)
def test_states_that_differ_only_in_what_a_seat_cannot_see_give_equal_views(seed: int) -> None:
    rng = random.Random(seed)
    position = position_of(seed)
    for seat in range(position.seats + 1):
        other = reshuffled(position, seat, rng)
        assert other.view(seat).words == position.view(seat).words
        assert str(other.view(seat)) == str(position.view(seat))


@MANY
@given(SEEDS)
def test_the_view_of_a_view_shows_no_more_and_the_movers_view_knows_its_moves(seed: int) -> None:
    position = position_of(seed)
    for seat in range(position.seats + 1):
        seen = position.view(seat)
        assert seen.view(seat) == seen
        assert seen.view(0) == position.view(0)
        if seat and seat == position.turn:
            assert list(seen.legal_moves) == list(position.legal_moves)


@SOME
@given(SEEDS)
def test_the_movers_own_view_plays_on_like_the_position(seed: int) -> None:
    rng = random.Random(seed)
    position = position_of(seed)
    if position.turn:
        seat = position.turn
        move = rng.choice(list(position.legal_moves))
        assert position.view(seat).play(move).view(seat) == position.play(move).view(seat)


@pytest.mark.parametrize("name", [*names(), "jamaica-en-return", "nest-nl-crew+pass", "tortuga-en+actions1+cards4"])
@pytest.mark.parametrize("seats", [2, 5])
def test_random_games_end_in_a_win_or_a_deadlock_or_are_cut(name: str, seats: int) -> None:
    results = Counter[str]()
    for seed in range(4):
        rng = random.Random(f"{name} {seats} {seed}")
        sizes: dict[str, Any] = {"deal": 4, "pirates": 2} | ({} if name.startswith("nest") else {"pieces": 2})
        game = Game.new(name, seats=seats, seed=seed, **sizes)
        turns = 0
        while not game.is_over and turns < TURNS:
            move = rng.choice(list(game.legal_moves))
            turns += move.kind == "end"
            game.play(move)
        outcome = game.outcome()
        results["cut" if outcome is None else "deadlock" if outcome.is_deadlock else "win"] += 1
        if outcome is not None and outcome.winner is not None:
            assert set(game.position.places(outcome.winner)) == {"n" if game.rules.nest else "b"}
    assert results["win"] + results["deadlock"] >= 2, results


@given(SEEDS)
@SOME
def test_a_place_without_options_has_the_reason_of_a_move_there(seed: int) -> None:
    position = position_of(seed)
    found = [0] * at.MAX_PLACES
    for place in range(options.elsewhere(position.table, position.state(), found)):
        why = reasons.reason(position.table, position.state(), at.ADVANCE + place * at.CARD_SLOTS)
        assert found[place] in (reasons.LEGAL, why)
