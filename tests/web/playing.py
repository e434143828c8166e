"""Playing through the page alone: what a person would click, found by looking at the page."""

from playwright.sync_api import Page

READY = """() => {
  const q = (s) => document.querySelector(s);
  if (q('.over')) return 'over';
  if (q('dialog.curtain[open]')) return 'curtain';
  if (q('dialog[open] [data-move]')) return 'chooser';
  const able = (name) => q(`[data-action=${name}][aria-disabled=false]`);
  if (q('[data-card].live, .mark.pickable[data-kinds~=source]') || able('end') || able('sail')) return 'choose';
  return '';
}"""


def wait(page: Page) -> str:
    """What the page waits for: over, curtain, chooser or choose."""
    return str(page.wait_for_function(READY).json_value())


def settle(page: Page, before: str) -> None:
    """Wait until a click has changed what there is to see."""
    page.wait_for_function(
        "before => document.querySelector('.table')?.innerHTML !== before || document.querySelector('dialog[open]')",
        arg=before,
    )


def table(page: Page) -> str:
    return page.locator(".table").inner_html()


def step(page: Page, number: int) -> str:
    """Do the next thing a person would do; what that was."""
    state = wait(page)
    if state == "curtain":
        page.click("[data-action=lift]")
    elif state == "chooser":
        before = table(page)
        page.locator("dialog[open] [data-move]").first.click()
        page.wait_for_selector("dialog[open] [data-move]", state="hidden")
        settle(page, before)
    elif state == "choose":
        choose(page, number)
    return state


def choose(page: Page, number: int) -> None:
    """Drop, advance with a card, else sail, else fetch cards, else end the turn."""
    before = table(page)
    cards = page.locator("[data-card].live")
    if cards.count():
        cards.nth(number % cards.count()).click()
        settle(page, before)
        before = table(page)
        places = page.locator(".mark.pickable[data-kinds~=source]")
        if page.locator("[data-card][aria-pressed=true]").count() and places.count():
            places.first.click()
            settle(page, before)
        return
    sail = page.locator("[data-action=sail][aria-disabled=false]")
    if sail.count():
        sail.click()
        settle(page, before)
        return
    places = page.locator(".mark.pickable[data-kinds~=source]")
    if places.count():
        places.nth(number % places.count()).click()
        settle(page, before)
        before = table(page)
        page.locator(".mark.pickable[data-kinds~=target]").first.click()
        settle(page, before)
        return
    end = page.locator("[data-action=end][aria-disabled=false]")
    if end.count():
        end.click()
        settle(page, before)


def play_out(page: Page, most: int = 600) -> set[str]:
    """Play to the end; everything that was met on the way."""
    met: set[str] = set()
    for number in range(most):
        state = step(page, number)
        met.add(state)
        if state == "over":
            return met
        if "must drop" in page.inner_text(".status") or "Drop cards" in page.inner_text(".status"):
            met.add("drop")
    raise AssertionError("the game did not end")
