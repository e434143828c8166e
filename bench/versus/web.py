"""The browser table in a real browser, its server from the measured checkout: size of scripts and times."""

import os
import statistics
import tempfile
from pathlib import Path
from typing import Final

from bench.versus.readings import ROUNDS, Reading, Readings, Task, take_turns
from bench.web import CLICK, usable
from playwright.sync_api import Browser, sync_playwright
from tests.web.rig import FLAGS, Served, chromium, open_visit
from tests.web.wire import arriving

LOADS: Final = 4
ROUND_CLICKS: Final = 4
LESSON: Final = "lesson/tunnel/7"
PLACE: Final = "[data-place='8']"


def measure(task: Task) -> Readings:
    """Measure the first load, the time until the start page can be used, and a click."""
    os.environ["PYTHONPATH"] = str(task.side / "src")  # for the server
    with tempfile.TemporaryDirectory() as folder:
        served = Served(Path(folder))
        try:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
                with arriving(browser, served.address, "en-GB") as (_, wire):
                    yield "script received until usable", Reading(wire.received("script") / 1024, "KB")
                yield "start page usable, cold cache", Reading(loading_time(browser, served), "ms")
                yield "click to painted", Reading(click_time(browser, served), "ms")
                browser.close()
        finally:
            served.kill()


def loading_time(browser: Browser, served: Served) -> float:
    """Return the median time until the start page can be used, in windows without a cache."""
    times = []
    for number in range(LOADS + 1):
        take_turns()
        context = browser.new_context()
        found = usable(context.new_page(), served.address)
        context.close()
        times += [found] if number else []  # the first load warms the server up
    return statistics.median(times)


def click_time(browser: Browser, served: Served) -> float:
    """Return the median time from a click to the changed table."""
    visit = open_visit(browser, served, settings={"pace": "normal"}, reduced_motion="no-preference")
    visit.go(LESSON)
    visit.page.wait_for_selector(PLACE)
    times: list[float] = []
    for _ in range(ROUNDS):
        take_turns()
        times += [visit.page.evaluate(CLICK, PLACE) for _ in range(ROUND_CLICKS)]
    return statistics.median(times)
