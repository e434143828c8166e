"""Measure the strength of the players on all cores: ``python bench/players.py [ROW ...] --out DIR``.

One command plays all rows (or those named) for ``--seconds`` and shares the time fairly between them. After an
interruption the same command continues: ``DIR/games.jsonl`` keeps every game, and ``--have DIR`` adds games of another
folder. ``DIR/players.json`` has a table for each row with the command and counts, ``DIR/players.md`` the same as text.

One process plays one game at a time, bound to a core of its own, so that every search has one thread and a player's
strength does not depend on the load. ``cartagena arena`` plays the same games one row at a time.
"""

import argparse
import json
import multiprocessing
import os
import platform
import queue
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import combinations_with_replacement, pairwise
from pathlib import Path
from typing import Any

from cartagena import Game
from cartagena.arena import Contest, Entrant, Fixture, Result, Share
from cartagena.arena import play as play_game
from cartagena.arena.peeking import check
from cartagena.players import Limit
from cartagena.rulesets import by_name

GAMES = {"jamaica": "jamaica-en", "tortuga": "tortuga-en", "nest": "nest-nl"}
ALL_RULES = ("jamaica-en", "tortuga-en", "hispaniola-en", "nest-nl")
LADDER = ("deckhand", "sailor", "gunner", "quartermaster", "captain")
SHORT = ("sailor", "gunner", "quartermaster@300n", "captain@1000n")
DECISIONS = 200
"""Decisions that one game of the row ``hidden`` checks."""
MARGIN = 1.2
"""A game starts only if so many times the longest of its row fits in the time left."""


@dataclass(frozen=True)
class Row:
    """Games to play, and their target: the first player's ``share`` and the lower end of its error bar."""

    name: str
    players: tuple[str, ...]
    fixtures: tuple[Fixture, ...]
    share: float = 0.0
    low: float = 0.0
    hidden: bool = False
    arena: str = ""


def contest(name: str, players: tuple[str, ...], rules: str, games: int, share: float, low: float = 0.0) -> Row:
    """A row that ``cartagena arena`` can also play."""
    seats = max(2, len(players))
    found = Contest(players, rules, seats, games, seed="bench")
    words = f"cartagena arena {' '.join(players)} --rules {rules} --seats {seats} --games {games} --seed bench"
    return Row(name, players, tuple(found.fixtures()), share, low, arena=words)


def finishing(number: int) -> Fixture:
    """A game between levels 2 to 5: every pair at two seats, and larger tables drawn at random."""
    pairs = list(combinations_with_replacement(SHORT, 2))
    rules, turn = by_name(ALL_RULES[number % 4]), number // 4
    if turn % 2 == 0:
        return Fixture(number, number, rules, pairs[turn // 2 % len(pairs)], "finishing")
    chance = random.Random(number)
    seats = tuple(chance.choice(SHORT) for _ in range(3 + turn // 2 % 3))
    return Fixture(number, number, rules, seats, "finishing")


def hidden(number: int) -> Fixture:
    """A game in which every decision is made twice, with hidden cards dealt anew."""
    chance = random.Random(number)
    seats = tuple(chance.choice(LADDER) for _ in range(2 + number % 3))
    return Fixture(number, number, by_name(ALL_RULES[number % 4]), seats, "hidden")


@cache
def rows() -> dict[str, Row]:
    """All rows by name."""
    found: list[Row] = []
    for game, rules in GAMES.items():
        for lower, upper in pairwise(LADDER):
            found.append(contest(f"{upper}-{lower}-{game}", (upper, lower), rules, 120, 0.7, 0.6))
        found.append(contest(f"captain-0.1s-gunner-{game}", ("captain@0.1s", "gunner"), rules, 120, 0.85))
        table = ("captain@0.1s", "gunner", "gunner", "gunner")
        found.append(contest(f"captain-0.1s-three-gunners-{game}", table, rules, 400, 0.6))
    found.append(Row("finishing", SHORT, tuple(map(finishing, range(1040)))))
    found.append(Row("hidden", LADDER, tuple(map(hidden, range(110))), hidden=True))
    return {row.name: row for row in found}


# --- playing


def settle_in(next_core: Any) -> None:
    """Bind this process to a core of its own, and load the compiled players."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        with next_core.get_lock():
            number, next_core.value = next_core.value, next_core.value + 1
        os.sched_setaffinity(0, {cores[number % len(cores)]})
    warm()


def warm() -> None:
    from cartagena.cli.verbs.warmup import warm_gunner, warm_search

    warm_search()
    warm_gunner()


def work(name: str, number: int) -> dict[str, Any]:
    """Play one game of a row."""
    row = rows()[name]
    fixture = row.fixtures[number]
    begin = time.perf_counter()
    if row.hidden:
        game = Game.new(fixture.rules, seats=len(fixture.seats), seed=f"hidden-{number}")
        line: dict[str, Any] = asdict(check(game, fixture.seats, Limit(nodes=60), DECISIONS, number))
    else:
        line = play_game(fixture, {label: Entrant.parse(label) for label in fixture.seats}).to_json()
    return {"row": name, "number": number, "took": round(time.perf_counter() - begin, 2), **line}


@dataclass
class Campaign:
    """The games that are played or running, and the time to stop."""

    chosen: list[Row]
    deadline: float
    lines: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)
    running: dict[tuple[str, int], float] = field(default_factory=dict)

    def waiting(self, row: Row) -> Iterator[int]:
        for number in range(len(row.fixtures)):
            if (row.name, number) not in self.lines and (row.name, number) not in self.running:
                yield number

    def times(self, row: Row) -> list[float]:
        return [line["took"] for (name, _), line in self.lines.items() if name == row.name]

    def spent(self, row: Row) -> float:
        """Seconds spent on a row, with an estimate for running games."""
        times = self.times(row)
        guess = sum(times) / len(times) if times else 1.0
        return sum(times) + guess * sum(name == row.name for name, _ in self.running)

    def next(self) -> tuple[str, int] | None:
        """The next game of the row with the least time spent, if it can end in time."""
        left = self.deadline - time.monotonic()
        for row in sorted(self.chosen, key=self.spent):
            number = next(self.waiting(row), None)
            if number is not None and max(self.times(row), default=0.0) * MARGIN < left:
                return row.name, number
        return None


def run(campaign: Campaign, workers: int, out: Path) -> None:
    """Play until all games are played or the time is over. Running games are then abandoned."""
    answers: queue.Queue[dict[str, Any] | BaseException] = queue.Queue()
    context = multiprocessing.get_context("spawn")
    kept = (out / "games.jsonl").open("a", encoding="utf-8")
    with kept, context.Pool(workers, settle_in, (context.Value("i", 0),)) as pool:
        while time.monotonic() < campaign.deadline:
            while len(campaign.running) < workers and (game := campaign.next()) is not None:
                campaign.running[game] = time.monotonic()
                pool.apply_async(work, game, callback=answers.put, error_callback=answers.put)
            if not campaign.running:
                return
            try:
                line = answers.get(timeout=max(0.01, min(1.0, campaign.deadline - time.monotonic())))
            except queue.Empty:
                continue
            if isinstance(line, BaseException):
                raise line
            take(campaign, line, kept)


def take(campaign: Campaign, line: dict[str, Any], kept: Any) -> None:
    """Append the results to the file."""
    key = (line["row"], line["number"])
    campaign.running.pop(key, None)
    campaign.lines[key] = line
    kept.write(json.dumps(line) + "\n")
    kept.flush()


def read(folder: Path) -> dict[tuple[str, int], dict[str, Any]]:
    """The games of a folder. An incomplete last line is dropped."""
    found = {}
    path = folder / "games.jsonl"
    for text in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            line = json.loads(text)
        except ValueError:
            continue
        if line["row"] in rows() and line["number"] < len(rows()[line["row"]].fixtures):
            found[line["row"], line["number"]] = line
    return found


# --- telling


def table(row: Row, lines: list[dict[str, Any]], how: str) -> dict[str, Any]:
    """The results of a row."""
    found: dict[str, Any] = {"command": how, "arena": row.arena, "games": len(lines)}
    if row.hidden:
        for name in ("decisions", "redealt", "illegal", "changed"):
            found[name] = sum(line[name] for line in lines)
        return {**found, "met": found["decisions"] >= 10_000 and not found["illegal"] + found["changed"]}
    fields = [key for key in Result.__dataclass_fields__ if key != "number"]
    results = [Result.from_json({"number": line["number"], **{key: line[key] for key in fields}}) for line in lines]
    found |= counts(results) | {"clock": {label: clock(results, label) for label in dict.fromkeys(row.players)}}
    if not row.share:
        return {**found, "met": len(results) >= 1000 and not found["unfinished"] + found["illegal"]}
    share = share_of_first(row, results)
    low, high = share.interval()
    found |= {"wins": share.won, "share": round(share.mean, 4), "low": round(low, 4), "high": round(high, 4)}
    found |= {"target": row.share, "target_low": row.low}
    return {**found, "met": len(results) >= 100 and share.mean >= row.share and low > row.low}


def share_of_first(row: Row, results: list[Result]) -> Share:
    """The first player's share of the decided games; it has one seat in each."""
    decided = [result for result in results if result.is_decided]
    won = sum(result.shares()[result.seats.index(row.players[0])] for result in decided)
    return Share(round(won, 3), len(decided))


def counts(results: list[Result]) -> dict[str, Any]:
    return {
        "decided": sum(result.is_decided for result in results),
        "nobody": sum(result.winner == 0 and not result.forfeit for result in results),
        "unfinished": sum(result.winner is None and not result.forfeit for result in results),
        "illegal": sum(result.reason.startswith("illegal") for result in results),
        "forfeits": sum(bool(result.forfeit) for result in results),
        "decisions": sum(sum(result.decisions) for result in results),
        "overruns": sum(sum(result.overruns) for result in results),
        "turns": round(sum(result.turns for result in results) / max(1, len(results)), 1),
        "longest": max((result.turns for result in results), default=0),
    }


def clock(results: list[Result], label: str) -> dict[str, Any]:
    """A player's thinking time. The first decision of a game is a warm-up and never the slowest."""
    seats = [(result, seat) for result in results for seat, name in enumerate(result.seats) if name == label]
    decisions = sum(result.decisions[seat] for result, seat in seats)
    return {
        "decisions": decisions,
        "mean": round(sum(result.seconds[seat] for result, seat in seats) / max(1, decisions), 4),
        "slowest": max((result.slowest[seat] for result, seat in seats), default=0.0),
        "overruns": sum(result.overruns[seat] for result, seat in seats),
    }


def machine(workers: int) -> str:
    model = platform.machine()
    info = Path("/proc/cpuinfo")
    names = [line for line in info.read_text().splitlines() if line.startswith("model name")] if info.exists() else []
    if names:
        model += f", {names[0].partition(':')[2].strip()}"
    return f"{model}, {os.cpu_count()} cores, {workers} games at a time, Python {platform.python_version()}"


def write(campaign: Campaign, out: Path, where: str, how: str) -> None:
    """Write the tables."""
    data: dict[str, Any] = {"machine": where, "threads": "one process a game, one thread a search", "rows": {}}
    for row in campaign.chosen:
        lines = [line for (name, _), line in sorted(campaign.lines.items()) if name == row.name]
        if lines:
            data["rows"][row.name] = table(row, lines, how.replace("ROWS", row.name))
    (out / "players.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    (out / "players.md").write_text(page(data, how), encoding="utf-8")


def page(data: dict[str, Any], how: str) -> str:
    """The tables as text."""
    timed = [row for name, row in data["rows"].items() if "0.1s" in name]
    overruns, decisions = (sum(row["clock"]["captain@0.1s"][key] for row in timed) for key in ("overruns", "decisions"))
    lines = [
        "# Players\n",
        f"`{how.replace(' ROWS', '')}` on {data['machine']}; {data['threads']}. Intervals are 95 % (Wilson).\n",
        "| row | games | decided | first player's share | target | unfinished | illegal | ms a move | met |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        *(line_of(name, row) for name, row in data["rows"].items() if "clock" in row),
        "",
        f"Overruns beyond limit + 50 ms in the rows with a time limit: {overruns} of {decisions} decisions.",
    ]
    if "hidden" in data["rows"]:
        row = data["rows"]["hidden"]
        lines.append(
            f"\n{row['decisions']} decisions made twice, {row['redealt']} of them with hidden cards dealt anew:"
            f" {row['illegal']} illegal, {row['changed']} changed."
        )
    return "\n".join(lines) + "\n"


def line_of(name: str, row: dict[str, Any]) -> str:
    share = f"{100 * row['share']:.1f} % ({100 * row['low']:.1f} to {100 * row['high']:.1f})" if "share" in row else ""
    target = f"{100 * row['target']:.0f} %" if "target" in row else "all end"
    pace = ", ".join(f"{label} {1000 * times['mean']:.0f}" for label, times in row["clock"].items())
    met = "yes" if row["met"] else "no"
    cells = (name, row["games"], row["decided"], share, target, row["unfinished"], row["illegal"], pace, met)
    return "| " + " | ".join(map(str, cells)) + " |"


def playouts() -> dict[str, Any]:
    """Playouts per second of processor time from the opening, for two seats."""
    import numpy as np

    from cartagena.players.compiled.playout import playouts as play

    found: dict[str, Any] = {"command": "python bench/players.py playouts", "machine": machine(1)}
    for game, rules in GAMES.items():
        view = Game.new(rules, seats=2, seed=1).view(1)
        numbers, start = np.array(view.table, np.int64), np.array(view.words, np.int64)
        room, wins = start.copy(), np.zeros(8, np.int64)
        play(numbers, start, room, 1, 10, 2000, wins)
        begin = time.process_time()
        moves = play(numbers, start, room, 2, 20_000, 2000, wins)
        rate = 20_000 / (time.process_time() - begin)
        found[game] = {"playouts_per_second": round(rate), "moves_per_playout": round(moves / 20_000, 1)}
    return found


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rows", nargs="*", metavar="ROW", help=f"playouts, or of: {', '.join(rows())}")
    parser.add_argument("--seconds", type=float, default=560.0, help="for everything together")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="games at a time")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "results" / "players")
    parser.add_argument("--have", type=Path, action="append", default=[], help="a folder with games to take over")
    found = parser.parse_args()
    unknown = [name for name in found.rows if name not in rows() and name != "playouts"]
    if unknown:
        parser.error(f"there is no row {unknown[0]}")
    return found


def main() -> None:
    given = arguments()
    deadline = time.monotonic() + given.seconds
    given.out.mkdir(parents=True, exist_ok=True)
    if given.rows == ["playouts"]:
        (given.out / "playouts.json").write_text(json.dumps(playouts(), indent=1) + "\n", encoding="utf-8")
        return
    campaign = Campaign([row for name, row in rows().items() if not given.rows or name in given.rows], deadline)
    had = read(given.out)
    for folder in given.have:
        campaign.lines |= read(folder)
    with (given.out / "games.jsonl").open("a", encoding="utf-8") as kept:
        kept.writelines(json.dumps(line) + "\n" for key, line in campaign.lines.items() if key not in had)
    campaign.lines |= had
    warm()
    print(f"compiled, {deadline - time.monotonic():.0f} s left", flush=True)
    run(campaign, given.workers, given.out)
    how = f"python bench/players.py ROWS --seconds {given.seconds:g} --workers {given.workers} --out DIR"
    write(campaign, given.out, machine(given.workers), how)
    print((given.out / "players.md").read_text(encoding="utf-8"), flush=True)


if __name__ == "__main__":
    sys.exit(main())
