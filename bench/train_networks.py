"""Train the networks of several games, each within a time, and measure them against the captain of November 2026.

    python -m bench.train_networks OUT tortuga-en:2:4.5 jamaica-en:2:4.5 tortuga-en:3,4:2 --data /tmp/train

Each word is a rule set, its numbers of seats and the minutes it may take. OUT gets the networks (NAME.network, and
NAME-latest.network: the last one trained, whether it has won its match or not), the progress (NAME.json) and a line of
figures for each game (figures.jsonl). A network of that name that is already in OUT, or in --start, is trained further.
"""

import argparse
import json
import shutil
import time
from pathlib import Path

from cartagena.arena.train import Pairing, TrainConfig, Training, get_ready, match
from cartagena.arena.workers import Pool

FINAL = "2026-11"


def say(line: str) -> None:
    print(f"[{time.strftime('%H:%M:%S')}] {line}", flush=True)


def start_of(name: str, folders: list[Path]) -> str:
    """The network to begin with, or the tuned weights."""
    found = [folder / f"{name}.network" for folder in folders if (folder / f"{name}.network").exists()]
    return str(found[0]) if found else "tuned"


def train(words: argparse.Namespace, item: str, number: int) -> None:
    """Train one network, keep it, and let it play the captain."""
    rules, seats, minutes = item.split(":")
    tables = tuple(int(each) for each in seats.split(","))
    name = TrainConfig(rules, tables).name
    begin = time.monotonic()
    start = start_of(name, [words.out, *([words.start] if words.start else [])])
    config = TrainConfig(
        rules,
        tables,
        generations=99,
        epochs=words.epochs,
        seconds=words.seconds,
        nodes=words.nodes,
        gate=words.gate,
        seed=words.seed + number,
        start=start,
        trainer=words.trainer,
    )
    data = words.data / f"{name}-{words.seed}"
    if start != "tuned":  # the file in OUT is replaced while the run still needs the one it began with
        data.mkdir(parents=True, exist_ok=True)
        kept = data / "start.network"
        if not kept.exists():
            shutil.copy(start, kept)
        config = TrainConfig(**{**vars(config), "start": str(kept)})
    say(f"{name}: {config.command}")
    target = words.out / f"{name}.network"
    progress = Training(config, data, target, words.processes, say, float(minutes) - words.reserve / 60).run()
    (words.out / f"{name}.json").write_text(json.dumps(vars(progress), indent=1))
    for latest in sorted(data.glob(f"{name}-*.network"))[-1:]:
        shutil.copy(latest, words.out / f"{name}-latest.network")
    figures = {"network": name, "tables": tables, "generations": progress.generation, "champion": progress.champion}
    rivals = {"champion": Path(progress.champion), "latest": words.out / f"{name}-latest.network"}
    found = {label: path for label, path in rivals.items() if path.is_file()}
    if len(found) == 2 and found["champion"].read_bytes() == found["latest"].read_bytes():
        del found["latest"]
    if words.games:
        with Pool(words.processes) as pool:
            for label, path in found.items():
                pair = Pairing(str(path), FINAL, words.final_nodes, words.games, f"final-{words.seed}", trees=4)
                shares = match(config, pool, pair)
                figures[label] = {str(size): str(share) for size, share in shares.items()}
    figures["seconds"] = round(time.monotonic() - begin)
    with (words.out / "figures.jsonl").open("a") as file:
        file.write(json.dumps(figures) + "\n")
    say(json.dumps(figures))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("plan", nargs="+")
    parser.add_argument("--data", type=Path, default=Path("/tmp/train"))
    parser.add_argument("--start", type=Path, default=None)
    parser.add_argument("--seconds", type=float, default=35.0, help="playing per generation")
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--epochs", type=float, default=6.0)
    parser.add_argument("--gate", type=int, default=300)
    parser.add_argument("--games", type=int, default=200, help="games of the match against the captain; 0: none")
    parser.add_argument("--final-nodes", type=int, default=800)
    parser.add_argument("--reserve", type=float, default=25.0, help="seconds of the time that are left for that match")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trainer", default="torch")
    parser.add_argument("--processes", type=int, default=0)
    words = parser.parse_args()
    words.out.mkdir(parents=True, exist_ok=True)
    if not words.processes:
        from cartagena.arena.workers import cores

        words.processes = cores()
    say("compiling")
    get_ready(TrainConfig("tortuga-en"))
    for number, item in enumerate(words.plan):
        train(words, item, 100 * number)


if __name__ == "__main__":
    main()
