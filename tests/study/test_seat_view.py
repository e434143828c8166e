"""Reviews from one seat's view show nothing that the seat could not know at the time."""

import json
import random
from itertools import count
from typing import Any

import pytest
from tests.study.test_review import random_game

from cartagena import CartagenaError, Limit, Move, Position, Record, StudyError
from cartagena.kernel import layout as at
from cartagena.kernel.cards import tally, unit
from cartagena.study import annotated, page, review, review_text

TABLES = (("jamaica-en", 2, 2), ("hispaniola-en", 2, 1), ("nest-nl", 3, 3))


def exchanged(opening: Position, seat: int, chance: random.Random) -> Position:
    """The same opening with a card of another hand and one of the stock exchanged."""
    words = opening.state()
    other = chance.choice([each for each in range(opening.seats) if each != seat - 1])
    hand = at.SEAT + other * at.SEAT_WORDS + at.HAND
    out, into = (
        chance.choice([card for card in range(at.CARDS) if tally(words[place], card)]) for place in (hand, at.STOCK)
    )
    words[hand] += unit(into) - unit(out)
    words[at.STOCK] += unit(out) - unit(into)
    return opening.with_words(words)


def as_seen(record: Record, seat: int) -> list[object]:
    """All that a seat saw of a game: its views and the moves as they were shown to it."""
    places = list(record.positions())
    shown = [place.seen(entry.move, seat) for place, entry in zip(places, record.moves, strict=False)]
    return [*(place.view(seat) for place in places), *shown]


def twin(record: Record, seat: int, seed: int = 1, trials: int = 40) -> Record:
    """Another game that looked the same to a seat: hidden cards are exchanged wherever all moves stay legal."""
    chance, found, seen = random.Random(seed), record, as_seen(record, seat)
    for _ in range(trials):
        opening, moves = found.opening, [entry.move for entry in found.moves]
        places = list(found.positions())
        dealt = [n for n, move in enumerate(moves) if move.is_chance and places[n].seen(move, seat).is_hidden]
        if dealt and chance.random() < 0.7:
            number = chance.choice(dealt)
            moves[number] = Move(f"+{chance.choice(list(places[number].chances()))}")
        else:
            opening = exchanged(opening, seat, chance)
        try:
            other = Record(opening, moves, record.tags)
        except CartagenaError:
            continue
        found = other if as_seen(other, seat) == seen else found
    return found


def told(record: Record, seat: int | None) -> tuple[str, str, str, list[Any]]:
    """The report, the JSON, the page and the annotations of a review."""
    found = review(record, Limit(nodes=12), seat=seat)
    notes = [(entry.comment, entry.evaluation) for entry in annotated(found).moves]
    return review_text.text(found), json.dumps(found.to_json()), page.page(found), notes


@pytest.mark.parametrize(("rules", "seats", "seat"), TABLES)
def test_hidden_cards_exchanged_change_nothing_in_a_review_from_a_seat(rules: str, seats: int, seat: int) -> None:
    games = (random_game(rules, seed, seats=seats, pirates=2) for seed in count(3))
    record, other = next((game, same) for game in games if (same := twin(game, seat)) != game)
    assert told(other, seat) == told(record, seat)
    assert told(other, None) != told(record, None)


def test_a_review_from_a_seat_has_its_own_decisions_and_adds_up() -> None:
    record = random_game("jamaica-en", 3, pirates=2)
    whole, own = review(record, Limit(nodes=12)), review(record, Limit(nodes=12), seat=2)
    assert own.decisions == tuple(each for each in whole.decisions if each.seat == 2)
    assert {draw.seat for draw in own.draws} == {2}
    [seat] = own.seats
    assert seat.accuracy == whole.seats[1].accuracy
    assert 0.5 + seat.opening + seat.luck + seat.decisions + seat.ending == pytest.approx(seat.result, abs=1e-9)
    assert "from what seat 2 could know" in review_text.text(own)


def test_annotations_from_a_seat_replace_those_of_a_review_with_all_cards() -> None:
    record = random_game("jamaica-en", 3, pirates=2)
    own = annotated(review(annotated(review(record, Limit(nodes=12))), Limit(nodes=12), seat=2))
    assert own == annotated(review(record, Limit(nodes=12), seat=2))
    movers = [place.turn for place in record.positions()]
    judged = [mover for mover, entry in zip(movers, own.moves, strict=False) if entry.evaluation or entry.comment]
    assert set(judged) == {2}


@pytest.mark.parametrize("seat", [0, 3, True, "2"])
def test_a_seat_that_does_not_play_is_refused_in_a_sentence(seat: Any) -> None:
    with pytest.raises(StudyError, match="its seats are 1 to 2"):
        review(random_game("jamaica-en", 3, pirates=1), Limit(nodes=12), seat=seat)
