"""Messages about a table to a person at a terminal: by mail, or to a webhook. A terminal has no web push."""

import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from cartagena.errors import CartagenaError

from ..sentences import harmless
from .connection import Connection, HeldSeat, SeatBook, ServerError
from .screen import Terminal

KINDS: Final = ("turn", "late", "over", "rematch", "talk")
QUIET: Final = re.compile(r"quiet (\d\d:\d\d) (\d\d:\d\d)")
LOCALTIME: Final = Path("/etc/localtime")


def own_zone() -> str:
    """The name of the time zone of this machine; UTC where it cannot be found."""
    _, _, linked = str(LOCALTIME.resolve()).partition("zoneinfo/")
    for name in (os.environ.get("TZ", "").lstrip(":"), linked):
        with suppress(KeyError, ValueError, OSError):
            return ZoneInfo(name).key
    return "UTC"


def keep_told(connection: Connection, book: SeatBook, seat: HeldSeat) -> HeldSeat:
    """Keep a new seat, and let it be told about where the person's last seat at the server is."""
    others = [each for each in book.at(seat.server) if each.table != seat.table]
    book.keep(seat)
    if others:
        like = {"like": {"table": others[-1].table, "token": others[-1].token}}
        with suppress(ServerError):  # that table may be gone
            connection.post(f"/api/tables/{seat.table}/notify", like, seat.token)
    return seat


def toggled(kinds: list[str], kind: str) -> list[str]:
    """The kinds with one more, or without it."""
    return [each for each in KINDS if (each in kinds) != (each == kind)]


class NotifyMe:
    """The word ``notify`` at a table: what there is, new addresses, and the wishes of those that there are."""

    def __init__(self, connection: Connection, terminal: Terminal, seat: HeldSeat) -> None:
        self.connection, self.terminal, self.seat = connection, terminal, seat
        self.words = connection.words
        self.path = f"/api/tables/{seat.table}"

    def command(self, typed: str) -> None:
        """Carry out what follows the word. Raises CartagenaError."""
        quiet = QUIET.fullmatch(typed)
        if typed.startswith("https://"):
            self.set_webhook(typed)
        elif "@" in typed:
            self.add_mail(typed)
        elif typed == "off":
            self.remove_all()
        elif typed == "mute":
            self.change(lambda wishes: {"muted": not wishes["muted"]})
        elif typed in KINDS:
            self.change(lambda wishes: {"kinds": toggled(wishes["kinds"], typed)})
        elif quiet:
            hours = {"from": quiet[1], "to": quiet[2], "zone": own_zone()}
            self.change(lambda _wishes: {"quiet": hours})
        elif typed == "quiet off":
            self.change(lambda _wishes: {"quiet": None})
        elif typed:
            raise CartagenaError(self.words("notify_how"))
        else:
            self.show()

    def ask(self) -> dict[str, Any]:
        """What the server has for this seat."""
        return self.connection.get(f"{self.path}/notify", self.seat.token)

    def show(self) -> None:
        """Show the addresses of this seat, and what the server offers."""
        found = self.ask()
        lines = [self.line(each) for each in found["contacts"]]
        if found["webhook"]:
            lines.append(f"  webhook: {harmless(str(found['webhook']))}")
        offer = self.connection.get("/api/about")["notify"]
        lines += [self.words("notify_none")] if not lines else []
        lines += [self.words("notify_by_mail")] if offer["mail"] else []
        lines += [self.words("notify_by_hook")] if offer["webhooks"] else []
        lines += [self.words("notify_off")] if not offer["mail"] and not offer["webhooks"] else []
        lines += [self.words("notify_push")] if offer["push"] else []
        self.terminal.say("\n".join(lines))

    def line(self, contact: dict[str, Any]) -> str:
        """An address with its wishes. Kinds are said by the words that are typed for them."""
        wishes = contact["wishes"]
        parts = [" ".join(wishes["kinds"])]
        if wishes["quiet"]:
            parts.append(f"quiet {wishes['quiet']['from']} {wishes['quiet']['to']} ({wishes['quiet']['zone']})")
        parts += [self.words("notify_muted")] if wishes["muted"] else []
        parts += [] if contact["confirmed"] else [self.words("notify_unconfirmed")]
        name = harmless(str(contact["address"]))
        return f"  {name}: {', '.join(parts)}"

    def add_mail(self, address: str) -> None:
        want = {"mail": address, "wishes": {"language": self.words.language}}
        self.connection.post(f"{self.path}/notify", want, self.seat.token)
        self.terminal.say(self.words("notify_sent", address=address))

    def set_webhook(self, url: str) -> None:
        made = self.connection.post(f"{self.path}/webhook", {"url": url}, self.seat.token)
        self.terminal.say(self.words("notify_secret", secret=harmless(str(made["secret"]))))

    def change(self, wish: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        """Change the wishes of all confirmed addresses of this seat."""
        for contact in self.ask()["contacts"]:
            if contact["confirmed"]:
                wishes = {**contact["wishes"], **wish(contact["wishes"])}
                self.connection.post(f"{self.path}/notify/{contact['id']}", wishes, self.seat.token)
        self.show()

    def remove_all(self) -> None:
        """Remove all addresses of this seat, and the webhook where the person has set one."""
        found = self.ask()
        for contact in found["contacts"]:
            self.connection.post(f"{self.path}/notify/{contact['id']}/remove", {}, self.seat.token)
        if found["webhook"]:
            self.connection.post(f"{self.path}/webhook/remove", {}, self.seat.token)
        self.show()
