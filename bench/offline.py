"""Targets of play without a server, measured in a real browser: ``python -m bench.offline``.

Measures, as medians of several runs in milliseconds: for the static site, from opening the page with a cold cache to a
first legal move on the board, and from an offline reload (the host is killed) to a page that can be used; for a page
whose server is gone, from the click on a game to a board that can be played on, and for one whose server hangs, to the
offer to play without it. Writes ``results/offline.json`` and ``results/web.md``.
"""

import os
import signal
import statistics
import tempfile
from pathlib import Path
from typing import Any

from bench.web_results import write
from playwright.sync_api import Browser, Page, sync_playwright
from tests.cli.helpers import cartagena
from tests.web.playing import step
from tests.web.rig import FLAGS, Served, chromium, open_visit
from tests.web.static_host import Host

RUNS = 5
NOW = "() => performance.now()"
SETTINGS = "localStorage.setItem('cartagena.settings', JSON.stringify({pace: 'instant', known: 'jamaica'}))"


def first_move(page: Page, address: str) -> float:
    """Open the page, play at once, and make a move."""
    page.goto(address, wait_until="commit")
    page.click("[data-play=jamaica]:enabled")
    step(page, 0)
    page.wait_for_selector(".pip.spent")
    return float(page.evaluate(NOW))


def reload(page: Page) -> float:
    page.reload(wait_until="commit")
    page.wait_for_selector("[data-level]:enabled")
    return float(page.evaluate(NOW))


def start(browser: Browser, way_out: int, found: str) -> float:
    """Click on a game after the server was sent a signal, and wait for what is shown then."""
    served = Served(Path(tempfile.mkdtemp()))
    assert served.process is not None
    visit = open_visit(browser, served, service_workers="allow")
    page = visit.page
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    page.wait_for_selector("[data-daily]")
    os.kill(served.process.pid, way_out)
    clicked = float(page.evaluate(NOW))
    page.click("[data-play=jamaica]")
    page.wait_for_selector(found)
    took = float(page.evaluate(NOW)) - clicked
    visit.context.close()
    served.kill()
    return took


def run_once(browser: Browser, folder: Path) -> tuple[float, float]:
    """One cold visit and one offline reload."""
    host = Host(folder)
    context = browser.new_context(reduced_motion="reduce", locale="en-GB")
    context.add_init_script(SETTINGS)
    page = context.new_page()
    cold = first_move(page, host.address)
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    page.goto(f"{host.address}#/")
    host.kill()
    offline = reload(page)
    context.close()
    return cold, offline


def measure() -> dict[str, Any]:
    folder = Path(tempfile.mkdtemp()) / "site"
    made = cartagena("site", str(folder))
    if made.returncode:
        raise SystemExit(made.stderr)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        found = [run_once(browser, folder) for _ in range(RUNS)]
        gone = [start(browser, signal.SIGKILL, ".table[data-ready=true]") for _ in range(RUNS)]
        hung = [start(browser, signal.SIGSTOP, "[data-action=here]") for _ in range(RUNS)]
        version = browser.version
        browser.close()
    cold, offline = (round(statistics.median(each)) for each in zip(*found, strict=True))
    lost, slow = round(statistics.median(gone)), round(statistics.median(hung))
    told = {"first_move_ms": cold, "offline_reload_ms": offline, "server_gone_ms": lost, "server_hangs_ms": slow}
    return {**told, "runs": RUNS, "browser": version}


if __name__ == "__main__":
    write("offline", measure())
