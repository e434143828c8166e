"""Quick self-play: games one action ahead, their labels, and training that begins with them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cartagena import rule_set
from cartagena.arena import network_fit
from cartagena.arena.network_fit import Best, Effort
from cartagena.arena.quick import QuickChunk, QuickPlay, play_quick_chunk, quick_sets, read_quick
from cartagena.arena.train import Training
from cartagena.arena.train_config import TrainConfig, TrainProgress
from cartagena.arena.train_quick import mixed
from cartagena.jobs import executor
from cartagena.kernel.layout import OVER, TURN
from cartagena.players import PlayerError
from cartagena.players.files import save
from cartagena.players.networks import fresh, pack, read, write

from .test_train import held_loss, random_set

TINY = rule_set("tortuga-en", pirates=2, pieces=2)


def config_for(tmp_path: Path, seats: tuple[int, ...], **changes: Any) -> TrainConfig:
    """A short training of a rule set whose games are short, from a network that knows nothing."""
    tiny, start = tmp_path / "tiny.toml", tmp_path / "start.network"
    tiny.write_text('base = "tortuga-en"\npirates = 2\npieces = 2\n')
    usual: dict[str, Any] = {"generations": 1, "games": 8, "epochs": 2, "nodes": 16, "gate": 6, "trainer": "numpy"}
    usual |= {"quick": 512, "rounds": 1}
    config = TrainConfig(str(tiny), seats, start=str(start), **{**usual, **changes})
    write(start, pack(fresh(1, pairs=2 not in seats)), **config.about([]))
    return config


@pytest.mark.parametrize("seats", [2, 4])
def test_quick_games_are_the_same_for_the_same_seed(seats: int) -> None:
    play = QuickPlay(TINY, seats, "tuned", seed=3, every=4)
    found, again = play.games(0, 20), play.games(0, 20)
    assert all(one.tobytes() == other.tobytes() for one, other in zip(found, again, strict=True))
    later = play.games(10, 20)
    some = found.games >= 10
    assert found.states[some].tobytes() == later.states.tobytes(), "a game does not depend on those before it"
    assert not found.states[:, OVER].any()
    assert len(set(found.games.tolist())) > 15
    assert np.allclose(found.returns.sum(axis=1), 1, atol=1e-9)


def test_returns_reach_from_the_next_value_to_the_result() -> None:
    play = QuickPlay(TINY, 3, "tuned", seed=5, every=2)
    result = replace(play, fade=1.0).games(0, 10)
    assert (result.returns == np.eye(3)[result.winners]).all(), "everything from the end"
    value, usual = replace(play, fade=0.0).games(0, 10), play.games(0, 10)
    assert value.states.tobytes() == usual.states.tobytes() == result.states.tobytes()
    won = [part.returns[np.arange(len(part.winners)), part.winners].mean() for part in (value, usual, result)]
    assert won[0] < won[1] < won[2]


def test_more_chance_and_heat_make_other_games() -> None:
    calm = QuickPlay(TINY, 2, "tuned", seed=1, heat=0.0, stray=10**6, every=4)
    lengths = [len(replace(calm, **given).games(0, 60).winners) for given in ({}, {"stray": 2}, {"heat": 1.0})]
    assert lengths[0] < min(lengths[1:]), "the best moves end a game soonest"


def test_a_chunk_of_quick_games_is_kept_and_known_again(tmp_path: Path) -> None:
    play = QuickPlay(TINY, 3, "tuned", seed=1, every=4)
    chunk = QuickChunk(play, 1, 0, tmp_path)
    assert not chunk.is_done()
    save(*play_quick_chunk(chunk))
    assert chunk.is_done()
    data = read_quick(chunk.path)
    assert data is not None
    found = play.games(0, 256)
    assert len(data) == len(found.winners)
    assert np.allclose(data.target.sum(axis=1), 1, atol=1e-5)
    first = int((found.winners[0] - found.states[0, TURN]) % 3)
    assert data.target[0, first] >= 0.5, "half of what is learned is the result"
    assert 0 < data.held.mean() < 0.2
    save(*play_quick_chunk(replace(chunk, number=1)))
    assert len(quick_sets([chunk.path, replace(chunk, number=1).path])[0]) > len(data)
    with pytest.raises(PlayerError, match="has games of another run; choose another folder"):
        replace(chunk, play=replace(play, heat=0.5)).is_done()


def test_searched_games_have_their_share_and_judge_the_fit_alone() -> None:
    searched, quick = [random_set(3, 100)], [random_set(3, 300), random_set(4, 500)]
    sets = mixed(searched, quick, 0.4)
    chance = network_fit.shares(sets, [len(data) for data in sets])
    assert chance == pytest.approx([0.4, 0.6 * 3 / 8, 0.6 * 5 / 8])
    assert [int(data.held.sum()) for data in sets] == [10, 0, 0]


def test_training_ends_early_with_the_best_network() -> None:
    best = Best(patience=2)
    layers = [fresh(number) for number in range(4)]
    over = [best.is_over(*each) for each in zip((1.0, 0.8, 0.9, 0.9), layers, strict=True)]
    assert over == [False, False, False, True]
    assert best.layers is layers[1]
    told: dict[int, float] = {}
    sets = [random_set(3, 60)]
    effort = Effort(steps=3000, batch=16, rate=0.05, patience=2)
    after = network_fit.fit(fresh(1, pairs=True), sets, effort, lambda steps, _, held: told.update({steps: held}))
    assert max(told) < 3000, "so few samples are soon learned by heart"
    assert held_loss(after, sets) == min(told.values())


def test_quick_self_play_improves_on_its_start(tmp_path: Path) -> None:
    told: list[str] = []
    config = config_for(tmp_path, (3, 4), quick=1536, epochs=8, gate=120, generations=1)
    out = tmp_path / "found.network"
    progress = Training(config, tmp_path / "data", out, executor(workers=2), told.append).run()
    first = progress.history[0]
    assert first["accepted"], told
    assert first["quick"] == 1536
    won, played = (sum(each) for each in zip(*first["gate"].values(), strict=True))
    assert won / played > 0.4
    _, about = read(out)
    assert about["input-set"] == 2
    assert about["made-by"] == config.command
    assert "--quick 1536 --rounds 1" in config.command
    assert any(line.startswith("generation 1: training on") for line in told), "searched games follow"


def test_quick_self_play_that_was_broken_off_goes_on(tmp_path: Path) -> None:
    config = config_for(tmp_path, (2,), rounds=2, quick=256)
    Training(config, tmp_path / "whole", tmp_path / "w.network", executor(workers=1)).run()

    def break_off(line: str) -> None:
        if line.startswith("round 2"):
            raise KeyboardInterrupt

    folder = tmp_path / "part"
    with pytest.raises(KeyboardInterrupt):
        Training(config, folder, tmp_path / "p.network", executor(workers=1), break_off).run()
    assert (folder / "tortuga-2-quick-1.network").exists()
    assert not TrainProgress.read(config, folder).quick
    told: list[str] = []
    Training(config, folder, tmp_path / "p.network", executor(workers=1), told.append).run()
    assert not any(line.startswith("round 1") for line in told), "its network was there"
    for name in ("tortuga-2-quick-2.network", "tortuga-2-001.network"):
        assert read(tmp_path / "whole" / name)[0].tobytes() == read(folder / name)[0].tobytes()
