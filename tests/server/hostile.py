"""Hostile input: frames and requests that no honest client sends."""

import json
import random
from typing import Any

from websockets.exceptions import ConnectionClosed

from .rig import Person, Server, bearer

WORDS = (
    "type",
    "hello",
    "move",
    "id",
    "version",
    "seat",
    "token",
    "after",
    "text",
    "talk",
    "undo",
    "look",
    "resign",
    "ping",
    "n",
)
VALUES: tuple[Any, ...] = (
    None, True, -1, 0, 1, 5, 10**400, 1.5, "", "x", "29:B", "end", "+B", "17<", "\x00", "\ud800", "é" * 50, "<script>",
    "' OR 1=1 --", "../../etc/passwd", "%00%n%s", [], {}, [[]], {"a": {}}, "A" * 3000, "NaN",
)  # fmt: skip
PATHS = (
    "/api/tables", "/api/tables/{t}", "/api/tables/{t}/moves", "/api/tables/{t}/join", "/api/tables/{t}/undo",
    "/api/tables/{t}/events", "/api/tables/{t}/talk", "/api/tables/{t}/hint", "/api/tables/{t}/record",
    "/api/tables/{t}/salt",
    "/api/tables/%2e%2e", "/api/tables/{t}%00", "/api//tables", "/..%2f..%2fetc/passwd", "/assets/../../x",
    "/api/tables/{t}/invites/9",
)  # fmt: skip


GOING = ("resign", "leave")  # what an opening allows and any player may ask for; no move of VALUES is legal there


def some_json(chance: random.Random) -> str:
    value: Any = {chance.choice(WORDS): chance.choice(VALUES) for _ in range(chance.randint(0, 5))}
    if chance.random() < 0.5:
        value["type"] = chance.choice(("move", "undo", "talk", *GOING, "back", "look", "ping"))
        if value["type"] in GOING:
            value["colour"] = chance.choice(VALUES)  # no such field: never an honest wish
    text = json.dumps(value)
    if chance.random() < 0.3:
        cut = chance.randrange(len(text) + 1)
        text = (
            text[:cut]
            + chance.choice(("", "}", "{", '"', "\\u0000", "[" * 1000, "NaN"))
            + text[cut + chance.randint(0, 3) :]
        )
    return text[:4000]


def some_bytes(chance: random.Random) -> bytes:
    return bytes(chance.randrange(256) for _ in range(chance.randint(0, 200)))


def frames(server: Server, person: Person, count: int, chance: random.Random) -> int:
    """Hostile frames over as many sockets as it takes; how many were sent."""
    sent = 0
    while sent < count:
        try:
            with server.socket(person.table, {"token": person.token} if chance.random() < 0.8 else None) as live:
                for _ in range(50):
                    live.send(some_bytes(chance) if chance.random() < 0.05 else some_json(chance))
                    sent += 1
                while True:
                    check_text(str(live.recv(timeout=0.05)))
        except (ConnectionClosed, TimeoutError, OSError, UnicodeEncodeError):
            continue
    return sent


def requests(server: Server, person: Person, count: int, chance: random.Random) -> list[int]:
    """Hostile requests; their status codes."""
    found = []
    for _ in range(count):
        path = chance.choice(PATHS).replace("{t}", person.table)
        body = some_bytes(chance) if chance.random() < 0.3 else some_json(chance).encode("utf-8", "replace")
        headers = bearer(
            person.token if chance.random() < 0.5 else "".join(chance.choices("abc-_ ", k=20)).strip() or "x"
        )
        if chance.random() < 0.7:
            headers["content-type"] = "application/json"
        status, text = server.plain.request(
            chance.choice(("GET", "POST", "PUT", "DELETE", "HEAD")), path, body, headers
        )
        check_text(text)
        found.append(status)
    return found


def check_text(text: str) -> None:
    """Nothing of our inside reaches the client."""
    for sign in ("Traceback", "sqlalchemy", "site-packages", 'File "', "asyncpg", ".py"):
        assert sign not in text, text[:500]
