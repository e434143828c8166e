"""A review in a real browser with a server of its own, measured by ``python -m bench.review --browser``.

Measures seconds to the first judged decision and to the whole review, frames a second of the page meanwhile (it is
stepped through in that time), and milliseconds from a step to the first live value: while the review runs, after it,
and on the analysis board. At the end, the evaluations are compared with those of Python for the same nodes.
"""

import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Page, sync_playwright
from tests.web.playing import saved
from tests.web.rig import FLAGS, Served, chromium, open_visit

from cartagena import Limit, Record
from cartagena.study import annotated, review

STEPS: Final = 20
AGREE: Final = 1e-4
"""Evaluations in a record have four digits."""
WATCH = """() => {
  const watch = window.watch = {begin: performance.now(), first: 0, done: 0, frames: []};
  let last = watch.begin;
  const look = (now) => {
    watch.frames.push(now - last);
    last = now;
    const bar = document.querySelector('[data-review=going] progress');
    if (!watch.first && bar && bar.value > 0) watch.first = performance.now() - watch.begin;
    if (document.querySelector('[data-review=done]')) watch.done = performance.now() - watch.begin;
    else requestAnimationFrame(look);
  };
  requestAnimationFrame((now) => { last = now; requestAnimationFrame(look); });
  document.querySelector('[data-action=read]').click();
}"""
STEP = """async (text) => {
  const at = () => document.querySelector('[role=slider]')?.getAttribute('aria-valuenow');
  const [before, start] = [at(), performance.now()];
  if (text == null) document.querySelector('[data-action=step]').click();
  else {
    const written = document.querySelector('[data-notation]');
    written.value = text;
    written.dispatchEvent(new InputEvent('input', {bubbles: true}));
  }
  const isShown = () => text != null || at() !== before;
  const frame = () => new Promise(requestAnimationFrame);
  do await frame(); while (!isShown() || !document.querySelector('[data-live=going], [data-live=done]'));
  return performance.now() - start;
}"""


def steps_timed(page: Page, texts: Sequence[str | None]) -> dict[str, float]:
    """Median and worst milliseconds from steps to their first live value, after one step that is not counted."""
    found = [page.evaluate(STEP, text) for text in texts][1:]
    return {"median": round(statistics.median(found)), "worst": round(max(found))}


def reviewed(page: Page, record: Record) -> dict[str, Any]:
    """Review a record on the page, stepping through it meanwhile and afterwards."""
    page.wait_for_selector("[data-text]")
    page.fill("[data-text]", str(record))
    page.evaluate(WATCH)
    page.wait_for_selector("[data-live=going], [data-live=done]")
    meanwhile = steps_timed(page, [None] * (STEPS + 1))
    page.wait_for_function("() => window.watch.done > 0")
    watched = page.evaluate("() => window.watch")
    frames = watched["frames"]
    return {
        "first_s": round(watched["first"] / 1000, 2),
        "whole_s": round(watched["done"] / 1000, 1),
        "frames_a_second": round(1000 * len(frames) / sum(frames), 1),
        "longest_frame_ms": round(max(frames)),
        "step_meanwhile_ms": meanwhile,
        "step_after_ms": steps_timed(page, [None] * (STEPS + 1)),
    }


def agreeing(found: Record, told: Record) -> int:
    """Count the decisions that have the same evaluation, within its last digit, in both records."""
    pairs = [(mine.evaluation, theirs.evaluation) for mine, theirs in zip(found.moves, told.moves, strict=True)]
    return sum(
        all(abs(a - b) <= AGREE + 1e-9 for a, b in zip(mine, theirs, strict=True))
        for mine, theirs in pairs
        if mine and theirs
    )


def measure(record: Record) -> dict[str, Any]:
    """All numbers for one record, reviewed with the nodes of the page."""
    folder = Path(tempfile.mkdtemp())
    served = Served(folder)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            visit = open_visit(browser, served)
            told = reviewed(visit.go("review"), record)
            judged = saved(visit.page, folder)
            places = [str(place) for place in record.positions() if not place.is_chance][: STEPS + 1]
            page = visit.go("analysis")
            page.wait_for_selector("[data-live=going], [data-live=done]")
            told["step_analysis_ms"] = steps_timed(page, places)
            told["console_errors"] = len(visit.errors)
            told["browser"] = browser.version
            browser.close()
    finally:
        served.kill()
    return told | {"same_numbers": agreeing(judged, annotated(review(record, Limit(nodes=3000))))}
