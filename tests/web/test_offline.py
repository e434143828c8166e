"""The static site without any server: played by clicking, offline, closed and opened again, and brought up to date."""

import gzip
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from cartagena.game import Record, fair_deal
from cartagena.server.protocol.requests import TableSetup
from tests.catalogues import messages
from tests.cli.helpers import cartagena
from tests.local.vectors import Recorded

from .conftest import Opener
from .playing import play_out, step, wait
from .rig import FORGET_SEATS, KNOWN, PATIENCE, ROOT
from .static_host import AT, Host

INSTALLED = "async () => { await navigator.serviceWorker.ready; }"
SETTINGS = json.dumps({"pace": "instant", "known": KNOWN, "language": "en"})


def english(key: str) -> str:
    """The English words of the page."""
    return messages("en")[key]


@contextmanager
def window(
    browser: Browser, host: Host, workers: Literal["allow", "block"] = "block"
) -> Iterator[tuple[BrowserContext, Page]]:
    """A window whose page has told no error by the end; what a killed host causes is no error of the page.

    A service worker, where it is allowed, fetches the whole site at the first visit.
    """
    context = browser.new_context(
        viewport={"width": 1280, "height": 720}, locale="en-GB", reduced_motion="reduce", service_workers=workers
    )
    context.set_default_timeout(PATIENCE)
    context.add_init_script(
        f"localStorage.getItem('cartagena.settings') || localStorage.setItem('cartagena.settings', '{SETTINGS}')"
    )
    errors: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(host.address)
    yield context, page
    context.close()
    assert errors == []


SAVE = """async (table) => {
  const open = indexedDB.open('cartagena');
  open.onupgradeneeded = () => open.result.createObjectStore('tables', {keyPath: 'id'});
  await new Promise((done) => { open.onsuccess = done; });
  const tables = open.result.transaction('tables', 'readwrite').objectStore('tables');
  tables.put(table);
  await new Promise((done) => { tables.transaction.oncomplete = done; });
  open.result.close();
}"""


DUEL = ({"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "sailor"})


def sit_at(
    page: Page, host: Host, number: int, rules: str, players: Sequence[object] = DUEL, **options: object
) -> None:
    """Open a saved game with two pirates each: one person against a computer, unless other players are named."""
    setup = {"rules": rules, "seats": players, "pirates": 2, "promise": 3, "salts": 0}
    game = Recorded(number, TableSetup.model_validate(setup | options))
    table = game.table
    events = [{"kind": event.kind, "at": event.at, **event.data()} for event in table.events]
    about = {"form": 1, "id": table.id, "created": table.created, "changed": table.created, "over": False}
    setup = table.setup.model_dump(mode="json")
    page.evaluate(SAVE, {**about, "setup": setup, "secret": table.secret, "events": events})
    page.goto(f"{host.address}#/table/{table.id}")


def record_of(page: Page, folder: Path, proof: str = "proved") -> Record:
    """The record of the finished game on the page, as a person downloads it."""
    page.click("[data-action=replay]")
    page.wait_for_selector(f"[data-proof={proof}]")
    assert page.locator(".crew .you").count() == 1
    with page.expect_download() as download:
        page.click("[data-action=download]")
    download.value.save_as(folder / "game.txt")
    return Record.read(folder / "game.txt")


def test_visit_go_offline_play_close_and_go_on(browser: Browser, host: Host, tmp_path: Path) -> None:
    """The site at a sub-path, its host killed after one visit: a game by clicking, closed, opened again, finished."""
    with window(browser, host, "allow") as (context, page):
        told: list[str] = []
        page.on("console", lambda message: told.append(message.text))
        page.reload()
        page.wait_for_selector("[data-alone]")  # it says what needs a server
        assert told == []
        page.evaluate(INSTALLED)
        found = context.new_cdp_session(page).send("Page.getInstallabilityErrors")["installabilityErrors"]
        assert [each["errorId"] for each in found if each["errorId"] != "in-incognito"] == []
        host.kill()
        page.reload()
        page.wait_for_selector("[data-play=jamaica]:enabled")
        page.click("[data-play=jamaica]")
        assert wait(page) == "choose"
        assert step(page, 0) == "advance"
        page.wait_for_selector(".pip.spent")
        page.click("[data-action=hint]")
        page.wait_for_selector("p.hint button")
        assert re.search(r"\d %|\d%", page.inner_text("p.hint"))
        page.click(".menu")
        with page.expect_download() as download:  # a game that is not over, without the secret of the coming cards
            page.click("[data-menu=record]")
        unfinished = Record.parse(download.value.path().read_text(encoding="utf-8"))
        assert (unfinished.tags["Result"], "Secret" in unfinished.tags) == ("*", False)
        assert len(unfinished.moves) >= 1
        table = page.url
        page.close()
        again = context.new_page()
        again.goto(host.address)
        again.click("[data-continue]")
        again.wait_for_selector(".pip.spent")
        assert again.url == table
        assert step(again, 1) in ("advance", "go", "back", "end")
        again.click(".menu")
        for _ in range(2):  # asked, and asked again
            again.locator("dialog[open] button", has_text=re.compile("give up|resign", re.IGNORECASE)).last.click()
        again.keyboard.press("Escape")
        record = record_of(again, tmp_path)
        assert fair_deal.check(record).startswith("The record agrees with itself")
        assert record.tags["Termination"].startswith("resigned")
        again.goto(f"{host.address}#/puzzles")
        again.click("[data-daily=nest]")
        again.wait_for_selector("[data-state=open]")
        again.goto(f"{host.address}#/replay")
        again.set_input_files("input[type=file]", tmp_path / "game.txt")
        again.wait_for_selector("[data-proof=proved]")
        again.goto(f"{host.address}#/lesson/nest/3")
        again.wait_for_selector(".table[data-ready=true]")
        again.goto(f"{host.address}#/rules/tortuga-de")
        again.wait_for_selector(".signs")
        host.start()
    assert all(path.startswith(AT) for path in host.asked)


@pytest.mark.parametrize(
    ("number", "rules"),
    [
        pytest.param(0, "jamaica-en", marks=pytest.mark.whole),  # by a served table: tests/web/test_games.py
        (1, "tortuga-de"),
        pytest.param(4, "hispaniola-sv", marks=pytest.mark.whole),
        pytest.param(3, "nest-nl", marks=pytest.mark.whole),
    ],
)
def test_a_whole_game_of_each_kind_offline(
    browser: Browser, host: Host, tmp_path: Path, number: int, rules: str
) -> None:
    with window(browser, host, "allow") as (context, page):
        page.evaluate(INSTALLED)
        host.kill()
        context.set_offline(True)
        page.reload()
        sit_at(page, host, number, rules, pieces=3 if rules != "nest-nl" else None)
        assert "over" in play_out(page)
        record = record_of(page, tmp_path, "consistent")  # this browser kept nothing before the deal
        assert fair_deal.check(record).startswith("The record agrees with itself")
        host.start()


SPENT = "number => document.querySelectorAll('.pip.spent').length === number"
MOVES = "[...document.querySelectorAll('.side .log button')].map((line) => line.innerText).join()"


def act_once(page: Page, name: str) -> None:
    """Lift the curtain that hides a hand from the others, and take one action."""
    page.wait_for_selector(f"dialog.curtain[open] >> text={name}")
    assert page.locator("[data-card]").count() == 0
    page.click("[data-action=lift]")
    assert wait(page) == "choose"
    step(page, 0)
    page.wait_for_function(SPENT, arg=1)


def test_five_people_at_one_device_in_two_windows_and_with_a_clock(browser: Browser, host: Host) -> None:
    names = ["Ann", "Ben", "Cas", "Dora", "Ed"]
    people = [{"kind": "here", "name": name} for name in names]
    with window(browser, host) as (context, page):
        sit_at(page, host, 5, "jamaica-en", people, lots=False)
        for name in names:
            act_once(page, name)
            page.click("[data-action=end]")
        other = context.new_page()
        other.add_init_script("delete window.BroadcastChannel")  # it hears of nothing
        other.goto(page.url)
        other.click("[data-action=lift]")
        assert wait(other) == "choose"
        act_once(page, "Ann")
        played = page.evaluate(MOVES)
        step(other, 1)  # too late: the other window has played on
        other.wait_for_function(f"played => {MOVES} === played", arg=played)
        other.wait_for_function(SPENT, arg=1)
        assert wait(other) == "choose"
        step(other, 0)
        other.wait_for_function(SPENT, arg=2)
        other.close()
        page.reload()
        page.click("[data-action=lift]")
        page.wait_for_function(SPENT, arg=2)
        # The computer plays on for a person whose time is up, until they are back.
        sit_at(page, host, 6, "tortuga-de", clock={"kind": "turn", "seconds": 5}, lots=False)
        page.click("[data-away=time] button")
        page.wait_for_selector("[data-away]", state="detached")


def test_games_that_an_older_version_has_saved_are_listed_and_opened(browser: Browser, host: Host) -> None:
    saved = json.loads(gzip.decompress((ROOT / "web/tests/fixtures/saved-form-1.json.gz").read_bytes()))
    with window(browser, host) as (_, page):
        for game in saved:
            page.evaluate(SAVE, game["stored"])
        page.reload()
        for game in saved:
            page.wait_for_selector(f"[data-mine={game['stored']['id']}]", state="attached")
        for game in (saved[0], saved[2]):
            page.goto(f"{host.address}#/table/{game['stored']['id']}")
            page.wait_for_selector(".over" if game["expected"]["stage"] == "over" else ".table[data-ready=true]")


CORRUPT = """async (word) => {
  const open = indexedDB.open('cartagena');
  await new Promise((done) => { open.onsuccess = done; });
  const tables = open.result.transaction('tables', 'readwrite').objectStore('tables');
  const all = tables.getAll();
  await new Promise((done) => { all.onsuccess = done; });
  const table = all.result[0];
  if (word) table.events[1].opening = word;
  tables.put(table);
  await new Promise((done) => { tables.transaction.oncomplete = done; });
  open.result.close();
  return JSON.stringify(table.events);
}"""
FULL = """() => {
  IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); };
}"""
NO_SIMD = "WebAssembly.validate = () => false;"


def test_bad_luck_costs_nothing(browser: Browser, host: Host) -> None:
    """A full disk, a damaged game and an old browser: one sentence each, and nothing is lost."""
    with window(browser, host) as (context, page):
        page.click("[data-play=tortuga]")
        assert wait(page) == "choose"
        page.evaluate(FULL)
        step(page, 0)
        page.get_by_text(english("code.local-full")).first.wait_for()
        page.wait_for_selector(".pip.spent")  # the game goes on
        page.reload()
        assert wait(page) == "choose"
        assert step(page, 0) == "advance"
        page.wait_for_selector(".pip.spent")
        table = page.url.rpartition("/")[2]
        page.goto(f"{host.address}#/")
        page.evaluate(FORGET_SEATS)
        page.reload()
        kept = page.evaluate(CORRUPT, "jamaica-en nonsense")
        page.click(f"[data-mine={table}] a")  # the list of tables is lost, the game is not
        page.get_by_text(english("code.local-damaged")).wait_for()
        assert page.evaluate(CORRUPT, "") == kept
        page.goto(f"{host.address}#/")
        for _ in range(2):  # a game is removed when asked twice
            page.click("[data-remove]")
        page.wait_for_selector("[data-mine]", state="detached")
        context.add_init_script(NO_SIMD)
        page.reload()
        page.get_by_text(english("code.engine-old")).wait_for()


def test_the_link_of_a_server_s_table_says_that_no_server_is_here(browser: Browser, host: Host) -> None:
    with window(browser, host) as (_, page):
        page.goto(f"{host.address}#/table/k3v9x2m4q8")
        page.get_by_role("heading", name=english("error.server.title")).wait_for()
        page.click("main a.button.primary")
        page.wait_for_selector("[data-play=jamaica]:enabled")


def test_an_engine_of_another_version_is_told(browser: Browser, host: Host) -> None:
    context = browser.new_context(locale="en-GB", service_workers="block")
    context.set_default_timeout(PATIENCE)
    context.route("**/*.wasm", lambda route: route.fulfill(body=b"\0asm\1\0\0\0", content_type="application/wasm"))
    page = context.new_page()
    page.goto(host.address)
    page.get_by_text(english("code.engine-mixed")).wait_for()
    context.close()


def test_with_a_server_the_browser_thinks_and_an_old_page_gets_past_the_worker(visits: Opener) -> None:
    """A table in the browser beside a server, hints without it, and a page that the server refuses."""
    visit = visits(service_workers="allow")
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    page = visit.page
    page.evaluate(INSTALLED)
    page.click("[data-play=jamaica]")  # a table of the server
    assert wait(page) == "choose"
    page.click("[data-action=hint]")
    page.wait_for_selector("p.hint button")
    assert "table/local-" not in page.url
    assert not any(each.endswith("/hint") for each in asked)
    page = visit.go("new")
    page.click("[data-more]")
    page.check("[data-here]")
    page.click("button.go")
    assert wait(page) == "choose"
    assert "table/local-" in page.url
    assert not any(each.startswith("POST") and "local-" in each for each in asked)
    old = {"cartagena-protocol": "1"}
    page.route("**/api/**", lambda route: route.continue_(headers=route.request.headers | old))
    visit.go()
    page.reload()
    page.get_by_role("heading", name=english("error.outdated.title")).wait_for()
    page.unroute("**/api/**")
    page.get_by_role("button", name="Reload").click()
    page.wait_for_selector("[data-play=jamaica]:enabled")
    visit.forgive("409")


def test_a_folder_that_is_not_ours_is_left_alone(site: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine")
    for folder, words in ((tmp_path, "has other files in it"), (tmp_path / "letter.txt", "is not a folder")):
        found = cartagena("site", str(folder))
        assert found.returncode == 2
        assert words in found.stderr
        assert len(found.stderr.strip().splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]
    ours = tmp_path / "ours"
    shutil.copytree(site, ours)
    stale = ours / "assets" / "old-1234.js"
    stale.write_text("1")
    mark = ours / "cartagena-site.json"
    mark.write_text(mark.read_text().replace('"files": [', '"files": [\n  "assets/old-1234.js",'))
    assert cartagena("site", str(ours)).returncode == 0
    assert not stale.exists()
