"""The engine's thinking: ``go`` asks a player for a move, ``stop`` makes it answer at once.

A player thinks in a thread of its own, so its answer comes when it is ready, and other commands are answered
meanwhile. It is shown the view of the seat to choose, whichever position was sent.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from cartagena.game import CartagenaError, Position
from cartagena.players import Analysis, Limit, Player, choose, create

from .protocol import Answer, Command, Request, RequestError, error_fields, write_line

LIMITS: Final = ("time", "nodes")
DIGITS: Final = 4
MAX_GAME: Final = 200


class Thinker:
    """One player that thinks about one position at a time.

    A request is over before its answer is written: a ``go`` that follows the answer is never refused. ``lock`` guards
    ``thinking`` and keeps the answers of two requests in order.
    """

    def __init__(self, player: Player, send: Callable[[bytes], None]) -> None:
        self.player = player
        self.send = send
        self.lock = threading.Lock()
        self.thinking = False
        self.thread: threading.Thread | None = None

    def commands(self) -> dict[str, Command]:
        return {"go": self.go, "stop": self.stop}

    def go(self, request: Request) -> Answer | None:
        """Start to think. The answer is sent when the player is ready."""
        view = read_view(request)
        asked = view, read_limit(request.fields.get("limit")), read_game(request), read_explain(request)
        begin = {**request.id, **({"legal": view.legal_words()} if request.fields.get("legal") is True else {})}
        with self.lock:
            if self.thinking:
                raise RequestError("busy", "The player is thinking already; send stop first.")
            self.thinking = True
        go_on = getattr(self.player, "go_on", None)
        if go_on is not None:  # before the thread starts, so that a stop right after this request is not lost
            go_on()
        self.thread = threading.Thread(target=self.think, args=(begin, *asked), daemon=True)
        self.thread.start()
        return None

    def stop(self, _: Request) -> Answer:
        """Make the player answer now with what it has found."""
        return {"stopped": self.halt()}

    def halt(self) -> bool:
        """Stop the player if it thinks and can be stopped. Returns whether it was thinking."""
        with self.lock:
            halt = getattr(self.player, "stop", None)
            if self.thinking and halt is not None:
                halt()
            return self.thinking

    def think(self, begin: Answer, view: Position, limit: Limit | None, game: str | None, explain: bool) -> None:
        """Ask the player and send its answer."""
        try:
            chosen = choose(self.player, view, limit, game, explain=explain)
            line = write_line({**begin, **(analysis_fields(chosen) if explain else {"move": str(chosen.move)})})
        except CartagenaError as error:
            line = write_line({**begin, "error": error_fields(error)})
        except (Exception, SystemExit) as error:
            failed = {"code": "player-failed", "message": f"The player failed: {type(error).__name__}."}
            line = write_line({**begin, "error": failed})
        with self.lock, suppress(OSError):  # the reader may have left
            self.thinking = False
            self.send(line)

    def finish(self) -> None:
        """Stop the player and wait for its last answer."""
        self.halt()
        self.wait()

    def wait(self) -> None:
        """Wait for the last answer."""
        if self.thread is not None:
            self.thread.join()


def read_view(request: Request) -> Position:
    """The view of the seat that must choose. Everything else in the position is hidden here."""
    position = request.position("view")
    if position.turn == 0:
        raise RequestError("nothing-to-choose", "No seat has to choose in this position.")
    return position.view(position.turn)


def read_limit(given: Any) -> Limit | None:
    """``{"time": seconds, "nodes": number}``, both optional. Without either, the player's own limit holds."""
    if given is None:
        return None
    if not isinstance(given, dict) or not set(given) <= set(LIMITS):
        raise RequestError("bad-request", 'limit must be an object like {"time":1.0,"nodes":10000}.')
    time, nodes = given.get("time"), given.get("nodes")
    if isinstance(time, bool) or not isinstance(time, int | float | None):
        raise RequestError("bad-request", "time must be a number of seconds.")
    if isinstance(nodes, bool) or not isinstance(nodes, int | None):
        raise RequestError("bad-request", "nodes must be a whole number.")
    return Limit(time=time, nodes=nodes)


def read_game(request: Request) -> str | None:
    """The name of the game that is played, or None."""
    if request.fields.get("game") is None:
        return None
    game = request.text("game")
    if len(game) > MAX_GAME:
        raise RequestError("bad-request", f"game must have at most {MAX_GAME} characters.")
    return game


def read_explain(request: Request) -> bool:
    """Whether values, turns and reasons are wanted besides the move, as they are unless the request says otherwise."""
    explain = request.fields.get("explain", True)
    if not isinstance(explain, bool):
        raise RequestError("bad-request", "explain must be true or false.")
    return explain


def analysis_fields(analysis: Analysis) -> Answer:
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
