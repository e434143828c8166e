"""The engine for browsers in Chromium against this processor, in one run: ``python -m bench.wasm``.

Measures a search in one tree, random playouts, and a captain's decision in a worker while the page, slowed down four
times, draws frames. Both sides take turns, and the best of several runs counts. Writes ``results/wasm.json`` and
``results/wasm.md``.
"""

import argparse
import gzip
import json
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Page
from tests.conformance.engine import CODE, NETWORKS, engine_page

from cartagena import Game, Position, rollouts
from cartagena.backends.openings import start_of
from cartagena.players.compiled.ismcts import Basis, run
from cartagena.players.compiled.tree import new_tree
from cartagena.players.ismcts import CAPTAIN
from cartagena.players.weights import weights_for

RULES = ("jamaica-en", "tortuga-en", "nest-nl")
ITERATIONS = 20_000
GAMES = 4_000
CAP = 10_000
RUNS = 5
NODES = 3_000
DECISIONS = 8
SLOWED = 4

SEARCH = """async ({ view, iterations }) => {
  const { api, code, data } = window.built;
  const engine = await api.Engine.load(code, data);
  const search = api.Search.from(engine, engine.parse(view), 'captain', { nodes: 4 * iterations }, [0]);
  const before = performance.now();
  while (search.step());
  return search.nodes / ((performance.now() - before) / 1000);
}"""
PLAYOUTS = """async ({ table, plan, opening, games, cap }) => {
  const { api, code, data } = window.built;
  const { program } = await api.Engine.load(code, data);
  const put = (list) => program.put(list.map(BigInt));
  const given = [put(table), put(plan), put(opening), put(['1', '0', String(games), String(cap), '63'])];
  const room = [program.room(64), program.room(8), program.room(64)];
  const before = performance.now();
  const moves = program.call.rollout(...given, ...room);
  return moves / ((performance.now() - before) / 1000);
}"""
DECIDE = """async ({ view, nodes, decisions }) => {
  const { api, code, data } = window.built;
  const module = await WebAssembly.compile(code);
  const worker = new Worker('./worker.js', { type: 'module' });
  const player = new api.EnginePlayer(worker, module, data);
  const decide = async (seed) => {
    const before = performance.now();
    await player.go(view, 'captain', { nodes, seed }).result;
    return performance.now() - before;
  };
  await decide(0);
  let [frames, ended] = [0, false];
  const count = () => { frames++; if (!ended) requestAnimationFrame(count); };
  requestAnimationFrame(count);
  const [before, times] = [performance.now(), []];
  for (let seed = 1; seed <= decisions; seed++) times.push(await decide(seed));
  ended = true;
  const seconds = (performance.now() - before) / 1000;
  player.close();
  return { milliseconds: times.sort((a, b) => a - b)[Math.floor(times.length / 2)], frames: frames / seconds };
}"""


def looked_at(rules: str) -> Position:
    """A view in the middle of a game."""
    game = Game.new(rules, seats=2, seed=5)
    for _ in range(30):
        game.play(game.legal_moves[len(game.legal_moves) // 2])
    return game.view(game.turn)


def native_search(view: Position) -> float:
    """Iterations a second of one tree on one core."""
    table: Any = np.array(view.table, np.int64)
    tree = new_tree(1 << 16)
    basis = Basis(table, weights_for(view), CAPTAIN.settings(2))
    words: Any = np.array(view.words, np.int64)
    before = time.perf_counter()
    run(basis, tree, words, view.turn - 1, 0, ITERATIONS)
    return ITERATIONS / (time.perf_counter() - before)


def native_playouts(rules: str) -> float:
    """Actions a second on one core."""
    before = time.perf_counter()
    found = rollouts(rules, games=GAMES, seed=1, seats=2, backend="cpu", threads=1, cap=CAP)
    return found.actions / (time.perf_counter() - before)


def best(sides: dict[str, Callable[[], float]]) -> dict[str, float]:
    """The best of several runs of each side, which take turns."""
    found = dict.fromkeys(sides, 0.0)
    for _ in range(RUNS):
        found |= {name: max(found[name], measure()) for name, measure in sides.items()}
    return found


def measured(page: Page, rules: str) -> dict[str, Any]:
    """Both rates of one game on both sides."""
    view = looked_at(rules)
    start = start_of(rules, 2)
    texts = {name: [str(number) for number in numbers] for name, numbers in (
        ("table", start.rules), ("plan", start.plan), ("opening", start.words),
    )}  # fmt: skip
    asked = {**texts, "games": GAMES, "cap": CAP}
    native_search(view), native_playouts(rules)  # compiled before the clock starts
    return {
        "search": best(
            {
                "chromium": lambda: float(page.evaluate(SEARCH, {"view": str(view), "iterations": ITERATIONS})),
                "native": lambda: native_search(view),
            }
        ),
        "playouts": best(
            {
                "chromium": lambda: float(page.evaluate(PLAYOUTS, asked)),
                "native": lambda: native_playouts(rules),
            }
        ),
    }


def decisions(page: Page) -> dict[str, float]:
    """A captain's decision in a worker, and the frames of the slowed page meanwhile."""
    slow = page.context.new_cdp_session(page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    asked = {"view": str(looked_at("jamaica-en")), "nodes": NODES, "decisions": DECISIONS}
    found: dict[str, float] = page.evaluate(DECIDE, asked)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return found


def page_of(found: dict[str, Any]) -> str:
    """The results as Markdown."""
    sizes, decided = found["bytes_gzip"], found["decision"]
    lines = [
        "# The engine for browsers",
        "",
        f"`python -m bench.wasm` on {found['machine']}, {found['date']}, {found['browser']}; one thread a side,",
        f"in turns, the best of {RUNS} runs. Two seats; {ITERATIONS} iterations in one tree; {GAMES} random games.",
        "",
        "| what | game | Chromium | cpu | ratio | target |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for rules, rates in found["games"].items():
        for what, unit, target in (("search", "iterations", "0.7 of cpu"), ("playouts", "actions", "10 M a second")):
            mine, native = rates[what]["chromium"], rates[what]["native"]
            rate = f"{mine:,.0f} {unit}/s | {native:,.0f}"
            lines.append(f"| {what} | {rules} | {rate} | {mine / native:.2f} | {target} |")
    lines += [
        "",
        "| what | measured | target |",
        "| --- | --- | --- |",
        f"| captain's decision, {NODES} nodes in a worker, median | {decided['milliseconds']:.0f} ms | 350 ms |",
        f"| frames a second of the page meanwhile, slowed {SLOWED} times | {decided['frames']:.0f} | 50 |",
        f"| `cartagena.wasm`, compressed | {sizes['code'] / 1024:.0f} KB | 150 KB |",
        f"| `cartagena.json`, compressed | {sizes['data'] / 1024:.0f} KB | |",
        f"| the largest network, compressed | {sizes['network'] / 1024:.0f} KB | 150 KB |",
    ]
    return "\n".join(lines) + "\n"


def sizes() -> dict[str, int]:
    compressed = [len(gzip.compress(path.read_bytes(), 9)) for path in (CODE, CODE.with_suffix(".json"))]
    return {"code": compressed[0], "data": compressed[1], "network": max(path.stat().st_size for path in NETWORKS)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("bench/results"))
    out: Path = parser.parse_args().out
    found: dict[str, Any] = {"date": time.strftime("%Y-%m-%d", time.gmtime()), "machine": platform.machine()}
    with engine_page() as page:
        found["browser"] = f"Chromium {page.context.browser.version if page.context.browser else ''}"
        found["games"] = {rules: measured(page, rules) for rules in RULES}
        found["decision"] = decisions(page)
    found["bytes_gzip"] = sizes()
    (out / "wasm.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    (out / "wasm.md").write_text(page_of(found), encoding="utf-8")
    print(page_of(found))


if __name__ == "__main__":
    main()
