"""A table of a game server in the terminal: what happened, the board, and the person's turn."""

import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from cartagena.game import CartagenaError, Position
from cartagena.game.render.text import draw_text
from cartagena.rulesets import from_data

from ..sentences import harmless
from .colours import paint
from .connection import WAIT, Connection, HeldSeat, SeatBook, ServerError
from .notify_me import NotifyMe, keep_told
from .play import Leave, prompt, read_move
from .screen import Terminal
from .wording import numbered
from .words import Words, capital

DEAL_LOOKS, DEAL_WAIT = 4, 5
"""How often and for how many seconds the deal is waited for."""
DAY, HOUR, MINUTE = 86_400_000, 3_600_000, 60_000


def time_left(due: int, words: Words) -> str:
    """The time until ``due``, milliseconds since 1970, to the nearest whole: days from two on, hours, then minutes."""
    left = max(0, due - int(time.time() * 1000))
    hours = nearest(left, HOUR)
    if hours >= 48:
        amount = words.amount("days", nearest(left, DAY))
    elif left >= HOUR:
        amount = words.amount("hours", hours)
    else:
        amount = words.amount("minutes", -(-left // MINUTE))
    return words("time_left", time=amount)


def nearest(amount: int, unit: int) -> int:
    """The whole number of units that is nearest to an amount; of two, the larger one."""
    return (amount + unit // 2) // unit


def written(move: dict[str, Any]) -> str:
    """A move of an event in notation."""
    place, card = move.get("from") or "", move.get("card") or ""
    kinds = {"advance": f"{place}:{card}", "retreat": f"{place}<", "push": f"{move.get('seat')}@{place}"}
    return kinds.get(move["kind"], f"drop:{card}" if move["kind"] == "drop" else str(move["kind"]))


class ServerTable:
    """One table, as the person who holds ``seat`` sees it."""

    def __init__(self, connection: Connection, terminal: Terminal, book: SeatBook, seat: HeldSeat) -> None:
        self.connection, self.terminal, self.book, self.seat = connection, terminal, book, seat
        self.words = connection.words
        self.path = f"/api/tables/{seat.table}"
        self.now: dict[str, Any] = {}
        self.setup: dict[str, Any] = {}
        self.sure = False
        self.onward: HeldSeat | None = None
        """The seat at the next table, once the person has agreed to a rematch."""

    # --- the course of a visit

    def visit(self) -> None:
        """Show the table and play the turns that are the person's. Returns where only others can go on."""
        self.look()
        self.setup = self.now["setup"]
        self.await_deal()
        self.seat.label = self.label()
        if any(each["may_return"] and each["seat"] in self.now["you"]["seats"] for each in self.now["seats"]):
            self.do("back", {})
            self.terminal.say(self.words("seat_back"))
            self.look()
        played = False
        while self.now["stage"] != "over":
            if self.is_mine:
                self.turn()
                played = True
                continue
            self.show()
            self.tell_who_is_awaited()
            if self.setup["clock"]["kind"] != "post":
                self.await_turn()
            elif played or not self.linger():
                return
        self.show()
        self.tell_outcome()
        self.after_the_end()

    def turn(self) -> None:
        """Let the person choose while it is their turn."""
        self.show()
        while self.is_mine:
            position = self.position
            typed = self.terminal.ask(prompt(position, self.now["you"]["seat"], self.words))
            with self.refusals():
                if not self.command(typed):
                    self.play(read_move(position, typed, self.words).text)

    def linger(self) -> bool:
        """Let the person look around while others choose. Returns False when they go back to the list."""
        while self.now["stage"] != "over" and not self.is_mine:
            typed = self.terminal.ask(self.words("back_prompt"))
            if not typed:
                return False
            with self.refusals():
                if not self.command(typed):
                    self.terminal.say(self.words("server_help"))
        return True

    def after_the_end(self) -> None:
        """Let the person talk or play again until they go back to the list."""
        while typed := self.terminal.ask(self.words("over_prompt")):
            with self.refusals():
                if not self.command(typed):
                    self.terminal.say(self.words("server_help"))

    @contextmanager
    def refusals(self) -> Iterator[None]:
        """Say why something is not done, in one sentence."""
        try:
            yield
        except ServerError as error:
            self.terminal.say(self.words.reasons.get(error.reason) or self.words.refusal(error))
            if error.code in ("stale", "not-your-turn", "over"):
                self.refresh()
        except CartagenaError as error:
            self.terminal.say(self.words.refusal(error))

    def await_deal(self) -> None:
        """Wait a little for the cards of a table where every seat is taken; a host may hold them back."""
        for _ in range(DEAL_LOOKS):
            if self.now["stage"] != "waiting" or not all(each["taken"] for each in self.now["seats"]):
                return
            self.refresh(wait=DEAL_WAIT)

    def await_turn(self) -> None:
        """Wait until it is the person's turn, or the game is over. The others' moves are shown as they come."""
        while not self.is_mine and self.now["stage"] != "over":
            self.refresh(wait=WAIT)
            self.tell_news(heading=False)

    # --- what the server says

    def look(self) -> None:
        """Ask for the whole table, with all its events."""
        self.now = self.connection.get(self.path, self.seat.token, detail="text")

    def refresh(self, wait: int = 0) -> None:
        """Ask for what is new."""
        after = self.now["seq"]
        self.now = self.connection.get(f"{self.path}/events", self.seat.token, after=after, wait=wait, detail="text")

    def do(self, verb: str, body: dict[str, Any]) -> None:
        self.connection.post(f"{self.path}/{verb}", body, self.seat.token, again="id" in body)

    @property
    def position(self) -> Position:
        """The view of the seat that is looked through."""
        variant = self.setup.get("variant")
        return Position.parse(str(self.now["text"]), from_data(variant, "variant") if variant else None)

    @property
    def is_mine(self) -> bool:
        """True while the person must choose."""
        mine = self.now["you"]["seats"]
        if self.now["stage"] != "playing" or not self.now["text"]:
            return False
        chooser = self.position.turn
        return chooser in mine and self.now["seats"][chooser - 1]["level"] is None

    def name(self, seat: int) -> str:
        """The colour of a seat, and its player's name where there is one."""
        name = harmless(str(self.now["seats"][seat - 1]["name"]))
        return f"{name} ({self.words.colour(seat)})" if name else self.words.colour(seat)

    def label(self) -> str:
        """The table in a line of the list."""
        levels = [each["level"] if each["kind"] == "computer" else None for each in self.now["seats"]]
        players = [
            harmless(str(each["name"] or level or "?")) for each, level in zip(self.now["seats"], levels, strict=True)
        ]
        return f"{harmless(str(self.setup['rules']))}, {' - '.join(players)}"

    # --- what is shown

    def show(self) -> None:
        """Show what happened since the person last looked, the board, and the legal moves."""
        if not self.now["text"]:
            self.tell_news()
            return
        position = self.position
        parts = [paint(draw_text(position, self.words.board), self.words.board)]
        if self.is_mine:
            parts.append(numbered(position, self.words))
        self.tell_news()
        self.terminal.say("\n" + "\n\n".join(parts))

    def tell_news(self, *, heading: bool = True) -> None:
        """Tell what the others did since the person last looked, and whether the person's own time ran out."""
        lines: list[str] = []
        speaker, mine = 0, self.now["you"]["seats"]
        for event in self.now["events"]:
            is_own = event.get("seat") in mine and event.get("why") != "time"
            if event["seq"] <= self.seat.seen or is_own:
                continue
            text = self.news(event)
            if event["type"] == "move" and event["seat"] == speaker:
                lines[-1] += f" {text}"
            elif text:
                lines.append(f"  {self.name(event['seat'])}: {text}")
            speaker = event["seat"] if event["type"] == "move" else 0
        if lines:
            self.terminal.say("\n".join(([f"\n{self.words('news')}"] if heading else []) + lines))
        self.seat.seen = max(self.seat.seen, self.now["seq"])
        self.book.keep(self.seat)

    def news(self, event: dict[str, Any]) -> str:
        """What an event of another seat says; empty for what is not told."""
        match event["type"]:
            case "move":
                return " ".join([written(event["move"]), *(event.get("cards") or [])])
            case "talk":
                return f"“{harmless(str(event['text']))}”"
            case "holiday":
                return self.words("holiday_until", until=local_time(event["until"]))
            case "resigned" | "left" as kind:
                late = f"{self.words('time_up')}, " if event.get("why") == "time" else ""
                return late + self.words(kind)
            case _:
                return ""

    def tell_who_is_awaited(self) -> None:
        """Say whose turn it is and how long it may last, or who may still join."""
        if self.now["stage"] == "waiting":
            self.terminal.say(capital(self.words("table_waiting")) + ".")
            for link in self.seat.links:
                self.terminal.say(self.words("invitation", link=link))
            return
        chooser = self.position.turn
        due = (self.now["clock"] or {}).get("due")
        left = f" ({time_left(due, self.words)})" if due else ""
        self.terminal.say(capital(self.words("turn", name=self.name(chooser))) + left)

    def tell_outcome(self) -> None:
        """Say how the game ended."""
        outcome = self.now["outcome"] or {}
        if outcome.get("winner"):
            self.terminal.say(capital(self.words("won", name=self.name(outcome["winner"]))))
        elif outcome.get("how") in ("becalmed", "deadlock"):
            self.terminal.say(self.words(outcome["how"]))
        else:
            self.terminal.say(capital(self.words("table_over")) + ".")

    # --- what the person types

    def command(self, typed: str) -> bool:
        """Carry out a typed word. Returns False where it is none."""
        word, _, rest = typed.partition(" ")
        word, rest = word.lower(), rest.strip()
        commands: dict[str, Callable[[], None]] = {
            "undo": lambda: self.change("undo"),
            "board": self.show,
            "help": lambda: self.terminal.say(f"{self.words.help}\n{self.words('server_help')}"),
            "save": lambda: self.terminal.say(self.words("server_keeps")),
            "holiday": lambda: self.take_holiday(rest),
            "talk": lambda: self.talk(rest),
            "notify": lambda: self.notify_me.command(rest),
            "rematch": self.rematch,
            "resign": self.resign,
            "tables": leave_table,
            "quit": leave,
        }
        self.sure = self.sure and word == "resign"
        if word not in commands:
            return False
        commands[word]()
        return True

    def play(self, move: str) -> None:
        """Play a move, and show what came of it."""
        self.change("moves", move=move)
        dealt = [card[1:] for event in self.now["events"] for card in event.get("cards") or []]
        if dealt:
            self.terminal.say(self.words("dealt", cards=" ".join(dealt)))

    def change(self, verb: str, **more: str) -> None:
        """Send a move, or take one back."""
        self.do(verb, {"id": secrets.token_hex(8), "version": self.now["version"], **more})
        self.refresh()
        if self.is_mine:
            self.show()

    def take_holiday(self, days: str) -> None:
        if not (days.isascii() and days.isdigit()):
            raise CartagenaError(self.words("holiday_how"))
        self.do("holiday", {"days": int(days[:3])})
        self.refresh()
        until = self.now["seats"][self.now["you"]["seat"] - 1]["holiday"]
        self.terminal.say(capital(self.words("holiday_until", until=local_time(until))) + ".")

    @property
    def notify_me(self) -> NotifyMe:
        return NotifyMe(self.connection, self.terminal, self.seat)

    def talk(self, text: str) -> None:
        if not text:
            raise CartagenaError(self.words("talk_how"))
        self.do("talk", {"text": text})

    def rematch(self) -> None:
        """Go to the rematch, or to the table to which the others were invited. It is set up where there is none."""
        self.refresh()
        following, token = self.now["next"], self.seat.token
        if following is None:
            following = self.connection.post(f"{self.path}/rematch", {}, token, again=True)["table"]
        else:
            mine = self.now["seats"][self.now["you"]["seat"] - 1]
            want = {"name": str(mine["name"]), "salt": secrets.token_urlsafe(12)}
            self.connection.post(f"/api/tables/{following}/join", want, token, again=True)
        self.onward = keep_told(self.connection, self.book, HeldSeat(self.seat.server, str(following), token))
        leave_table()

    def resign(self) -> None:
        """Give the game up, when the word is typed twice."""
        if not self.sure:
            self.sure = True
            self.terminal.say(self.words("resign_sure"))
            return
        self.do("resign", {})
        self.refresh()


class LeaveTable(Exception):
    """The person goes back to the list of tables."""


def leave_table() -> None:
    raise LeaveTable


def leave() -> None:
    raise Leave


def local_time(at: int) -> str:
    """A time in milliseconds since 1970, in the person's own time zone."""
    return datetime.fromtimestamp(at / 1000).astimezone().strftime("%Y-%m-%d %H:%M")
