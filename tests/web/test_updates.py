"""The page's service worker: another build while pages are open, its cache, and clicks on notifications."""

import hashlib
import re
import shutil
from pathlib import Path

from playwright.sync_api import Browser, Page, Worker

from .playing import step, wait
from .static_host import Host
from .test_offline import INSTALLED, window

UPDATED = """async () => {
  const found = await navigator.serviceWorker.ready;
  const state = new Promise((done) => found.addEventListener('updatefound', () => {
    const worker = found.installing;
    worker.addEventListener('statechange', () => done(worker.state));
  }));
  await found.update();
  return state;
}"""
"""Look for another build; the state that its worker reaches."""


def other_build(folder: Path, word: str) -> None:
    """Change the site as another build would: another page, and a worker that knows its hash."""
    page, worker = folder / "index.html", folder / "service-worker.js"
    before = hashlib.sha256(page.read_bytes()).hexdigest()
    page.write_text(page.read_text().replace("<title>Cartagena", f"<title>{word}"))
    text = worker.read_text().replace(before, hashlib.sha256(page.read_bytes()).hexdigest())
    worker.write_text(re.sub(r"const BUILD = '\w+'", f"const BUILD = '{word.lower()}'", text))


def caches(page: Page) -> list[str]:
    found: list[str] = page.evaluate("async () => (await caches.keys()).map((name) => name.split(' ').at(-1))")
    return found


KEPT = """async () => {
  for (let tries = 0; ; tries++) {
    const kept = (await caches.keys()).map((name) => name.split(' ').at(-1));
    if (kept.length < 2 || tries > 6000) return kept;
    await new Promise((done) => setTimeout(done, 50));
  }
}"""
"""Wait until only one build is kept, and name it: the browser may try a broken one again by itself."""


def test_an_update_while_a_game_is_open(browser: Browser, site: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    host = Host(folder)
    try:
        with window(browser, host, "allow") as (context, page):
            page.evaluate(INSTALLED)
            page.click("[data-play=jamaica]")
            assert wait(page) == "choose"
            assert step(page, 0) == "advance"
            table, [old] = page.url, caches(page)
            other = context.new_page()
            other_build(folder, "Second")
            other.goto(host.address)  # a visit looks for a newer build
            other.evaluate("async () => (await navigator.serviceWorker.ready).update()")
            page.wait_for_selector(".newer")
            assert sorted(caches(page)) == sorted([old, "second"])
            page.wait_for_selector(".pip.spent")  # nothing was taken from the game
            page.set_viewport_size({"width": 360, "height": 640})
            top = "name => document.querySelector(name).getBoundingClientRect().toJSON()"
            bar, told = page.evaluate(top, ".actions"), page.evaluate(top, ".newer")
            assert told["bottom"] <= bar["top"]  # it covers nothing to play with
            page.locator(".newer button").first.click()
            page.wait_for_selector(".newer", state="detached")  # the page has been loaded again
            page.wait_for_selector(".pip.spent")
            assert (page.evaluate(KEPT), page.url) == (["second"], table)
            assert page.evaluate("async () => (await (await fetch('./index.html')).text()).includes('<title>Second')")
            # A build whose files do not fit together is not taken at all.
            other_build(folder, "Third")
            (folder / "icon.svg").write_text("<svg/>")
            assert page.evaluate(UPDATED) == "redundant"
            assert page.evaluate(KEPT) == ["second"]
    finally:
        host.kill()


def test_a_cache_that_is_gone_is_not_made_again_by_a_late_request(browser: Browser, host: Host) -> None:
    """A worker that a newer build has replaced may still answer: its cache would stay for ever."""
    with window(browser, host, "allow") as (_, page):
        page.evaluate(INSTALLED)
        page.reload()
        page.wait_for_function("() => navigator.serviceWorker.controller")
        assert len(caches(page)) == 1
        page.evaluate("async () => { for (const name of await caches.keys()) await caches.delete(name); }")
        assert page.evaluate("async () => (await fetch('./index.html')).ok")
        assert caches(page) == []


def test_an_update_in_one_window_asks_in_another_with_a_draft(browser: Browser, site: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    host = Host(folder)
    try:
        with window(browser, host, "allow") as (context, page):
            page.evaluate(INSTALLED)
            other, idle = context.new_page(), context.new_page()
            other.goto(f"{host.address}#/new")
            idle.goto(f"{host.address}#/rules")
            other.locator("main input[type=text]:visible").first.fill("Halfway")
            idle.evaluate("() => { window.mark = 1; }")
            other_build(folder, "Second")
            page.evaluate("async () => (await navigator.serviceWorker.ready).update()")
            page.locator(".newer button").first.click()
            page.wait_for_function("() => !document.querySelector('.newer')")
            idle.wait_for_function("() => !window.mark")  # nothing can be lost there
            other.wait_for_selector(".newer")
            assert other.locator("main input[type=text]:visible").first.input_value() == "Halfway"
            host.kill()  # the files of its own build are still there
            other.click("button.go")
            assert wait(other) == "choose"
            host.start()
            other.locator(".newer button").first.click()
            other.wait_for_selector(".newer", state="detached")
            assert other.evaluate(KEPT) == ["second"]
    finally:
        host.kill()


CLICKED = """async (address) => {
  const told = [];
  WindowClient.prototype.focus = async function () { told.push('focus'); told.push(this.id); return this; };
  self.clients.openWindow = async (url) => { told.push('open'); told.push(url); return null; };
  const event = new Event('notificationclick');
  const works = [];
  Object.assign(event, {notification: {data: address, close: () => {}}, waitUntil: (work) => works.push(work)});
  self.dispatchEvent(event);
  await Promise.all(works);
  return told;
}"""
"""Click on the notification of a table; what the browser was asked to do. It does so only for clicks of a person, and a
browser without windows shows no notification, so the event is made here."""


def focused(worker: Worker, address: str) -> str:
    """The window that a click leads to. A page has half a second to say what it shows; a slow one is asked again."""
    for _ in range(200):
        what, where = worker.evaluate(CLICKED, address)
        if what == "focus":
            return str(where)
    raise AssertionError(f"no window shows {address}")


def test_a_notification_leads_to_the_window_of_its_table_or_opens_the_table(browser: Browser, host: Host) -> None:
    with window(browser, host, "allow") as (context, page):
        page.evaluate(INSTALLED)
        page.click("[data-play=jamaica]")
        assert wait(page) == "choose"
        page.wait_for_function("() => navigator.serviceWorker.controller")
        table, other = page.url, context.new_page()
        other.goto(f"{host.address}#/rules")
        [worker] = context.service_workers
        ids = worker.evaluate("async () => (await clients.matchAll({type: 'window'})).map(({id}) => id)")
        where = focused(worker, table)
        assert where in ids
        page.goto(f"{host.address}#/learn")
        assert worker.evaluate(CLICKED, table) == ["open", table]
        other.goto(table)
        assert wait(other) == "choose"
        assert focused(worker, table) != where
