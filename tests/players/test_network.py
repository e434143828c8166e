"""The network: its inputs, its values, and its files."""

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cartagena import Game, Limit, Position, RuleSet, rule_set
from cartagena.kernel.layout import HAND, OVER, SEAT, SIGN, T_SEATS, TURN
from cartagena.kernel.step import step
from cartagena.players import PlayerError, networks
from cartagena.players.compiled.ismcts import Basis, run
from cartagena.players.compiled.network import LARGEST, LAYER_BIAS, MARK, PAIRS_MARK, PAIRS_SIZE, ROWS, SIZE, UNITS
from cartagena.players.compiled.network_inputs import BLOCK, INPUTS, MOST, RIVAL, WHOLE, active_inputs
from cartagena.players.compiled.tree import new_tree
from cartagena.players.ismcts import ADMIRAL, CAPTAIN, Searcher
from cartagena.players.networks import (
    FINEST,
    Layers,
    fits,
    fresh,
    from_bytes,
    pack,
    read,
    sizes_of,
    to_bytes,
    unpack,
    write,
)
from cartagena.players.weights import weights_for

from .positions import build

SMALL = rule_set("tortuga-en", pirates=3)
RULES = ["jamaica-en", "tortuga-en+actions5+cards5", "hispaniola-sv+pass", "nest-nl", "nest-nl-crew"]


def positions(rules: str, seats: int) -> list[Position]:
    """Positions along a game."""
    game = Game.new(rules, seats=seats, seed=seats)
    found = []
    for turn in range(12):
        found.append(game.position)
        for number in range(4):
            moves = game.legal_moves
            game.play(moves[(turn * 5 + number * 3) % len(moves)])
    return found


def inputs(table: Any, words: Any) -> list[Any]:
    """The active inputs of each seat from the mover on, then of the table."""
    rows = np.zeros((table[T_SEATS] + 1) * MOST, np.int64)
    active_inputs(np.array(table, np.int64), np.array(words, np.int64), 1, rows)
    return [part[part >= 0] for part in rows.reshape(-1, MOST)]


def expected(table: Any, words: Any, layers: Layers) -> Any:
    """The win chances, calculated again from the inputs."""
    *found, common = inputs(table, words)
    seats = len(found)
    whole = layers.sums + layers.rows[common].sum(axis=0)
    own = [layers.rows[rows].sum(axis=0) for rows in found]
    rival = [layers.rows[rows + RIVAL].sum(axis=0) for rows in found]
    scores = []
    if layers.pairs:
        scores = [pairs_score(layers, whole + own[seat], np.roll(rival, -seat, axis=0)[1:]) for seat in range(seats)]
    for away in range(0 if layers.pairs else 1 if seats == 2 else seats):
        sums = whole + own[away] + sum(rival) - rival[away]
        layer = np.maximum(layers.layer + np.maximum(sums[:UNITS], 0) @ layers.inner, 0)
        both = sums[UNITS:] + layers.scores + layer @ layers.outer
        scores += list(both if seats == 2 else both[:1])
    powers = np.exp(np.roll(scores, words[TURN]))
    return powers / powers.sum()


def pairs_score(layers: Layers, own: Any, rivals: Any) -> Any:
    """The score of a seat by a network of pairs, from its sums and those of its rivals in the order of their turns."""
    sums = own + rivals + layers.rows[INPUTS + 1 : INPUTS + 1 + len(rivals)]
    pooled = np.maximum(sums[:, :UNITS], 0).mean(axis=0)
    layer = np.maximum(layers.layer + pooled @ layers.inner, 0)
    return own[UNITS] + rivals[:, UNITS].sum() + layers.scores[0] + layer @ layers.outer[:, 0]


def check_guess(position: Position, weights: Any, layers: Layers) -> None:
    """A search must guess of its first move what the inputs of the position after it give."""
    seat = position.turn - 1
    table: Any = np.array(position.table, np.int64)
    tree = new_tree(8)
    run(Basis(table, weights, CAPTAIN.settings(2)), tree, np.array(position.words, np.int64), seat, 1, 1)
    after = list(position.words)
    step(position.table, after, int(tree.action[0]))
    if not after[OVER]:
        assert tree.guess[0] == pytest.approx(expected(table, after, layers)[seat], abs=2e-5)


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(
    ("seats", "pairs"), [(2, False), (2, True), (3, False), (3, True), (4, True), (5, False), (5, True)]
)
def test_the_search_finds_the_value_that_the_inputs_give(rules: str, seats: int, pairs: bool) -> None:
    random = np.random.default_rng(seats)
    fresh_layers = fresh(seats, pairs)
    fresh_layers.rows += (0.05 * random.normal(size=fresh_layers.rows.shape)).astype(np.float32)
    weights = pack(fresh_layers)
    layers = unpack(weights)
    for position in positions(rules, seats):
        *own, common = inputs(position.table, position.words)
        assert max(part.max() for part in own) < BLOCK
        assert WHOLE <= common.min() <= common.max() < INPUTS
        check_guess(position, weights, layers)


def test_inputs_depend_on_what_cards_do_and_not_on_their_signs() -> None:
    """The same position with two signs exchanged everywhere has the same inputs."""
    one = build("jamaica-en", "1,4,b,b,b,b/s,9,b,b,b,b", "BBP/DK")
    other = list(one.words)
    other[SIGN], other[SIGN + 4] = other[SIGN + 4], other[SIGN]
    other[SEAT + HAND] = 1 + (2 << 32)  # one of the first sign and two of the fifth
    assert one.words[SEAT + HAND] == 2 + (1 << 32)
    for mine, its in zip(inputs(one.table, one.words), inputs(one.table, other), strict=True):
        assert sorted(mine) == sorted(its)


@pytest.mark.parametrize("pairs", [False, True])
def test_a_network_survives_packing(pairs: bool) -> None:
    layers = fresh(4, pairs)
    weights = pack(layers)
    assert weights[0] == (PAIRS_MARK if pairs else MARK)
    again = unpack(weights)
    for one, other in zip(layers.all(), again.all(), strict=True):
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
        assert np.abs(one - other).max() <= 2**-10 + 1e-6
    assert pack(again).tobytes() == weights.tobytes()
    layers.rows[0, 0] = 300.0  # large weights get coarser steps instead of wrapping around
    assert unpack(pack(layers)).rows[0, 0] == pytest.approx(300.0, rel=1e-3)


@pytest.mark.parametrize(("seats", "pairs"), [(2, False), (4, False), (5, True)])
def test_the_largest_weights_are_added_up_without_overflow(seats: int, pairs: bool) -> None:
    layers = fresh(seats, pairs)
    layers.rows[:, :UNITS] = np.where(np.arange(UNITS) % 3, LARGEST, -LARGEST) * 2.0**-FINEST
    layers.sums[:UNITS] = 40.0
    layers.inner[:] *= 0.003
    weights = pack(layers)
    assert np.abs(weights[ROWS:].view(np.int16)).max() == LARGEST
    for position in positions("hispaniola-en", seats):
        check_guess(position, weights, unpack(weights))


def test_a_file_with_larger_weights_is_read_in_coarser_steps() -> None:
    weights = pack(fresh(2))
    weights[ROWS:].view(np.int16)[:2] = 32767, -32768
    read_again, _ = from_bytes("x.network", to_bytes(weights, {}))
    assert np.abs(read_again[ROWS:].view(np.int16)).max() <= LARGEST
    assert unpack(read_again).rows[0, :2] == pytest.approx([64.0, -64.0], rel=1e-3)


def about(position: Position) -> dict[str, Any]:
    game = position.rules.game
    tables = [2] if position.seats == 2 else [3, 4, 5]
    return {
        "game": game,
        "rules": position.rules.name,
        "tables": tables,
        "sizes": sizes_of(position.rules, position.table),
    }


@pytest.mark.parametrize("pairs", [False, True])
def test_a_file_of_a_network_is_read_by_the_players(tmp_path: Path, pairs: bool) -> None:
    view = Game.new("tortuga-en", seats=3 if pairs else 2, seed=1).view(1)
    path = tmp_path / "one.network"
    weights = pack(fresh(1, pairs))
    write(path, weights, **about(view))
    assert read(path)[1]["input-set"] == (2 if pairs else 1)
    assert read(path)[0].tobytes() == weights.tobytes()
    assert weights_for(view, str(path)).tobytes() == weights.tobytes()
    assert path.read_bytes() == to_bytes(weights, about(view))


def test_a_network_that_is_written_again_is_played_by(tmp_path: Path) -> None:
    view = Game.new("tortuga-en", seed=1).view(1)
    path = tmp_path / "mine.network"
    for seed in (1, 2, 1):
        weights = pack(fresh(seed))
        write(path, weights, **about(view))
        assert weights_for(view, str(path)).tobytes() == weights.tobytes()


@pytest.mark.parametrize(("rules", "seats"), [("jamaica-en", 2), ("tortuga-en", 3), (SMALL, 2)])
def test_a_network_for_another_game_is_refused(tmp_path: Path, rules: str | RuleSet, seats: int) -> None:
    path = tmp_path / "one.network"
    write(path, pack(fresh(1)), **about(Game.new("tortuga-en", seed=1).position))
    view = Game.new(rules, seats=seats, seed=1).view(1)
    with pytest.raises(PlayerError, match=r"was trained for tortuga-en with 2 seats, not for .* with \d$"):
        weights_for(view, str(path))


def test_files_that_hold_no_network_are_refused_in_one_sentence(tmp_path: Path) -> None:
    weights = pack(fresh(1))
    whole = gzip.decompress(to_bytes(weights, {}))
    broken = {
        "is not the file of a network": [
            b"",
            b"{}",
            gzip.compress(b"x"),
            gzip.compress(whole[:20]),
            to_bytes(weights, {})[:90],
        ],
        "belongs to input set 7": [gzip.compress(whole.replace(b'"input-set": 1', b'"input-set": 7'))],
        "bytes of weights": [
            gzip.compress(whole[:-8]),
            gzip.compress(whole.replace(b'"input-set": 1', b'"input-set": 2')),
        ],
        "not a number": [to_bytes(np.zeros(SIZE), {}), to_bytes(np.resize(weights, PAIRS_SIZE), {})],
    }
    bad = weights.copy()
    bad[LAYER_BIAS - 1] = np.nan
    broken["not a number"].append(to_bytes(bad, {}))
    for sentence, files in broken.items():
        for data in files:
            with pytest.raises(PlayerError, match=sentence):
                from_bytes("x.network", data)
    with pytest.raises(PlayerError, match=r"none.network: cannot be read: No such file"):
        read(tmp_path / "none.network")
    with pytest.raises(PlayerError, match="cannot be written"):
        write(tmp_path / "no" / "x.network", weights)


def test_a_game_without_a_network_says_so_and_has_the_weights_of_the_captain(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level("WARNING", logger=networks.log.name)  # a server in this process may show errors only
    monkeypatch.setattr(networks, "packaged", lambda _: None)
    networks.warn_once.cache_clear()
    view = Game.new("tortuga-en", seed=1).view(1)
    for _ in range(2):
        assert (weights_for(view, "network") == weights_for(view)).all()
    assert [record.message for record in caplog.records] == [
        "There is no network for tortuga-en with 2 seats; the captain's weights are used."
    ]


@pytest.mark.parametrize("rules", ["tortuga-en", "jamaica-en"])
@pytest.mark.parametrize("seats", [2, 3])
def test_settings_that_were_found_for_networks_are_used_with_networks_only(rules: str, seats: int) -> None:
    for played, style in ((rule_set(rules, pirates=3), CAPTAIN), (rule_set(rules), ADMIRAL)):
        view = Game.new(played, seats=seats, seed=1).view(1)
        player = Searcher(ADMIRAL)
        found = player.search(view, Limit(nodes=1), player.analysing).basis.settings
        assert np.asarray(found).tolist() == list(style.settings(seats, view.rules.hidden_hands))


def test_other_sizes_of_a_game_do_not_fit() -> None:
    usual, small = (Game.new(rules, seed=1).position for rules in ("tortuga-en", SMALL))
    assert fits(about(usual), usual.rules, usual.table)
    assert not fits(about(usual), small.rules, small.table)
    assert weights_for(small.view(1), "network").shape == weights_for(small.view(1)).shape
