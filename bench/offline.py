"""Targets of the static site, measured in a real browser: ``python -m bench.offline``.

Measures, as medians of several runs in milliseconds, from opening the page with a cold cache to a first legal move on
the board, and from an offline reload (the host is killed) to a page that can be used. Writes ``results/offline.json``
and ``results/web.md``.
"""

import statistics
import tempfile
from pathlib import Path
from typing import Any

from bench.web_results import write
from playwright.sync_api import Browser, Page, sync_playwright
from tests.cli.helpers import cartagena
from tests.web.playing import step
from tests.web.rig import FLAGS, chromium
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
    page.wait_for_selector("[data-play=jamaica]:enabled")
    return float(page.evaluate(NOW))


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
        version = browser.version
        browser.close()
    cold, offline = (round(statistics.median(each)) for each in zip(*found, strict=True))
    return {"first_move_ms": cold, "offline_reload_ms": offline, "runs": RUNS, "browser": version}


if __name__ == "__main__":
    write("offline", measure())
