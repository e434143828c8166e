"""Training networks: gradients, games by search, and the whole loop on a tiny rule set."""

import json
import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cartagena import Game, rule_set
from cartagena.arena import network_fit
from cartagena.arena.duel import Duel, is_better, play_duel
from cartagena.arena.game_chunks import Chunk, TrainingSet, inputs_of, play_chunk, read_chunk
from cartagena.arena.gradients import Tensor, gradients
from cartagena.arena.network_fit import NumpyArrays, Samples
from cartagena.arena.network_torch import device_of, torch_or_fail
from cartagena.arena.ratings import Share
from cartagena.arena.searched import SearchedPlay, SearchedSamples, play_searched
from cartagena.arena.train import Training
from cartagena.arena.train_config import TrainConfig, TrainProgress
from cartagena.arena.training import TrainingSamples, loss_of, seeded
from cartagena.arena.training import unpack as unpack_weights
from cartagena.cli import run
from cartagena.cli.verbs.train import more_games
from cartagena.jobs import executor
from cartagena.kernel.layout import OVER
from cartagena.players import PlayerError, networks
from cartagena.players.compiled.evaluation import WEIGHTS
from cartagena.players.compiled.features import SIZE
from cartagena.players.compiled.network_inputs import BLOCK, GLOBALS, WHOLE
from cartagena.players.files import save
from cartagena.players.networks import Layers, fresh, pack, read, unpack, write

TINY = rule_set("tortuga-en", pirates=2, pieces=2)


@pytest.fixture
def tiny(tmp_path: Path) -> str:
    """The file of a rule set whose games are short."""
    path = tmp_path / "tiny.toml"
    path.write_text('base = "tortuga-en"\npirates = 2\npieces = 2\n')
    return str(path)


def config_for(tiny: str, **changes: Any) -> TrainConfig:
    """A short training that starts from a network that knows nothing."""
    start = Path(tiny).with_name("start.network")
    usual: dict[str, Any] = {"generations": 1, "games": 8, "epochs": 2, "nodes": 16, "gate": 2, "trainer": "numpy"}
    config = TrainConfig(tiny, start=str(start), **{**usual, **changes})
    write(start, pack(fresh(1)), **config.about([]))
    return config


def random_set(seats: int, samples: int) -> TrainingSet:
    """Samples with random inputs, in which the seat with more low inputs wins."""
    random = np.random.default_rng(seats)
    rows = random.integers(BLOCK, size=(samples, seats + 1, 9)).astype(np.int16)
    rows[:, seats] = WHOLE + random.integers(GLOBALS, size=(samples, 9))
    rows[:, :, 7:] = -1
    low = (rows[:, :seats] < BLOCK // 2).sum(axis=2).astype(np.float32)
    target = low / low.sum(axis=1, keepdims=True)
    return TrainingSet(seats, rows, target, np.arange(samples) % 10 == 0)


def check_slopes(parts: list[Any], loss: Callable[[list[Tensor]], Tensor]) -> None:
    """The gradients of some numbers are what the loss changes by where one of them is changed a little."""
    tensors = [Tensor(part) for part in parts]
    random = np.random.default_rng(1)
    for part, slopes in zip(parts, gradients(loss(tensors), tensors), strict=True):
        assert part.shape == slopes.shape
        for at in random.permutation(np.argwhere(np.abs(slopes) > 1e-4))[:4]:
            losses = []
            for change in (1e-5, -2e-5):
                part[tuple(at)] += change
                losses.append(loss(tensors).item())
            part[tuple(at)] += 1e-5
            assert (losses[0] - losses[1]) / 2e-5 == pytest.approx(slopes[tuple(at)], rel=1e-3, abs=1e-6)


@pytest.mark.parametrize(("seats", "pairs"), [(2, False), (3, False), (2, True), (4, True)])
def test_gradients_are_the_slopes_of_the_loss(seats: int, pairs: bool) -> None:
    data, chosen = random_set(seats, 20), np.arange(20)
    layers = Layers(*(part.astype(np.float64) + 0.01 for part in fresh(2, pairs).all()))
    check_slopes(layers.all(), partial(Samples(NumpyArrays(), data).loss, chosen=chosen))


def test_gradients_of_the_evaluation_are_the_slopes_of_its_loss() -> None:
    features = np.random.default_rng(5).random((20, 3, SIZE))
    samples = TrainingSamples(features, features[:, :, 3].argmax(axis=1))
    parts = [part.astype(np.float64) for part in seeded(unpack_weights(np.zeros(WEIGHTS)), np.random.default_rng(1))]
    check_slopes(parts, partial(loss_of, samples))


def held_loss(layers: Layers, sets: list[TrainingSet]) -> float:
    arrays = NumpyArrays()
    return network_fit.held_loss([Samples(arrays, data) for data in sets], arrays.start(layers.all()))


def test_the_fit_learns_from_tables_of_several_sizes() -> None:
    sets = [random_set(3, 300), random_set(4, 300)]
    before = fresh(1)
    told: list[float] = []
    after = network_fit.fit(
        before, sets, network_fit.Effort(steps=100, batch=32, rate=5e-3), lambda *given: told.append(given[2])
    )
    assert held_loss(after, sets) < held_loss(before, sets) - 0.005
    assert len(told) == 1
    again = network_fit.fit(before, sets, network_fit.Effort(steps=100, batch=32, rate=5e-3))
    assert all((one == other).all() for one, other in zip(after.all(), again.all(), strict=True))


@pytest.mark.parametrize("seats", [2, 3])
def test_searched_games_give_positions_with_values(seats: int) -> None:
    play = SearchedPlay(TINY, seats, "tuned", 40, seed=3)
    found, again = play_searched(play, 0, 3), play_searched(play, 0, 3)
    assert found is not None
    assert again is not None
    assert found.states.tobytes() == again.states.tobytes()
    assert found.q.tobytes() == again.q.tobytes()
    assert not found.states[:, OVER].any()
    assert np.allclose(found.q.sum(axis=1), 1, atol=1e-5)
    assert 0 < found.played.mean() < 1, "siblings are kept, too"
    target = found.target(0.3)
    assert np.allclose(target[~found.played], found.q[~found.played])
    won = found.q[np.arange(len(found)), found.winner]
    assert (target[np.arange(len(found)), found.winner][found.played] >= won[found.played] - 1e-6).all()


def test_targets_begin_with_the_mover() -> None:
    states = np.zeros((2, 48), np.int64)
    states[1, 0] = 1
    q = np.array([[0.9, 0.1], [0.9, 0.1]], np.float32)
    samples = SearchedSamples(states, q, np.zeros(2, np.int8), np.zeros(2, bool), np.arange(2))
    found = TrainingSet.of(samples, np.zeros((2, 3, 1), np.int16), 0.3)
    assert np.allclose(found.target, [[0.9, 0.1], [0.1, 0.9]])
    assert found.held.tolist() == [True, False]


def test_a_chunk_is_kept_and_known_again(tmp_path: Path) -> None:
    play = SearchedPlay(TINY, 2, "tuned", 16, seed=1)
    chunk = Chunk(play, 0, 0, tmp_path)
    assert not chunk.is_done()
    save(*play_chunk(chunk))
    assert chunk.is_done()
    found = read_chunk(chunk.path)
    assert found is not None
    samples, rows = found
    assert (rows == inputs_of(samples.states, play.basis.rules)).all()
    with pytest.raises(PlayerError, match="has games of another run; choose another folder"):
        Chunk(replace(play, nodes=17), 0, 0, tmp_path).is_done()
    chunk.path.write_bytes(b"cut off")
    with pytest.raises(PlayerError, match="is not a file of searched games"):
        chunk.is_done()
    with pytest.raises(PlayerError, match="cannot be written"):
        save(tmp_path / "none" / "chunk.npz", b"")


def test_a_duel_is_fair_to_equals_and_tells_the_better() -> None:
    share = play_duel(Duel(TINY, 3, "tuned", "tuned", 16, "x", 0))
    assert share.played == 3
    assert is_better({2: Share(70, 100)})
    assert not is_better({2: Share(55, 100)})
    assert is_better({3: Share(45, 100)})
    assert is_better({2: Share(56, 100), 3: Share(40, 100), 4: Share(33, 100)}), "together they are enough"


def test_training_improves_on_its_start(tiny: str, tmp_path: Path) -> None:
    told: list[str] = []
    config = config_for(tiny, games=200, epochs=8, nodes=24, gate=120)
    out = tmp_path / "found.network"
    progress = Training(config, tmp_path / "data", out, executor(workers=2), told.append).run()
    last = progress.history[-1]
    assert last["accepted"], told
    won, played = last["gate"]["2"]
    assert won / played > 0.6
    _, about = read(out)
    assert about["made-by"] == config.command
    assert about["rules-hash"] == config.content.digest
    assert about["curve"][-1]["gate"] == last["gate"]
    view = Game.new(config.content, seed=1).view(1)
    assert about["sizes"]["pirates"] == 2
    assert view.rules.pirates == 2


def test_training_that_was_broken_off_goes_on_as_if_it_had_not_been(tiny: str, tmp_path: Path) -> None:
    config = config_for(tiny)
    Training(config, tmp_path / "whole", tmp_path / "w.network", executor(workers=1)).run()

    def break_off(line: str) -> None:
        if "won" in line:
            raise KeyboardInterrupt

    folder = tmp_path / "part"
    with pytest.raises(KeyboardInterrupt):
        Training(config, folder, tmp_path / "p.network", executor(workers=1), break_off).run()
    assert TrainProgress.read(config, folder).generation == 1, "the games of the first generation are done"
    told: list[str] = []
    Training(config, folder, tmp_path / "p.network", executor(workers=1), told.append).run()
    assert not any('"generation": 0' in line for line in told), "its games were there"
    one, other = (tmp_path / name / "tortuga-2-001.network" for name in ("whole", "part"))
    assert read(one)[0].tobytes() == read(other)[0].tobytes()
    assert [each["games"] for each in TrainProgress.read(config, folder).history] == [8, 0]


def lead(layers: Layers, data: TrainingSet) -> Any:
    """How far a network sees the mover ahead of the other."""
    arrays = NumpyArrays()
    scores = Samples(arrays, data).scores(arrays.start(layers.all()), np.arange(len(data))).value
    return scores[:, 0] - scores[:, 1]


def test_a_network_for_two_seats_is_a_start_for_more(
    tiny: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    two = config_for(tiny)
    more = replace(two, tables=(3,))
    folder = tmp_path / "more"
    assert Training(more, folder, tmp_path / "o", executor(workers=1)).run().history[0]["champion"] == "tuned"
    trained = unpack(read(folder / "tortuga-many-001.network")[0])
    assert np.corrcoef(trained.inner.ravel(), fresh(1).inner.ravel())[0, 1] > 0.9, "it began with the one for two"
    monkeypatch.setattr(networks, "SHARE_OF_RIVALS", 1.0)
    layers = fresh(2)
    layers.rows[:, -2:] = np.random.default_rng(3).normal(size=(len(layers.rows), 2))
    data = random_set(2, 20)
    turned = replace(data, rows=data.rows[:, [1, 0, 2]])
    expected = lead(layers, data) - lead(layers, turned)
    assert np.allclose(lead(networks.for_more_seats(layers), data), expected, atol=1e-4), "both seats see their lead"
    with pytest.raises(PlayerError, match=r"was trained for .*tiny\.toml with 2 seats, not for jamaica-en with 2"):
        Training(replace(more, rules="jamaica-en"), tmp_path / "d", tmp_path / "o").run()


def test_bad_input_is_refused_in_one_sentence(tiny: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PlayerError, match=r"^a network is for two seats or for more"):
        TrainConfig(tiny, (2, 3))
    with pytest.raises(PlayerError, match=r"^'jax' is not a trainer"):
        TrainConfig(tiny, trainer="jax")
    with pytest.raises(PlayerError, match=r"^'tpu' is not a device to train on; there are cuda and cpu$"):
        TrainConfig(tiny, device="tpu")
    with pytest.raises(PlayerError, match=r"^NumPy does not train on a GPU"):
        TrainConfig(tiny, trainer="numpy", device="cuda")
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(PlayerError, match=r"^PyTorch is not installed; install cartagena\[train\]"):
        torch_or_fail()
    with pytest.raises(PlayerError, match="PyTorch is not installed"):
        Training(config_for(tiny, trainer="torch"), tmp_path / "d", tmp_path / "o").run()
    with pytest.raises(PlayerError, match="PyTorch is not installed"):
        Training(config_for(tiny, trainer="auto", device="cuda"), tmp_path / "d", tmp_path / "o").run()

    class NoGpu:
        class cuda:  # noqa: N801
            is_available = staticmethod(lambda: False)

    with pytest.raises(PlayerError, match=r"^there is no GPU"):
        device_of(NoGpu, "cuda")
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "progress.json").write_text(json.dumps({"command": "cartagena train x", "rules_hash": ""}))
    with pytest.raises(PlayerError, match="has the progress of cartagena train x; choose another folder"):
        Training(config_for(tiny), folder, tmp_path / "o").run()
    (folder / "progress.json").write_text("[")
    with pytest.raises(PlayerError, match="is not the progress of a training"):
        Training(config_for(tiny), folder, tmp_path / "o").run()
    (tmp_path / "file").write_text("")
    with pytest.raises(PlayerError, match="cannot be written: Not a directory"):
        Training(config_for(tiny), tmp_path / "file", tmp_path / "o").run()


def test_the_command_trains_and_names_its_file(tiny: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["train", tiny, "--generations", "1", "--games", "4", "--epochs", "1", "--nodes", "16", "--gate", "2"]
    more = [
        "--trainer",
        "numpy",
        "--processes",
        "1",
        "--data",
        str(tmp_path / "d"),
        "--out",
        str(tmp_path / "o.network"),
    ]
    assert run([*words, *more]) == 0
    told = capsys.readouterr()
    assert "generation 1: training on" in told.err
    assert (tmp_path / "d" / "tortuga-2-001.network").exists()


def test_the_advice_of_a_training_can_be_followed_and_its_folder_has_the_name_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "my-isle.toml"
    file.write_text('base = "tortuga-en"\npirates = 2\n')
    config = TrainConfig(str(file), (2,), games=40)
    assert (config.stem, TrainConfig("tortuga-en").stem) == ("my-isle-2", "tortuga-2")
    words = shlex.split(more_games(config))
    assert words[:3] == ["cartagena", "train", str(file)]
    assert words[words.index("--games") + 1] == "80"
