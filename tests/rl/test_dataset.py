"""Datasets: what the rows say, the same for the same seed, resumed after an interruption, refused in one sentence."""

import itertools
import json
import random
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.variants import EVERY_KEY, every_key, variants

import cartagena
from cartagena import CartagenaError, Game, Move, Position
from cartagena.cli import run
from cartagena.players import Analysis, Limit, register
from cartagena.players.registry import files_of
from cartagena.rl import dataset, level_games
from cartagena.rl.dataset import DatasetConfig, write_dataset
from cartagena.rl.spaces import observation
from cartagena.rulesets import from_data


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "PART", 2)


def make(path: Path, games: int = 5, players: str = "sailor,deckhand", **options: Any) -> list[dict[str, Any]]:
    chosen: dict[str, Any] = {"rules": "jamaica-en", "seats": None, "seed": "7", "nodes": 50, "turns": 30, **options}
    write_dataset(DatasetConfig.of(players.split(","), games, **chosen), path)
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return rows


def test_rows_tell_whole_games(tmp_path: Path) -> None:
    rows = make(tmp_path / "games.parquet", games=3, rules="nest-nl", players="sailor", seats=3, turns=200)
    assert {row["game"] for row in rows} == {0, 1, 2}
    for row, following in itertools.pairwise(rows):
        position = Position.parse(row["position"])
        assert position.turn == row["seat"]
        assert str(position.view(row["seat"])) == row["view"]
        assert position.action(row["move"]) == row["action"]
        after = position.play(row["move"], *row["dealt"].split())
        if following["game"] == row["game"]:
            assert str(after) == following["position"]
        else:
            assert str(after.outcome()) == str(row["result"])


@pytest.mark.parametrize(
    ("rules", "seats", "players"),
    [
        ("jamaica-en", 2, "sailor"),
        ("tortuga-de", 3, "sailor,gunner,deckhand"),
        ("nest-nl", 4, "gunner,random,sailor,deckhand"),
        ("hispaniola-en", 5, "sailor"),
    ],
)
def test_compiled_code_plays_the_games_of_the_players(rules: str, seats: int, players: str) -> None:
    chosen: dict[str, Any] = {"rules": rules, "seats": seats, "seed": "7", "nodes": 50, "turns": 300}
    config = DatasetConfig.of(players.split(","), 3, **chosen, columns=("observation", "mask", "policy"))
    for number in range(3):
        by_players, by_code = dataset.played_by_players(config, number), dataset.played_by_levels(config, number)
        assert by_code is not None
        assert {name: list(map(str, values)) for name, values in by_code.items()} == {
            name: list(map(str, values)) for name, values in by_players.items()
        }


@settings(max_examples=15, deadline=None)
@given(variants(), st.integers(2, 5), st.randoms(use_true_random=False))
@example(EVERY_KEY["tunnel"], 3, random.Random(1))
@example({"base": "nest-nl", "cards": 9}, 5, random.Random(2))
@example({"base": "tortuga-en+pass"}, 2, random.Random(3))
def test_compiled_code_writes_positions_and_views_as_the_notation_does(
    entries: dict[str, Any], seats: int, chance: random.Random
) -> None:
    position = Game.new(from_data(entries), seats=seats, seed=chance.randrange(1000)).position
    seen: list[Position] = []
    while len(seen) < 400 and not position.is_over:
        seen += [position, position.view(0), *(position.view(seat) for seat in range(1, seats + 1))]
        position = position.play(chance.choice(position.legal_moves))
    seen.append(position)
    states, head = np.array([each.words for each in seen]), " ".join(str(position).split(" ")[:2])
    texts = level_games.written(position.rules, position.table, head, states)
    assert texts.to_pylist() == [str(each) for each in seen]


def test_a_very_long_game_is_left_to_the_players(monkeypatch: pytest.MonkeyPatch) -> None:
    config = DatasetConfig.of(["sailor"], 1, rules="jamaica-en", seats=2, seed="7", nodes=1, turns=20)
    whole = dataset.play_game(config, 0)
    monkeypatch.setattr(level_games, "PLIES", 10)
    assert dataset.played_by_levels(config, 0) is None
    assert dataset.play_game(config, 0) == whole


def test_two_games_at_once_do_not_share_their_plies() -> None:
    def game(seed: int) -> level_games.LevelGame:
        return level_games.LevelGame(Game.new("tortuga-en", seats=2, seed=seed), ["sailor", "gunner"], [seed, 2], 40)

    alone, first, second = game(1), game(1), game(5)
    assert alone.play()
    expected = alone.columns()
    assert first.play()
    assert second.play()
    assert first.columns() == expected != second.columns()


class Undecided:
    """A player whose analysis is another move than its decision, as nothing forbids."""

    name = "undecided"

    def decide(self, view: Position, limit: Limit | None = None) -> Move:
        return view.legal_moves[0]

    def analyse(self, view: Position, limit: Limit | None = None) -> Analysis:
        return Analysis(view.legal_moves[-1])


@pytest.mark.parametrize("players", ["captain", "undecided,sailor", "gunner,deckhand"])
def test_the_games_do_not_depend_on_the_columns(tmp_path: Path, players: str) -> None:
    register("undecided", Undecided)
    plain, more = (
        make(tmp_path / f"{len(columns)}.parquet", 1, players, nodes=300, turns=40, columns=columns)
        for columns in ((), ("policy", "value"))
    )
    assert [row["position"] for row in plain] == [row["position"] for row in more]
    assert len(plain) > 19


def test_more_columns_are_written_where_they_are_asked_for(tmp_path: Path) -> None:
    columns = ("value", "observation", "mask", "policy")
    rows = make(tmp_path / "games.parquet", games=1, players="captain,sailor", turns=4, columns=columns)
    for row in rows:
        view = Position.parse(row["view"])
        assert row["observation"] == observation.observe(view.table, view.words, row["seat"] - 1).tolist()
        assert [action for action, mark in enumerate(row["mask"]) if mark] == view.legal_actions()
        if row["player"] == "sailor":
            assert row["policy"] is row["value"] is None
        else:
            assert sum(row["policy"]) == pytest.approx(1, abs=1e-5)
            assert {action for action, share in enumerate(row["policy"]) if share} <= set(view.legal_actions())
            assert sum(row["value"]) == pytest.approx(1, abs=1e-5)


def test_a_file_says_how_it_was_made(tmp_path: Path) -> None:
    make(tmp_path / "games.parquet", games=3, turns=3)
    told = json.loads(pq.read_schema(tmp_path / "games.parquet").metadata[b"provenance"])
    assert told["players"] == ["sailor", "deckhand"]
    assert told["limits"] == {"nodes": 50, "turns": 3}
    assert (told["seed"], told["games"], told["seats"]) == ("7", [0, 3], 2)
    assert (told["version"], told["rules-hash"]) == (cartagena.__version__, cartagena.rule_set("jamaica-en").digest)


def test_the_files_of_players_are_known_by_their_content(tmp_path: Path) -> None:
    weights, players = tmp_path / "weights.json", f"gunner:weights={tmp_path / 'weights.json'},random".split(",")
    weights.write_text('{"linear": {}}')
    make(tmp_path / "games", games=1, players=",".join(players), turns=1, shard=1)
    [shard] = (tmp_path / "games").glob("*.parquet")
    assert json.loads(pq.read_schema(shard).metadata[b"provenance"])["files"] == files_of(players[0])
    weights.write_text('{"linear": {"cards": 1}}')
    with pytest.raises(CartagenaError, match="holds another dataset"):
        make(tmp_path / "games", games=2, players=",".join(players), turns=1, shard=1)


def test_a_folder_of_shards_is_extended_by_more_games(tmp_path: Path) -> None:
    whole, folder = make(tmp_path / "whole.parquet", games=8), tmp_path / "games"
    make(folder, games=3, shard=2)
    before = {path: path.read_bytes() for path in folder.glob("*.parquet")}
    assert make(folder, games=8, shard=3) == whole
    assert [path.name for path in sorted(folder.glob("*.parquet"))] == [
        "games-000000000-000000002.parquet", "games-000000002-000000003.parquet",
        "games-000000003-000000006.parquet", "games-000000006-000000008.parquet",
    ]  # fmt: skip
    assert {path: path.read_bytes() for path in before} == before
    assert make(folder, games=5, shard=3) == whole, "there are more games already"
    with pytest.raises(CartagenaError, match="holds another dataset, so it cannot be extended"):
        make(folder, games=9, shard=3, seed="8")
    (folder / "games-000000002-000000003.parquet").unlink()
    with pytest.raises(CartagenaError, match="lacks the games 2 to 2"):
        make(folder, games=9, shard=3)


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear")
    with pytest.raises(CartagenaError, match="holds other files; name an empty folder"):
        make(tmp_path, shard=2)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_the_same_seed_gives_the_same_file(tmp_path: Path) -> None:
    make(tmp_path / "one.parquet")
    make(tmp_path / "two.parquet")
    make(tmp_path / "other.parquet", seed="8")
    one, two, other = (tmp_path / f"{name}.parquet" for name in ("one", "two", "other"))
    assert one.read_bytes() == two.read_bytes() != other.read_bytes()


def test_interrupted_work_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = make(tmp_path / "whole.parquet")
    played: list[int] = []
    play = dataset.play_game

    def stumble(config: DatasetConfig, number: int) -> Any:
        if len(played) == 3:
            raise KeyboardInterrupt
        played.append(number)
        return play(config, number)

    monkeypatch.setattr(dataset, "play_game", stumble)
    with pytest.raises(KeyboardInterrupt):
        make(tmp_path / "games.parquet")
    assert not (tmp_path / "games.parquet").exists()

    def note(config: DatasetConfig, number: int) -> Any:
        played.append(number)
        return play(config, number)

    monkeypatch.setattr(dataset, "play_game", note)
    assert make(tmp_path / "games.parquet") == whole
    assert played == [0, 1, 2, 2, 3, 4], "the first part was whole and was not played again"
    assert (tmp_path / "games.parquet").read_bytes() == (tmp_path / "whole.parquet").read_bytes()
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == []


def test_a_game_at_the_limit_has_no_result(tmp_path: Path) -> None:
    rows = make(tmp_path / "games.parquet", games=1, turns=2)
    assert {row["result"] for row in rows} == {-1}
    assert rows[-1]["turns"] == 2


def test_players_move_on_by_one_seat(tmp_path: Path) -> None:
    rows = make(tmp_path / "games.parquet", games=2, turns=4)
    assert {(row["game"], row["seat"], row["player"]) for row in rows} == {
        (0, 1, "sailor"), (0, 2, "deckhand"), (1, 1, "deckhand"), (1, 2, "sailor"),
    }  # fmt: skip


def test_the_command_writes_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "games.parquet"
    command = ["dataset", "--games", "3", "--players", "deckhand", "--seats", "3", "--turns", "3", str(out)]
    assert run([*command, "--processes", "1"]) == 0
    assert capsys.readouterr().out == f"{out}: 3 games.\n"
    assert pq.read_table(out).num_rows > 9
    assert run(command) == 2
    assert capsys.readouterr().err == f"{out} already exists.\n"
    assert run([*command, "--shard", "2"]) == 2
    assert "shards are written to a folder" in capsys.readouterr().err
    folder = tmp_path / "games"
    assert run([*command[:-1], "--shard", "2", "--columns", "mask, value", str(folder)]) == 0
    assert pq.read_table(folder).column_names[-2:] == ["mask", "value"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"players": "nobody"}, "'nobody' is not a player"),
        ({"players": "sailor,sailor,sailor", "seats": 2}, "name one player, or one for each of the 2 seats, not 3"),
        ({"seats": 9, "players": "sailor"}, "seats must be a whole number from 2 to 5, not 9"),
        ({"games": 0}, "games must be a whole number from 1 to 1000000000000, not 0"),
        ({"rules": "chess-en"}, "chess-en is not a rule set"),
        ({"columns": ["colour"]}, "'colour' is not a column; there are observation, mask, policy, value"),
        ({"shard": -1}, "shard must be a whole number from 0 to 1000000000000, not -1"),
    ],
)
def test_plans_that_cannot_be_are_refused(tmp_path: Path, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        make(tmp_path / "games.parquet", **options)
    assert list(tmp_path.iterdir()) == []


def test_parts_of_another_dataset_are_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "games.parquet.parts"
    folder.mkdir()
    (folder / "plan.json").write_text("{}")
    with pytest.raises(CartagenaError, match="holds parts of another dataset"):
        make(tmp_path / "games.parquet")


@pytest.mark.parametrize(
    ("players", "empty"),
    [("sailor,random", ["policy", "value"]), ("gunner", ["policy"]), ("quartermaster,sailor", [])],
)
def test_columns_that_no_player_fills_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], players: str, empty: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    options = ["--players", players, "--games", "2", "--nodes", "5", "--turns", "3", "--columns", "policy,value"]
    assert run(["dataset", *options, "--processes", "1", "games.parquet"]) == 0
    told = capsys.readouterr().err
    assert [column for column in ("policy", "value") if f"The column {column} will be empty" in told] == empty
    rows = pq.read_table("games.parquet")
    assert [column for column in ("policy", "value") if rows[column].null_count == rows.num_rows] == empty


def test_a_place_that_cannot_be_written_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CartagenaError, match="cannot be written"):
        make(tmp_path / "file" / "games.parquet")


def test_games_follow_from_their_number_alone() -> None:
    config = DatasetConfig.of(["deckhand"], 9, rules="jamaica-en", seats=2, seed="1", nodes=1, turns=3)
    numbers = list(range(4))
    random.Random(1).shuffle(numbers)
    shuffled = {number: dataset.play_game(config, number) for number in numbers}
    assert [shuffled[number] for number in range(4)] == [dataset.play_game(config, number) for number in range(4)]


def test_a_rule_set_of_a_file_is_played_with_its_sizes(tmp_path: Path) -> None:
    rules = tmp_path / "small.toml"
    rules.write_text('base = "tortuga-en"\npirates = 2\npieces = 1\nseats = 3\n')
    rows = make(tmp_path / "games.parquet", games=1, players="sailor", rules=str(rules))
    opening = Position.parse(rows[0]["position"])
    assert (opening.pirates, opening.seats, opening.islands) == (2, 3, [[opening.board]])


@pytest.mark.parametrize("name", ["tunnel", "nest"])
def test_a_dataset_carries_its_variant(tmp_path: Path, name: str) -> None:
    rules = every_key()[name]
    rows = make(tmp_path / "games", games=2, players="sailor", rules=rules, seats=3, turns=4, shard=1)
    about = json.loads((tmp_path / "games/_dataset.json").read_text())
    shards = sorted((tmp_path / "games").glob("*.parquet"))
    told = [json.loads(pq.read_schema(shard).metadata[b"provenance"]) for shard in shards]
    for entries in (about["rules"], *(each["rules"] for each in told)):
        again = from_data(entries)
        assert (again, again.variant, again.title) == (rules, rules.variant, rules.title)
    assert {each["rules-hash"] for each in told} == {rules.digest}
    for row in rows:
        assert Position(row["position"], rules).view(row["seat"]) == Position(row["view"], rules)


def test_parts_of_another_content_of_the_same_file_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = tmp_path / "small.toml"
    rules.write_text('base = "tortuga-en"\npirates = 2\n')
    monkeypatch.setattr(dataset.PartsFolder, "join", lambda self: None)
    make_parts = DatasetConfig.of(["sailor"], 1, rules=str(rules), seats=2, seed="1", nodes=1, turns=1)
    write_dataset(make_parts, tmp_path / "games.parquet")
    rules.write_text('base = "tortuga-en"\npirates = 3\n')
    changed = DatasetConfig.of(["sailor"], 1, rules=str(rules), seats=2, seed="1", nodes=1, turns=1)
    with pytest.raises(CartagenaError, match="holds parts of another dataset"):
        write_dataset(changed, tmp_path / "games.parquet")


def test_a_dataset_is_no_csv_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["dataset", str(tmp_path / "x.csv"), "--games", "1"]) == 2
    assert "datasets are Parquet files" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_schema_page_lists_every_column() -> None:
    page = (Path(__file__).parents[2] / "docs" / "datasets.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \| ([^ ]+) \|", page, re.MULTILINE)
    kinds = {field.name: str(field.type) for field in dataset.SCHEMA}
    assert dict(listed[: len(kinds)]) == kinds
    assert [name for name, _ in listed[len(kinds) :]] == list(dataset.MORE)


def test_a_player_of_a_file_plays_a_dataset(tmp_path: Path) -> None:
    code, out = tmp_path / "mine.py", tmp_path / "games.parquet"
    code.write_text(
        "from cartagena.players import register\n\n\nclass Last:\n    name = 'lastmover'\n\n"
        "    def decide(self, view, limit=None):\n        return view.legal_moves[-1]\n\n\n"
        "register('lastmover', Last)\n"
    )
    options = ["--code", str(code), "--players", "lastmover", "--games", "2", "--turns", "2", "--processes", "1"]
    assert run(["dataset", str(out), "--rules", "tortuga-en", *options]) == 0
    assert set(pq.read_table(out)["player"].to_pylist()) == {"lastmover"}
