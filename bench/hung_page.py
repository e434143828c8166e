"""The page in Chromium at a server that hangs: seconds from a person's move until the page shows it.

Part of ``make soak ONLY=cluster``. A hung server is one that was stopped (SIGSTOP): its port still takes connections.
"""

import re
import signal
import time
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright
from tests.server.cluster import Cluster, until
from tests.server.players import percentile
from tests.server.rig import TWO_HERE, Process
from tests.web.playing import click, clicked, look
from tests.web.rig import FLAGS, PATIENCE, Served, Visit, chromium, open_visit

from .restarts import BALANCERS, behind

TIMES: Final = 3
EVENTS: Final = ".log li > *"
PICKS: Final = ("card", "pirate", "curtain", "chooser")  # clicks that send nothing


class Front(Served):
    """The balancer, for windows."""

    def __init__(self, port: int) -> None:
        self.port = port


def sockets(server: Process) -> int:
    """Sockets at a server."""
    found = re.search(r"^cartagena_sockets ([0-9.]+)$", server.figures(), re.MULTILINE)
    assert found, "the figures name no sockets"
    return int(float(found[1]))


def open_table(browser: Browser, front: Front) -> Visit:
    """A window at a table of two persons at one device."""
    made = front.post("/tables", {"rules": "jamaica-en", "seats": TWO_HERE, "lots": False})
    visit = open_visit(browser, front)
    visit.sit(made, "jamaica-en")
    return visit


def move(page: Page, number: int) -> float:
    """Make a move. Returns the seconds from the click that sends it until the log has it."""
    lines = page.locator(EVENTS).count()
    while (found := look(page, number))["what"] in PICKS:
        clicked(page, found)
    began = time.monotonic()
    click(page, found)
    page.wait_for_function(f"lines => document.querySelectorAll('{EVENTS}').length > lines", arg=lines)
    return time.monotonic() - began


def hang_once(cluster: Cluster, browser: Browser, front: Front, number: int) -> tuple[float, float]:
    """Seconds of a move while all servers answer, and of the next one at a server that hangs."""
    visit = open_table(browser, front)
    page = visit.page
    try:
        control = move(page, number)
        until(lambda: sum(map(sockets, cluster.servers)) == 1, "the page has no socket")
        [server] = [each for each in cluster.servers if sockets(each)]
        assert server.process is not None
        server.process.send_signal(signal.SIGSTOP)
        try:
            return control, move(page, number + 1)
        finally:
            server.process.send_signal(signal.SIGCONT)
    finally:
        visit.context.close()
        until(lambda: sum(map(sockets, cluster.servers)) == 0, "the socket of a window that was closed stays")


def trial_hung_page(postgres: Any, folder: Path, times: int = TIMES) -> dict[str, Any]:
    """A move in the page behind each balancer, at a server that has stopped to answer."""
    folder.mkdir()
    found = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS, timeout=PATIENCE)
        for name in BALANCERS:
            with behind(name, postgres, folder / name, levels="") as (cluster, _):
                front = Front(cluster.front.port)
                pairs = [hang_once(cluster, browser, front, number) for number in range(times)]
            controls, hung = zip(*pairs, strict=True)
            found[name] = {
                "times": times,
                "median_s": round(percentile(list(hung), 0.5), 2),
                "worst_s": round(max(hung), 2),
                "control_s": round(max(controls), 2),
            }
        browser.close()
    return found
