"""Games by post in the page: setting one up, what is due, holidays, and notifications on this device."""

import json
from typing import Any

from playwright.sync_api import BrowserContext, Page, Route

from .conftest import Opener
from .rig import KEPT_SEATS, Served, Visit
from .test_people import ANN, LINK, joined
from .test_updates import CLICKED, focused

POST = {"kind": "post", "days": 3, "late": "resign"}
KEYS = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "BTBZMqHH6r4Tts7J_aSIgg",
)
SUBSCRIBES = """([p256dh, auth]) => {
  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)).buffer;
  const subscribed = ({applicationServerKey}) => ({
    endpoint: 'https://fcm.googleapis.com/wp/of-the-test',
    getKey: (name) => bytes(name === 'auth' ? auth : p256dh),
    options: {applicationServerKey: bytes(applicationServerKey)},
  });
  Object.defineProperty(Notification, 'permission', {get: () => 'granted'});
  Notification.requestPermission = async () => 'granted';
  PushManager.prototype.subscribe = async (want) => (window.subscribed = subscribed(want));
  PushManager.prototype.getSubscription = async () => window.subscribed ?? null;
}"""
"""The permission, which a browser without windows never gives, and the subscription that a push service gives out."""


SHOWS = """() => {
  self.badgeShown = undefined;
  navigator.setAppBadge = async (number) => { self.badgeShown = number; };
  self.messageShown = new Promise((done) => {
    self.registration.showNotification = async (title, {tag, data}) => done([title, tag, data]);
  });
}"""
"""A browser without windows shows no notification and crashes at a badge; this notes what would be shown."""
BADGE = """async (number) => {
  while (self.badgeShown === undefined) await new Promise((done) => setTimeout(done, 20));
  if (self.badgeShown !== number) throw new Error(`the badge says ${self.badgeShown}, not ${number}`);
}"""
"""Wait for the number on the app's badge: the tables that wait for the person."""
KEPT = """async (tables) => {
  const kept = await caches.match(new URL('./due', location.href), {cacheName: 'cartagena-words'});
  return kept && JSON.stringify(await kept.json()) === JSON.stringify(tables);
}"""
"""Whether these are the tables that the page has kept for the service worker as waiting for the person."""
REPLAYED = """() => {
  window.replayed = new Promise((done) => {
    const look = () => document.querySelector('[data-action=again][aria-pressed=true]') && done();
    new MutationObserver(look).observe(document, {subtree: true, childList: true, attributes: true});
  });
}"""
"""Notice that a table shows moves again, however briefly."""


def by_post(served: Served, visit: Visit, *tables: dict[str, Any]) -> list[str]:
    """Sit at tables by post where it is Ann's turn. Returns their names; ``guest`` of each becomes the token of Ben."""
    names: list[str] = []
    for made in tables or (made_by_post(served),):
        made["guest"] = joined(served, made)
        names.append(str(made["table"]))
        seat = {"table": names[-1], "token": made["token"], "rules": "tortuga-en", "name": "Ann", "at": len(names)}
        visit.store(f"cartagena.seat.{names[-1]}", seat)
    return names


def made_by_post(served: Served, **more: Any) -> dict[str, Any]:
    body = {"rules": "tortuga-en", "seats": [ANN, LINK], "lots": False, "clock": POST | more}
    made: dict[str, Any] = served.post("/tables", body)
    return made


def end_turn(served: Served, table: str, token: str) -> None:
    """Play one action and end the turn."""
    for kind in ("other", "end"):
        seen = served.look(table, token)
        moves = [option["move"] for option in seen["options"]["legal"]]
        move = next(move for move in moves if (move["kind"] == "end") == (kind == "end"))
        served.post(f"/tables/{table}/moves", {"id": kind, "version": seen["version"], "move": move}, token)


def test_a_game_by_post_is_set_up_and_its_turn_stands_first_with_the_time_left(visits: Opener, served: Served) -> None:
    visit = visits(viewport={"width": 360, "height": 640})
    page = visit.go("new")
    page.locator(".seat select").nth(1).select_option("link")
    page.click("[data-time=post]")
    page.select_option("[data-days]", "7")
    page.select_option("[data-late]", "resign")
    page.click("button.go")
    link = page.locator("[data-invite]").first.input_value()
    table = page.url.rsplit("/", 1)[1]
    (seat,) = seated(page)
    assert served.look(table, seat["token"])["setup"]["clock"] == {"kind": "post", "days": 7, "late": "resign"}
    guest = visits()
    guest.page.goto(link)
    guest.page.wait_for_selector("text=By post, 7 days per turn")
    both = made_by_post(served, days=2), made_by_post(served, days=14)
    urgent, calm = by_post(served, visit, *both)
    page = visit.go()
    page.wait_for_function("() => document.title.startsWith('(2) ')")
    assert page.locator("[data-mine]").first.get_attribute("data-mine") == urgent
    assert page.locator("[data-mine] .soft").first.inner_text().startswith("2 days left")
    page.click(f"[data-mine='{urgent}'] a")
    assert page.locator(".clock .time").inner_text() == "2 days"
    assert page.locator(".away").count() == 0, "Ben need not be there"
    token = next(seat["token"] for seat in seated(page) if seat["table"] == urgent)
    end_turn(served, urgent, token)
    page.wait_for_selector("[data-next-table]")
    assert page.locator("header h1").evaluate("node => node.scrollWidth <= node.clientWidth")
    page.click("[data-next-table]")
    page.wait_for_function(f"() => location.hash.endsWith('{calm}') && document.title.startsWith('(1) ')")
    end_turn(served, urgent, both[0]["guest"])
    page.click("header a")
    page.evaluate(REPLAYED)
    page.click(f"[data-mine='{urgent}'] a")
    page.evaluate("() => window.replayed")
    page.wait_for_selector("[data-action=again][aria-pressed=false]")
    page.go_back()
    page.click(f"[data-mine='{calm}'] a")
    page.click(".menu")
    page.select_option("[data-holiday]", "4")
    page.click("[data-holiday-go]")
    page.wait_for_selector("[data-post] >> text=6 days left in this game")
    page.wait_for_selector("[data-post] >> text=is on holiday until")


def seated(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(KEPT_SEATS)
    return found


def deliver(served: Served, context: BrowserContext, page: Page, message: object) -> None:
    """Deliver a message to the service worker by the debugging protocol, as a push service would."""
    found: list[dict[str, Any]] = []
    protocol = context.new_cdp_session(page)
    protocol.on("ServiceWorker.workerRegistrationUpdated", lambda told: found.extend(told["registrations"]))
    protocol.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(20)
    told = {"origin": served.address, "registrationId": found[0]["registrationId"], "data": json.dumps(message)}
    protocol.send("ServiceWorker.deliverPushMessage", told)


def test_a_message_is_shown_as_a_notification_whose_click_opens_the_table(visits: Opener, served: Served) -> None:
    visit = visits(service_workers="allow")
    visit.context.add_init_script(f"({SUBSCRIBES})({json.dumps(KEYS)})")
    [table] = by_post(served, visit)
    page = visit.go(f"table/{table}")
    page.wait_for_selector(".table")
    page.evaluate("() => navigator.serviceWorker.ready")
    page.click(".menu")
    page.click("[data-notify-me] summary")
    page.click("[data-notify-go]")
    page.click("[data-contact=push] summary")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/notify/*", hold, times=1)
    with page.expect_request("**/notify/*"):
        page.click("[data-switch=talk]")
    while not held:
        page.wait_for_timeout(10)
    page.locator("[data-quiet=from]").fill("22:30")  # the server has not answered yet
    page.wait_for_timeout(100)  # in which a second request would overtake
    with page.expect_response("**/notify/*"):
        held[0].continue_()
    page.wait_for_function("() => document.querySelector('[data-quiet=to]').value === '08:00'")
    page.reload()
    for place in (".menu", "[data-notify-me] summary", "[data-contact=push] summary"):
        page.click(place)
    assert page.locator("[data-switch=talk]:checked").count() == 1
    assert page.locator("[data-quiet=from]").input_value() == "22:30"
    page.click("[data-contact] [data-switch=mute]")
    page.wait_for_selector("[data-contact=push] summary >> text=(muted)")
    assert page.locator("text=This device is notified").count() == 0
    page.click("[data-contact=push] [data-remove]")
    page.click("[data-notify-go]")  # this table is not told to the device any more, and can be again
    page.wait_for_selector("text=This device is notified")
    page.goto(f"{served.address}#/rules")
    cause = f"{table}-2"
    news = {"cause": cause, "more": 0, "notices": [{"cause": cause, "kind": "turn", "table": table}]}
    [worker] = visit.context.service_workers
    worker.evaluate(SHOWS)
    deliver(served, visit.context, page, news)
    assert worker.evaluate("() => self.messageShown") == ["It’s your turn", cause, f"{served.address}#/table/{table}"]
    assert worker.evaluate(CLICKED, f"{served.address}#/table/{table}") == ["open", f"{served.address}#/table/{table}"]
    page.goto(f"{served.address}#/table/{table}")
    page.wait_for_selector(".table")
    focused(worker, f"{served.address}#/table/{table}")
    page.goto(f"{served.address}#/rules")
    page.wait_for_selector(".table", state="detached")  # a page at the table would note anew what it knows of
    page.wait_for_function(KEPT, arg=[table])
    for kind, other, due in (("turn", "other", 2), ("talk", "third", 2), ("over", "other", 1)):
        worker.evaluate(SHOWS)
        cause = f"{other}-{kind}"
        news = {"cause": cause, "more": 0, "notices": [{"cause": cause, "kind": kind, "table": other}]}
        deliver(served, visit.context, page, news)
        worker.evaluate("() => self.messageShown")
        worker.evaluate(BADGE, due)
