"""Accessibility: keys alone, the accessibility tree alone, and axe on every screen and theme, languages in turn."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from .conftest import Opener
from .playing import look, settle, tap, wait
from .rig import KNOWN, ROOT, Served, Visit, open_visit
from .test_post import KEYS

WHOLE = pytest.mark.whole
AXE = (ROOT / "web/node_modules/axe-core/axe.min.js").read_text(encoding="utf-8")
SEATS = [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "sailor"}]
SMALL = {"rules": "jamaica-en", "seats": SEATS, "pirates": 2, "pieces": 2, "lots": False}
CARDS = "document.querySelectorAll('[data-card]')"
LANGUAGES = {
    "en": (1280, 720),
    "de": (360, 640),
    "es": (1280, 800),
    "fr": (412, 915),
    "it": (844, 390),
    "nl": (390, 844),
    "sv": (2560, 1440),
}
"""Every language on a screen of another size."""
THEMES = {"light": True, "dark": False, "contrast": False}
"""The lights, and whether all rules of axe are applied in them: a light is a set of colours, so the others are held to
the rules about colours only."""
PAGES = {
    "home": "",
    "new table": "new",
    "learn": "learn",
    "lesson of the tunnel": "lesson/tunnel/4",
    "lesson of the nest": "lesson/nest/3",
    "rules of the tunnel": "rules/tortuga-de",
    "rules of the nest": "rules/nest-nl",
    "open a record": "replay",
    "puzzles": "puzzles",
    "puzzle of a day": "puzzle/nest/2026-11-16",
    "analysis board": "analysis",
    "no such page": "nowhere",
}
TWO = [{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "Ben"}]
TABLES: dict[str, dict[str, Any]] = {
    "jamaica": {"rules": "jamaica-en", "seats": SEATS},
    "tortuga": {"rules": "tortuga-en", "seats": SEATS},
    "hispaniola": {"rules": "hispaniola-sv", "seats": SEATS},
    "nest": {"rules": "nest-nl", "seats": SEATS},
    "curtain": {"rules": "jamaica-en", "seats": TWO},
    "waiting room": {"rules": "jamaica-en", "seats": [SEATS[0], {"kind": "link"}]},
    "join": {"rules": "jamaica-en", "seats": [SEATS[0], {"kind": "link"}], "lobby": True},
    "menu": {
        "rules": "jamaica-en",
        "seats": SEATS,
        "spectators": "public",
        "clock": {"kind": "post", "days": 3, "late": "computer"},
    },
    "end": SMALL,
    "replay": SMALL,
}
READY = {"waiting room": "[data-invite]", "join": "[data-commitment]", "replay": "[data-proof=consistent]"}


@pytest.mark.parametrize(
    "rules",
    [*(pytest.param(f"{game}-en", marks=WHOLE) for game in ("jamaica", "tortuga", "hispaniola")), "nest-nl"],
)
def test_a_game_by_keys_alone(visit: Visit, served: Served, rules: str) -> None:
    """Every step is made with keys, and what a screen reader says tells enough to make it."""
    short = {key: value for key, value in SMALL.items() if key != "pieces" or rules != "nest-nl"}
    page = visit.sit(served.post("/tables", short | {"rules": rules}), rules)
    told = page.locator("#announcements")
    page.wait_for_function("() => document.querySelector('#announcements')?.textContent.includes('urn')")
    said = set()
    for _ in range(600):
        state = look(page)
        if state["what"] == "over":
            break
        press(page, state["what"])
        if state["what"] in ("card", "pirate", "advance"):
            said.add((state["what"], told.text_content()))
    assert page.locator(".over").count() == 1
    assert all(words for _, words in said)
    assert any(re.search(r"\d targets?: ", words or "") for what, words in said if what != "advance")
    assert re.search(r"won|draw", told.text_content() or "")


def press(page: Page, what: str) -> None:
    """The keys for what is to be done: a number for a card, arrows and Enter for a place, E for the end."""
    if what in ("card", "drop"):
        live = page.evaluate(
            "() => [...document.querySelectorAll('[data-card]')].findIndex((card) => card.matches('.live'))"
        )
        page.keyboard.press(str(live + 1))
    elif what in ("pirate", "advance", "go", "back"):
        kind = "target" if what in ("go", "back") else "source"
        for _ in range(60):
            page.keyboard.press("ArrowRight")
            if page.evaluate("kind => document.activeElement.matches(`[data-kinds~=${kind}]`)", kind):
                break
        page.keyboard.press("Enter")
    elif what == "chooser":
        page.keyboard.press("Enter")
    elif what == "sail":
        page.keyboard.press("s")
    else:
        page.keyboard.press("e")


def test_single_keys_can_be_switched_off(visits: Opener, served: Served) -> None:
    visit = visits(settings={"keys": False})
    page = visit.sit(served.post("/tables", SMALL), "jamaica-en")
    wait(page)
    page.keyboard.press("1")
    assert page.locator("[aria-pressed=true][data-card]").count() == 0


def test_a_game_through_the_accessibility_tree_alone(visit: Visit, served: Served) -> None:
    page = visit.sit(served.post("/tables", SMALL), "jamaica-en")
    for _ in range(400):
        if wait(page) == "over":
            break
        act_by_names(page)
    assert page.get_by_role("status").filter(has_text=re.compile("You have won|has won|draw")).count() >= 1


def act_by_names(page: Page) -> None:
    """What a screen reader offers: cards, places that can move, the actions."""
    hand = page.get_by_role("group", name=re.compile("^Your hand"))
    cards = hand.get_by_role("button") if hand.count() else page.get_by_role("button", name="no such")
    movers = page.get_by_role("button", name=re.compile("can move$"))
    end = page.get_by_role("group", name="Actions").get_by_role("button", name="End turn", disabled=False)
    if movers.count() and cards.count():
        cards.first.click()
        movers.first.click()
    elif movers.count():
        movers.first.click()
        page.get_by_role("button", name=re.compile("Go back from")).first.click()
    elif end.count():
        end.click()


def test_every_move_is_told_and_board_hand_and_options_can_be_asked(visit: Visit, served: Served) -> None:
    page = visit.sit(served.post("/tables", SMALL), "jamaica-en")
    wait(page)
    told = page.locator("#announcements")
    page.keyboard.press("Shift+H")
    assert told.inner_text()
    page.keyboard.press("Shift+O")
    assert "Play" in told.inner_text()
    page.keyboard.press("Shift+B")
    assert "field 1" in told.inner_text()
    page.locator("[data-card].live").first.click()
    page.locator(".mark.pickable[data-kinds~=source]").first.click()
    page.wait_for_function("() => document.querySelector('#announcements').innerText.includes('Ann (blue) plays')")


SERIOUS = """async ([theme, whole]) => {
  document.documentElement.dataset.theme = theme;
  const rules = whole ? {} : {runOnly: ['color-contrast', 'link-in-text-block']};
  const found = await axe.run(document, {resultTypes: ['violations'], preload: false, ...rules});
  return found.violations.filter(({impact}) => impact === 'serious' || impact === 'critical')
    .map(({id, nodes}) => [theme, id, nodes[0].html.slice(0, 160)].join(' '));
}"""
"""Only what axe calls serious or critical. The page stays, the light changes."""


def languages_of(screen: str, *, whole: bool) -> list[str]:
    """The languages in which a screen is shown: one, and another one for the next screen; ``whole``: every language."""
    names = list(LANGUAGES)
    return names if whole else [names[[*PAGES, "settings", *TABLES].index(screen) % len(names)]]


def test_every_language_is_shown_on_pages_and_at_tables() -> None:
    for screens in (PAGES, TABLES):
        assert {one for screen in screens for one in languages_of(screen, whole=False)} == set(LANGUAGES)


class Reader:
    """Shows screens in some languages and lights in one window, and collects what axe finds there."""

    def __init__(self, visit: Visit, whole: bool) -> None:
        self.visit = visit
        self.whole = whole

    def forget(self) -> None:
        """Begin with nothing stored, as a window of its own would."""
        self.visit.window.goto(f"{self.visit.served.address}icon.svg")  # no page that stores something when it is left
        session = self.visit.context.new_cdp_session(self.visit.window)
        stored = {"origin": self.visit.served.address, "storageTypes": "local_storage,indexeddb"}
        session.send("Storage.clearDataForOrigin", stored)
        session.detach()

    def find_serious(self, name: str, route: str, ready: Callable[[Page], object]) -> list[str]:
        visit, wrong = self.visit, []
        page = visit.window
        visit.arrived = True  # the window shows something of the same address
        for number, language in enumerate(languages_of(name, whole=self.whole)):
            width, height = LANGUAGES[language]
            page.set_viewport_size({"width": width, "height": height})
            visit.store("cartagena.settings", {"pace": "instant", "known": KNOWN, "language": language})
            page.reload() if number else visit.go(route)
            ready(page)
            settle(page)
            assert page.locator("html").get_attribute("lang") == language
            page.evaluate(AXE)
            for theme, all_rules in THEMES.items():
                wrong += [f"{language} {found}" for found in page.evaluate(SERIOUS, [theme, all_rules])]
        return wrong


WINDOW: list[Visit] = []
"""The window of this test process in which all screens are shown: a new one for each would load everything anew."""


@pytest.fixture
def reader(browser: Browser, served: Served, request: pytest.FixtureRequest) -> Iterator[Reader]:
    if not WINDOW:
        WINDOW.append(open_visit(browser, served))
    found = Reader(WINDOW[0], whole=request.config.getoption("whole"))
    found.forget()
    yield found
    faults, found.visit.errors[:] = found.visit.faults, []
    assert faults == []


def shown(page: Page) -> None:
    page.wait_for_selector("h1")
    page.wait_for_function("() => !document.querySelector('.wait, .go:disabled, [data-level]:disabled')")


def dealt(page: Page) -> None:
    shown(page)
    wait(page)


def by_post(page: Page) -> None:
    """Show everything that a new table can have: a game by post, and more options."""
    shown(page)
    page.locator(".seat select").nth(1).select_option("link")
    page.click("[data-time=post]")
    page.wait_for_selector("[data-late]")
    page.click("[data-more]")
    page.wait_for_selector("[data-differs]", state="visible")


READIES = {"new table": by_post, "puzzle of a day": dealt, "lesson of the tunnel": dealt, "lesson of the nest": dealt}


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious_on_any_page(reader: Reader, name: str) -> None:
    assert reader.find_serious(name, PAGES[name], READIES.get(name, shown)) == []


def test_axe_finds_nothing_serious_in_the_settings(reader: Reader) -> None:
    def opened(page: Page) -> None:
        shown(page)
        page.locator("button.icon").first.click()
        page.locator("dialog[open] [data-switch=notify]").click()
        page.wait_for_selector("dialog[open] [role=alert]")  # a browser without windows allows none
        assert not page.locator("dialog[open] [data-switch=notify]").is_checked()

    assert reader.find_serious("settings", "", opened) == []


@pytest.mark.parametrize("name", TABLES)
def test_axe_finds_nothing_serious_at_any_table(reader: Reader, served: Served, name: str) -> None:
    visit = reader.visit
    made = served.post("/tables", {"lots": False} | TABLES[name])
    if name in ("end", "replay"):
        served.post(f"/tables/{made['table']}/resign", {}, made["token"])
    if name == "menu":
        push = {"endpoint": "https://fcm.googleapis.com/wp/of-axe", "p256dh": KEYS[0], "auth": KEYS[1]}
        served.post(f"/tables/{made['table']}/notify", {"push": push, "wishes": {"name": "Phone"}}, made["token"])
    if name != "join":
        visit.take_seat(made, str(TABLES[name]["rules"]))
    route = f"{name if name in ('join', 'replay') else 'table'}/{made['table']}"

    def ready(page: Page) -> None:
        page.wait_for_selector(READY.get(name, ".table"))
        if name in ("jamaica", "tortuga", "hispaniola", "nest"):
            assert tap(page, 0) == "card"
        if name == "menu":
            page.locator("button.menu").click()
            page.wait_for_selector("dialog[open] .fair")
            page.click("[data-notify-me] summary")
            page.click("[data-contact=push] summary")
            page.wait_for_selector("[data-holiday]")

    assert reader.find_serious(name, route, ready) == []
