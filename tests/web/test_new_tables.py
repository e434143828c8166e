"""Tables that are about to begin: what can be chosen, slow lines, lost lines, and seats that are taken."""

import pytest

from .conftest import Opener
from .playing import play_out, step, wait
from .rig import Served, Visit
from .test_screens import SEATS


def test_a_new_table_says_how_long_to_wait_for_an_absent_player(visit: Visit) -> None:
    page = visit.go("new")
    page.wait_for_selector("button.go:enabled")
    assert page.locator("[data-absence]").count() == 0  # only the person at this device
    page.select_option("[aria-label='Seat 2: player']", "link")
    assert not page.locator("[data-absence]").is_visible()  # a first table does without
    page.click("[data-more]")
    page.select_option("[data-absence]", label="after 5 minutes")
    clock = page.locator("select:has(option[value=turn])")
    clock.select_option("turn")
    page.get_by_label("Seconds per turn").fill("")
    assert page.locator("input:invalid").count() == 1  # the browser says what is missing
    clock.select_option("none")
    with page.expect_request("**/api/tables") as asked:
        page.get_by_role("button", name="Create table").click()
    assert (asked.value.post_data_json or {})["absence"] == 300
    page.wait_for_selector("[data-invite]")


OWN = 'base = "tortuga-en"\ntitle = "A short row"\nrow = 2\ndraw = 2\npirates = 1\npieces = 1\n'


@pytest.mark.parametrize("kept", ["here", "at the server"])
def test_rules_of_your_own_are_played_replayed_and_reviewed_by_their_title(visit: Visit, kept: str) -> None:
    page = visit.go("new")
    page.click("[data-more]")
    page.click("[data-own] summary")
    page.fill("[data-own-text]", OWN.replace("row = 2", "row = 13"))
    page.click("[data-action=own]")
    assert "rules.toml: row must be a whole number from 0 to 12" in page.get_by_role("alert").inner_text()
    visit.forgive("409 (Conflict)")
    chooser = page.locator("[data-own] input[type=file]")
    chooser.set_input_files({"name": "short.toml", "mimeType": "text/plain", "buffer": OWN.encode()})
    assert page.locator("[data-own-rules]").inner_text() == "A short row"
    assert "Cards in the open row: 2 (usually 12)" in page.locator("[data-own] li").all_inner_texts()
    if kept == "here":
        page.check("[data-here]")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_selector("main.screen h1:text-is('A short row')")
    assert "A short row" in page.title()
    play_out(page)
    page.click("[data-action=replay]")
    page.wait_for_selector("[data-proof]", state="attached")
    # A table that is dealt at once has no promise that was kept before, so that its record can agree with itself only.
    assert page.locator("[data-proof]").get_attribute("data-proof") == ("proved" if kept == "here" else "consistent")
    assert page.locator("p.rules").inner_text() == "A short row"
    assert page.locator("[data-own]").is_visible(), "what does not know these rules is said"
    page.click("[data-action=review]")
    page.wait_for_selector("[data-review=done]")
    assert "A short row" in page.locator(".head.noprint").inner_text()


SLOWLY = """window.fetch = new Proxy(window.fetch, {apply: async (ask, self, given) => {
  if (String(given[0].url ?? given[0]).includes('WHAT')) await new Promise((done) => setTimeout(done, 900));
  return ask.apply(self, given);
}})"""
HELD = """window.fetch = new Proxy(window.fetch, {apply: async (ask, self, given) => {
  if (String(given[0].url ?? given[0]).includes('WHAT')) await new Promise((done) => { window.release = done; });
  return ask.apply(self, given);
}})"""


def test_what_was_chosen_stays_however_slow_the_line(visits: Opener) -> None:
    visit = visits()
    visit.context.add_init_script(SLOWLY.replace("WHAT", "/api/about"))
    visit.context.add_init_script("Object.defineProperty(navigator, 'clipboard', {})")  # as over plain HTTP
    visit.page.reload()
    page = visit.go("new")
    page.select_option("[aria-label='Seat 2: player']", "link")
    page.get_by_role("button", name="Create table").click()
    page.click("[data-action=copy]")
    page.get_by_role("button", name="Copied").wait_for()


def test_a_new_table_can_be_asked_for_again(visit: Visit) -> None:
    page = visit.go("new")
    page.wait_for_selector("button.go:enabled")
    visit.go().wait_for_selector("[data-play]:enabled")
    visit.context.set_offline(True)
    page.get_by_role("link", name="New table").click()
    page.get_by_role("alert").wait_for()
    visit.context.set_offline(False)
    page.get_by_role("button", name="Try again").click()
    page.wait_for_selector("button.go:enabled")
    visit.forgive("ERR_INTERNET_DISCONNECTED")


def test_leaving_while_a_table_opens_begins_no_line(visits: Opener, served: Served) -> None:
    made = served.post("/tables", {"rules": "jamaica-en", "seats": SEATS})
    visit = visits()
    visit.context.add_init_script(HELD.replace("WHAT", made["table"]))
    visit.page.reload()
    lines: list[str] = []
    visit.page.on("websocket", lambda socket: lines.append(socket.url))
    page = visit.sit(made, "jamaica-en")
    page.wait_for_function("() => window.release")
    visit.go().wait_for_selector("[data-play]:enabled")
    page.evaluate("() => window.release()")
    page.wait_for_timeout(1000)
    assert lines == []


def test_a_full_table_and_a_revoked_seat_are_told(visit: Visit, served: Served) -> None:
    made = served.post("/tables", {"rules": "jamaica-en", "seats": SEATS, "lobby": True})
    page = visit.go(f"join/{made['table']}")
    page.get_by_text("No seat available").wait_for()
    served.post(f"/tables/{made['table']}/token", {}, made["token"])
    visit.sit(made, "jamaica-en")
    page.get_by_text("This seat is no longer yours").wait_for()
    visit.forgive("the server responded with a status of 4")


def test_a_browser_that_keeps_nothing_plays_all_the_same(visit: Visit) -> None:
    visit.context.add_init_script(
        "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('', 'SecurityError') }})"
    )
    visit.page.reload()
    visit.page.click("[data-play=jamaica]")
    assert wait(visit.page) == "choose"
    assert step(visit.page, 0) == "advance"
