"""How people and programs learn of their turns: routes of messages to those who are away, and of all turns at once.

Messages reach devices, mail addresses (with the pages that mails lead to) and webhooks. A bot that plays at many tables
asks for its turns once, or gets them as one stream.
"""

import asyncio
import base64
import hashlib
import hmac
import re
from collections.abc import AsyncGenerator, Callable
from html import escape
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import AfterValidator
from starlette.responses import HTMLResponse, Response, StreamingResponse

from ..live.live_table import LiveTable
from ..live.registry import TableRegistry
from ..live.seating import must_be_host
from ..notify.mail import WORDS, owner_of
from ..notify.notifier import Notifier
from ..protocol.contacts import Contacts, HeldSeat, Notify, SetWebhook, Turns, WatchTurns, Webhook, Wishes
from ..protocol.encoding import dumps
from ..protocol.errors import Refused
from ..tables.tokens import Requester
from .dependencies import ANSWERS, ARegistry, ATable, AToken, Person, json_answer, visitor_of
from .gate import MAX_DELAY
from .middleware import POLICY
from .ratelimit import Slots, host_of
from .routes import Lines

router = APIRouter(responses=ANSWERS)
STYLE: Final = (
    "body{max-width:24em;margin:3em auto;padding:0 1em;font:18px/1.5 Georgia,serif;background:#fcf4e2;color:#2b2118}"
    "button{padding:.5em 1.2em;border:0;border-radius:8px;font:inherit;font-weight:bold;background:#84300f;color:#fff}"
)
PAGE: Final = """<!doctype html>
<html lang="{language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>Cartagena</title><style>{style}</style><h1>Cartagena</h1>
<p>{text}</p>{form}</html>
"""
FORM: Final = '<form method="post"><button>{button}</button></form>'
STYLE_HASH: Final = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
PAGE_POLICY: Final = POLICY.replace("form-action 'none'", "form-action 'self'").replace(
    "style-src 'self'", f"style-src 'sha256-{STYLE_HASH}'"
)
"""The pages of mails have a form and the one style."""
PLAIN: Final = re.compile(r"[0-9a-f]+")
LOOK: Final = 1.0
"""Seconds between two looks at the tables of a stream."""
EVERY: Final = 5
"""Looks between two at which also tables are asked for that are not in memory, or are changed by other servers."""
RARELY: Final = 30
"""The same for tables that are over, where only a rematch can come."""
State = dict[str, object]


async def the_notifier(request: Request) -> Notifier:
    notifier: Notifier = request.app.state.notifier
    return notifier


ANotifier = Annotated[Notifier, Depends(the_notifier)]
ContactId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$", examples=["0f3a9c1d2b4e5f60"])]
Key = Annotated[str, Query(max_length=64), AfterValidator(lambda text: text if PLAIN.fullmatch(text) else "")]
"""A word of a link in a mail. What no link has becomes empty, which is no word of any."""


async def contacts_of(notifier: Notifier, live: LiveTable, who: Requester, token: str | None) -> Response:
    """The answer to every request about contacts: what there is now."""
    hook = await notifier.hook_host(live.id) if who.host else None
    return json_answer(dumps({"contacts": await notifier.linked(token or ""), "webhook": hook}))


@router.get("/api/tables/{table}/notify", response_model=Contacts)
async def contacts(notifier: ANotifier, live: ATable, who: Person, token: AToken) -> Response:
    """Your devices and mail addresses that are told about this table."""
    return await contacts_of(notifier, live, who, token)


@router.post("/api/tables/{table}/notify", response_model=Contacts)
async def notify(
    request: Request, notifier: ANotifier, live: ATable, who: Person, token: AToken, want: Notify
) -> Response:
    """Be told about this table and its rematches on a device, by mail, or where you are told about another table."""
    who.must_be_seated()
    await request.app.state.contact_windows.check(host_of(request), "devices and addresses")
    if want.mail is not None:
        await request.app.state.mail_windows.check(owner_of(want.mail), "mails to this address")
    await notifier.add(token or "", want)
    return await contacts_of(notifier, live, who, token)


@router.post("/api/tables/{table}/notify/{contact}", response_model=Contacts)
async def wish(
    notifier: ANotifier, live: ATable, who: Person, token: AToken, contact: ContactId, want: Wishes
) -> Response:
    """Change what a device or mail address is told, at all its tables: mute it, or choose kinds and quiet hours."""
    await notifier.wish(token or "", contact, want)
    return await contacts_of(notifier, live, who, token)


@router.post("/api/tables/{table}/notify/{contact}/remove", response_model=Contacts)
async def remove(notifier: ANotifier, live: ATable, who: Person, token: AToken, contact: ContactId) -> Response:
    """Tell a device or mail address no longer about this table and its rematches."""
    await notifier.remove(token or "", contact)
    return await contacts_of(notifier, live, who, token)


@router.post("/api/tables/{table}/webhook", response_model=Webhook)
async def set_webhook(request: Request, notifier: ANotifier, live: ATable, who: Person, want: SetWebhook) -> Response:
    """Send what happens at this table to an address, as signed JSON; for the host. Replaces the one before."""
    must_be_host(who, "set a webhook")
    await request.app.state.contact_windows.check(host_of(request), "devices and addresses")
    secret = await notifier.set_webhook(live.id, want.url)
    return json_answer(dumps({"url": want.url, "secret": secret}))


@router.post("/api/tables/{table}/webhook/remove", response_model=Contacts)
async def remove_webhook(notifier: ANotifier, live: ATable, who: Person, token: AToken) -> Response:
    """Take the webhook away; for the host."""
    must_be_host(who, "remove a webhook")
    await notifier.remove_webhook(live.id)
    return await contacts_of(notifier, live, who, token)


# --- pages that mails lead to


def page(words: dict[str, str], text: str, button: str | None = None, status: int = 200) -> Response:
    language = next(code for code, each in WORDS.items() if each is words)
    form = FORM.format(button=escape(words[button])) if button else ""
    html = PAGE.format(language=language, style=STYLE, text=escape(words[text]), form=form)
    return HTMLResponse(html, status, {"content-security-policy": PAGE_POLICY, "cache-control": "no-store"})


async def words_for(notifier: Notifier, contact: str) -> dict[str, str]:
    """The words of the language that a mail address asked for."""
    known = await notifier.contacts.get(contact)
    return WORDS["en" if known is None else known.wanted.language]


@router.get("/mail/confirm", include_in_schema=False)
async def ask_to_confirm(notifier: ANotifier, contact: Key, key: Key) -> Response:
    """The page that asks to confirm a mail address. Programs that follow links change nothing."""
    words = await words_for(notifier, contact)
    if await notifier.contacts.unconfirmed(contact, key) is None:
        return page(words, "unknown", status=404)
    return page(words, "confirm.page", "confirm.button")


@router.post("/mail/confirm", include_in_schema=False)
async def confirm(notifier: ANotifier, contact: Key, key: Key) -> Response:
    """Confirm a mail address for a seat."""
    words = await words_for(notifier, contact)
    done = await notifier.contacts.confirm(contact, key)
    return page(words, "confirmed") if done else page(words, "unknown", status=404)


def may_stop(notifier: Notifier, contact: str, key: str) -> bool:
    """Whether a key is that of the link to unsubscribe."""
    return hmac.compare_digest(notifier.contacts.proof("stop", contact).encode(), key.encode())


@router.get("/mail/stop", include_in_schema=False)
async def ask_to_stop(notifier: ANotifier, contact: Key, key: Key) -> Response:
    """The page that asks whether to unsubscribe."""
    words = await words_for(notifier, contact)
    if not may_stop(notifier, contact, key):
        return page(words, "unknown", status=404)
    return page(words, "stop.page", "stop.button")


@router.post("/mail/stop", include_in_schema=False)
async def stop(notifier: ANotifier, contact: Key, key: Key) -> Response:
    """Delete a mail address: the one-click unsubscription of RFC 8058."""
    words = await words_for(notifier, contact)
    if not may_stop(notifier, contact, key):
        return page(words, "unknown", status=404)
    await notifier.contacts.drop(contact)
    return page(words, "stopped")


# --- whose turn it is at many tables


async def state_of(registry: TableRegistry, seat: HeldSeat) -> State:
    """The turn at a table as the holder of a seat may know it, or the code of a refusal."""
    try:
        async with registry.lease(seat.table) as live:
            table = live.table
            who = table.requester(seat.token, watching=False)
            due = live.updates.until_due()
            return {
                "table": table.id, "seq": table.seq, "version": table.version, "stage": table.stage,
                "yours": table.chooser in who.seats and not table.chooser_is_computer, "due": due, "code": None,
                "next": table.next if who.seats else None,
            }  # fmt: skip
    except Refused as error:
        return {
            "table": seat.table, "seq": 0, "version": 0, "stage": "", "yours": False, "due": None, "code": error.code,
            "next": None,
        }  # fmt: skip


@router.post("/api/turns", response_model=Turns)
async def turns(registry: ARegistry, want: WatchTurns) -> Response:
    """Whose turn it is at all your tables."""
    return json_answer(dumps({"tables": [await state_of(registry, seat) for seat in want.seats]}))


@router.post(
    "/api/turns/stream",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/x-ndjson": {"schema": {"$ref": "#/components/schemas/TurnState"}}}}},
)
async def stream(request: Request, registry: ARegistry, want: WatchTurns) -> Response:
    """Your turns at all your tables as one JSON object a line, as they come. An empty object is a heartbeat.

    The first lines tell of the turns that are due now. A table that is over is told once, and once more when there is a
    rematch or an invitation (``next``). One that you cannot see is told once.
    """
    slots: Slots = request.app.state.slots
    free = slots.take(host_of(request), None)
    return Lines(turn_lines(registry, want, visitor_of(request).delay), free)


async def turn_lines(
    registry: TableRegistry, want: WatchTurns, delay: Callable[[], float]
) -> AsyncGenerator[bytes, None]:
    """The lines of a stream. ``delay`` says for how long its visitor is ahead of its share of time: it looks later."""
    watched = {(seat.table, seat.token): seat for seat in want.seats}
    known: dict[tuple[str, str], State] = {}
    quiet, looks = 0.0, 0
    while watched and not registry.stopping:
        news = []
        for key, seat in tuple(watched.items()):
            before = known.get(key)
            if before is not None and is_same(registry, before, looks):
                continue
            state = known[key] = await state_of(registry, seat)
            if state["next"] is not None or state["code"] not in (None, "storage"):
                del watched[key]
            if is_news(before, state):
                news.append(dumps(state) + b"\n")
        quiet, looks = 0.0 if news else quiet + LOOK, looks + 1
        if quiet >= registry.settings.heartbeat_seconds:
            news, quiet = [b"{}\n"], 0.0
        if news:
            yield b"".join(news)
        if watched:
            await asyncio.sleep(LOOK + min(delay(), MAX_DELAY))


def is_news(before: State | None, state: State) -> bool:
    """Whether a state gets a line: a turn, the end, a rematch, or a table that cannot be seen."""
    if state["code"] is not None:
        return state["code"] != "storage"
    if state["stage"] == "over":
        return before is None or (before["stage"], before["next"]) != ("over", state["next"])
    return bool(state["yours"]) and (before is None or not before["yours"] or before["version"] != state["version"])


def is_same(registry: TableRegistry, before: State, looks: int) -> bool:
    """Whether a table is as it was, as far as this server knows without asking the database."""
    if looks % (RARELY if before["stage"] == "over" else EVERY) == 0:
        return False
    live = registry.tables.peek(str(before["table"]))
    return live is None or live.table.seq == before["seq"]
