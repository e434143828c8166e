"""What the pages say: the reader's own edition, whom an invitation is for, how many cards to discard, and names."""

from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from tests.catalogues import messages

from .conftest import Opener
from .playing import wait
from .rig import Served, Visit

ISLANDS = "STMDCPG/DCGMPST|GPDCMTS/TPMCGSD/PSGDCTM"
TEN = f"nest-nl {ISLANDS} s,s,s,s,3,16/s,s,s,s,5,18 C!D3G2M2PS/CT - C13D11D!G12G!M12M!P13P!S13S!T13T! - 1 1.0"
LINK = {"kind": "link"}
ROWS = """() => {
  const tops = [...document.querySelector('[data-go=review]').parentElement.children].map((node) => node.offsetTop);
  return [...new Set(tops)].map((top) => tops.filter((each) => each === top).length);
}"""
"""How many of the links below the list of games stand in each line."""


@pytest.mark.parametrize(
    ("language", "edition"),
    [("nl", "nl"), ("fr", "en"), *(pytest.param(each, each, marks=pytest.mark.whole) for each in ("de", "en", "sv"))],
)
def test_every_language_begins_with_its_own_edition_or_the_english(visits: Opener, language: str, edition: str) -> None:
    visit = visits(locale=language)
    page = visit.go("new")
    page.wait_for_selector("button.go:enabled")
    assert page.locator("[data-edition]").input_value() == edition
    page.locator("input[value=nest]").check()
    assert page.locator("[data-edition]").count() == 0
    page.locator("input[value=tortuga]").check()
    assert page.locator("[data-edition]").input_value() == edition
    visit.go("rules").wait_for_selector(".signs")
    assert page.locator("nav select").input_value() == edition
    visit.go().wait_for_selector("[data-play=jamaica]:enabled")
    for width in (360, 800, 1280):
        page.set_viewport_size({"width": width, "height": 720})
        assert page.evaluate(ROWS) in ([4], [2, 2]), width  # none alone in a line
    page.click("[data-play=jamaica]")
    wait(page)
    assert page.locator("header a.quiet").get_attribute("href") == f"#/rules/jamaica-{edition}"


def rules_shown(page: Page, language: str) -> tuple[str, str]:
    """The edition that the page of rules names, and what it says about passing."""
    words = messages(language)
    page.wait_for_selector(f"html[lang={language}] .signs")
    page.get_by_role("heading", name=words["rules.pass"], exact=True).wait_for()
    said = page.locator("section p").all_inner_texts()
    [passing] = [key for key in ("rules.pass.may", "rules.pass.must") if words[key] in said]
    return page.inner_text("nav select option:checked"), passing.rpartition(".")[2]


def test_the_page_of_rules_prints_the_passing_rule_of_the_edition_it_names(visits: Opener, served: Served) -> None:
    visit = visits(locale="de-DE")
    page = visit.page
    page.click("[data-go=rules]")
    assert rules_shown(page, "de") == ("Deutsche Ausgabe", "may")
    page.locator("select.language").select_option("sv")
    assert rules_shown(page, "sv") == ("Svensk utgåva", "must")
    page.locator("nav select").select_option("de")
    page.get_by_role("button", name="Tortuga").click()
    page.wait_for_url("**/#/rules/tortuga-de")
    assert rules_shown(page, "sv") == ("Tysk utgåva", "may")
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "sailor"}]
    page = visit.sit(served.post("/tables", {"rules": "hispaniola-de", "seats": seats, "lots": False}))
    wait(page)
    with visit.context.expect_page() as opened:
        page.click("header a.quiet")
    assert rules_shown(opened.value, "sv") == ("Tysk utgåva", "may")


def test_the_nest_names_no_edition_but_says_where_its_rules_are_from(visit: Visit, served: Served) -> None:
    seats = [{"kind": "here", "name": "Ann"}, {"kind": "here", "name": "Ben"}]
    page = visit.sit(served.post("/tables", {"rules": "nest-nl", "seats": seats, "lots": False}), "nest-nl")
    wait(page)
    assert "edition" not in page.locator("header").inner_text()
    visit.go().wait_for_selector("[data-play=jamaica]:enabled")
    for place in ("[data-play=nest]", "[data-mine]"):
        assert "edition" not in page.locator(place).first.inner_text()
    page = visit.go("new")
    page.locator("input[value=nest]").check()
    page.click("[data-more]")
    assert "one set of rules, taken from its Dutch booklet" in page.inner_text("[data-differs]")


def test_joining_says_what_is_the_matter(visits: Opener, served: Served) -> None:
    visit = visits()
    page = visit.page
    page.wait_for_selector("[data-play=jamaica]:enabled")
    page.get_by_role("button", name="Join").click()
    page.get_by_role("alert").filter(has_text="Enter the link or the table code").wait_for()
    page.get_by_placeholder("Link or table code").fill("xyzzy 42")
    page.get_by_role("button", name="Join").click()
    page.get_by_role("heading", name="Table not found").wait_for()
    seats = [{"kind": "here", "name": "Ann"}, LINK]
    open_table = served.post("/tables", {"rules": "tortuga-en", "seats": seats, "lobby": True})
    visit.go(f"join/{open_table['table']}").wait_for_selector("text=There is a free seat at this table (Tortuga)")
    private = served.post("/tables", {"rules": "nest-nl", "seats": seats})
    visit.go(f"join/{private['table']}").wait_for_selector("text=This table is private")
    invite = private["invites"][0]["invite"]
    visit.go(f"join/{private['table']}/{invite}").wait_for_selector("text=invited to a game of The Pirate’s Nest")
    page.locator("input[autocomplete=nickname]").fill("\u3164")  # a letter that shows nothing
    page.locator("form button.primary").click()
    page.get_by_role("alert").filter(has_text="This name cannot be used").wait_for()
    visit.forgive("the server responded with a status of 4")


def test_a_freebooter_says_how_many_cards_go(visits: Opener) -> None:
    visit = visits()
    page = visit.go(f"position/{quote(TEN, safe='')}")
    assert wait(page) == "choose"
    page.click("[data-card='C!']")
    page.click("[data-place='16']")
    told = "words => document.querySelector('.status').innerText.includes(words)"
    page.wait_for_function(told, arg="Choose 2 cards to discard.")
    page.locator("[data-card].live").first.click()
    page.wait_for_function(told, arg="Choose 1 card to discard.")


def names(page: Page) -> list[str]:
    return [text.split("·")[0].strip() for text in page.locator(".crew .name").all_inner_texts()]


def test_a_replay_calls_people_by_their_names_also_one_named_like_a_level(visit: Visit, served: Served) -> None:
    seats = [{"kind": "here", "name": "captain"}, {"kind": "here"}, {"kind": "computer", "level": "sailor"}]
    made = served.post("/tables", {"rules": "tortuga-en", "seats": seats, "lots": False})
    page = visit.sit(made, "tortuga-en")
    wait(page)
    at_the_table = names(page)
    assert at_the_table[:2] == ["captain", "Red"]
    for seat in (1, 2):
        served.post(f"/tables/{made['table']}/resign", {"seat": seat}, made["token"])
    visit.go(f"replay/{made['table']}").wait_for_selector("[data-proof=consistent]")
    assert names(page) == at_the_table
    assert "Sailor" in page.locator("li.crew").nth(2).inner_text()
