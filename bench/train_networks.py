"""Train the networks of several games, each within a time, and measure them against the captain of November 2026.

    python -m bench.train_networks OUT tortuga-en:2:4.5 jamaica-en:2:4.5 tortuga-en:3,4:2 --data /tmp/train

Each word is a rule set, its numbers of seats and the minutes it may take. OUT gets the networks (NAME.network, and
NAME-latest.network: the last one trained, whether it has won its match or not), the progress (NAME-progress.json) and
a line of figures for each game (figures.jsonl). With --refit it also gets the captain's own weights fitted to the same
games (NAME.json). A network of that name in the folder --start is trained further. The games are kept in --data: the
same command continues there with more generations.
"""

import argparse
import json
import shutil
import time
from pathlib import Path

import numpy as np

from cartagena import Game
from cartagena.arena.game_chunks import read_chunk
from cartagena.arena.searched import SearchedSamples
from cartagena.arena.train import Pairing, Training, get_ready, match
from cartagena.arena.train_config import TrainConfig
from cartagena.arena.training import fit
from cartagena.arena.tune import features_of
from cartagena.jobs import executor
from cartagena.players.weights import weights_for, write

FINAL = "2026-11"


def say(line: str) -> None:
    print(f"[{time.strftime('%H:%M:%S')}] {line}", flush=True)


def start_of(name: str, folder: Path | None) -> str:
    """The network to begin with: its own, for more seats that for two, or none but the tuned weights."""
    if folder is None:
        return "tuned"
    paths = [folder / f"{each}.network" for each in (name, name.replace("many", "2"))]
    return next((str(path) for path in paths if path.exists()), "tuned")


def train(words: argparse.Namespace, item: str) -> None:
    """Train one network, keep it, and let it play the captain."""
    rules, seats, minutes = item.split(":")
    tables = tuple(int(each) for each in seats.split(","))
    name = TrainConfig(rules, tables).name
    begin = time.monotonic()
    start = start_of(name, words.start)
    config = TrainConfig(
        rules,
        tables,
        generations=99,
        epochs=words.epochs,
        rate=words.rate,
        seconds=words.seconds,
        nodes=words.nodes,
        gate=words.gate,
        seed=words.seed,
        start=start,
        trainer=words.trainer,
    )
    data = words.data / f"{name}-{words.seed}"
    say(f"{name}: {config.command}")
    target = words.out / f"{name}.network"
    progress = Training(
        config, data, target, executor(workers=words.processes), say, float(minutes) - words.reserve / 60
    ).run()
    (words.out / f"{name}-progress.json").write_text(json.dumps(vars(progress), indent=1))
    for latest in sorted(data.glob(f"{name}-*.network"))[-1:]:
        shutil.copy(latest, words.out / f"{name}-latest.network")
    if not target.exists() and Path(progress.champion).is_file():
        shutil.copy(progress.champion, target)
    figures = {"network": name, "tables": tables, "generations": progress.generation, "champion": progress.champion}
    rivals = {"champion": Path(progress.champion), "latest": words.out / f"{name}-latest.network"}
    found = {label: path for label, path in rivals.items() if path.is_file()}
    if len(found) == 2 and found["champion"].read_bytes() == found["latest"].read_bytes():
        del found["latest"]
    if words.games:
        with executor(workers=words.processes) as pool:
            for label, path in found.items():
                pair = Pairing(str(path), FINAL, words.final_nodes, words.games, f"final-{words.seed}", trees=4)
                shares = match(config, pool, pair)
                figures[label] = {str(size): str(share) for size, share in shares.items()}
    if words.refit:
        refit(words, config, data, figures)
    figures["seconds"] = round(time.monotonic() - begin)
    with (words.out / "figures.jsonl").open("a") as file:
        file.write(json.dumps(figures) + "\n")
    say(json.dumps(figures))


def refit(words: argparse.Namespace, config: TrainConfig, data: Path, figures: dict[str, object]) -> None:
    """Fit the captain's own weights to the same games, and let them play the captain."""
    position = Game.new(config.content, seats=config.tables[0], seed=1).position
    weights, sets = weights_for(position, FINAL), []
    for seats in config.tables:
        paths = sorted((data / "games").glob(f"*-{seats}-*.npz"))[-words.refit // 4 :]
        found = [part[0] for part in map(read_chunk, paths) if part is not None]
        samples = SearchedSamples.joined(found)
        table = np.array(Game.new(config.content, seats=seats, seed=1).position.table, np.int64)
        sets.append(features_of(samples.chosen(np.arange(0, len(samples), 3)), table))
    losses: list[float] = []
    weights = fit(weights, sets, epochs=4, rate=1e-3, seed=1, tell=losses.append)
    path = words.out / f"{config.name}.json"
    told = {"set": config.name, "rules-hash": config.content.digest, "made-by": f"refit of {FINAL}; {config.command}"}
    write(path, weights, **told, loss=round(losses[-1], 4))
    with executor(workers=words.processes) as pool:
        pair = Pairing(str(path), FINAL, words.final_nodes, words.games, f"final-{words.seed}", trees=4)
        figures["refit"] = {str(size): str(share) for size, share in match(config, pool, pair).items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("plan", nargs="+")
    parser.add_argument("--data", type=Path, default=Path("/tmp/train"))
    parser.add_argument("--start", type=Path, default=None)
    parser.add_argument("--seconds", type=float, default=35.0, help="playing per generation")
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--epochs", type=float, default=6.0)
    parser.add_argument("--rate", type=float, default=1.5e-3)
    parser.add_argument("--gate", type=int, default=300)
    parser.add_argument("--games", type=int, default=200, help="games of the match against the captain; 0: none")
    parser.add_argument("--final-nodes", type=int, default=800)
    parser.add_argument("--reserve", type=float, default=25.0, help="seconds of the time that are left for that match")
    parser.add_argument("--refit", type=int, default=0, help="also fit the captain's weights to so many last games")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trainer", default="torch")
    parser.add_argument("--processes", type=int, default=0)
    words = parser.parse_args()
    words.out.mkdir(parents=True, exist_ok=True)
    if not words.processes:
        from cartagena.jobs import cores

        words.processes = cores()
    say("compiling")
    get_ready(TrainConfig("tortuga-en"))
    for item in words.plan:
        train(words, item)


if __name__ == "__main__":
    main()
