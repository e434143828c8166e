"""Tuning: the fit learns from samples, and the same seed finds the same weights."""

import json
import shlex
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cartagena.arena.training import TrainingSamples, fit, loss, pack, unpack
from cartagena.arena.tune import TuneConfig, searched_play, self_play, tune
from cartagena.jobs import executor
from cartagena.players import PlayerError
from cartagena.players.compiled import features
from cartagena.players.compiled.evaluation import HIDDEN, WEIGHTS
from cartagena.players.compiled.features import FEATURE_SET, NAMES, SIZE
from cartagena.players.weights import NEWEST, by_hand, from_data, from_file, packaged, to_data, write
from cartagena.rulesets import load


def samples(seats: int, number: int) -> TrainingSamples:
    """Samples where the seat with the larger feature 3 wins."""
    features = np.random.default_rng(seats).random((number, seats, SIZE)).astype(np.float32)
    return TrainingSamples(features, features[:, :, 3].argmax(axis=1))


def test_the_fit_learns_from_tables_of_several_sizes() -> None:
    sets = [samples(2, 3000), samples(4, 3000)]
    before = sum(loss(each, unpack(np.zeros(WEIGHTS))) for each in sets)
    found = fit(np.zeros(WEIGHTS), sets, epochs=4, rate=0.02)
    assert sum(loss(each, unpack(found)) for each in sets) < 0.5 * before
    assert (pack(unpack(found)) == found).all()


def test_the_fit_does_not_mistake_who_plays_for_how_they_stand() -> None:
    """The strong player wins from anywhere and prefers a large feature 3, which by itself does not win."""
    random = np.random.default_rng(5)
    strong = random.random((6000, 2, 1)) < 0.5
    features = random.random((6000, 2, SIZE)).astype(np.float32)
    features[:, :, 3] = 0.3 * features[:, :, 3] + 0.7 * strong[:, :, 0]
    winners = (features[:, :, 5] + 2 * strong[:, :, 0]).argmax(axis=1)
    blind = fit(np.zeros(WEIGHTS), [TrainingSamples(features, winners)], epochs=4, rate=0.02)
    knowing = TrainingSamples(np.concatenate([features, strong], axis=2).astype(np.float32), winners)
    found = fit(np.zeros(WEIGHTS), [knowing], epochs=4, rate=0.02)
    even = random.random((2000, 2, SIZE)).astype(np.float32)
    fair = TrainingSamples(even, even[:, :, 5].argmax(axis=1))
    assert found.shape == (WEIGHTS,)
    assert loss(fair, unpack(found)) < 0.5 * loss(fair, unpack(blind))


def test_tuning_can_play_whole_turns_with_guests(tmp_path: Path) -> None:
    rules = tmp_path / "short.toml"
    rules.write_text('base = "nest-nl"\npirates = 2\n')
    config = TuneConfig(str(rules), (3,), generations=2, games=12, seed=4, whole=1)
    first, last = (self_play(config, 3, by_hand(config.content), generation) for generation in (0, 1))
    assert first.features.shape[2] == SIZE
    assert last.features.shape[2] == SIZE + 1
    assert 0.3 < last.features[:, :, SIZE].mean() < 0.7
    assert set(np.unique(last.features[:, :, SIZE])) == {0, 1}
    tune(config, tmp_path / "turns.json")
    said = json.loads((tmp_path / "turns.json").read_text())["made-by"]
    assert said == f"cartagena tune {rules} --seats 3 --generations 2 --games 12 --seed 4 --whole-turns 1"


def test_tuning_writes_weights_that_a_player_can_use(tmp_path: Path) -> None:
    heard: list[str] = []
    config = TuneConfig("tortuga-en", (2,), generations=1, games=120, seed=3)
    found = tune(config, tmp_path / "one.json", tell=lambda _generation, what, _number: heard.append(what))
    again = tune(config, tmp_path / "two.json")
    assert heard == ["samples", "loss"]
    assert (found == again).all()
    data = json.loads((tmp_path / "one.json").read_text())
    assert data["set"] == "tortuga-2"
    assert data["made-by"] == "cartagena tune tortuga-en --seats 2 --generations 1 --games 120 --seed 3"
    assert np.abs(from_file(str(tmp_path / "one.json")) - found).max() < 1e-4


def test_tuning_learns_from_searched_games(tmp_path: Path) -> None:
    rules = tmp_path / "tiny.toml"
    rules.write_text('base = "tortuga-en"\npirates = 2\npieces = 2\n')
    config = TuneConfig(str(rules), (2,), generations=1, games=40, seed=3, nodes=24, start="tuned")
    told: dict[str, float] = {}
    out = tmp_path / "found.json"
    found = tune(config, out, tell=lambda _generation, what, number: told.update({what: number}))
    before = packaged("2026-11/tortuga-2")
    assert (found != before).any()
    assert told["samples"] > 200
    assert shlex.split(json.loads(out.read_text())["made-by"])[-4:] == ["--nodes", "24", "--start", "tuned"]
    sets = searched_play(config, 2, before, 0, out, executor(workers=1))
    assert loss(sets, unpack(found)) < loss(sets, unpack(before))


def test_tuning_goes_on_from_a_file_and_says_so(tmp_path: Path) -> None:
    start = tmp_path / "my start.json"
    told: dict[str, Any] = {"made-by": "cartagena tune before"}
    write(start, packaged(f"{NEWEST}/tortuga-2"), **told)
    config = TuneConfig("tortuga-en", (2,), generations=1, games=120, seed=3, start=str(start))
    found = tune(config, tmp_path / "found.json")
    told = json.loads((tmp_path / "found.json").read_text())
    assert shlex.split(told["made-by"])[-2:] == ["--start", str(start)]
    assert told["start-made-by"] == "cartagena tune before"
    assert np.abs(found - packaged(f"{NEWEST}/tortuga-2")).max() < 1.0  # closer than the weights set by hand
    assert np.abs(found - by_hand(load("tortuga-en"))).max() > 1.0


def test_tuning_can_end_half_way(tmp_path: Path) -> None:
    weights = []
    for generations, half in ((1, False), (2, False), (2, True)):
        config = TuneConfig("tortuga-en", (2,), generations, games=120, seed=3, half=half)
        weights.append(tune(config, tmp_path / f"{generations}-{half}.json"))
    played, found, between = weights
    assert np.array_equal(between, (played + found) / 2)
    assert not np.array_equal(played, found)
    said = json.loads((tmp_path / "2-True.json").read_text())["made-by"]
    assert said == "cartagena tune tortuga-en --seats 2 --generations 2 --games 120 --seed 3 --half-way"


def test_tuning_that_was_broken_off_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    config = TuneConfig("tortuga-en", (2,), generations=2, games=120, seed=3)
    whole = tune(config, tmp_path / "whole.json")
    out, heard = tmp_path / "part.json", []

    def break_off(generation: int, what: str, _number: float) -> None:
        heard.append((generation, what))
        if (generation, what) == (1, "samples"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune(config, out, tell=break_off)
    assert json.loads(out.read_text())["generation"] == 1
    heard.clear()
    rest = tune(config, out, tell=lambda generation, what, _number: heard.append((generation, what)))
    assert heard == [(1, "samples"), (1, "loss")]
    assert (rest == whole).all()
    assert out.read_text() == (tmp_path / "whole.json").read_text()


def test_tuning_does_not_write_over_a_file_that_holds_no_weights(tmp_path: Path) -> None:
    out = tmp_path / "diary.json"
    out.write_text("a day at sea")
    with pytest.raises(PlayerError, match="not a file of weights"):
        tune(TuneConfig("tortuga-en", generations=1, games=120), out)
    assert out.read_text() == "a day at sea"


def test_a_start_that_is_no_file_of_weights_is_refused(tmp_path: Path) -> None:
    config = TuneConfig("tortuga-en", generations=1, games=120, start=str(tmp_path / "nothing.json"))
    with pytest.raises(PlayerError, match="not a file of weights"):
        tune(config, tmp_path / "found.json")


@pytest.mark.parametrize("game", ["jamaica", "tortuga", "hispaniola", "nest"])
def test_all_games_have_tuned_weights(game: str) -> None:
    for table in ("2", "many"):
        assert packaged(f"{NEWEST}/{game}-{table}").any()


@pytest.mark.parametrize(
    "name", [f"{game}-{size}" for game in ("jamaica", "tortuga", "nest") for size in ("2", "many")]
)
def test_tuned_weights_say_which_command_made_them(name: str) -> None:
    told = json.loads((files("cartagena.players") / "data" / NEWEST / f"{name}.json").read_text(encoding="utf-8"))
    words = shlex.split(told["made-by"])
    assert told["set"] == name
    assert words[:2] == ["cartagena", "tune"]
    assert int(words[words.index("--generations") + 1]) == told["generation"], "broken off, or another command"


def test_weights_for_other_features_are_refused() -> None:
    with pytest.raises(PlayerError, match="other features"):
        from_data("x.json", {"features": ["one"], "hidden": 16, "weights": []})
    with pytest.raises(PlayerError, match="no feature wind"):
        from_data("x.json", {"linear": {"wind": 1.0}})
    with pytest.raises(PlayerError, match="not a file of weights"):
        from_data("x.json", [])
    with pytest.raises(PlayerError, match="not a file of weights"):
        from_data("x.json", {"linear": [1]})
    network = {"features": list(NAMES), "hidden": HIDDEN}
    with pytest.raises(PlayerError, match="other features"):
        from_data("x.json", network)
    with pytest.raises(PlayerError, match="has 2 weights"):
        from_data("x.json", {**network, "weights": [1, 2]})
    for weight in ("x", None, [1]):
        with pytest.raises(PlayerError, match="not a number"):
            from_data("x.json", {**network, "weights": [weight, *[0] * (WEIGHTS - 1)]})
        with pytest.raises(PlayerError, match="not a number"):
            from_data("x.json", {"linear": {"progress": weight}})
    with pytest.raises(PlayerError, match="not a file of weights"):
        from_file("/no/such/file.json")


@pytest.mark.parametrize("given", [2, 0, "1", None, [1]])
def test_weights_of_another_feature_set_are_refused_in_one_sentence(given: object) -> None:
    file = to_data(np.zeros(WEIGHTS))
    assert file["feature-set"] == FEATURE_SET
    assert from_data("x.json", {**file, "feature-set": FEATURE_SET}).shape == (WEIGHTS,)
    with pytest.raises(PlayerError, match=r"^x.json: belongs to feature set .*, this version has 1$"):
        from_data("x.json", {**file, "feature-set": given})


def test_a_file_that_names_no_feature_set_belongs_to_the_first() -> None:
    file = to_data(np.ones(WEIGHTS))
    del file["feature-set"]
    assert from_data("x.json", file).all()


def test_every_feature_has_a_constant_with_its_place_in_the_list() -> None:
    constants = [getattr(features, name.upper().replace("-", "_")) for name in NAMES]
    assert constants == list(range(SIZE))
    assert len(set(NAMES)) == SIZE
