"""How long a person waits for computers: ``python -m bench.pace``, or only a part: ``python -m bench.pace decisions``.

``decisions`` asks the gunner through the server's own pool, in the games with the most moves; each answer must fit into
a step of ``computer_seats``. ``turns`` clicks through games in a real browser, with the computers in a server of its
own or in the page, and measures from the moment that the end of the person's turn is shown until the person can choose
again, divided by the opponents. Both are printed, and ``turns`` writes ``results/pace.md``.
"""

import asyncio
import os
import platform
import statistics
import sys
import tempfile
import time
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, sync_playwright
from tests.web.playing import step
from tests.web.rig import FLAGS, Served, chromium, open_visit
from tests.web.test_offline import sit_at

from cartagena import Game
from cartagena.server.bots.computer_seats import STEP
from cartagena.server.bots.pool import EnginePool
from cartagena.server.settings import Settings

RESULTS: Final = Path(__file__).parent / "results"
DECISIONS: Final = 400
QUICK: Final = 20  # milliseconds
TURNS: Final = 4
WAYS: Final = (("server", "page"), ("gunner", "captain"), (2, 5), ("instant", "fast", "normal"))
TARGETS: Final = {
    ("gunner", "instant"): 0.5, ("gunner", "fast"): 1.2, ("gunner", "normal"): 2.8, ("captain", "normal"): 3.2,
}  # fmt: skip
# Times at which the person's turn ended and began, as the page shows it.
WATCH = """() => {
  window.waits = []; let ended;
  const look = () => {
    const table = document.querySelector('.table');
    const mine = table?.querySelector('[data-action=end]') && table.dataset.ready === 'true';
    if (!table?.querySelector('[data-action=end]')) ended ??= performance.now();
    else if (mine && ended !== undefined) { window.waits.push(performance.now() - ended); ended = undefined; }
  };
  new MutationObserver(look).observe(document.body, {subtree: true, childList: true, attributes: true});
}"""


WAITED: Final = "(number) => window.waits.length >= number || document.querySelector('.ending').childElementCount > 0"


async def decision_times(rules: str, seats: int) -> list[float]:
    """Seconds of decisions of the gunner in games against itself."""
    pool, times = EnginePool(Settings()), []
    try:
        for number in range(DECISIONS):
            if number % 80 == 0:
                game = Game.new(rules, seats=seats, seed=number)
            view = game.view(game.position.turn)
            began = time.perf_counter()
            move = await pool.choose("gunner", view, f"game {number // 80}", ("192.0.2.1",))
            times.append(time.perf_counter() - began)
            game.play(move or "")
    finally:
        await pool.stop()
    return times[1:]  # the first one waits for the process


def decisions() -> None:
    for rules, seats in (("jamaica-en", 2), ("tortuga-en", 5), ("nest-nl", 5)):
        times = [1000 * seconds for seconds in asyncio.run(decision_times(rules, seats))]
        middle, quick = statistics.median(times), sum(time <= QUICK for time in times) / len(times)
        told = f"median {middle:.1f} ms, {quick:.0%} within {QUICK} ms, longest {max(times):.0f} ms"
        print(f"gunner, {rules}, {seats} seats: {told} of {1000 * STEP:.0f}")


def waits(browser: Browser, served: Served, level: str, seats: int, pace: str, place: str) -> list[float]:
    """Seconds for each opponent between two turns of a person, who clicks: one action, then the end of the turn."""
    people: list[dict[str, Any]] = [{"kind": "here"}, *({"kind": "computer", "level": level} for _ in range(seats - 1))]
    visit = open_visit(browser, served, settings={"pace": pace}, reduced_motion="no-preference")
    page = visit.page
    if place == "server":
        visit.sit(served.post("/tables", {"rules": "jamaica-en", "seats": people, "lots": False}), "jamaica-en")
    else:
        sit_at(page, served, 1, "jamaica-en", people, pirates=6, lots=False)
    page.wait_for_selector("[data-action=end]")
    page.evaluate(WATCH)
    for number in range(1, TURNS + 2):
        step(page, number)
        page.click("[data-action=end]")
        page.wait_for_function(WAITED, arg=number)
        if page.locator(".ending > *").count():
            break
    found = page.evaluate("() => window.waits")[1:]  # the first turns wait for the process
    visit.context.close()
    return [wait / 1000 / (seats - 1) for wait in found]


def turns() -> None:
    served = Served(Path(tempfile.mkdtemp()), LEVELS="gunner,captain")
    lines = ["| computers in the | level | seats | setting | seconds for each opponent: median | longest | target |"]
    lines.append(f"|{' --- |' * 7}")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            for place, level, seats, pace in product(*WAYS):
                found = waits(browser, served, level, seats, pace, place)
                target = f"≤ {TARGETS[level, pace]}" if (level, pace) in TARGETS else ""
                cells = [place, level, seats, pace, f"{statistics.median(found):.2f}", f"{max(found):.2f}", target]
                lines.append(f"| {' | '.join(map(str, cells))} |")
                print(lines[-1], flush=True)
            version = browser.version
            browser.close()
    finally:
        served.kill()
    about = f"{os.cpu_count()} cores, {platform.machine()}, Chromium {version}, {datetime.now(UTC):%Y-%m-%d}"
    head = ["# The wait for the computer", "", f"`python -m bench.pace turns`: {about}.", ""]
    (RESULTS / "pace.md").write_text("\n".join([*head, *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    for part in sys.argv[1:] or ("decisions", "turns"):
        {"decisions": decisions, "turns": turns}[part]()
