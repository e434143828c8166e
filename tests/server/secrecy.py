"""Asking every endpoint in every way for both games of a pair; the answers must be the same bytes."""

import asyncio
import json
import random
import re
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from cartagena.server.openapi import api_schema

from .rig import PATIENCE, Server, bearer, process, running
from .twins import Twin, make_pair, store

Made = tuple[tuple[Twin, Twin], int]
"""A pair and its viewer."""
RULES = ("jamaica-en", "nest-nl", "hispaniola-de", "tortuga-en", "jamaica-de")
MASKS = (
    (re.compile(r'"commitment":"[0-9a-f]{64}"'), '"commitment":"-"'),
    (re.compile(r'"table":"[a-z0-9]{12}"'), '"table":"TABLE"'),
    (re.compile(r'"at":\d+'), '"at":0'),
    (re.compile(r'"created":\d+'), '"created":0'),
    (re.compile(r'"(token|invite)":"[^"]*"'), r'"\1":"-"'),
)
ASKED = {
    "/api/about", "/api/tables", "/api/tables/{table}", "/api/tables/{table}/events", "/api/tables/{table}/stream",
    "/api/tables/{table}/record", "/api/tables/{table}/join", "/api/tables/{table}/start", "/api/tables/{table}/salt",
    "/api/tables/{table}/moves", "/api/tables/{table}/undo", "/api/tables/{table}/resign", "/api/tables/{table}/leave",
    "/api/tables/{table}/back", "/api/tables/{table}/talk", "/api/tables/{table}/hint", "/api/tables/{table}/rematch",
    "/api/tables/{table}/token", "/api/tables/{table}/invites/{chair}", "/api/tables/{table}/preview",
    "/api/tables/{table}/remove", "/api/tables/{table}/computer", "/api/tables/{table}/cancel",
    "/api/tables/{table}/mine", "/api/tables/{table}/forget", "/api/tables/{table}/notify",
    "/api/tables/{table}/notify/{contact}", "/api/tables/{table}/notify/{contact}/remove",
    "/api/tables/{table}/webhook", "/api/tables/{table}/webhook/remove", "/api/tables/{table}/holiday", "/api/turns",
    "/api/turns/stream", "/api/tables/{table}/ask", "/api/look",
}  # fmt: skip
NO_CONTACT = "0123456789abcdef"
OPERATION = {"/healthz", "/readyz", "/metrics"}
STUDY = {"/api/study/position", "/api/study/record", "/api/study/review", "/api/study/variant"}
"""These work on what they are sent and know no table."""


def masked(text: str, table: str) -> str:
    text = text.replace(table, "TABLE")
    for pattern, instead in MASKS:
        text = pattern.sub(instead, text)
    return text


ONLINE = re.compile(r'"online":(true|false)')
"""Who is online is known at another server a moment later than at the server of the socket."""


def all_endpoints() -> set[str]:
    return set(api_schema()["paths"])


class Asker:
    """Asks about one game of a pair through one role, and keeps everything that came back, masked."""

    def __init__(self, server: Server, twin: Twin, token: str | None, seat: int) -> None:
        self.server, self.twin, self.token, self.seat = server, twin, token, seat
        self.path = f"/api/tables/{twin.table}"
        self.heard: list[tuple[str, int, str]] = []

    def ask(self, verb: str, path: str, body: Any = None, **query: Any) -> Any:
        """The answer as data; None where it is none."""
        headers = bearer(self.token) | ({} if body is None else {"Content-Type": "application/json"})
        sent = None if body is None else json.dumps(body).encode()
        whole = f"{path}?{urlencode(query)}" if query else path
        status, text = self.server.plain.request(verb, whole, sent, headers)
        self.heard.append((f"{verb} {path.replace(self.twin.table, 'T')}", status, masked(text, self.twin.table)))
        return json.loads(text) if text.startswith("{") else None

    def post(self, what: str, body: Any = None) -> Any:
        return self.ask("POST", f"{self.path}/{what}", {} if body is None else body)

    def look_around(self) -> None:
        """Everything that only reads, and everything that is refused."""
        for query in ({}, {"seat": 1}, {"seat": 2}):
            self.ask("GET", self.path, **query)
        self.ask("GET", f"{self.path}/notify")
        for what in ("notify", f"notify/{NO_CONTACT}", f"notify/{NO_CONTACT}/remove", "webhook", "webhook/remove"):
            self.post(what)
        for after in (0, 1, 5, 10**6):
            self.ask("GET", f"{self.path}/events", after=after)
            self.ask("GET", f"{self.path}/events", after=after, detail="text")
        self.ask("GET", f"{self.path}/record")
        self.ask("GET", f"{self.path}/mine")
        self.ask("GET", "/api/about")
        for what in ("start", "rematch", "invites/1", "preview", "cancel"):
            self.post(what)
        self.post("remove", {"seat": 1})
        self.post("computer", {"seat": 1, "level": "sailor"})
        self.post("join", {"invite": "x", "name": "Eve"})
        self.post("salt", {"salt": "x"})
        self.post("holiday", {"days": 1})
        self.post("ask", {"table": self.twin.table, "token": self.token or "x"})
        self.ask("POST", "/api/turns", {"seats": [{"table": self.twin.table, "token": self.token or "x"}]})
        self.ask("POST", "/api/look", {"seats": [{"table": self.twin.table, "token": self.token or "x"}]})
        self.ask("POST", "/api/turns/stream", {"seats": [{"table": self.twin.table, "token": "x"}]})
        for move in ("s:B", "s:C!", "17<", "sail", "drop:C", "2@s", "+B", "end", "nonsense"):
            self.post("moves", {"id": f"x{len(self.heard)}", "version": 0, "move": move})
        self.post("undo", {"id": "y", "version": 0})
        self._listen()

    def _listen(self) -> None:
        """The first words of a socket and of a stream."""
        with self.server.socket(self.twin.table, {"token": self.token}) as live:
            for number in range(2):
                self.heard.append((f"socket {number}", 0, masked(str(live.recv(timeout=PATIENCE)), self.twin.table)))
            live.send(json.dumps({"type": "move", "id": "s", "version": 0, "move": "s:B"}))
            self.heard.append(("socket move", 0, masked(str(live.recv(timeout=PATIENCE)), self.twin.table)))
        status, line = self.server.plain.first_line(f"{self.path}/stream", bearer(self.token))
        self.heard.append(("stream", status, masked(line, self.twin.table)))

    def act(self, seed: int) -> None:
        """What the role may do: moves that bring no card, an undo, talk, leaving and coming back."""
        chance = random.Random(seed)
        self.post("talk", {"text": "hello"})
        self.post("hint", {"seconds": 0.05})
        for number in range(4):
            seen = self.ask("GET", self.path)
            if "options" not in seen or not seen["options"]:
                break
            quiet = [item["move"] for item in seen["options"]["legal"] if not item["cards"]]
            if quiet:
                body = {"id": f"q{number}", "version": seen["version"], "move": chance.choice(quiet)}
                self.post("moves", body)
                self.post("moves", body)
            seen = self.ask("GET", self.path)
            self.post("undo", {"id": f"u{number}", "version": seen["version"]})
        self.look_around()
        self.ask("GET", "/api/tables", limit=1)
        self.post("leave", {"seat": self.seat} if self.seat else {})
        self.post("back", {"seat": self.seat} if self.seat else {})
        self.token = (self.post("token") or {}).get("token", self.token)
        self.post("forget")
        self.ask("GET", self.path)


def compare(
    server: Server, pair: tuple[Twin, Twin], tokens: list[str], viewer: int, seed: int | None, *, several: bool = False
) -> list[str]:
    """Where the two games of a pair do not answer the same to that role. Without a seed the role does not act."""
    askers = [Asker(server, twin, tokens[viewer - 1] + twin.table if viewer else None, viewer) for twin in pair]
    for asker in askers:
        asker.look_around()
        if seed is not None:
            asker.act(seed)
        if several:
            asker.heard = [(what, status, ONLINE.sub("", text)) for what, status, text in asker.heard]
    one, two = (asker.heard for asker in askers)
    return [f"{a[0]}: {a[1:]} against {b[1:]}" for a, b in zip(one, two, strict=True) if a != b]


def pairs_trial(database: str, folder: Path, number: int, seed: int = 1) -> dict[str, Any]:
    """So many pairs, over all games and roles."""
    with running(database):
        pass  # the tables of the database are there now
    made, tokens, tried = store_new_pairs(database, number, seed)
    with process(database, folder, levels="", cached_tables=50) as server:
        return {"pairs": len(made), "tried": tried, **compare_all(server, made, tokens)}


def store_new_pairs(database: str, number: int, seed: int = 1) -> tuple[list[Made], list[str], int]:
    """Store so many pairs with their viewers. Returns them, the tokens of their seats and how many were tried."""
    tokens = [secrets.token_urlsafe(24) for _ in range(5)]
    made: list[Made] = []
    tried = 0
    while len(made) < number:
        tried += 1
        chance = random.Random(seed * 1_000_003 + tried)
        rules, seats = RULES[tried % len(RULES)], chance.randint(2, 4)
        viewer = chance.randint(0, seats)
        pair = make_pair(rules, seats, viewer, chance.randint(0, 45), seed * 1_000_003 + tried)
        if pair is not None:
            made.append((pair, viewer))
    asyncio.run(store(database, [twin for pair, _ in made for twin in pair], tokens))
    return made, tokens, tried


def compare_all(
    server: Server, made: list[Made], tokens: list[str], *, several: bool = False, acting: bool = True
) -> dict[str, Any]:
    """Compare the answers about all pairs. Of ``several`` servers each may answer."""
    wrong: list[str] = []
    for count, (pair, viewer) in enumerate(made):
        wrong += compare(server, pair, tokens, viewer, count if acting else None, several=several)
    return {"different": len(wrong), "first": wrong[:3]}
