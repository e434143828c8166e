"""Contests in earnest: records of all games, fixed openings, results of several files, a leaderboard page."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from tests.variants import every_key

from cartagena import Position, Record, rule_set
from cartagena.arena import Contest, load_suite, merge, read, run, suite_names
from cartagena.cli import run as cartagena
from cartagena.players import PlayerError
from cartagena.rulesets import from_data

RULES = "nest-nl"


def contest(seed: str = "1", games: int = 2, suite: str = "") -> Contest:
    return Contest(("sailor", "random"), RULES, games=games, seed=seed, suite=suite)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"games": 0}, "games must be a whole number from 1 to 1000000000, not 0."),
        ({"games": 2.5}, "games must be a whole number from 1 to 1000000000, not 2.5."),
        ({"seats": -1}, "seats must be a whole number from 2 to 5, not -1."),
        ({"seats": "2"}, "seats must be a whole number from 2 to 5, not '2'."),
    ],
)
def test_a_contest_without_games_or_seats_cannot_be_made(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(PlayerError, match=re.escape(sentence)):
        Contest(("sailor", "random"), RULES, **given)


def test_the_records_of_all_games_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "sailor", "random", "deckhand", "--rules", RULES, "--games", "6", "--processes", "1"]
    assert cartagena([*words, "--records", str(tmp_path / "games"), "--out", str(tmp_path / "out.jsonl")]) == 0
    capsys.readouterr()
    _, results = read(tmp_path / "out.jsonl")
    assert len(results) == 6, "three entrants, every two of them from both seats"
    for result in results:
        record = Record.read(tmp_path / "games" / f"{result.number:06}.txt")
        assert (record.tags["Seat1"], record.tags["Seat2"]) == result.seats
        assert record.tags["Result"] == str(result.winner)
    assert "record" not in (tmp_path / "out.jsonl").read_text()
    (tmp_path / "file").write_text("")
    assert cartagena([*words, "--records", str(tmp_path / "file")]) == 2
    assert "cannot be created as a folder" in capsys.readouterr().err


def test_results_and_records_carry_their_variant(tmp_path: Path) -> None:
    rules = every_key()["tunnel"]
    out, folder = tmp_path / "out.jsonl", tmp_path / "games"
    results = run(Contest(("sailor", "random"), rules, 3, games=2), out, processes=1, records=folder)
    head, kept = read(out)
    assert kept == results
    again = from_data(head["rules-content"])
    assert (again, again.variant, again.title) == (rules, rules.variant, rules.title)
    records = [Record.read(path) for path in sorted(folder.iterdir())]
    for name in ("all.txt", "all.json"):
        Record.write_all(tmp_path / name, records)
        found = [record.opening.rules for record in Record.read_all(tmp_path / name)]
        assert [(each, each.variant, each.title) for each in found] == [(rules, rules.variant, rules.title)] * len(
            results
        )


def test_a_suite_fixes_boards_deals_and_later_cards(tmp_path: Path) -> None:
    fixtures = list(contest(suite="standard", games=4).fixtures())
    suite = load_suite("standard", rule_set(RULES), 2)
    assert [fixture.opening for fixture in fixtures] == [suite.positions[n] for n in (0, 0, 1, 1)]
    out = tmp_path / "out.jsonl"
    one, other = (run(contest(seed, suite="nest-nl-2"), path, processes=1) for seed, path in (("1", out), ("2", None)))
    assert [result.moves for result in one] == [result.moves for result in other], "whatever the seed"
    assert read(out)[0]["suite"] == "nest-nl-2"
    with pytest.raises(PlayerError, match="other openings"):
        run(contest(), out, processes=1)


def test_every_game_has_suites_for_two_three_and_four(tmp_path: Path) -> None:
    assert len(suite_names()) == 12
    for name in suite_names():
        rules, _, seats = name.rpartition("-")
        assert len(load_suite("standard", rule_set(rules), int(seats)).positions) == 24
    for text, sentence in [
        ("", "has no opening"),
        ("nonsense", "opening 1"),
        (opening("jamaica-en"), "not of nest-nl"),
        (load_suite("standard", rule_set(RULES), 3).positions[0], "is for 3 seats, not for 2"),
    ]:
        (tmp_path / "own.txt").write_text(text)
        with pytest.raises(PlayerError, match=sentence):
            contest(suite=str(tmp_path / "own.txt"))
    with pytest.raises(PlayerError, match="neither a file of openings nor a suite"):
        contest(suite="none")
    with pytest.raises(PlayerError, match="there is no suite for jamaica-de"):
        Contest(("sailor",), "jamaica-de", suite="standard")


def test_openings_of_a_variant_are_played_by_its_rules(tmp_path: Path) -> None:
    rules, suite = rule_set(RULES).with_(draw=1, home=1), tmp_path / "own.txt"
    suite.write_text(opening(RULES))
    fixture = next(Contest(("sailor",), rules, suite=str(suite)).fixtures())
    assert fixture.new_game().rules == rules
    assert fixture.new_game().position.table != Position(opening(RULES)).table
    with pytest.raises(PlayerError, match="is for nest-nl itself, not for other sizes or a variant of it"):
        Contest(("sailor",), rules, suite="standard")
    with pytest.raises(PlayerError, match="opening 1: has another board or other crews"):
        Contest(("sailor",), rule_set(RULES, pirates=3), suite=str(suite))


def opening(rules: str) -> str:
    return load_suite("standard", rule_set(rules), 2).positions[0]


def test_files_of_results_are_merged_and_a_game_counts_once(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.jsonl", "b.jsonl", "again.jsonl")]
    for seed, path in zip(("1", "2", "1"), files, strict=True):
        run(contest(seed), path, processes=1)
    run(Contest(("sailor", "deckhand"), RULES, games=2, seed="1"), tmp_path / "c.jsonl", processes=1)
    [board] = merge([*files, tmp_path / "c.jsonl"])
    assert len(board.results) == 6
    assert board.head["players"] == ["sailor", "random", "deckhand"]
    assert {rating.label for rating in board.ratings()} == {"sailor", "random", "deckhand"}
    assert len({result.number for result in board.results}) == 6
    assert len({result.deal for result in board.results}) == 2
    with pytest.raises(PlayerError, match="at least one file"):
        merge([])


class Reader(HTMLParser):
    """Collects the text of a page and whatever it would load."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.loaded: list[str] = []

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loaded += [f"{tag} {key}" for key, _ in attrs if key in ("src", "href")]


def test_the_leaderboard_is_one_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bot = tmp_path / "bots.py"
    bot.write_text("from cartagena.players.simple import Sailor\nPLAYERS = {'mate': Sailor}\n")
    run(contest(), tmp_path / "a.jsonl", processes=1)
    run(Contest(("mate", "random"), "tortuga-en", games=2, code=(str(bot),)), tmp_path / "b.jsonl", processes=1)
    files = [str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")]
    assert cartagena(["leaderboard", *files, "--html", str(tmp_path / "page.html")]) == 0
    assert "nest-nl, 2 seats: 2 games" in capsys.readouterr().out
    reader = Reader()
    reader.feed((tmp_path / "page.html").read_text())
    assert "tortuga-en, 2 seats" in reader.text
    assert "mate" in reader.text
    assert reader.loaded == []
    assert cartagena(["leaderboard", *files, "--json"]) == 0
    assert [board["games"] for board in json.loads(capsys.readouterr().out)] == [2, 2]
    assert cartagena(["leaderboard", *files, "--merged", str(tmp_path / "all.jsonl")]) == 2
    assert "2 kinds of games" in capsys.readouterr().err
    assert cartagena(["leaderboard", files[0], "--merged", str(tmp_path / "all.jsonl")]) == 0
    assert len(read(tmp_path / "all.jsonl")[1]) == 2
    assert cartagena(["leaderboard", str(bot)]) == 2
    assert "not a file of arena results" in capsys.readouterr().err


def test_names_are_escaped_on_the_page(tmp_path: Path) -> None:
    from cartagena.arena.leaderboard import page

    out = tmp_path / "out.jsonl"
    run(contest(), out, processes=1)
    out.write_text(out.read_text().replace("random", "<b>random"))
    assert "<b>random" not in page(merge([out]))
