"""The games that this browser keeps: beside other windows, in a full browser, and very many of them."""

from playwright.sync_api import Browser, BrowserContext, Page

from .playing import resign, step, wait
from .static_host import Host
from .test_offline import english, window

UPGRADE = """async () => {
  const open = indexedDB.open('cartagena', 1000);
  open.onupgradeneeded = () => open.transaction.abort();
  await new Promise((done) => { open.onerror = done; });
}"""
"""Ask all windows to let go of the saved games, as a newer page does, but leave them as they are."""
FILL = """async ([count, over]) => {
  const open = indexedDB.open('cartagena');
  await new Promise((done) => { open.onsuccess = done; });
  const tables = open.result.transaction('tables', 'readwrite').objectStore('tables');
  const events = Array.from({length: 150}, (_, at) => ({kind: 'move', at, move: '12:B', cards: [], seat: 1, ms: 1}));
  for (let at = 0; at < count; at++) {
    const id = `local-${over ? 'old' : 'run'}-${at}`;
    const setup = {rules: 'jamaica-en', seats: []};
    tables.put({form: 1, id, created: at, changed: at, over, setup, secret: '', events});
  }
  await new Promise((done) => { tables.transaction.oncomplete = done; });
  open.result.close();
}"""
NAMES = """async () => {
  const open = indexedDB.open('cartagena');
  await new Promise((done) => { open.onsuccess = done; });
  const keys = open.result.transaction('tables').objectStore('tables').getAllKeys();
  await new Promise((done) => { keys.onsuccess = done; });
  open.result.close();
  return keys.result;
}"""
FULL_UNTIL_REMOVED = """() => {
  const {put} = IDBObjectStore.prototype;
  const {delete: remove} = IDBCursor.prototype;
  IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); };
  IDBCursor.prototype.delete = function () {
    IDBObjectStore.prototype.put = put;
    return remove.call(this);
  };
}"""


def beside(context: BrowserContext, host: Host) -> Page:
    """Another window, which keeps no saved games open."""
    page = context.new_page()
    page.goto(f"{host.address}icon.svg")
    return page


def names(page: Page) -> list[str]:
    return list(page.evaluate(NAMES))


def test_a_game_is_saved_after_another_window_asked_for_the_database(browser: Browser, host: Host) -> None:
    with window(browser, host) as (context, page):
        page.click("[data-play=jamaica]")
        assert wait(page) == "choose"
        beside(context, host).evaluate(UPGRADE)
        assert step(page, 0) == "advance"
        page.wait_for_selector(".pip.spent")
        page.reload()
        assert wait(page) == "choose"
        page.wait_for_selector(".pip.spent")


def test_of_very_many_games_the_list_shows_the_latest_and_old_finished_ones_go(browser: Browser, host: Host) -> None:
    with window(browser, host) as (context, page):
        page.wait_for_selector("[data-play=jamaica]:enabled")
        other = beside(context, host)
        other.evaluate(FILL, [10, False])
        other.evaluate(FILL, [4991, True])
        page.reload()
        page.wait_for_selector("[data-mine=local-old-4990]")
        assert page.locator("[data-mine]").count() == 8
        assert "5001" in page.inner_text("[data-more]")
        page.click("[data-more]")
        page.wait_for_selector("[data-mine=local-old-4943]")
        assert page.locator("[data-mine]").count() == 48
        page.click("[data-play=jamaica]")
        assert wait(page) == "choose"
        page.evaluate(f"async () => {{ while ((await ({NAMES})()).length > 5000); }}")
        kept = names(other)
        assert {f"local-old-{number}" for number in range(2, 4991)} < set(kept)
        assert {f"local-run-{number}" for number in range(10)} < set(kept)


def test_in_a_full_browser_old_finished_games_make_room(browser: Browser, host: Host) -> None:
    with window(browser, host) as (context, page):
        page.click("[data-play=jamaica]")
        assert wait(page) == "choose"
        other = beside(context, host)
        other.evaluate(FILL, [30, True])
        page.evaluate(FULL_UNTIL_REMOVED)
        assert step(page, 0) == "advance"
        page.wait_for_selector(".pip.spent")
        assert len(names(other)) == 11
        page.reload()
        assert wait(page) == "choose"
        page.wait_for_selector(".pip.spent")


def test_three_quick_clicks_set_up_one_rematch(browser: Browser, host: Host) -> None:
    with window(browser, host) as (context, page):
        page.click("[data-play=jamaica]")
        assert wait(page) == "choose"
        first = page.url
        resign(page)
        page.keyboard.press("Escape")
        button = page.locator("[data-action=rematch]")
        button.evaluate("button => { for (let at = 0; at < 3; at++) button.click(); }")
        page.wait_for_url(lambda address: address != first)
        assert wait(page) == "choose"
        assert len(names(beside(context, host))) == 2


FULL = "() => { IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError'); }; }"
DEAF = "BroadcastChannel.prototype.postMessage = () => {};"
SPENT = "number => document.querySelectorAll('.pip.spent').length === number"
LOG = "[...document.querySelectorAll('.side .log button')].map((line) => line.innerText).join()"


def two_windows(context: BrowserContext, page: Page) -> Page:
    """Begin a game in a page whose saves fail from now on. Returns another window with the same game."""
    page.click("[data-play=tortuga]")
    assert wait(page) == "choose"
    other = context.new_page()
    other.goto(page.url)
    assert wait(other) == "choose"
    page.evaluate(FULL)
    return other


def test_a_move_that_is_not_saved_is_saved_by_another_window_which_plays_on(browser: Browser, host: Host) -> None:
    with window(browser, host) as (context, page):
        other = two_windows(context, page)
        step(page, 0)
        other.wait_for_function(SPENT, arg=1)  # the other window has the move, and saves it
        assert wait(other) == "choose"
        step(other, 0)
        page.wait_for_function(SPENT, arg=2)
        assert wait(page) == "choose"
        step(page, 0)  # the third action: the turn is over unless a card brings another
        assert wait(page) == "choose"  # after the computer's turn; until then the log grows
        other.wait_for_function(f"log => {LOG} === log", arg=page.evaluate(LOG))
        page.wait_for_selector("[data-trouble]", state="detached")


def test_after_a_failed_save_and_a_move_in_another_window_the_game_goes_on(browser: Browser, host: Host) -> None:
    with window(browser, host) as (context, page):
        context.add_init_script(DEAF)
        page.reload()
        other = two_windows(context, page)
        step(page, 0)
        page.get_by_text(english("code.local-full")).wait_for()
        step(other, 1)
        other.wait_for_function(SPENT, arg=1)
        page.locator("[data-news]").get_by_text(english("banner.replaced")).wait_for()  # found when it is saved again
        page.wait_for_function(f"log => {LOG} === log", arg=other.evaluate(LOG))
        page.wait_for_selector("[data-trouble]", state="detached")
        page.reload()
        assert wait(page) == "choose"
        step(page, 0)
        page.wait_for_function(SPENT, arg=2)
