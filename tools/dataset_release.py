"""Play the data set of a release: ``python tools/dataset_release.py`` writes the games, their card and one archive.

Games of every level and of every game go to ``dist/games``, and ``dist/cartagena-games.tar`` holds all of it. Run it
again to go on after an interruption. The same version gives the same games on every machine.
"""

import argparse
import hashlib
import json
import re
import sys
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pyarrow.compute as pc
import pyarrow.parquet as pq

import cartagena
from cartagena import CartagenaError, Position
from cartagena.jobs import executor
from cartagena.rl.dataset import DatasetConfig, write_dataset

ROOT = Path(__file__).resolve().parent.parent
CARD = ROOT / "docs" / "datasets.md"
RULES = {"jamaica": "jamaica-en", "tortuga": "tortuga-en", "nest": "nest-nl", "hispaniola": "hispaniola-en"}
NODES = 100
"""Nodes that a level may search for a choice: few, so that the whole takes minutes."""
SEARCHING = ("quartermaster", "captain", "admiral")
PAIRS = {
    ("sailor", "sailor"): 2000,
    ("deckhand", "sailor"): 140,
    ("sailor", "gunner"): 240,
    ("gunner", "quartermaster"): 40,
    ("quartermaster", "captain"): 40,
    ("captain", "admiral"): 40,
}
"""The sailor meets itself, and each level the next one: so many of the 2,500 games of a rule set. Search takes time."""
OF = sum(PAIRS.values())


class Told(NamedTuple):
    """What a finished file holds."""

    path: Path
    games: int
    choices: int
    wins: dict[str, int]
    sha256: str


def configs(games: int, chosen: Mapping[str, str]) -> Iterator[tuple[str, DatasetConfig]]:
    """The files with their games."""
    for game, rules in chosen.items():
        for pair, share in PAIRS.items():
            number = max(1, games * share // (OF * len(chosen)))
            columns = ("policy", "value") if set(pair) & set(SEARCHING) else ()
            yield (
                f"{game}-{pair[0]}-{pair[1]}",
                DatasetConfig.of(
                    pair, number, rules=rules, seats=2, seed="levels", nodes=NODES, turns=1000, columns=columns
                ),
            )


def play(config: DatasetConfig, path: Path, processes: int | None) -> None:
    """Play the games of a file, unless it is there. Raises CartagenaError if it is another one."""
    if path.exists():
        made = json.loads(pq.read_schema(path).metadata[b"provenance"])
        if made != json.loads(json.dumps(config.provenance(range(config.games)))):
            raise CartagenaError(f"{path} is of another version or has other games; remove it.")
        return
    write_dataset(config, path, place=executor(workers=processes, wanted=frozenset(config.players)))


def read_back(config: DatasetConfig, path: Path) -> Told:
    """Count what a file holds, and read some of its positions. Raises CartagenaError if it does not fit."""
    table = pq.read_table(path, columns=["game", "ply", "seat", "player", "position", "move", "dealt", "result"])
    games = pc.count_distinct(table["game"]).as_py()
    if games != config.games:
        raise CartagenaError(f"{path} has {games} games, not {config.games}.")
    for row in table.slice(0, 100).to_pylist():
        Position.parse(row["position"]).play(row["move"], *row["dealt"].split())
    ends = table.filter(pc.equal(table["seat"], table["result"])).group_by(["game", "player"]).aggregate([])
    wins = {name: pc.sum(pc.equal(ends["player"], name)).as_py() or 0 for name in config.players}
    return Told(path, games, table.num_rows, wins, hashlib.sha256(path.read_bytes()).hexdigest())


def section(title: str) -> str:
    """A section of the page on data sets, with its links as plain words: in the archive they lead nowhere."""
    text = CARD.read_text("utf-8").split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]
    return f"## {title}\n" + re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text).rstrip() + "\n"


def card(told: list[Told]) -> str:
    """The card: what the page says, with the numbers of the files."""
    head = "---\nlicense: mit\npretty_name: Games of Cartagena\ntags: [board-game, imperfect-information]\n---\n"
    lines = ["| file | games | choices | won by |", "| --- | --- | --- | --- |"]
    for each in told:
        wins = ", ".join(f"{name} {number:,}" for name, number in each.wins.items())
        lines.append(f"| `data/{each.path.name}` | {each.games:,} | {each.choices:,} | {wins} |")
    total = f"{sum(each.games for each in told):,} games, {sum(each.choices for each in told):,} choices."
    parts = [section("The data set of the levels"), "\n".join(lines) + "\n", section("Columns"), section("Metadata")]
    return f"{head}# Games of Cartagena, version {cartagena.__version__}\n\n{total}\n\n" + "\n".join(parts)


def pack(folder: Path, archive: Path) -> None:
    """Write all files to one archive, the same for the same files. They are compressed already."""

    def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = member.mtime = 0
        member.uname = member.gname = ""
        member.mode = 0o755 if member.isdir() else 0o644
        return member

    with tarfile.open(archive, "w") as tar:
        tar.add(folder, folder.name, filter=plain)


def make(folder: Path, games: int, processes: int | None, chosen: Mapping[str, str] = RULES) -> Path:
    """Play, check, describe and pack the data set. Returns the archive."""
    (folder / "data").mkdir(parents=True, exist_ok=True)
    told = []
    for name, config in configs(games, chosen):
        path = folder / "data" / f"{name}.parquet"
        play(config, path, processes)
        told.append(read_back(config, path))
        print(f"{path}: {told[-1].games} games, {told[-1].choices} choices", flush=True)
    (folder / "README.md").write_text(card(told), "utf-8")
    sums = "".join(f"{each.sha256}  data/{each.path.name}\n" for each in told)
    (folder / "SHA256SUMS").write_text(sums, "utf-8")
    archive = folder.with_name(f"cartagena-{folder.name}.tar")
    pack(folder, archive)
    return archive


def main() -> int:
    """Make the data set, or say why that cannot be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=Path("dist/games"))
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--processes", type=int, help="games at a time; all cores by default")
    chosen = parser.parse_args()
    try:
        archive = make(chosen.folder, chosen.games, chosen.processes)
    except CartagenaError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted; the same command goes on.", file=sys.stderr)
        return 130
    print(f"{archive}: {archive.stat().st_size:,} bytes, SHA-256 {hashlib.sha256(archive.read_bytes()).hexdigest()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
