"""Playing through the page alone: what a person would click, found by looking at the page, clicked with the mouse."""

from typing import Any

from playwright.sync_api import Page

# What a person sees next and where they would click: the state, the kind of thing and the middle of it. Nothing while
# the page is busy with what was clicked before, or with what others do.
LOOK = """([number, gather]) => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const found = (state, what, node) => {
    const box = node.getBoundingClientRect();
    const touch = navigator.maxTouchPoints > 0;
    return {state, what, touch, x: box.x + box.width / 2, y: box.y + box.height / 2};
  };
  const nth = (nodes) => nodes[number % nodes.length];
  const able = (name) => all(`[data-action=${name}][aria-disabled=false]`)[0];
  if (all('.over').length) return {state: 'over', what: 'over'};
  const lift = all('dialog.curtain[open] [data-action=lift]')[0];
  if (lift) return found('curtain', 'curtain', lift);
  const meant = all('dialog[open] [data-move]')[0];
  if (meant) return found('chooser', 'chooser', meant);
  if (!all('.table[data-ready=true]').length) return null;
  const sources = all('.mark.pickable[data-kinds~=source]');
  const targets = all('.mark.pickable[data-kinds~=target]');
  const cards = all('[data-card].live');
  const copies = (card) => Number(card.querySelector('.count')?.textContent ?? 1);
  const held = all('[data-card]').reduce((sum, card) => sum + copies(card), 0);
  const golden = cards.filter((card) => card.dataset.card.endsWith('!'));
  const bringing = targets.filter((target) => target.querySelector('.badge'));
  if (cards.length && !all('[data-action=end]').length) return found('choose', 'drop', nth(cards));
  if (all('[data-card][aria-pressed=true]').length && sources.length) return found('choose', 'advance', sources[0]);
  const chosen = all('.mark.pickable[data-kinds~=chosen]').length;
  if (chosen && targets.length) return found('choose', 'go', bringing[0] ?? targets[0]);
  if (gather && held > 8 && golden.length) return found('choose', 'card', golden[0]);
  if (gather && held <= 8 && sources.length) return found('choose', 'pirate', nth(sources));
  if (cards.length) return found('choose', 'card', nth(cards));
  // Two who always sail first can cross to and fro for ever.
  if (able('sail') && (number % 3 === 0 || !sources.length)) return found('choose', 'sail', able('sail'));
  if (sources.length) return found('choose', 'pirate', nth(sources));
  if (able('end')) return found('choose', 'end', able('end'));
  return null;
}"""


def look(page: Page, number: int = 0, *, gather: bool = False) -> dict[str, Any]:
    """Wait until there is something to do; what and where. Who gathers wants cards first, then plays a freebooter."""
    return dict(page.wait_for_function(LOOK, arg=[number, gather]).json_value())


def wait(page: Page) -> str:
    """What the page waits for: over, curtain, chooser or choose."""
    return str(look(page)["state"])


def tap(page: Page, number: int, *, gather: bool = False) -> str:
    """One click on what comes next; what it was: a drop, an advance, else sailing, else cards, else the end."""
    seen = look(page, number, gather=gather)
    if seen["what"] != "over":
        (page.touchscreen.tap if seen["touch"] else page.mouse.click)(seen["x"], seen["y"])
    return str(seen["what"])


def step(page: Page, number: int) -> str:
    """Do one thing to its end: after a card or a pirate was picked, what is done with it too.

    On a busy machine a look may come before the page has shown what was picked, and the next tap lets go of it again.
    """
    what = tap(page, number)
    for _ in range(8):
        if what not in ("card", "pirate"):
            break
        what = tap(page, number)
    return what


def play_out(page: Page, most: int = 2000) -> set[str]:
    """Play to the end, click by click; everything that was met on the way."""
    met: set[str] = set()
    for number in range(most):
        met.add(tap(page, number))
        if "over" in met:
            return met
    raise AssertionError("the game did not end")
