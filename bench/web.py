"""Targets of the browser table, measured in a real browser with a server of its own: ``python -m bench.web``.

Measures the bytes that a browser receives from the server in a first visit, with the heads of the answers: of script
until the start page can be used, of everything until it is idle, and of what comes later. Measures milliseconds until
the page can be used from a cold cache, milliseconds from a click to its result, the longest task while the table is
opened, frames a second and the longest task while pirates run and cards fly, layout shift, console errors. Writes
``results/web.json`` and ``results/web.md``.
"""

import statistics
import tempfile
from pathlib import Path
from typing import Any

from bench.web_results import write
from playwright.sync_api import Browser, Page, sync_playwright
from tests.web.rig import FLAGS, Served, chromium, open_visit
from tests.web.wire import PLAYABLE, first_visit

LOCALES = ("de-DE", "es-ES", "fr-FR", "it-IT", "nl-NL", "sv-SE")
CLICKS = 12
LOADS = 7
WATCH = """() => {
  window.shift = 0; window.tasks = [];
  const watch = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({type, buffered: true});
  watch('layout-shift', (entry) => { window.shift += entry.value; });  // all, those right after a click too
  watch('longtask', (entry) => window.tasks.push(entry.duration));
}"""
CLICK = """async (selector) => {
  const node = document.querySelector(selector);
  const before = document.querySelector('.table').innerHTML;
  const start = performance.now();
  node.dispatchEvent(new MouseEvent('click', {bubbles: true}));
  const same = () => document.querySelector('.table').innerHTML === before;
  while (same() && performance.now() - start < 3000) await new Promise(requestAnimationFrame);
  return performance.now() - start;
}"""
# Players have made a gesture before a pirate moves. The browser starts its audio after the first one, when it is idle.
AUDIO_STARTED = """async () => {
  await new Promise((done) => requestIdleCallback(() => setTimeout(done, 500)));
  window.tasks.splice(0);
}"""
FRAMES = """async () => {
  const times = []; let last = performance.now(); const end = last + 500;
  while (last < end) {
    await new Promise(requestAnimationFrame);
    times.push(performance.now() - last);
    last = performance.now();
  }
  return times;
}"""


def usable(page: Page, address: str) -> float:
    page.goto(address, wait_until="commit")
    page.wait_for_selector(PLAYABLE)
    return float(page.evaluate("() => performance.now()"))


def received(browser: Browser, address: str) -> dict[str, int]:
    """The bytes of a first visit in English, and in the language whose first visit costs most."""
    visit = first_visit(browser, address, "en-GB")
    most = max(first_visit(browser, address, locale).page for locale in LOCALES)
    return {
        "script_wire_bytes": visit.script,
        "page_wire_bytes": visit.page,
        "page_wire_bytes_most": most,
        "later_wire_bytes": visit.later,
    }


def loading(browser: Browser, address: str) -> dict[str, int]:
    """When the start page can be used, in windows without a cache."""
    times: list[float] = []
    for number in range(LOADS + 1):
        context = browser.new_context(service_workers="block")
        found = usable(context.new_page(), address)
        times += [found] if number else []  # the first load warms the server up
        context.close()
    return {"usable_ms": round(statistics.median(times)), "loads": LOADS}


def measure() -> dict[str, Any]:
    served = Served(Path(tempfile.mkdtemp()))
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            visit = open_visit(browser, served, settings={"pace": "normal"}, reduced_motion="no-preference")
            told: dict[str, Any] = received(browser, served.address) | loading(browser, served.address)
            visit.go("lesson/tunnel/7")
            page = visit.page
            page.wait_for_selector("[data-place='8']")
            page.evaluate(WATCH)
            told["click_ms"] = round(statistics.median(page.evaluate(CLICK, "[data-place='8']") for _ in range(CLICKS)))
            told["longest_task_loading_ms"] = round(max(page.evaluate("() => window.tasks.splice(0)") or [0]))
            page.mouse.click(2, 2)
            page.evaluate(AUDIO_STARTED)
            frames: list[float] = []
            for card in ("B", "D", "H"):
                page.click(f"[data-card='{card}']")
                page.locator("[data-place='s']").click()
                frames += page.evaluate(FRAMES)
            told["frames_a_second"] = round(1000 / statistics.median(frames), 1)
            told["longest_task_moving_ms"] = round(max(page.evaluate("() => window.tasks") or [0]))
            told["layout_shift"] = round(page.evaluate("() => window.shift"), 4)
            told["console_errors"] = len(visit.errors)
            told["browser"] = browser.version
            browser.close()
            return told
    finally:
        served.kill()


if __name__ == "__main__":
    write("web", measure())
