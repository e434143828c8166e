"""What a browser receives from a server, as it comes over the wire: heads and compressed bodies."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

from playwright.sync_api import Browser, BrowserContext, Page, Request

PLAYABLE = "[data-level]:enabled"
PICTURES = ".picture svg >> nth=0", "[data-daily] .frame svg >> nth=0"
LATER = "/TableScreen-"
"""Part of the address of what a later page needs."""
STEP = 10
"""Milliseconds by which the clock of a page goes on at once."""


class Wire:
    """Counts what the windows of a context receive, their service worker included."""

    def __init__(self, context: BrowserContext) -> None:
        self.finished: list[Request] = []
        context.on("requestfinished", self._note)

    def _note(self, request: Request) -> None:
        self.finished.append(request)

    def received(self, kind: str = "") -> int:
        """The bytes of all answers so far, or of those of a kind."""
        sizes = [each.sizes() for each in tuple(self.finished) if kind in ("", each.resource_type)]
        return sum(each["responseHeadersSize"] + each["responseBodySize"] for each in sizes)

    def has(self, part: str) -> bool:
        """Whether an answer came from an address with that part."""
        return any(part in each.url for each in self.finished)


@dataclass(frozen=True)
class FirstVisit:
    """Bytes of a first visit of the start page."""

    script: int
    """Script that the page fetches before it can be used."""
    page: int
    """Everything that it fetches before it is idle."""
    later: int
    """What comes after that: the table, and the copy for offline use."""


@contextmanager
def arriving(browser: Browser, address: str, locale: str) -> Iterator[tuple[Page, Wire]]:
    """The start page as soon as a person who was never there can use it, and what has come for it.

    Its clock stands still. So what comes first does not depend on the machine.
    """
    with closing(browser.new_context(locale=locale, viewport={"width": 1280, "height": 720})) as context:
        wire, page = Wire(context), context.new_page()
        page.clock.install(time=0)
        page.clock.pause_at(1000)
        page.goto(address)
        page.wait_for_selector(PLAYABLE)
        yield page, wire


def first_visit(browser: Browser, address: str, locale: str) -> FirstVisit:
    """Visit the start page and let its clock go on until everything has come."""
    with arriving(browser, address, locale) as (page, wire):
        script = wire.received("script")
        let_time_pass(page, lambda: all(page.locator(picture).count() for picture in PICTURES))
        page.wait_for_load_state("networkidle")
        assert not wire.has(LATER), "what a later page needs has come early"
        assert not page.evaluate("() => navigator.serviceWorker.getRegistration().then(Boolean)")
        whole = wire.received()
        let_time_pass(page, lambda: wire.has(LATER))
        page.clock.resume()
        page.evaluate("() => navigator.serviceWorker.ready.then(() => undefined)")
        return FirstVisit(script, whole, wire.received() - whole)


def let_time_pass(page: Page, is_there: Callable[[], bool]) -> None:
    """Let the clock of the page go on until something is there."""
    while not is_there():
        page.clock.run_for(STEP)
