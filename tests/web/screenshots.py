"""Pictures of every screen in every language: ``make screenshots``, or a part with ``--only`` and ``--sizes``.

``--whole`` takes pages that scroll as a whole. ``make screenshots ARGS=--documents`` takes those of ``docs/play`` anew.
"""

import argparse
import base64
import json
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route, sync_playwright

from .playing import look, play_out, resign, settle, step, tap, wait
from .rig import FLAGS, FORGET_SEATS, KNOWN, ROOT, Served, Visit, chromium, open_visit

LANGUAGES = ("en", "de", "es", "fr", "it", "nl", "sv")
ANN = {"kind": "here", "name": "Ann"}
COMPUTER = {"kind": "computer", "level": "sailor"}
TWO = [ANN, {"kind": "here", "name": "Ben"}]
PAGES = {
    "home": ("", "[data-level]:enabled"),
    "new": ("new", "button.go:enabled"),
    "learn": ("learn", "a.primary"),
    "lesson-tunnel": ("lesson/tunnel/4", ".table[data-ready=true]"),
    "lesson-nest": ("lesson/nest/3", ".table[data-ready=true]"),
    "rules": ("rules/tortuga-de", ".signs"),
    "record": ("replay", "textarea"),
    "puzzles": ("puzzles", "[data-fitting]"),
    "puzzle": ("puzzle/nest/2026-11-16", ".table[data-ready=true]"),
    "analysis-tunnel": ("analysis", "[data-live=done]"),
    "nowhere": ("nowhere", "h1"),
    "no-table": ("join/nonsense", ".error"),
}
RECORDS = ROOT / "tests/study/vectors.json"
DOCUMENTS = {"table": ("tortuga", "1280x720"), "phone": ("lesson-tunnel", "360x640")}
"""The pictures of the documents: a screen and the size of its window."""
TABLES: dict[str, tuple[dict[str, Any], Callable[[Page], object]]] = {}
SCREENS: dict[str, Callable[[Visit], object]] = {}


def screen(name: str) -> Callable[[Callable[[Visit], object]], Callable[[Visit], object]]:
    """Name a picture that takes more than an address to open."""

    def keep(opener: Callable[[Visit], object]) -> Callable[[Visit], object]:
        SCREENS[name] = opener
        return opener

    return keep


def table(name: str, **setup: Any) -> Callable[[Callable[[Page], object]], Callable[[Page], object]]:
    """Name a picture of a table, what it is set up with, and what is done there first."""

    def keep(act: Callable[[Page], object]) -> Callable[[Page], object]:
        TABLES[name] = ({"lots": False} | setup, act)
        return act

    return keep


def one_round(page: Page) -> None:
    """Play a turn and wait for the others' turns."""
    for number in range(30):
        if step(page, number) == "end":
            break
    look(page)


@table("jamaica", rules="jamaica-en", seats=[ANN, COMPUTER])
def jamaica(page: Page) -> None:
    one_round(page)


@table("tortuga", rules="tortuga-en", seats=[ANN, COMPUTER, COMPUTER])
def tortuga(page: Page) -> None:
    one_round(page)
    tap(page, 0)


@table("hispaniola", rules="hispaniola-sv", seats=[ANN, COMPUTER])
def hispaniola(page: Page) -> None:
    one_round(page)


@table("nest", rules="nest-nl", seats=[ANN, COMPUTER])
def nest(page: Page) -> None:
    one_round(page)


FIVE = [ANN, *[COMPUTER] * 4]
BANK = {"kind": "bank", "seconds": 600}
for game in ("jamaica-en", "tortuga-en", "nest-nl"):
    table(f"{game[:-3]}-five", rules=game, seats=FIVE, clock=BANK)(one_round)


@table("hint", rules="jamaica-en", seats=[ANN, COMPUTER], hints=True)
def hint(page: Page) -> None:
    one_round(page)
    page.click("[data-action=hint]")
    page.wait_for_selector("p.hint button")


@table("replay", rules="tortuga-en", seats=[ANN, COMPUTER, COMPUTER])
def replay(page: Page) -> None:
    one_round(page)
    resign(page)
    page.click("[data-action=replay]")
    for _ in range(4):
        page.click("[data-action=next]")


@table("answer", rules="jamaica-en", seats=TWO, hints=True)
def answer(page: Page) -> None:
    page.click("[data-action=lift]")
    wait(page)
    page.locator("[data-spot='11']").click(force=True)


@table("ending", rules="jamaica-en", seats=[ANN, COMPUTER], pirates=2, pieces=3)
def ending(page: Page) -> None:
    play_out(page)


@table("aside", rules="jamaica-en", seats=[ANN, COMPUTER])
def aside(page: Page) -> None:
    """A game that was lost by resigning, with the ending put aside."""
    wait(page)
    resign(page)
    page.click(".over .fold")


@table("curtain", rules="jamaica-en", seats=TWO)
def curtain(page: Page) -> None:
    page.wait_for_selector("dialog.curtain[open]")


@table("waiting", rules="jamaica-en", seats=[ANN, {"kind": "link"}])
def waiting(page: Page) -> None:
    page.wait_for_selector("[data-invite]")


@table("watching", rules="tortuga-en", seats=TWO, spectators="public")
def watching(page: Page) -> None:
    wait(page)
    page.evaluate(FORGET_SEATS)
    page.reload()
    page.wait_for_selector("[data-action=back]")


@table("menu", rules="tortuga-en", seats=TWO, spectators="public")
def menu(page: Page) -> None:
    wait(page)
    page.locator("button.menu").click()


@table("settings", rules="tortuga-en", seats=TWO)
def settings(page: Page) -> None:
    wait(page)
    button = page.locator("header .wide button.icon")
    if not button.is_visible():  # on a phone they are in the menu
        page.locator("button.menu").click()
        button = page.locator("dialog[open] button.icon").first
    button.click()


def cut(route: Route) -> None:
    """A request that reaches no server."""
    route.abort("connectionrefused")


@screen("join")
def join(visit: Visit) -> None:
    seats = [ANN, {"kind": "link"}, COMPUTER]
    made = visit.served.post("/tables", {"rules": "tortuga-en", "seats": seats, "lobby": True})
    visit.go(f"join/{made['table']}").wait_for_selector("[data-commitment]")


@screen("private")
def private(visit: Visit) -> None:
    made = visit.served.post("/tables", {"rules": "tortuga-en", "seats": TWO})
    visit.go(f"table/{made['table']}").wait_for_selector(".error")


@screen("offline")
def offline(visit: Visit) -> None:
    """The start page whose server does not answer."""
    visit.page.route("**/api/**", cut)
    visit.go("rules")
    visit.go().wait_for_selector("[data-offline], [data-alone]")
    visit.page.unroute("**/api/**")


@screen("review")
def review(visit: Visit) -> None:
    visit.go("review").fill("[data-text]", str(json.loads(RECORDS.read_text(encoding="utf-8"))[0]["record"]))
    visit.page.click("[data-action=read]")
    visit.page.wait_for_selector("[data-review=done]")
    for _ in range(9):
        visit.page.click("[data-action=next]")
    visit.page.wait_for_selector("[data-live=done]")
    visit.page.evaluate("() => scrollTo(0, 0)")


@screen("analysis-nest")
def analysis(visit: Visit) -> None:
    visit.go("analysis").select_option("[data-choice=game]", "nest-nl")
    visit.page.wait_for_selector("[data-choice=sloop]")
    visit.page.wait_for_selector("[data-live=done]")


@screen("example")
def example(visit: Visit) -> None:
    visit.go("learn").locator("a[href*=position]").first.click()
    wait(visit.page)


@screen("lists")
def lists(visit: Visit) -> None:
    """The start page with tables of this browser and open ones."""
    lobby = {"seats": [{"kind": "here", "name": "Grace"}, {"kind": "link"}], "lobby": True}
    for rules in ("nest-nl", "tortuga-en"):
        visit.served.post("/tables", lobby | {"rules": rules, "clock": BANK})
    made = visit.served.post("/tables", {"rules": "jamaica-en", "seats": [ANN, COMPUTER], "lots": False})
    wait(visit.sit(made, "jamaica-en"))
    visit.go().wait_for_selector("[data-open]")
    visit.page.locator(".lists").scroll_into_view_if_needed()
    visit.page.evaluate("() => scrollTo(0, document.body.scrollHeight)")


def screens(visit: Visit) -> Iterator[tuple[str, Callable[[], object]]]:
    """The name of each picture and what opens it."""
    for name, (route, ready) in PAGES.items():
        yield name, lambda route=route, ready=ready: visit.go(route).wait_for_selector(ready)  # type: ignore[misc]
    for name, opener in SCREENS.items():
        yield name, partial(opener, visit)
    for name, (setup, act) in TABLES.items():

        def open_table(setup: dict[str, Any] = setup, act: Callable[[Page], object] = act) -> None:
            made = visit.served.post("/tables", setup)
            act(visit.sit(made, setup["rules"]))

        yield name, open_table


def opened(browser: Browser, served: Served, size: str, **settings: Any) -> Visit:
    """A visit with a window of that size; a narrow one is a phone's."""
    width, height = map(int, size.split("x"))
    phone: dict[str, Any] = {"has_touch": True, "is_mobile": True} if width < 500 else {}
    return open_visit(browser, served, settings=settings, viewport={"width": width, "height": height}, **phone)


def take(browser: Browser, served: Served, folder: Path, want: argparse.Namespace) -> int:
    """Take all pictures that are wanted; how many there are."""
    taken = 0
    for size, theme, language in product(want.sizes, want.themes, want.languages):
        visit = opened(browser, served, size, language=language, theme=theme, known="" if want.guide else KNOWN)
        for name, opener in screens(visit):
            if want.only and not any(part in name for part in want.only):
                continue
            opener()
            settle(visit.page)
            path = folder / f"{name}-{size}-{theme}-{language}.png"
            visit.page.screenshot(path=path, full_page=want.whole)
            taken += 1
        visit.context.close()
    return taken


def take_for_documents(browser: Browser, served: Served, folder: Path, want: argparse.Namespace) -> int:
    """Take the pictures of the documents, the phone's in English only; how many there are. They are committed."""
    wanted = [(each, name) for each, name in product(want.languages, DOCUMENTS) if name == "table" or each == "en"]
    for language, name in wanted:
        screen, size = DOCUMENTS[name]
        visit = opened(browser, served, size, language=language, theme="light")
        dict(screens(visit))[screen]()
        settle(visit.page)
        session = visit.context.new_cdp_session(visit.page)
        width, height = map(int, size.split("x"))
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": min(1, 960 / width)}
        shot = session.send("Page.captureScreenshot", {"format": "webp", "quality": 16, "clip": clip})
        (folder / f"{name}-{language}.webp").write_bytes(base64.b64decode(shot["data"]))
        visit.context.close()
    return len(wanted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], help="parts of the names of the pictures")
    parser.add_argument("--sizes", nargs="*", default=["360x640", "1280x720"])
    parser.add_argument("--themes", nargs="*", default=["light"])
    parser.add_argument("--languages", nargs="*", default=list(LANGUAGES))
    parser.add_argument("--guide", action="store_true", help="with the first steps")
    parser.add_argument("--whole", action="store_true", help="whole pages, also what is below the window")
    parser.add_argument("--folder", type=Path, default=ROOT / "screenshots")
    parser.add_argument("--documents", action="store_true", help="the pictures of docs/play, into docs/images")
    want = parser.parse_args()
    if want.documents:
        want.folder = ROOT / "docs/images"
    taken_by = take_for_documents if want.documents else take
    want.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        served = Served(Path(data))
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        try:
            print(f"{taken_by(browser, served, want.folder, want)} pictures in {want.folder}")
        finally:
            browser.close()
            served.kill()


if __name__ == "__main__":
    main()
