"""A served table in a real browser: the server as its own process, Chromium, and pages whose errors are collected."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from tests import forks

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src/cartagena/server/static"
PATIENCE = 300_000
"""Milliseconds after which something counts as hung; a busy machine may be a hundred times slower than an idle one."""
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--no-first-run", "--disable-audio-output",
]  # fmt: skip


KNOWN = "jamaica tortuga hispaniola nest"
"""All games, as the page keeps those whose first steps were shown."""
BLOCKED = "Service Worker registration blocked by Playwright"


def chromium() -> str:
    """A Chromium without windows, which starts a page in a tenth of the time, or another one.

    Without a browser these tests fail, they don't skip.
    """
    for name in ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    raise AssertionError("No Chromium was found; tools/test installs it, or: apt-get install chromium-headless-shell")


class Served:
    """A server that can be killed and started again at the same address with the same database."""

    def __init__(self, folder: Path, python: str = sys.executable, **settings: str) -> None:
        self.database = f"sqlite:///{folder / 'tables.db'}"
        self.log = folder / "served.log"
        self.python = python
        self.port = 0
        self.settings = settings
        self.process: subprocess.Popen[bytes] | forks.Fork | None = None
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def start(self) -> None:
        limits = {"REQUESTS": "100000", "MESSAGES": "100000", "TABLES_PER_HOUR": "10000"}
        limits |= {"LOBBY_TABLES": "1000", "SALT_SECONDS": "0"}
        players = {"LEVELS": "deckhand,sailor"}
        given = {f"CARTAGENA_{name}": value for name, value in (limits | players | self.settings).items()}
        words = ["serve", "--port", str(self.port), "--database", self.database]
        with self.log.open("wb") as log:
            if forks.allowed and self.python == sys.executable:
                self.process = forks.start("cartagena.cli:main", words, os.environ | given, log)
            else:
                command = [str(Path(self.python).with_name("cartagena")), *words]
                self.process = subprocess.Popen(command, env=os.environ | given, stdout=log, stderr=log)
        while not (found := re.search(r"served at http://127\.0\.0\.1:(\d+)/\n", self.log.read_text())):
            if self.process.poll() is not None:
                raise AssertionError(f"the server did not start: {self.log.read_text()}")
            time.sleep(0.02)
        self.port = int(found[1])

    def kill(self) -> None:
        """As a power cut would."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def post(self, path: str, body: object, token: str = "") -> Any:
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
        request = urllib.request.Request(f"{self.address}api{path}", json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=PATIENCE / 1000) as answer:
            return json.load(answer)

    def look(self, table: str, token: str) -> Any:
        """The table as the holder of a token sees it."""
        headers = {"authorization": f"Bearer {token}"}
        request = urllib.request.Request(f"{self.address}api/tables/{table}", headers=headers)
        with urllib.request.urlopen(request, timeout=PATIENCE / 1000) as answer:
            return json.load(answer)

    def play(self, table: str, token: str, moves: int = 1) -> None:
        """Play the first legal move of the seat that must choose, so many times."""
        for number in range(moves):
            seen = self.look(table, token)
            move = {"id": f"t{seen['version']}-{number}", "version": seen["version"]}
            self.post(f"/tables/{table}/moves", move | {"move": seen["options"]["legal"][0]["move"]}, token)


KEPT_SEATS = """() => Object.keys(localStorage)
  .flatMap((key) => (key.startsWith('cartagena.seat.') ? [JSON.parse(localStorage.getItem(key))] : []))"""
FORGET_SEATS = """() => Object.keys(localStorage)
  .filter((key) => key.startsWith('cartagena.seat.'))
  .forEach((key) => localStorage.removeItem(key))"""


@dataclass
class Visit:
    """A browser window of its own, and everything that went wrong in it. It opens the home page once it is used."""

    context: BrowserContext
    window: Page
    served: Served
    arrived: bool = False
    errors: list[str] = field(default_factory=list)
    frames: list[str] = field(default_factory=list)
    forgiven: list[str] = field(default_factory=list)

    def forgive(self, words: str) -> None:
        """Drop the browser's own lines about requests that are meant to fail, also those that come later."""
        self.forgiven.append(words)

    @property
    def faults(self) -> list[str]:
        """What went wrong and was not forgiven."""
        return [error for error in self.errors if not any(words in error for words in self.forgiven)]

    @property
    def page(self) -> Page:
        """The window with the page it shows: at first the home page."""
        return self.window if self.arrived else self.go()

    def go(self, route: str = "") -> Page:
        self.arrived = True
        self.window.goto(f"{self.served.address}#/{route}", wait_until="load")
        return self.window

    def sit(self, made: dict[str, Any], rules: str = "") -> Page:
        """Open a table that was made over HTTP, holding its token."""
        self.take_seat(made, rules)
        return self.go(f"table/{made['table']}")

    def store(self, key: str, value: object) -> None:
        """Store something as the page stores it, before the page is opened too."""
        if not self.arrived:
            self.window.goto(f"{self.served.address}icon.svg")  # of the same address, which the storage belongs to
        self.window.evaluate("([key, text]) => localStorage.setItem(key, text)", [key, json.dumps(value)])

    def take_seat(self, made: dict[str, Any], rules: str = "") -> None:
        """Hold the token of a table that was made over HTTP."""
        seat = {
            "table": made["table"],
            "token": made["token"],
            "rules": rules,
            "invites": {str(item["chair"]): item["invite"] for item in made["invites"]},
            "name": "",
            "at": int(time.time() * 1000),
        }
        self.store(f"cartagena.seat.{made['table']}", seat)


def open_visit(browser: Browser, served: Served, *, settings: dict[str, Any] | None = None, **options: Any) -> Visit:
    options = {"viewport": {"width": 1280, "height": 720}, "locale": "en-GB", "reduced_motion": "reduce"} | options
    options.setdefault("service_workers", "block")  # each window would keep the whole page
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    chosen = json.dumps({"pace": "instant", "known": KNOWN} | (settings or {}))
    context.add_init_script(
        f"localStorage.getItem('cartagena.settings') || localStorage.setItem('cartagena.settings', '{chosen}')"
    )
    visit = Visit(context, context.new_page(), served)

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and BLOCKED not in message.text:
            visit.errors.append(message.text)

    page = visit.window
    page.on("console", hear)
    page.on("pageerror", lambda error: visit.errors.append(str(error)))
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: visit.frames.append(str(frame))))
    return visit
