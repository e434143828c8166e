"""Keeps what ``bench.web`` and ``bench.offline`` measured, and writes ``results/web.md`` from both."""

import json
import os
import platform
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

RESULTS: Final = Path(__file__).parent / "results"
ROWS: Final = (
    ("web", "script_wire_bytes", "first visit in English: script received until the start page can be used", "≤ 60 KB"),
    ("web", "page_wire_bytes", "everything received until it is idle", "≤ 220 KB"),
    ("web", "page_wire_bytes_most", "the same in the language that needs most", "≤ 220 KB"),
    ("web", "later_wire_bytes", "received afterwards: the table, and the copy for offline use", ""),
    ("web", "usable_ms", "start page can be used, cold cache, localhost (median)", "≤ 1,500 ms"),
    ("web", "click_ms", "a click shows its result (median)", "≤ 100 ms"),
    ("web", "frames_a_second", "frames a second while pirates run and cards fly (median)", "≥ 50"),
    ("web", "longest_task_moving_ms", "longest task over 50 ms meanwhile", "none (0)"),
    ("web", "longest_task_loading_ms", "longest task while a table is opened: the chart is drawn, once", ""),
    ("web", "layout_shift", "sum of all layout shifts", "< 0.005"),
    ("web", "console_errors", "console errors", "0"),
    (
        "offline",
        "first_move_ms",
        "static site, cold cache: from opening it to a first legal move (median)",
        "≤ 2,000 ms",
    ),
    ("offline", "offline_reload_ms", "offline reload (median)", "≤ 1,000 ms"),
    ("offline", "server_gone_ms", "server gone: from the click on a game to playing it here (median)", "≤ 1,000 ms"),
    ("offline", "server_hangs_ms", "server hangs: from that click to the offer to play here (median)", "≤ 1,500 ms"),
)


def write(name: str, told: dict[str, Any]) -> None:
    """Keep a measurement, with the day and the machine, and write the page anew."""
    about = {"date": datetime.now(UTC).strftime("%Y-%m-%d"), "machine": f"{os.cpu_count()} cores, {platform.machine()}"}
    text = json.dumps(told | about, indent=1)
    (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    (RESULTS / "web.md").write_text(page(), encoding="utf-8")
    print(text)


def page() -> str:
    """The measurements of both files beside their targets."""
    paths = {name: RESULTS / f"{name}.json" for name in ("web", "offline")}
    kept = {name: json.loads(path.read_text("utf-8")) for name, path in paths.items() if path.is_file()}
    lines = ["# The browser table: targets", ""]
    for name, told in kept.items():
        where = f"{told['machine']}, Chromium {told['browser']} without a graphics processor, {told['date']}."
        lines += [f"`python -m bench.{name}`: {where}", ""]
    lines += ["| what | target | measured |", "| --- | --- | --- |"]
    found = ((kept.get(name, {}).get(key), what, target) for name, key, what, target in ROWS)
    lines += [f"| {what} | {target} | {value:,} |" for value, what, target in found if value is not None]
    return "\n".join([*lines, ""])
