"""Reviews: exact sums, luck with mean zero, decisions judged from the mover's view, and the same result every time."""

import hashlib
import json
import random
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from cartagena import Game, Limit, Move, Position, Record, StudyError, analyse
from cartagena.players import networks
from cartagena.players.ismcts import admiral
from cartagena.players.luck import luck_of, luck_value
from cartagena.players.networks import has_network
from cartagena.study import CLASSES, annotated, page, review, review_text
from cartagena.study.judge import POWERS, Judge, calibrated, class_of, power_for
from cartagena.study.luck import split, split_course

KINDS = ("jamaica-en", "tortuga-de", "hispaniola-en", "nest-nl")
FROZEN = {
    "luck-hispaniola-2.network": "720e235e",
    "luck-hispaniola-many.network": "98da1a91",
    "luck-jamaica-2.network": "c661c5d4",
    "luck-jamaica-many.network": "b51ae2d8",
    "luck-nest-2.network": "67ee4a62",
    "luck-nest-many.network": "5964964e",
    "luck-tortuga-2.network": "ec281cf5",
    "luck-tortuga-many.network": "13867636",
}
"""The files by which luck is measured, with the first digits of their hashes. They never change."""
PLAN = "my plan [%line s:B end]"
"""A comment of a person with a variation."""


def random_game(rules: str, seed: int, seats: int = 2, **sizes: Any) -> Record:
    """A game of random moves that ends soon, as moves that bring a pirate on are taken more often."""
    chance = random.Random(seed)
    if not rules.startswith("nest"):
        sizes = {"pieces": 2, **sizes}
    game = Game.new(rules, seats=seats, seed=seed, **sizes)
    while not game.is_over and len(game.moves) < 3000:
        moves = list(game.legal_moves)
        forward = [move for move in moves if move.kind in ("advance", "push")]
        game.play(chance.choice(forward if forward and chance.random() < 0.7 else moves))
    return game.record() if game.is_over else random_game(rules, seed + 1000, seats, **sizes)


@pytest.fixture(scope="module")
def short() -> Record:
    """A short finished game with cards drawn in it."""
    return random_game("jamaica-en", 3, pirates=2)


@pytest.mark.parametrize("rules", KINDS)
def test_all_shares_of_a_record_add_up_to_its_result(rules: str) -> None:
    for seed in range(50):
        record = random_game(rules, seed, seats=2 + seed % 3, pirates=1)
        parts = split(record)
        outcome = record.final.outcome()
        assert outcome is not None
        for seat in range(record.opening.seats):
            shares = [parts.opening[seat], parts.ending[seat], *(draw.luck[seat] for draw in parts.draws)]
            shares += [values[seat] for values in parts.choices.values()]
            result = outcome.shares(record.opening.seats)[seat] - 1 / record.opening.seats
            assert sum(shares) == pytest.approx(result, abs=1e-9)


@pytest.mark.parametrize("rules", KINDS)
def test_the_luck_of_all_cards_that_could_come_has_mean_zero(rules: str) -> None:
    record = random_game(rules, 1, pirates=2)
    places = [position for position in record.positions() if position.is_chance][:20]
    for position in places:
        chances, result = position.chances(), (0.0,) * position.seats
        whole = sum(chances.values())
        moves = [Move(f"+{card}") for card in chances]
        drawn = [split_course([position, position.play(move)], [move], result).draws[0].luck for move in moves]
        for seat in range(position.seats):
            lucks = [
                float(Fraction(number, whole)) * luck[seat]
                for number, luck in zip(chances.values(), drawn, strict=True)
            ]
            assert sum(lucks) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("rules", KINDS)
def test_the_cards_of_a_new_row_or_hand_bring_luck_in_every_game(rules: str) -> None:
    games = (random_game(rules, seed, pirates=3) for seed in range(9))
    record = next(game for game in games if any(entry.move.is_chance for entry in game.moves))
    lucks = [draw.luck[0] for draw in split(record).draws]
    assert max(map(abs, lucks)) > 0.002
    assert luck_of(list(record.positions()))[0] == pytest.approx(sum(lucks), abs=1e-12)


def test_a_review_does_not_depend_on_the_networks_that_play() -> None:
    """Luck is measured by files of their own; their content is part of what reviews said before."""
    folder = Path(networks.__file__).parent / "data"
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest()[:8] for path in folder.glob("luck-*.network")}
    assert files == FROZEN
    playing = networks.packaged("tortuga-2")
    assert playing is not None
    position = Game.new("tortuga-en", seats=2, seed=1).position
    assert luck_value(position) is not playing[0]


def test_what_a_seat_cannot_see_does_not_change_how_its_decision_is_judged() -> None:
    position = Game.new("jamaica-en", seats=2, seed=5).position
    move = position.legal_moves[3]
    other = next(deal for deal in position.view(1).deals(20, seed=9) if deal != position)
    judge = Judge(80)
    assert judge.judge(position, 1, move) == judge.judge(other, 1, move)


def test_the_strongest_player_for_the_game_judges_and_advises() -> None:
    for rules in KINDS:
        for seats in (2, 3):
            view = Game.new(rules, seats=seats, seed=1).view(1)
            assert Judge(20).searcher(view).name == ("admiral" if has_network(view) else "captain")
        assert not has_network(Game.new(rules, seats=2, seed=1, pirates=1).view(1))
    view = Game.new("tortuga-en", seats=2, seed=1).view(1)
    assert analyse(view, Limit(nodes=40)) == admiral().analyse(view, Limit(nodes=40))


def test_calibration_keeps_the_order_and_certain_results_and_applies_where_the_admiral_judges_two_seats() -> None:
    view = Game.new("tortuga-en", seats=2, seed=1).view(1)
    assert power_for(view) == POWERS["tortuga"] > 1.0 == power_for(Game.new("tortuga-en", seats=3, seed=1).view(1))
    assert power_for(Game.new("tortuga-en", seats=2, seed=1, pirates=2).view(1)) == 1.0, "the captain judges"
    assert calibrated((0.6, 0.3, 0.1), 1.0) == (0.6, 0.3, 0.1)
    assert calibrated((1.0, 0.0), 1.25) == (1.0, 0.0)
    first, second = calibrated((0.7, 0.3), 1.25)
    assert first > 0.7
    assert first + second == pytest.approx(1.0)
    judge = Judge(40)
    found = judge.judge(view, 1, view.legal_moves[0])
    assert found.before == calibrated(judge.win_chances(view), 1.25)


def test_a_review_is_the_same_every_time_and_goes_on_from_its_journal(short: Record, tmp_path: Path) -> None:
    whole = review(short, Limit(nodes=60))
    journal = tmp_path / "journal"
    stops = iter([None, None, KeyboardInterrupt()])

    def stop(done: int, total: int) -> None:
        assert total == len(whole.decisions) >= done
        error = next(stops)
        if error is not None:
            raise error

    with pytest.raises(KeyboardInterrupt):
        review(short, Limit(nodes=60), journal=journal, progress=stop)
    journal.write_text(journal.read_text() + '{"number": 4, "sea')  # a line that was cut in the middle
    assert review(short, Limit(nodes=60), journal=journal) == whole
    assert len(journal.read_text().splitlines()) == 1 + len(whole.decisions)
    with pytest.raises(StudyError, match="is not the journal of this record"):
        review(short, Limit(nodes=61), journal=journal)
    journal.write_text(journal.read_text().replace('"review": 4', '"review": 3'))
    with pytest.raises(StudyError, match="was written by another version, whose reviews differ"):
        review(short, Limit(nodes=60), journal=journal)


def test_a_journal_is_that_of_a_rule_set_and_not_only_of_its_moves(tmp_path: Path) -> None:
    text = "jamaica-en BDHKPS 5,b/2,2 BS/H2 - B16D17H15K17P17S16 - - 1.0\n5:S 6:B"
    other = f'[Variant "{{\\"base\\": \\"jamaica-en\\", \\"draw\\": 2}}"]\n{text}'
    review(Record.parse(text), Limit(nodes=40), journal=tmp_path / "journal")
    with pytest.raises(StudyError, match="is not the journal of this record"):
        review(Record.parse(other), Limit(nodes=40), journal=tmp_path / "journal")


def test_a_game_that_could_be_won_at_once_and_is_not_is_a_blunder() -> None:
    game = Game("jamaica-en BDHKPS 6,b/2,2 B/H2 - B16D17H15K17P17S17 - - 1.2", seed=1)
    game.play("6<")
    while not game.is_over:
        game.play(next((m for m in game.legal_moves if m.kind == "advance"), game.legal_moves[0]))
    first = review(game.record(), Limit(nodes=200)).decisions[0]
    assert first.best == Move("6:B")
    assert (first.kind, first.why[0]) == ("blunder", "wins")
    assert first.turns[0].value == (1.0, 0.0)


def test_classes_follow_their_thresholds() -> None:
    bounds = list(CLASSES.values())
    assert bounds == sorted(bounds)
    assert [class_of(cost) for cost in (0.0, 0.005, 0.03, 0.08, 0.15, 1.0)] == [*CLASSES, "blunder"]


def test_annotations_survive_every_round_trip_and_keep_other_comments(short: Record) -> None:
    first, *rest = short.moves
    told = Record(short.opening, [type(first)(first.move, PLAN), *rest], short.tags)
    found = annotated(review(told, Limit(nodes=40)))
    assert Record.parse(str(found)) == found == Record.parse(json.dumps(found.to_json()))
    assert found.moves[0].comment.startswith(PLAN)
    again = annotated(review(found, Limit(nodes=40)))
    assert again == found


def test_a_game_that_was_resigned_is_reviewed_to_its_end(short: Record) -> None:
    cut = Record(short.opening, short.moves[:6], {"Termination": "resigned, seat 2 wins"})
    found = review(cut, Limit(nodes=20))
    assert [seat.result for seat in found.seats] == [0.0, 1.0]
    for seat in found.seats:
        total = seat.opening + seat.luck + seat.decisions + seat.ending + 0.5
        assert total == pytest.approx(seat.result, abs=1e-9)


def bad_records() -> Iterator[tuple[Record, str]]:
    opening = Game.new("jamaica-en", seats=2, seed=1)
    yield opening.record(), "is not over"
    yield Record(opening.position, [], {"Termination": "resigned, seat 2 wins"}), "has no moves"
    yield Record(opening.view(1), [], {}), "hides cards"


@pytest.mark.parametrize(("record", "said"), list(bad_records()))
def test_records_that_cannot_be_reviewed_are_refused_in_a_sentence(record: Record, said: str) -> None:
    with pytest.raises(StudyError, match=said):
        review(record)


def test_a_limit_of_time_and_other_things_than_records_are_refused(short: Record) -> None:
    with pytest.raises(StudyError, match="limited by nodes"):
        review(short, Limit(time=1.0))
    position: Any = Position(str(short.opening))
    with pytest.raises(StudyError, match="needs a record"):
        review(position)


def test_report_and_page_tell_the_same_numbers(short: Record) -> None:
    found = review(Record(short.opening, short.moves, {"Seat1": "Ann <b>", "Seat2": "Bo"}), Limit(nodes=60))
    text, html = review_text.text(found), page.page(found)
    assert "Ann <b>" in text
    assert "Ann &lt;b&gt;" in html
    assert "Ann <b>" not in html
    for seat in found.seats:
        assert review_text.points(seat.luck) in text
        assert review_text.points(seat.luck) in html
    assert "<svg" in html
    assert re.findall(r"<script|http-equiv|@import|src=|url\((?!#)|href=[\"'](?!#)", html) == []
