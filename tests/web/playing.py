"""Playing through the page alone: what a person would click, found by looking at the page, clicked with the mouse."""

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route
from playwright.sync_api import TimeoutError as TooLate

from cartagena.game import Record

# What a person sees next and where they would click: the state, the kind of thing, the middle of it, and the scene, by
# which one can tell whether a click changed anything. Nothing while the page is busy with what was clicked before, or
# with what others do. Places stand on the page in the order of the way, so the first is the rearmost.
SCENE = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const words = (node) => node.className + (node.dataset.card ?? '') + node.ariaPressed + node.textContent;
  const marks = all('[data-kinds]').map((mark) => mark.dataset.place + mark.dataset.kinds);
  const parts = ['dialog[open]', '[data-choice]', '.pip.spent', '.log li > *', '.over'];
  const counts = parts.map((name) => all(name).length);
  return [...marks, ...all('[data-card], .status').map(words), ...counts].join(';');
}"""
LOOK = """([number, gather, before]) => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const scene = (SCENE)();
  const found = (state, what, node) => {
    const box = node.getBoundingClientRect();
    const touch = navigator.maxTouchPoints > 0;
    return {state, what, scene, touch, x: box.x + box.width / 2, y: box.y + box.height / 2};
  };
  // The numbers are scattered: two who choose by their remainders can fall into step and play for ever.
  const lot = Math.imul(number, 2654435761) >>> 15;
  const nth = (nodes) => nodes[lot % nodes.length];
  const able = (name) => all(`[data-action=${name}][aria-disabled=false]`)[0];
  if (all('.over').length) return {state: 'over', what: 'over'};
  if (scene === before) return null;
  const lift = all('dialog.curtain[open] [data-action=lift]')[0];
  if (lift) return found('curtain', 'curtain', lift);
  const meant = all('[data-choice], [data-card].ask')[0];
  if (meant) return found('chooser', 'chooser', meant);
  if (!all('.table[data-ready=true]').length) return null;
  const nest = all('.table[data-game=nest]').length > 0;
  const sources = all('.mark.pickable[data-kinds~=source]');
  const targets = all('.mark.pickable[data-kinds~=target]');
  const cards = all('[data-card].live');
  const copies = (card) => Number(card.querySelector('.count')?.textContent ?? 1);
  const held = all('[data-card]').reduce((sum, card) => sum + copies(card), 0);
  const golden = cards.filter((card) => card.dataset.card.endsWith('!'));
  const bringing = targets.filter((target) => target.querySelector('.badge'));
  const onward = targets.filter((target) => !target.querySelector('.badge'));
  if (able('discard')) return found('choose', 'discard', able('discard'));
  if (cards.length && all('[data-action=discard]').length) return found('choose', 'drop', nth(cards));
  if (all('[data-card][aria-pressed=true]').length && sources.length) return found('choose', 'advance', sources[0]);
  if (all('.mark.pickable[data-kinds~=chosen]').length && targets.length) {
    const target = (gather ? bringing[0] : onward.at(-1)) ?? targets[0];
    return found('choose', bringing.includes(target) ? 'back' : 'go', target);
  }
  if (gather && held > 8 && golden.length) return found('choose', 'card', golden[0]);
  if (gather && held <= 8 && sources.length) return found('choose', 'pirate', nth(sources));
  // The rearmost pirate goes as far as any card takes it; in the nest, where others can be moved, cards come first.
  if (cards.length && sources.length && !nest && lot % 3) return found('choose', 'pirate', sources[0]);
  if (cards.length) return found('choose', 'card', nth(cards));
  // Two who always sail first can cross to and fro for ever.
  if (able('sail') && (lot % 3 === 0 || !sources.length)) return found('choose', 'sail', able('sail'));
  if (sources.length) return found('choose', 'pirate', nth(sources));
  if (able('end')) return found('choose', 'end', able('end'));
  return null;
}""".replace("SCENE", SCENE)
SETTLED = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  await frame();
  await document.fonts.ready;
  for (let count = 0; count < 3; count++) await frame();
}"""
CHANGED = f"before => ({SCENE})() !== before"
OVERLAPPING = """([one, other]) => {
  const [first, second] = [one, other].map((name) =>
    [...document.querySelectorAll(name)].filter((node) => node.checkVisibility({visibilityProperty: true})));
  const meets = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const boxOf = (node) => node.getBoundingClientRect();
  return first.filter((node) => second.some((own) => meets(boxOf(node), boxOf(own)))).map((node) => node.className);
}"""
"""Which of one kind lie over or under any of another, as far as they are shown."""
OFTEN = 30  # milliseconds between two looks; one in each frame would take a seventh of the time of a game
EFFECT = 20_000  # milliseconds after which a click that changed nothing is taken for one that missed


def look(
    page: Page, number: int = 0, *, gather: bool = False, before: str | None = None, patience: int | None = None
) -> dict[str, Any]:
    """Wait until there is something to do, in a scene that differs from ``before``. Returns what it is and where.

    Who gathers wants cards first, then plays a freebooter.
    """
    found = page.wait_for_function(LOOK, arg=[number, gather, before], timeout=patience, polling=OFTEN)
    return dict(found.json_value())


def settle(page: Page) -> None:
    """Wait until nothing on the page moves by itself any more: its letters are there, and it is laid out with them."""
    page.evaluate(SETTLED)


def wait(page: Page) -> str:
    """What the page waits for: over, curtain, chooser or choose."""
    return str(look(page)["state"])


def tap(page: Page, number: int, *, gather: bool = False) -> str:
    """One click on what comes next; what it was: a drop, an advance, else cards, else sailing, else the end.

    The page may move between the look and the click, so a click that changes nothing is made again.
    """
    for _ in range(5):
        seen = look(page, number, gather=gather)
        if seen["what"] == "over" or clicked(page, seen):
            return str(seen["what"])
    raise AssertionError(f"clicking changes nothing: {seen}")


def click(page: Page, seen: dict[str, Any]) -> None:
    """Click where something was seen."""
    (page.touchscreen.tap if seen["touch"] else page.mouse.click)(seen["x"], seen["y"])


def clicked(page: Page, seen: dict[str, Any]) -> bool:
    """Click where something was seen. Returns whether that changed what there is to see."""
    click(page, seen)
    try:
        page.wait_for_function(CHANGED, arg=seen["scene"], timeout=EFFECT, polling=OFTEN)
    except TooLate:
        return False
    return True


def step(page: Page, number: int) -> str:
    """Do one thing to its end: after a card or a pirate was picked, what is done with it too."""
    what = tap(page, number)
    while what in ("card", "pirate"):
        what = tap(page, number)
    return what


def resign(page: Page) -> None:
    """Resign by the menu, which asks once more."""
    page.locator("button.menu").click()
    for _ in range(2):
        page.locator("[data-menu=resign]").click()


def saved(page: Page, folder: Path) -> Record:
    """The record as a person downloads it."""
    with page.expect_download() as download:
        page.click("[data-action=save]")
    download.value.save_as(folder / "review.txt")
    return Record.read(folder / "review.txt")


def ask_for_a_short_game(route: Route) -> None:
    """Shorten a game in a way that the form does not offer. The list of open tables has the same address."""
    if route.request.method != "POST":
        return route.continue_()
    asked: dict[str, Any] = json.loads(route.request.post_data or "")
    return route.continue_(post_data=json.dumps({**asked, "pirates": 2, "pieces": 2}))


class EndlessError(AssertionError):
    """A game that goes on and on."""


def play_out(page: Page, most: int = 400) -> set[str]:
    """Play to the end, click by click; everything that was met on the way.

    What a click changed and what comes next are waited for together. A click that changed nothing is made again.
    """
    met: set[str] = set()
    seen, misses = look(page), 0
    for number in range(1, most + 1):
        met.add(str(seen["what"]))
        if seen["what"] == "over":
            return met
        click(page, seen)
        scene = seen["scene"]
        try:
            seen, misses = look(page, number, before=scene, patience=EFFECT), 0
        except TooLate:  # the click missed, or the other seats take long
            seen = look(page, number)
            misses = misses + 1 if seen.get("scene") == scene else 0
            assert misses < 5, f"clicking changes nothing: {seen}"
    raise EndlessError("the game did not end")
