"""Contests: paired deals, ratings, the sequential test, results that survive a kill, reports."""

import json
import math
from collections import Counter
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np
import pytest

from cartagena.arena import (
    Adjusted,
    Contest,
    Entrant,
    Result,
    Sequential,
    Share,
    adjusted_share,
    cross_table,
    merge,
    ratings,
    read,
    run,
    share_of,
)
from cartagena.arena.contest import check_head, verdict
from cartagena.arena.entrants import line_ups
from cartagena.arena.report import plot, summary, text
from cartagena.players import Limit, PlayerError

QUICK = Contest(("sailor", "deckhand"), rules="nest-nl", games=6, seed="t")


def won(number: int, seats: tuple[str, ...], winner: int | None, deal: int = 0) -> Result:
    return Result(number, deal, seats, winner)


# --- who plays whom


def test_an_entrant_may_have_a_limit() -> None:
    assert Entrant.parse("captain") == Entrant("captain", "captain", None)
    assert Entrant.parse("captain@0.1s").limit == Limit(time=0.1)
    assert Entrant.parse("cmd:./bot --x@5000n") == Entrant("cmd:./bot --x@5000n", "cmd:./bot --x", Limit(nodes=5000))


def test_every_deal_is_played_once_from_every_seat() -> None:
    fixtures = list(Contest(("a", "b", "c"), seats=2, games=6).fixtures())
    assert [fixture.seats for fixture in fixtures] == [
        ("a", "b"),
        ("b", "a"),
        ("a", "c"),
        ("c", "a"),
        ("b", "c"),
        ("c", "b"),
    ]
    assert {fixture.deal for fixture in fixtures} == {0}
    among = list(Contest(("a", "b", "b", "b"), seats=4, games=4).fixtures())
    assert sorted(fixture.seats.index("a") for fixture in among) == [0, 1, 2, 3]
    assert {fixture.deal for fixture in among} == {0}
    assert line_ups(("a", "b"), 4) == [("a", "b", "a", "b")]
    assert line_ups(("a", "b"), 3) == [("a", "b", "a"), ("a", "b", "b")]
    assert line_ups(("a", "b", "b"), 2) == [("a", "b"), ("b", "b")]


@pytest.mark.parametrize(
    "players",
    ["abc", "abb", "ab", "abcd", "abcde", "aabcd", "aabbc", "aaabb", "abcdef"],
)
@pytest.mark.parametrize("seats", [3, 4, 5])
def test_in_a_round_each_player_sits_before_and_after_every_other_equally_often(players: str, seats: int) -> None:
    contest = Contest(tuple(players), seats=seats, games=1)
    pairs: Counter[tuple[str, str]] = Counter()
    times: Counter[tuple[str, int]] = Counter()
    for fixture in contest.fixtures():
        pairs.update(zip(fixture.seats, fixture.seats[1:] + fixture.seats[:1], strict=True))
        times.update((label, seat) for seat, label in enumerate(fixture.seats))
    for one, other in combinations(sorted({*players}), 2):
        assert pairs[one, other] == pairs[other, one] > 0
    for label in players:
        assert len({times[label, seat] for seat in range(seats)}) == 1
    if len({*players}) == len(players) >= seats:
        assert len({*pairs.values()}) == 1


def behind_the_weak(contest: Contest) -> list[Result]:
    """Games that the player just after ``weak`` wins three times of four, and any player otherwise."""
    chance = Random(7)
    results = []
    for fixture in contest.fixtures():
        lucky = (fixture.seats.index("weak") + 1) % contest.seats
        winner = lucky if chance.random() < 0.75 else chance.randrange(contest.seats)
        results.append(Result(fixture.number, fixture.deal, fixture.seats, winner + 1))
    return results


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_rating_does_not_depend_on_who_is_named_after_whom(seats: int) -> None:
    names = ("weak", "one", "two", "three", "four")[:seats]
    for players in (names, names[::-1], (*names[1:], names[0])):
        rated = {each.label: each for each in ratings(behind_the_weak(Contest(players, seats=seats, games=480)))}
        others = [rated[name] for name in names if name != "weak"]
        for one, other in combinations(others, 2):
            assert abs(one.elo - other.elo) < math.hypot(one.error, other.error)


def test_the_games_are_the_same_in_whatever_order_the_players_are_named() -> None:
    named = [Contest(tuple(players), seats=4, games=200).fixtures() for players in ("abcde", "edcba", "cadbe")]
    one, *others = [{(fixture.deal, fixture.seats) for fixture in fixtures} for fixtures in named]
    assert all(each == one for each in others)


def test_one_player_at_all_seats_plays_each_deal_once() -> None:
    contest = Contest(("sailor", "sailor"), rules="nest-nl", games=3, seed="t")
    results = run(contest, processes=1)
    assert [result.deal for result in results] == [0, 1, 2]
    report = text(contest, results)
    assert "one player at all seats: each deal is played once" in report
    assert "Elo" not in report  # a share of itself would be 100 %, with an interval
    data = summary(contest, results)
    assert (data["shares"], data["ratings"]) == ({}, [])
    assert [each["played"] for each in data["by-seat"]] == [3, 3]
    assert sum(each["won"] for each in data["by-seat"]) == 3


def test_results_with_fixed_neighbours_are_read_and_not_continued(tmp_path: Path) -> None:
    out, contest = tmp_path / "results.jsonl", Contest(("a", "b", "c"), seats=3, games=3)
    head = {key: value for key, value in contest.head().items() if key != "seating"}
    out.write_text(json.dumps(head) + "\n" + json.dumps(won(0, ("a", "b", "c"), 1).to_json()) + "\n")
    assert read(out)[1][0].winner == 1
    assert merge([out])[0].title.endswith("fixed neighbours")
    with pytest.raises(PlayerError, match="neighbours never change; choose another file"):
        check_head(out, read(out)[0], contest.head())


def test_the_same_contest_gives_the_same_results_in_any_number_of_processes() -> None:
    here = run(QUICK, processes=1)
    there = run(QUICK, processes=2)
    assert [(result.winner, result.moves) for result in here] == [(result.winner, result.moves) for result in there]
    assert share_of(here, "sailor").mean > 0.5


# --- results are kept


def test_a_killed_contest_goes_on_where_it_was(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    whole = run(QUICK, out, processes=1)
    lines = out.read_text().split("\n")
    out.write_text("\n".join(lines[:4]) + "\n" + lines[4][: len(lines[4]) // 2])  # killed while writing
    heard: list[int] = []
    again = run(QUICK, out, processes=1, tell=lambda result: heard.append(result.number))
    assert [result.winner for result in again] == [result.winner for result in whole]
    assert sorted(heard) == list(range(6))
    head, kept = read(out)
    assert head == QUICK.head()
    assert len(kept) == 6
    assert run(QUICK, out, processes=1) == again


def test_results_of_another_contest_are_not_mixed_in(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    out.write_text(json.dumps({**QUICK.head(), "seed": "other"}) + "\n")
    with pytest.raises(PlayerError, match="another contest"):
        run(QUICK, out)
    out.write_text("something else\n")
    with pytest.raises(PlayerError, match="not a file of arena results"):
        run(QUICK, out)


def test_an_unknown_player_is_refused_before_any_game() -> None:
    with pytest.raises(PlayerError, match="'corsair' is not a player"):
        run(Contest(("sailor", "corsair")))


# --- what results say


def test_shares_and_wilson_intervals() -> None:
    low, high = Share(50, 100).interval()
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    assert Share(0, 0).interval() == (0.0, 1.0)
    results = [won(0, ("a", "b"), 1), won(1, ("b", "a"), 1), won(2, ("a", "b"), 0), won(3, ("b", "a"), None)]
    assert share_of(results, "a") == Share(1.0, 2.0), "undecided games do not count"
    forfeit = Result(4, 0, ("a", "b", "c"), None, forfeit=2)
    assert forfeit.shares() == [0.5, 0.0, 0.5]


def test_ratings_follow_the_results() -> None:
    results = [won(number, ("a", "b"), 1 if number % 4 else 2, deal=number) for number in range(400)]
    first, second = ratings(results)
    assert (first.label, second.label) == ("a", "b")
    assert first.elo - second.elo == pytest.approx(400 * math.log10(3), abs=5)
    assert 10 < first.error < 30
    table = cross_table(results)
    assert table["a", "b"].mean == 0.75
    assert table["b", "a"].mean == 0.25


def test_ratings_are_those_of_every_earlier_version() -> None:
    """Tables of three, with games that no player won and a player who has two seats."""
    tables = (("a", "b", "c"), ("b", "c", "d"), ("c", "d", "a"), ("a", "a", "d"))
    results = [Result(game, game // 4, tables[game % 4], winner=(game * game + game // 7) % 4) for game in range(60)]
    found = {rating.label: (rating.elo, rating.error) for rating in ratings(results)}
    assert found == {
        "b": pytest.approx((46.473935, 115.087311), abs=1e-5),
        "a": pytest.approx((12.453774, 98.030217), abs=1e-5),
        "d": pytest.approx((-13.944396, 153.608431), abs=1e-5),
        "c": pytest.approx((-44.983314, 103.140699), abs=1e-5),
    }


def test_a_clean_sweep_has_a_finite_rating() -> None:
    first, second = ratings([won(number, ("a", "b"), 1) for number in range(20)])
    assert 200 < first.elo - second.elo < 2000


def test_a_clean_sweep_of_few_games_is_no_certainty() -> None:
    few = ratings([won(number, ("a", "b"), 1, deal=number) for number in range(6)])
    many = ratings([won(number, ("a", "b"), 1, deal=number) for number in range(200)])
    assert [rating.error > 100 for rating in few] == [True, True]
    assert few[0].elo - few[0].error < many[0].elo - many[0].error


def test_the_sequential_test_stops_early() -> None:
    test = Sequential(0.6, 0.75)
    assert test.verdict(Share(0, 0)) == 0
    assert test.verdict(Share(30, 32)) == 1
    assert test.verdict(Share(10, 32)) == -1
    stopped = run(Contest(("sailor", "random"), rules="nest-nl", games=60, stop=Sequential(0.5, 0.9)), processes=1)
    assert len(stopped) < 20


def test_the_sequential_test_looks_at_whole_deals_in_their_order() -> None:
    contest = Contest(("a", "b", "c"), stop=Sequential(0.5, 0.9), games=600)
    fixtures = list(contest.fixtures())
    swept = [won(f.number, f.seats, f.seats.index("a") + 1 if "a" in f.seats else 1, f.deal) for f in fixtures]
    needed = next(number for number in range(len(swept)) if verdict(contest, swept[:number]))
    assert needed % 6 == 0, "a deal of three players at tables of two is six games"
    assert verdict(contest, swept[:needed]) == 1
    assert verdict(contest, swept[6:needed]) == 0, "the first deal is not there yet"
    lost = [won(f.number, f.seats, 2 - f.seats.index("a") if "a" in f.seats else 1, f.deal) for f in fixtures]
    assert verdict(contest, swept[:needed] + lost[needed:]) == 1, "the first verdict stands"


@pytest.mark.parametrize("shares", [(0.6, 0.6), (0.7, 0.6), (0.0, 0.5), (0.5, 1.0)])
def test_a_sequential_test_must_make_sense(shares: tuple[float, float]) -> None:
    with pytest.raises(PlayerError, match="the lower first"):
        Sequential(*shares)
    with pytest.raises(PlayerError, match="at least one player"):
        Contest(())


def test_tables_for_people_and_programs(tmp_path: Path) -> None:
    contest = Contest(("sailor", "deckhand"), rules="nest-nl", games=6, seed="t", stop=Sequential(0.5, 0.9))
    results = run(contest, processes=1)
    said = text(contest, results)
    assert "nest-nl, 2 seats" in said
    assert "sequential test 0.5 or 0.9" in said
    data = json.loads(json.dumps(summary(contest, results)))
    assert data["games"] == len(results)
    assert data["clock"]["sailor"]["decisions"] > 0
    picture = tmp_path / "ratings.png"
    plot(results, picture)
    assert picture.read_bytes().startswith(b"\x89PNG")
    with pytest.raises(PlayerError, match="cannot be written"):
        plot(results, tmp_path / "no" / "such" / "folder.png")


def test_a_share_without_luck_tends_to_the_raw_one_and_is_known_better() -> None:
    """Results that the cards decide in good part: half of the noise goes away, and the mean stays."""
    chance = np.random.default_rng(5)
    results = []
    for number in range(400):
        luck = float(chance.normal(0.0, 0.3))
        won = chance.random() < min(1.0, max(0.0, 0.55 + luck))
        results.append(Result(number, number // 2, ("a", "b"), winner=1 if won else 2, luck=[luck, -luck]))
    share, raw = adjusted_share(results, "a"), share_of(results, "a")
    assert share.left < 0.9
    assert abs(share.mean - raw.mean) < 3 * share.raw_error
    low, high = share.interval()
    assert low < 0.55 < high
    bare = [replace(result, luck=[]) for result in results]  # as in files of older versions
    assert adjusted_share(bare, "a").mean == pytest.approx(raw.mean)
    assert adjusted_share(bare, "a").left == 1.0
    assert Sequential(0.3, 0.4, adjusted=True).verdict(share) == 1
    assert Sequential(0.3, 0.4, adjusted=True).verdict(adjusted_share([], "a")) == 0


def test_an_error_of_rounding_size_counts_as_none() -> None:
    """Everybody wins each deal once, so the raw error is 0 but for the last digits of a third."""
    names, luck = ("a", "b", "c"), [0.1, -0.1, 0.0]
    results = [Result(game, game // 3, names, winner=game % 3 + 1, luck=luck * (game % 2)) for game in range(21)]
    share = adjusted_share(results, "a")
    assert 0 < share.raw_error < 1e-9 < share.error
    assert share.left == 1.0
    assert Sequential(0.3, 0.4).verdict(Adjusted(0.9, share.raw_error, 0.1)) == 0


@pytest.mark.usefixtures("compiled_code")
def test_every_game_of_the_arena_has_its_luck_and_the_report_shows_it(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    contest = Contest(("sailor", "random"), "tortuga-en", games=4)
    results = run(contest, out, processes=1)
    assert all(sum(result.luck) == pytest.approx(0.0, abs=1e-5) for result in results)
    assert any(abs(result.luck[0]) > 0.001 for result in results)
    assert [result.luck for result in read(out)[1]] == [result.luck for result in results]
    told = summary(contest, results)
    assert set(told["adjusted"]) == {"sailor", "random"}
    assert "share without luck" in text(contest, results)
