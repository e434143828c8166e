"""Space on the table: fields for fingers, room for five players, and numbers that stay in sight."""

from urllib.parse import quote

from playwright.sync_api import Page

from .conftest import Opener
from .playing import OVERLAPPING, resign, settle, wait
from .rig import Served, Visit
from .test_feel import ANN, COMPUTER, HEARD, TUNNEL, at_size


def test_fields_and_row_cards_are_large_enough_for_fingers(visits: Opener, served: Served) -> None:
    visit = at_size(visits, (360, 640))
    heights = (
        "selector => Math.min(...[...document.querySelectorAll(selector)].map((n) => n.getBoundingClientRect().height))"
    )
    widths = heights.replace("height)", "width)")
    page = visit.sit(served.post("/tables", {"rules": "jamaica-en", "seats": [ANN, COMPUTER], "lots": False}))
    assert wait(page) == "choose"
    settle(page)
    assert page.evaluate(heights, "[data-spot]") >= 40
    page = visit.sit(served.post("/tables", {"rules": "tortuga-en", "seats": [ANN, COMPUTER], "lots": False}))
    page.wait_for_selector(".slot")
    assert wait(page) == "choose"
    settle(page)
    assert page.evaluate(widths, ".slot svg") >= 32
    assert page.locator(".slot").count() == 12
    assert page.locator(".slot.first .next").count() == 1
    strip, table = page.locator(".row").first.bounding_box(), page.locator(".table").bounding_box()
    assert strip is not None
    assert table is not None
    assert strip["width"] >= table["width"] - 2
    crowd = {"seats": [ANN, *[COMPUTER] * 4], "clock": {"kind": "bank", "seconds": 600}, "lots": False}
    for rules in ("tortuga-en", "nest-nl"):
        page = visit.sit(served.post("/tables", crowd | {"rules": rules}))
        page.wait_for_selector(f".table[data-game={rules[:-3]}]")
        assert wait(page) == "choose"
        settle(page)
        assert page.evaluate(heights, "[data-spot]") >= 40, rules
    spot = page.locator("[data-spot='4']").bounding_box()
    assert spot is not None
    page.touchscreen.tap(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] - 4)  # between two rows
    page.wait_for_selector(".answer[data-at='place 4'], [data-choice], [data-card].ask, .pip.spent")


PARTS = ".crews .name, .crews .facts, .crews li, .status, .row, .side, .clock"
CLIPPED = """parts => [...document.querySelectorAll(parts)]
  .filter((node) => node.checkVisibility() && node.scrollWidth > node.clientWidth + 1)
  .map((node) => node.className + node.textContent)"""


def test_five_players_fit_and_little_time_warns(visits: Opener, served: Served) -> None:
    visit = visits()
    names = ["Ann", "Bartholomew", "Catherine", "Dorothea", "Ebenezer"]
    seats = [{"kind": "here", "name": name} for name in names]
    clock = {"kind": "bank", "seconds": 15, "increment": 0}
    setup = {"rules": "tortuga-en", "seats": seats, "clock": clock, "lots": False}
    visit.context.add_init_script(HEARD)
    visit.page.reload()
    visit.page.mouse.click(3, 3)
    page = visit.sit(served.post("/tables", setup), "tortuga-en")
    assert wait(page) == "choose"
    settle(page)
    assert page.evaluate(CLIPPED, PARTS) == []
    assert page.locator(".crew").last.evaluate("node => node.getBoundingClientRect().bottom < innerHeight")
    low = page.locator(".clock.low.running")
    assert low.count() == 1
    assert low.locator("svg").count() == 1
    assert "Time is running out" in low.inner_text()
    page.wait_for_function("() => window.tones.includes(1040)")
    assert page.locator(".side .log").is_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    settle(page)
    assert page.evaluate(CLIPPED, ".crews .name") == []
    page.set_viewport_size({"width": 360, "height": 640})
    settle(page)
    assert page.evaluate(CLIPPED, ".crews .name") == []
    gaps = page.locator(".crew:has(.open)").evaluate_all(GAPS)
    assert len(gaps) == 4
    assert min(gaps) >= -0.5


GAPS = """crews => crews.map((crew) => {
  const [clock, open] = ['.clock', '.open'].map((part) => crew.querySelector(part).getBoundingClientRect());
  return open.top - clock.bottom;
})"""
"""Pixels between the clock of each crew and its open hand."""


def test_numbers_turn_with_their_tiles_stay_upright_and_no_pirate_covers_them(visit: Visit) -> None:
    crowd = f"jamaica-en {TUNNEL} s,s,4,9,18,29/s,s,s,4,9,9 B/- - B16D17H17K17P17S17 - - 1.0"
    page = visit.go(f"position/{quote(crowd, safe='')}")
    wait(page)
    settle(page)
    covered = page.evaluate("""() => {
      const box = (node) => node.getBoundingClientRect();
      const bodies = [...document.querySelectorAll('.figure .pirate-body, .figure .pirate-hat')].map(box);
      return [...document.querySelectorAll('text.number')].filter((node) => {
        const own = box(node);
        const [x, y] = [own.x + own.width / 2, own.y + own.height / 2];
        return bodies.some((body) => x > body.left && x < body.right && y > body.top && y < body.bottom);
      }).map((node) => node.textContent);
    }""")
    assert covered == []
    angles = page.evaluate("""() => [...document.querySelectorAll('text.number')].map((node) => {
      const {a, b} = node.getCTM();
      return Math.atan2(b, a) * 180 / Math.PI;
    })""")
    assert len(angles) == 36
    assert max(abs(angle) for angle in angles) <= 45.1
    counts = page.evaluate("""() => [...document.querySelectorAll('text.count')].map((node) => {
      const own = node.getBoundingClientRect();
      const rights = [...document.querySelectorAll('.figure')].map((figure) => figure.getBoundingClientRect().right);
      const gaps = rights.map((right) => own.x - right);
      return Math.min(...gaps.filter((gap) => gap > -20).map(Math.abs));
    })""")
    assert len(counts) == 2
    assert all(gap < 20 for gap in counts)


SMALL_TARGETS = """least => [...document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [role=button], [role=slider], [data-spot]')]
  .filter((node) => node.checkVisibility({visibilityProperty: true}) && !node.closest('.hidden-text'))
  .filter((node) => !(node.matches('a') && node.closest('p, li') && getComputedStyle(node).display === 'inline'))
  .map((node) => [node, (node.closest('label') ?? node).getBoundingClientRect()])
  .filter(([, {width, height}]) => width > 0 && Math.min(width, height) < least - 0.5)
  .map(([node, {width, height}]) =>
    [node.localName, node.className.baseVal ?? node.className, node.dataset.action ?? node.dataset.spot ?? '',
     Math.round(width), Math.round(height)].join(' '))"""
"""What can be pressed and is smaller than asked for. A word of a sentence is as high as its line, and a label presses
what it holds."""
FINGERS = """() => [...document.querySelectorAll(':is(.actions, header) :is(a.button, button), .hand [data-card]')]
  .filter((node) => node.checkVisibility({visibilityProperty: true}))
  .filter((node) => node.getBoundingClientRect().height < 39.5)
  .map((node) => node.outerHTML.slice(0, 120))"""
SIZES = ((844, 390), (360, 640))
SCREENS = {
    "": "[data-level]:enabled",
    "new": "button.go:enabled",
    "rules/tortuga-de": ".signs",
    "review": "[data-text]",
}


def measure(page: Page, name: str) -> list[str]:
    """What is too small to press, at both sizes of a phone."""
    small = []
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        found = [*page.evaluate(SMALL_TARGETS, 24), *page.evaluate(FINGERS)]
        small += [f"{name} {width}x{height}: {one}" for one in found]
    return small


SEEN = """(node, name) => {
  const style = document.body.appendChild(document.createElement('b')).style;
  style.color = 'Canvas';
  return getComputedStyle(node)[name] !== getComputedStyle(document.body.lastChild).color;
}"""
"""Whether the colour of something differs from that of the ground, which the system gives."""


def test_everything_that_is_pressed_is_large_enough(visits: Opener, served: Served) -> None:
    visit = visits()
    small = []
    for route, ready in SCREENS.items():
        visit.go(route).wait_for_selector(ready)
        visit.window.evaluate("() => document.querySelectorAll('details').forEach((node) => (node.open = true))")
        small += measure(visit.page, route or "home")
    page = visit.go()
    page.locator("button.icon").first.click()
    page.wait_for_selector("dialog[open]")
    small += measure(page, "settings")
    page = visit.sit(served.post("/tables", {"rules": "jamaica-en", "seats": [ANN, {"kind": "link"}]}))
    page.wait_for_selector("[data-invite]")
    small += measure(page, "waiting room")
    crowd = {"seats": [ANN, *[COMPUTER] * 4], "clock": {"kind": "bank", "seconds": 600}, "lots": False, "hints": True}
    for rules in ("jamaica-en", "tortuga-en", "hispaniola-sv", "nest-nl"):
        page = visit.sit(served.post("/tables", crowd | {"rules": rules}))
        page.wait_for_selector(f".table[data-game={rules[:-3]}]")
        assert wait(page) == "choose"
        small += measure(page, rules)
    page.click("button.menu")
    page.wait_for_selector("dialog[open]")
    small += measure(page, "menu")
    assert small == []
    page.keyboard.press("Escape")
    own = page.locator(".crew.own .name").evaluate("node => getComputedStyle(node).textDecorationLine")
    assert own == "underline"  # on a phone there is no room for "you"
    page.emulate_media(forced_colors="active")
    turns = page.locator("li.crew").evaluate_all("nodes => nodes.map((node) => getComputedStyle(node).outlineStyle)")
    assert sorted(turns) == ["none"] * 4 + ["solid"]
    page.locator("[data-card].live").first.click()
    assert page.locator("[data-card].chosen").evaluate(SEEN, "outlineColor")
    assert page.locator(".pip:not(.spent)").first.evaluate(SEEN, "backgroundColor")


# The berths lie under the sloop, which is 40 pixels high there.
BANNER = """() => {
  const boxOf = (node) => node.getBoundingClientRect();
  const banner = document.createElement('p');
  banner.dataset.finale = '';
  banner.style = 'font-size: 1.5rem; padding: 0 1em; margin-inline: 0';
  banner.textContent = 'Bartholomew Roberts wins, 6 to 5.';
  document.querySelector('.notes').append(banner);
  const {top, right, bottom, left} = boxOf(banner);
  const covers = (box, above) => box.left < right && left < box.right && box.top - above < bottom && top < box.bottom;
  const berths = [...document.querySelectorAll('.stage')].map((node) => covers(boxOf(node), 40));
  const found = [covers(boxOf(document.querySelector('.sloop')), 0), ...berths];
  banner.remove();
  return found;
}"""
SPAN = """() => {
  const nodes = [...document.querySelectorAll('.show .board, [data-action=next]')];
  const boxes = nodes.map((node) => node.getBoundingClientRect());
  return Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top));
}"""


def test_a_phone_held_sideways_shows_the_end_and_the_replay(visits: Opener, served: Served) -> None:
    visit = at_size(visits, (844, 390))
    page = visit.sit(served.post("/tables", {"rules": "nest-nl", "seats": [ANN, COMPUTER], "lots": False}))
    assert wait(page) == "choose"
    settle(page)
    assert page.evaluate(BANNER) == [False] * 3  # neither the sloop nor where it may lie
    resign(page)
    page.wait_for_selector(".over")
    settle(page)
    assert page.evaluate(OVERLAPPING, [".hand [data-card]", ".over"]) == []
    page.set_viewport_size({"width": 360, "height": 640})
    page.evaluate("() => (document.querySelector('#over-title').textContent = '¡Gana Bartholomew Roberts!')")
    settle(page)
    assert page.locator(".ending").evaluate("node => node.scrollHeight <= node.clientHeight")
    page.set_viewport_size({"width": 844, "height": 390})
    page.click("[data-action=replay]")
    page.wait_for_selector("[data-action=next]")
    settle(page)
    assert page.evaluate(SPAN) <= 390  # a step is seen on the board
