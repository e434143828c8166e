"""Every screen: sizes, languages, lessons, replay and links, and what is said when something is wrong."""

import json
import re

import pytest
from playwright.sync_api import Browser, Page

from .conftest import Opener
from .playing import OVERLAPPING, settle, step, wait
from .rig import PATIENCE, ROOT, Served, Visit

SEATS = [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "sailor"}]
WHOLE = pytest.mark.whole
FIVE = [{"kind": "here", "name": f"Pirate {n}"} for n in range(1, 6)]
INSIDE = """selector => [...document.querySelectorAll(selector)].every((node) => {
  const box = node.getBoundingClientRect();
  const inside = box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
  return inside && box.height > 0;
})"""
SMALL_TARGETS = """() => [...document.querySelectorAll('button, a, [data-place] .touch')]
  .filter((node) => node.checkVisibility()).map((node) => node.getBoundingClientRect())
  .filter((box) => box.width > 0 && (box.width < 24 || box.height < 24)).length"""
CLIPPED = """selector => [...document.querySelectorAll(selector)]
  .filter((node) => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1)
  .map((node) => node.textContent)"""
# Nothing lies beside the page, and of each card enough is in sight for a finger; the other cards may lie on it.
PICKABLE = """() => {
  const boxes = (selector) => [...document.querySelectorAll(selector)].map((node) => node.getBoundingClientRect());
  const cards = boxes('[data-card]').sort((one, other) => one.left - other.left);
  const shown = cards.map((box, index) => Math.min(box.right, cards[index + 1]?.left ?? innerWidth) - box.left);
  const within = boxes('.board svg, .crew, .status p, [data-action], [data-card]');
  return document.documentElement.scrollWidth <= innerWidth && cards.length > 0 && shown.every((width) => width >= 36)
    && within.every((box) => box.left >= -1 && box.right <= innerWidth + 1);
}"""
CUT = """() => [...document.querySelectorAll('.facts, .status p')].filter((node) => {
  const [box, frame] = [node, node.closest('.crew, .status')].map((found) => found.getBoundingClientRect());
  return box.top < frame.top - 1 || box.bottom > frame.bottom + 1;
}).map((node) => node.textContent)"""
TEXTS = """() => {
  const found = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode.textContent.trim();
    if (text && walk.currentNode.parentElement.checkVisibility()) found.push(text);
  }
  return found;
}"""


@pytest.mark.parametrize(
    ("rules", "size"),
    [
        ("tortuga-en", (360, 640)),
        ("tortuga-en", (1280, 720)),
        ("nest-nl", (360, 640)),
        ("nest-nl", (2560, 1440)),
        pytest.param("tortuga-en", (2560, 1440), marks=WHOLE),
        pytest.param("nest-nl", (1280, 720), marks=WHOLE),
    ],
)
def test_board_hand_and_actions_fit_without_scrolling(
    visits: Opener, served: Served, size: tuple[int, int], rules: str
) -> None:
    visit = visits(viewport={"width": size[0], "height": size[1]}, has_touch=size[0] < 500)
    seats = FIVE if rules == "tortuga-en" else FIVE[:2]
    page = visit.sit(served.post("/tables", {"rules": rules, "seats": seats, "lots": False}), rules)
    if wait(page) == "curtain":
        page.click("[data-action=lift]")
    assert wait(page) == "choose"
    settle(page)
    assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight + 1")
    for selector in (".board svg", "[data-card]", "[data-action]", "[data-place]"):
        assert page.evaluate(INSIDE, selector), selector
    assert page.evaluate(SMALL_TARGETS) == 0
    page.set_viewport_size({"width": 740, "height": 360})  # a phone held sideways: the page scrolls
    page.wait_for_function("() => document.querySelector('.board svg').getBoundingClientRect().height > 150")
    page.wait_for_function(PICKABLE)


def test_lessons_and_puzzles_fit_a_phone_held_sideways(visits: Opener) -> None:
    visit = visits(viewport={"width": 844, "height": 390}, has_touch=True, settings={"language": "fr"})
    for route in ("lesson/nest/3", "lesson/tunnel/4", "puzzle/tortuga/2026-11-16"):
        page = visit.go(route)
        page.wait_for_selector(".table[data-ready=true]")
        settle(page)
        assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight + 1"), route
        for selector in (".told", ".board svg", "[data-card]", "[data-action]"):
            assert page.evaluate(INSIDE, selector), (route, selector)
    for route in ("puzzle/tortuga/2026-11-16", "puzzle/nest/2026-11-16"):  # the second turn wins
        page = visit.go(route)
        page.wait_for_selector("[data-action=solution]")
        page.set_viewport_size({"width": 390, "height": 844})
        settle(page)
        board = page.locator(".board").bounding_box()
        page.click("[data-action=solution]")
        page.wait_for_selector(".note [data-action=next]")
        settle(page)
        assert page.locator(".board").bounding_box() == board
        for width, height in ((844, 390), (390, 844), (360, 640), (1280, 800)):
            page.set_viewport_size({"width": width, "height": height})
            settle(page)
            assert page.evaluate(INSIDE, ".note [data-action=next]"), (route, width)
            assert page.evaluate(OVERLAPPING, [".note", ".board"]) == [], (route, width)
            assert page.evaluate(OVERLAPPING, [".actions button", ".note"]) == [], (route, width)
        page.wait_for_function("() => !document.querySelector('.table[data-game=nest] .overfull')")


@pytest.mark.parametrize(
    "language", ["de", "sv", *(pytest.param(language, marks=WHOLE) for language in ("en", "es", "fr", "it", "nl"))]
)
def test_the_action_bar_fits_a_phone_in_every_language(visits: Opener, served: Served, language: str) -> None:
    """Where it is fullest: in the nest, with hints, after a move that can be shown again. The longest words first."""
    visit = visits(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True, locale=language)
    setup = {"rules": "nest-nl", "seats": SEATS, "hints": True, "lots": False}
    page = visit.sit(served.post("/tables", setup), "nest-nl")
    step(page, 0)
    page.wait_for_selector(".pip.spent")
    wait(page)
    settle(page)
    assert page.locator("html").get_attribute("lang") == language
    assert page.locator("[data-action]").count() == 5
    assert page.evaluate(INSIDE, "[data-action], .pips")
    assert page.evaluate(CLIPPED, "[data-action], .status, header h1") == []
    tops = page.evaluate("() => [...document.querySelectorAll('[data-action]')].map((node) => node.offsetTop)")
    assert max(tops) - min(tops) < 10
    page.evaluate("() => { document.documentElement.style.fontSize = '150%'; }")
    for screen, words in {"": ".status", "lesson/nest/4": ".overfull"}.items():
        if screen:
            visit.go(screen)
        page.wait_for_selector(words)
        settle(page)
        assert page.evaluate(INSIDE, "[data-action], .pips")
        assert page.evaluate(CLIPPED, "[data-action], .status, .facts") == []
        assert page.evaluate(CUT) == []


def test_no_text_is_left_untranslated(visits: Opener, served: Served) -> None:
    visit = visits(settings={"language": "x-pseudo"})
    whole = {"": "[data-level]:enabled", "new": "button.go", "learn": "a.primary", "lesson/nest/1": ".table"}
    whole |= {"rules/nest-nl": ".signs", "replay": "textarea"}
    whole |= {"puzzles": "[data-fitting]", "puzzle/jamaica/2026-11-16": ".table"}
    for screen, last in whole.items():
        page = visit.go(screen)
        page.wait_for_selector(last)
        assert untranslated(visit.page) == [], screen
    seats = [SEATS[0], SEATS[1] | {"name": "Ann"}]
    setup = {"rules": "nest-nl", "seats": seats, "lots": False, "spectators": "public"}
    made = served.post("/tables", setup)
    page = visit.sit(made, "nest-nl")
    step(page, 0)
    page.wait_for_selector(".pip.spent")
    assert untranslated(page) == []
    served.post(f"/tables/{made['table']}/resign", {}, made["token"])
    page.wait_for_selector(".over")
    page.locator("button.menu").click()
    page.wait_for_selector("dialog[open]")
    assert untranslated(page) == []


def untranslated(page: Page) -> list[str]:
    """Text that did not come from a catalogue, names and numbers aside."""
    own = r"Cartagena|English|Deutsch|Español|Français|Italiano|Nederlands|Svenska|Ann|[0-9a-f]{64}|\d|[^\w\s]"
    return [text for text in page.evaluate(TEXTS) if "⟦" not in text and re.sub(own, "", text).strip()]


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("es", "Jugar ya"),
        ("fr-CA", "Énigmes"),
        pytest.param("it", "Gioca subito", marks=WHOLE),
        pytest.param("nl", "Nu spelen", marks=WHOLE),
        pytest.param("de", "Jetzt spielen", marks=WHOLE),
        pytest.param("en", "Play now", marks=WHOLE),
        pytest.param("sv", "Spela nu", marks=WHOLE),
    ],
)
def test_the_browser_speaks_the_readers_language_and_can_switch(visits: Opener, language: str, word: str) -> None:
    page = visits(locale=language).page
    page.get_by_text(word).wait_for()
    page.select_option(".language", "en")
    page.get_by_text("Play now").wait_for()


@pytest.mark.parametrize("course", ["tunnel", "nest"])
def test_the_tutorial_from_start_to_end(visit: Visit, course: str) -> None:
    page = visit.go("learn")
    page.locator(f"a.primary[href*={course}]").click()
    goals = {
        "tunnel": ["s:B", "s:B", "8<", "12<", "15<", "17:S", "8:B end", "30:P"],
        "nest": ["2@3", "12:D", "sail", "16:C! drop"],
    }[course]
    for number, goal in enumerate(goals, 1):
        page.wait_for_function("part => location.hash.endsWith(part)", arg=f"{course}/{number}")
        for move in goal.split():
            wait(page)
            play_word(visit, move)
        page.wait_for_selector("[data-action=next]")
        assert "cannot" not in page.inner_text(".status")
        page.click("[data-action=next]")
        page.wait_for_selector("[data-action=next]", state="detached")  # the address changes before the page does
    page.wait_for_url("**/#/table/*")  # a game of what was learned
    page.get_by_role("heading", name={"tunnel": "Jamaica", "nest": "The Pirate’s Nest"}[course]).wait_for()


def play_word(visit: Visit, move: str) -> None:
    """Play a move by clicking what it names."""
    page = visit.page
    if move in ("end", "sail"):
        page.click(f"[data-action={move}][aria-disabled=false]")
    elif move == "drop":
        page.wait_for_selector("[data-action=discard]")
        while page.locator("[data-action=discard][aria-disabled=true]").count():
            page.locator("[data-card].live").first.click()
        page.click("[data-action=discard]")
    elif ":" in move:
        place, card = move.split(":")
        page.click(f"[data-card='{card}']")
        page.click(f"[data-place='{place}']")
    else:
        page.click(f"[data-place='{move.rstrip('<').split('@')[-1]}']")
        page.locator(".mark.pickable[data-kinds~=target]").first.click()


def test_a_worked_example_can_be_tried(visit: Visit) -> None:
    page = visit.go("learn")
    page.get_by_role("link", name="Try it").first.click()
    wait(page)
    play_word(visit, "s:D")
    page.wait_for_function("() => document.querySelector('.log').innerText.includes('field 7')")
    page.click("[data-action=undo]")
    page.wait_for_function("() => !document.querySelector('.pip.spent')")


def test_replay_scrubs_shares_downloads_and_proves(visit: Visit, served: Served) -> None:
    made = served.post("/tables", {"rules": "jamaica-en", "seats": SEATS, "pirates": 2, "lots": False})
    page = visit.sit(made, "jamaica-en")
    wait(page)
    page.locator("[data-card].live").first.click()
    page.locator(".mark.pickable[data-kinds~=source]").first.click()
    page.wait_for_selector(".pip.spent")
    served.post(f"/tables/{made['table']}/resign", {}, made["token"])
    page.click("[data-action=replay]")
    page.wait_for_selector("[data-proof=consistent]")
    assert "you" in page.locator(".crew", has_text="Ann ·").inner_text()
    before = page.locator(".figure").first.get_attribute("transform"), page.inner_text(".words")
    page.click("[data-action=next]")
    page.wait_for_function("before => document.querySelector('.words').innerText !== before", arg=before[1])
    with page.expect_download() as caught:
        page.click("[data-action=download]")
    text = caught.value.path().read_text(encoding="utf-8")
    assert "[Secret " in text
    page.click("[data-action=share]")
    link = page.locator("[data-invite]").input_value()
    page.goto(link)
    wait(page)
    page = visit.go("replay")
    page.get_by_label("Text of the saved game").fill(text.replace("[Salt", "[Oops"))
    page.get_by_role("button", name="Show the game").click()
    page.wait_for_selector("[data-proof]")
    page.get_by_label("Text of the saved game").fill("this is no record")
    page.get_by_role("button", name="Show the game").click()
    assert "not a saved game of Cartagena" in page.get_by_role("alert").inner_text()
    visit.forgive("409")


def test_a_replay_says_that_a_promise_of_an_older_form_proves_nothing(visit: Visit) -> None:
    page = visit.go("replay")
    cases = json.loads((ROOT / "tests" / "game" / "deal_vectors.json").read_text(encoding="utf-8"))
    old = next(case["record"] for case in cases if case["name"] == "a promise of form 2")
    page.get_by_label("Text of the saved game").fill(old)
    page.get_by_role("button", name="Show the game").click()
    page.wait_for_selector("[data-proof=older]")
    assert "Fair shuffle: not proved" in page.locator("[data-proof]").inner_text()


WRONG_LINKS = {
    "nowhere": "Off the map",
    "table/zzzz9999": "Table not found",
    "constructor": "Off the map",
    "table": "Table not found",
    "lesson/tunnel/99": "Off the map",
    "position/not%20a%20position": "does not lead to a valid position",
    "join/..": "Table not found",
}
"""Links and what their pages say; neighbours say different things."""


def test_a_wrong_link_gets_a_clear_page(visit: Visit) -> None:
    for route, words in WRONG_LINKS.items():
        visit.go(route).get_by_text(words).wait_for()
    visit.forgive("the server responded with a status of 4")


WITHOUT = {"modules": "delete HTMLScriptElement.prototype.noModule", "new methods": "delete Array.prototype.toSorted"}


@pytest.mark.parametrize("missing", WITHOUT)
def test_an_old_browser_gets_a_clear_page(visits: Opener, missing: str) -> None:
    visit = visits()
    visit.context.add_init_script(WITHOUT[missing])
    page = visit.page
    page.reload()
    told = page.locator("#old-browser p")
    told.first.wait_for()
    for number, words in enumerate(("too old", "zu alt", "antiguo", "ancien", "vecchio", "te oud", "för gammal")):
        assert words in told.nth(number).inner_text()
    assert page.locator("[data-play]").count() == 0


def test_without_javascript_the_page_says_what_it_needs(browser: Browser, served: Served) -> None:
    context = browser.new_context(java_script_enabled=False)
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(served.address)
    said = page.locator("noscript p")
    for number, words in enumerate(("needs", "braucht", "necesita", "besoin", "bisogno", "heeft", "behöver")):
        assert said.nth(number).is_visible()
        assert words in said.nth(number).inner_text()
    assert not page.locator("#old-browser").is_visible()
    context.close()


def test_a_move_taken_back_while_it_is_shown_stays_taken_back(visits: Opener) -> None:
    visit = visits(settings={"pace": "slow"})
    page = visit.go("lesson/tunnel/7")
    wait(page)
    play_word(visit, "8:B")
    page.wait_for_selector(".pip.spent")
    wait(page)
    play_word(visit, "end")
    page.click("[data-action=undo][aria-disabled=false]")
    page.wait_for_function("() => document.querySelectorAll('.pip.spent').length === 1")
    page.wait_for_timeout(1600)
    assert page.locator(".pip.spent").count() == 1


@pytest.mark.parametrize(
    ("language", "word", "button"),
    [
        ("en", "This page is out of date", "Reload"),
        pytest.param("de", "Diese Seite ist veraltet", None, marks=WHOLE),
        pytest.param("nl", "Deze pagina is verouderd", None, marks=WHOLE),
        pytest.param("sv", "Den här sidan är föråldrad", None, marks=WHOLE),
        pytest.param("es", "Esta página está anticuada", None, marks=WHOLE),
        pytest.param("fr", "Cette page n’est plus à jour", None, marks=WHOLE),
        pytest.param("it", "Questa pagina non è aggiornata", None, marks=WHOLE),
    ],
)
def test_an_old_page_is_told_to_reload(visits: Opener, language: str, word: str, button: str | None) -> None:
    visit = visits(locale=language)
    page, old = visit.page, {"cartagena-protocol": "1"}
    page.route("**/api/**", lambda route: route.continue_(headers=route.request.headers | old))
    page.reload()
    page.get_by_role("heading", name=word).wait_for()
    page.unroute("**/api/**")
    page.get_by_role("button", name=button).click()
    page.wait_for_selector("[data-play=jamaica]:enabled")
    visit.forgive("409")


def test_what_cannot_be_done_is_explained(visit: Visit, served: Served) -> None:
    page = visit.sit(served.post("/tables", {"rules": "nest-nl", "seats": SEATS, "lots": False}), "nest-nl")
    wait(page)
    settle(page)
    page.locator("[data-action=sail]").click(force=True)
    page.wait_for_selector(".answer[data-at='action sail'] >> text=no pirate aboard, so you cannot sail")
    page.locator("[data-action=end]").click(force=True)
    page.wait_for_selector(".answer[data-at='action end'] >> text=Take at least one action")


def test_nothing_is_loaded_from_elsewhere(visits: Opener) -> None:
    visit = visits()
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    visit.go("new")
    visit.page.reload()
    visit.page.wait_for_selector("button.go")
    assert asked
    assert all(url.startswith((visit.served.address, "data:")) for url in asked)


def test_types_and_sentences_match_the_server() -> None:
    """The client's schema is the server's, and every code the server may send has a sentence in every language."""
    from cartagena.game.reasons import SENTENCES, UNDO_SENTENCES
    from cartagena.server.openapi import api_schema
    from cartagena.server.protocol.errors import Code

    assert json.loads((ROOT / "web/openapi.json").read_text(encoding="utf-8")) == json.loads(json.dumps(api_schema()))
    wanted = [f"reason.{code}" for code in SENTENCES] + [f"code.{code}" for code in Code.__args__]  # type: ignore[attr-defined]
    catalogues = sorted((ROOT / "web/src/i18n").glob("*/table.ts"))
    assert len(catalogues) == 7
    for catalogue in catalogues:
        text = catalogue.read_text(encoding="utf-8")
        missing = [key for key in [*wanted, *(f"undo.{code}" for code in UNDO_SENTENCES)] if f"'{key}'" not in text]
        assert missing == [], catalogue
