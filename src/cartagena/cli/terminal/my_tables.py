"""The tables that a person has at a game server: listed with their turns first, opened, set up and joined."""

import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from cartagena.game import CartagenaError

from .connection import INVITATION, Connection, HeldSeat, SeatBook, ServerError, split_link, turns
from .notify_me import keep_told
from .play import Leave
from .screen import Terminal
from .server_table import LeaveTable, ServerTable, time_left
from .words import Words

ORDER: Final = ("", "playing", "waiting", "over")
"""Stages in the order of the list; the first stands for the person's turn."""
STAGES: Final = {"playing": "others_turn", "waiting": "table_waiting", "over": "table_over"}


@dataclass
class Row:
    """A table in the list: the person's seat there, and what the server says about it."""

    seat: HeldSeat
    state: dict[str, Any]
    held: set[str]
    """The tables where the person has a seat."""

    @property
    def yours(self) -> bool:
        return bool(self.state["yours"]) and self.state["stage"] == "playing"

    @property
    def invited(self) -> bool:
        """Whether a rematch or another table awaits the person."""
        return self.state.get("next") is not None and self.state["next"] not in self.held

    @property
    def rank(self) -> tuple[int, int]:
        """The place in the list: due turns first, the most urgent before the others."""
        stage = "" if self.yours else self.state["stage"]
        return (ORDER.index(stage) if stage in ORDER else len(ORDER), self.state["due"] or 2**62)

    def text(self, number: int, words: Words) -> str:
        stage = self.state["stage"]
        said = words("your_turn") if self.yours else words(STAGES.get(stage, "table_gone"))
        if self.invited:
            said = f"{said}, {words('invited')}"
        left = f", {time_left(self.state['due'], words)}" if self.state["due"] and stage == "playing" else ""
        return f"{number:>3}) {said}{left}: {self.seat.label or self.seat.table}"


class MyTables:
    """The list of tables at a server, and what a person can do there. ``new_table`` is what ``new`` sets up."""

    def __init__(self, connection: Connection, terminal: Terminal, new_table: dict[str, Any], name: str) -> None:
        self.connection, self.terminal, self.new_table, self.name = connection, terminal, new_table, name
        self.words = connection.words
        self.book = SeatBook()
        self.rows: list[Row] = []

    def run(self, link: str = "") -> None:
        """Serve the person until they leave, by Leave or EOFError. A link is joined first."""
        self.connection.greet()
        if link:
            self.open(self.join(link))
        self.list()
        while True:
            typed = self.terminal.ask(self.words("tables_prompt"))
            try:
                self.command(typed)
            except ServerError as error:
                self.terminal.say(self.words.reasons.get(error.reason) or self.words.refusal(error))
            except CartagenaError as error:
                self.terminal.say(self.words.refusal(error))

    def command(self, typed: str) -> None:
        """Carry out what was typed at the list."""
        word, _, rest = typed.partition(" ")
        commands: dict[str, Callable[[], None]] = {
            "": self.next,
            "new": lambda: self.open(self.create()),
            "join": lambda: self.open(self.join(rest.strip())),
            "invite": lambda: self.open(self.invite(rest.strip())),
            "tables": self.list,
            "help": lambda: self.terminal.say(self.words("server_help")),
            "quit": self.quit,
        }
        if typed.isascii() and typed.isdigit():
            self.open(self.numbered(typed))
        elif word.lower() in commands:
            commands[word.lower()]()
        else:
            self.terminal.say(self.words("server_help"))

    def numbered(self, typed: str) -> HeldSeat:
        """The seat at a table of the list."""
        number = int(typed[:9]) if typed.isascii() and typed.isdigit() else 0
        if not 1 <= number <= len(self.rows):
            raise CartagenaError(self.words("tables_number", n=len(self.rows)))
        return self.rows[number - 1].seat

    def list(self) -> None:
        """Show all tables of the person. One that the server no longer has is told once."""
        held = self.book.at(self.connection.url)
        states = turns(self.connection, held)
        names = {seat.table for seat in held}
        rows = (Row(seat, state, names) for seat, state in zip(held, states, strict=True))
        self.rows = sorted(rows, key=lambda row: row.rank)
        if not self.rows:
            self.terminal.say(self.words("tables_none", server=self.connection.url))
            return
        self.terminal.say("\n" + self.words("tables_title", server=self.connection.url))
        for number, row in enumerate(self.rows, 1):
            self.terminal.say(row.text(number, self.words))
            if row.state["code"] in ("no-such-table", "not-seated"):
                self.book.remove(row.seat)
        self.rows = [row for row in self.rows if row.state["code"] is None]

    def next(self) -> None:
        """Open the first table where it is the person's turn, if there is one."""
        self.list()
        if self.rows and self.rows[0].yours:
            self.open(self.rows[0].seat)

    def open(self, seat: HeldSeat) -> None:
        """Visit a table, and list the tables afterwards."""
        visited: HeldSeat | None = seat
        while visited is not None:
            table = ServerTable(self.connection, self.terminal, self.book, visited)
            with suppress(LeaveTable):
                table.visit()
            visited = table.onward
        self.list()

    def create(self) -> HeldSeat:
        """Set a table up and remember the seat and its invitations."""
        made = self.connection.post("/api/tables", self.new_table)
        table, token = str(made["table"]), str(made["token"])
        links = [f"{self.connection.url}{INVITATION}{table}/{each['invite']}" for each in made["invites"]]
        seat = keep_told(self.connection, self.book, HeldSeat(self.connection.url, table, token, links=links))
        try:
            self.connection.post(f"/api/tables/{table}/salt", {"salt": secrets.token_urlsafe(12)}, token)
        except ServerError as error:
            if error.code != "started":  # the server deals without waiting
                raise
        return seat

    def join(self, link: str) -> HeldSeat:
        """Take a seat by an invitation, or at a table of the lobby by its name."""
        server, table, invite = split_link(link) if INVITATION in link else (self.connection.url, link, "")
        if server != self.connection.url or not (table.isascii() and table.isalnum()):
            raise CartagenaError(self.words("invitation_bad", server=self.connection.url))
        held = [seat for seat in self.book.at(server) if seat.table == table]
        if held:
            return held[0]
        token = secrets.token_urlsafe(32)
        want = {"name": self.name, "salt": secrets.token_urlsafe(12), "token": token, "invite": invite or None}
        self.connection.post(f"/api/tables/{table}/join", want, again=True)
        return keep_told(self.connection, self.book, HeldSeat(server, table, token))

    def invite(self, number: str) -> HeldSeat:
        """Set a table up and invite the others of a finished game."""
        earlier = self.numbered(number)
        seat = self.create()
        want = {"table": earlier.table, "token": earlier.token}
        try:
            self.connection.post(f"/api/tables/{seat.table}/ask", want, seat.token, again=True)
        except ServerError:
            self.connection.post(f"/api/tables/{seat.table}/cancel", {}, seat.token)
            self.book.remove(seat)
            raise
        self.terminal.say(self.words("invited_others"))
        return seat

    def quit(self) -> None:
        raise Leave
