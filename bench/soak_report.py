"""The report page with the totals of all runs of ``soak_server.py``."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Runs = list[dict[str, Any]]
HEAD = """# The server's targets, measured

Each line adds up the runs of one trial in `soak-server.json`, which has the date, command, machine and versions of each
run. Repeat one with `make soak ONLY=TRIAL`, all of them with `make soak`.

The peer plays two games: `count`, the smallest possible (a counter, nothing hidden), and `cards`, as large as one of
our tables (see `bench/boardgame_io/games.js`). Times are valid for runs on a quiet machine (`--alone`).

| trial | target | found | runs |
| --- | --- | --- | --- |
"""


def total(runs: Runs, key: str) -> int:
    return sum(run[key] for run in runs)


def worst(runs: Runs, key: str) -> float:
    return float(max(run[key] for run in runs))


def summarise_load(runs: Runs) -> str:
    last = runs[-1]
    return (
        f"p95 {last['p95_ms']} ms, p99 {last['p99_ms']} ms at {last['moves_per_second']} moves/s for "
        f"{last['seconds']} s ({last['moves']:,} moves), {last['errors']} errors, {last['server_mb']} MB"
    )


def summarise_compare(runs: Runs) -> str:
    last = runs[-1]
    mine = last["ours_durable"]
    parts = [
        f"boardgame.io {name} {last[f'boardgame_io_{game}_{storage}']:,.0f}/s"
        f" ({mine / last[f'boardgame_io_{game}_{storage}']:.1f} ×)"
        for game, storage, name in (
            ("cards", "file", "file, a card game"),
            ("cards", "memory", "memory, a card game"),
            ("count", "file", "file, a counter"),
            ("count", "memory", "memory, a counter"),
        )
    ]
    return f"ours, durable: {mine:,.0f} moves/s; " + "; ".join(parts)


def summarise_restart(runs: Runs) -> str:
    return f"median {runs[-1]['median_restart_s']} s, slowest {worst(runs, 'slowest_restart_s')} s"


def summarise_abuse(runs: Runs) -> str:
    last = runs[-1]
    return f"p99 of the others {last['p99_ms']} ms, {last['errors']} errors; {last['abuses']:,} abuses"


def summarise_attacks(runs: Runs) -> str:
    last = runs[-1]
    return (
        f"{last['attacks']} attacks, {last['strikes']:,} strikes; worst: moves p99 {last['moves_p99_ms']} ms, reply "
        f"{last['reply_s']} s, hint {last['hint_s']} s, {last['memory_mb']} MB; {last['errors']} errors of others"
    )


def summarise_kills(runs: Runs) -> str:
    alone = [run for run in runs if run["alone"]]
    when = "" if alone else ", on a busy machine"
    return (
        f"{total(runs, 'kills')} kills, {total(runs, 'acked'):,} moves acknowledged: {total(runs, 'lost')} lost, "
        f"{total(runs, 'doubled')} doubled; serving again after {(alone or runs)[-1]['median_restart_s']} s (median), "
        f"{worst(alone or runs, 'slowest_restart_s')} s (slowest{when})"
    )


def summarise_duplicates(runs: Runs) -> str:
    sends, moves, wrong = (total(runs, key) for key in ("sends", "moves", "tables_wrong"))
    return f"{sends:,} sends of {moves:,} moves, {wrong} tables with a move missing or doubled"


def summarise_drops(runs: Runs) -> str:
    return f"{total(runs, 'drops'):,} sockets dropped and resumed, {total(runs, 'tables_wrong')} ended differently"


def summarise_hostile(runs: Runs) -> str:
    return (
        f"{total(runs, 'requests'):,} requests and {total(runs, 'frames'):,} frames: {total(runs, 'server_errors')} "
        f"server errors, {total(runs, 'tracebacks')} tracebacks; memory {runs[-1]['memory_mb_first']} MB after "
        f"a tenth, {runs[-1]['memory_mb_last']} MB at the end"
    )


def summarise_secrecy(runs: Runs) -> str:
    return f"{total(runs, 'pairs'):,} pairs, {total(runs, 'different')} answers that differ"


def summarise_cluster(runs: Runs) -> str:
    struck, way, cost = ([run[name] for run in runs] for name in ("faults", "way", "cost"))
    return (
        f"{total(struck, 'faults')} faults, {total(struck, 'acked'):,} moves acknowledged: "
        f"{total(struck, 'lost')} lost, {total(struck, 'doubled')} doubled; "
        f"p99 to another server {way[-1]['p99_ms']} ms; "
        f"throughput with --redis {cost[-1]['ratio']} ×"
    )


def summarise_captains(runs: Runs) -> str:
    last = runs[-1]
    return (
        f"{last['games']} games, {last['replies']:,} replies: p50 {last['reply_p50_s']}, p95 {last['reply_p95_s']} s, "
        f"{last['errors']} errors; others' moves p99 {last['moves_p99_ms']} ms (control {last['control_p99_ms']} ms), "
        f"where guests think {last['thinking']['moves_p99_ms']} ms (as many actions of people alone "
        f"{last['people_alone']['moves_p99_ms']} ms)"
    )


def beside(run: dict[str, Any]) -> str:
    """Moves beside a busy outbox, which older runs have not measured."""
    if "ratio" not in run:
        return ""
    least, most = run["ratio_95"]
    told = f"most moves a second beside a busy outbox {run['ratio']} × ({least} to {most}); "
    if "load" in run:
        load = run["load"]
        told += (
            f"`load` beside it {load['ratio']} × ({load['ratio_95'][0]} to {load['ratio_95'][1]}), "
            f"p99 {load['p99_ms_beside_outbox']} ms (control {load['p99_ms']} ms); "
        )
    return told


def summarise_post(runs: Runs) -> str:
    last = runs[-1]
    return (
        f"{last['sleeping_tables']:,} tables: start {last['start_s']} s (empty {last['empty_start_s']} s), "
        f"{last['memory_mb_more']} MB more; {last['messages_a_second']} messages/s; {beside(last)}"
        f"{total(runs, 'kills')} kills, "
        f"{total(runs, 'causes'):,} causes: {total(runs, 'causes_lost')} lost, "
        f"{total(runs, 'repeats_on_the_wire')} repeats on the wire"
    )


KILLS = "0 acknowledged moves lost or doubled; serving again ≤ 3 s"
TRIALS: dict[str, tuple[str, Callable[[Runs], str]]] = {
    "load": (
        "p95 < 100 ms, p99 < 250 ms from sending until every viewer has it; 0 errors; < 500 MB",
        summarise_load,
    ),
    "compare": ("≥ 4 × its file storage, and no less than its in-memory storage", summarise_compare),
    "restart": ("≤ 3 s", summarise_restart),
    "abuse": ("others' p99 < 250 ms", summarise_abuse),
    "attacks": ("others' p99 ≤ 250 ms, replies ≤ 3 s, hints ≤ 5 s, ≤ 500 MB", summarise_attacks),
    "kills-sqlite": (KILLS, summarise_kills),
    "kills-postgresql": (KILLS, summarise_kills),
    "duplicates": ("each applied exactly once", summarise_duplicates),
    "drops": ("every client ends with the server's state", summarise_drops),
    "hostile": ("0 crashes, 0 tracebacks to the client, memory flat", summarise_hostile),
    "cluster": ("0 acknowledged moves lost or doubled; p99 ≤ 50 ms; ≥ 0.9 ×", summarise_cluster),
    "captains": ("replies p95 ≤ 5 s; people's moves not slower", summarise_captains),
    "post": (
        "start ≤ 3 s; within 20 MB of an empty start; ≥ 500 messages/s; `load` ≥ 0.97 ×; 0 causes lost",
        summarise_post,
    ),
    "secrecy": ("byte-equal, once ids, times and the published hash are masked", summarise_secrecy),
}
"""For each trial its target and the summary of its runs."""


def write_report(kept: dict[str, Any], path: Path) -> None:
    """Write a line for each trial, and the machines and versions of the runs."""
    lines = []
    for name, item in kept.items():
        found = [{**run["found"], "alone": run["alone"]} for run in item["runs"]]
        target, summarise = TRIALS[name]
        lines.append(f"| {name}: {item['trial'].rstrip('.')} | {target} | {summarise(found)} | {len(found)} |")
    places = sorted({f"{run['date'][:10]}: {run['machine']}, Python {run['python']}; {run['versions']}."
                     for item in kept.values() for run in item["runs"]})  # fmt: skip
    path.write_text(HEAD + "\n".join(lines) + "\n\n" + "\n".join(f"- {place}" for place in places) + "\n")
