"""The engine's thinking: ``go`` asks a player what it would do, ``stop`` makes it answer now.

A player thinks beside the conversation, so its answer comes when it is ready, and other commands are answered
meanwhile. It is shown the view of the seat to choose, whatever position was sent.
"""

import threading
from collections.abc import Callable
from typing import Any, Final

from cartagena.game import CartagenaError, Position
from cartagena.players import Analysis, Limit, Player, analyse, create

from .protocol import Answer, Command, Request, RequestError, describe, write_line

LIMITS: Final = ("time", "nodes")
DIGITS: Final = 4


class Thinker:
    """One player that thinks about one position at a time."""

    def __init__(self, player: Player, send: Callable[[bytes], None]) -> None:
        self.player = player
        self.send = send
        self.thread: threading.Thread | None = None

    def commands(self) -> dict[str, Command]:
        return {"go": self.go, "stop": self.stop}

    def go(self, request: Request) -> Answer | None:
        """Start to think; the answer is sent when the player is ready."""
        view, limit = read_view(request), read_limit(request.fields.get("limit"))
        if self.thread is not None and self.thread.is_alive():
            raise RequestError("busy", "The player is thinking already; send stop first.")
        go_on = getattr(self.player, "go_on", None)
        if go_on is not None:  # before the thread is there, so that a stop right behind this is not lost
            go_on()
        self.thread = threading.Thread(target=self.think, args=(request.id, view, limit), daemon=True)
        self.thread.start()
        return None

    def stop(self, _: Request) -> Answer:
        """Make the player answer now with what it knows."""
        thinking = self.thread is not None and self.thread.is_alive()
        halt = getattr(self.player, "stop", None)
        if thinking and halt is not None:
            halt()
        return {"stopped": thinking}

    def think(self, begin: Answer, view: Position, limit: Limit | None) -> None:
        """Ask the player and send what it says."""
        try:
            answer = say(analyse(self.player, view, limit))
        except CartagenaError as error:
            answer = {"error": describe(error)}
        except Exception as error:
            answer = {"error": {"code": "player-failed", "message": f"The player failed: {type(error).__name__}."}}
        self.send(write_line({**begin, **answer}))

    def finish(self) -> None:
        """Wait for the last answer."""
        if self.thread is not None:
            self.thread.join()


def read_view(request: Request) -> Position:
    """The view of the seat that must choose; whatever else was sent is hidden here."""
    position = Position.parse(request.text("view"))
    if position.turn == 0:
        raise RequestError("nothing-to-choose", "Nobody has to choose in this position.")
    return position.view(position.turn)


def read_limit(given: Any) -> Limit | None:
    """``{"time": seconds, "nodes": number}``, both optional; none at all is the player's own."""
    if given is None:
        return None
    if not isinstance(given, dict) or not set(given) <= set(LIMITS):
        raise RequestError("bad-request", 'limit must be an object like {"time":1.0,"nodes":10000}.')
    time, nodes = given.get("time"), given.get("nodes")
    if isinstance(time, bool) or not isinstance(time, int | float | None):
        raise RequestError("bad-request", "time must be a number of seconds.")
    if isinstance(nodes, bool) or not isinstance(nodes, int | None):
        raise RequestError("bad-request", "nodes must be a whole number.")
    return Limit(time=time, nodes=nodes) if given else None


def say(analysis: Analysis) -> Answer:
    """An analysis as the fields of an answer."""
    turns = [{"moves": [str(move) for move in line.moves], "value": rounded(line.value)} for line in analysis.turns]
    return {
        "move": str(analysis.move),
        "value": rounded(analysis.value),
        "turns": turns,
        "why": list(analysis.why),
        "nodes": analysis.nodes,
    }


def rounded(values: tuple[float, ...]) -> list[float]:
    return [round(value, DIGITS) for value in values]


def thinker(name: str, seed: int, send: Callable[[bytes], None]) -> Thinker:
    """A thinker for a player of the registry."""
    return Thinker(create(name, seed), send)
