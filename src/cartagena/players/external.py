"""Programs that play: ``cmd:PROGRAM`` in the registry, a player at the other end of an engine client."""

import shlex
import threading
from typing import Final

from cartagena.errors import CartagenaError, PlayerError, PlayerFailed
from cartagena.game import Move, Position

from .engine_client import SyncEngineClient
from .model import Analysis, Limit, check_view

PATIENCE: Final = 10.0
"""Seconds that an external player may take for a move where its limit names no time."""
START: Final = 20.0
"""Seconds more for the first answer of a program that has just been started."""
GRACE: Final = 1.0
"""Seconds beyond the limit before an external player counts as hung; the arena counts overruns by its own clock."""
_changing = threading.Lock()  # of the program of an external player; not its own, so that players can be pickled


class ExternalPlayer:
    """A program that plays. It is started by its first decision and ended by ``close``.

    A program that crashes, hangs or gives an invalid answer is ended; the next decision starts it again.
    """

    def __init__(self, command: str) -> None:
        self.words = split_command(command)
        self.name = f"cmd:{command}"
        self.game: str | None = "1"
        self.engine: SyncEngineClient | None = None

    def enter_game(self, game: str | None) -> None:
        """Name the game that the next moves are played in."""
        self.game = game

    def decide(self, view: Position, limit: Limit | None = None) -> Move:
        """Ask the program for a move, and check it."""
        return self.ask(view, limit, self.game)

    def analyse(self, view: Position, limit: Limit | None = None) -> Analysis:
        """Ask the program for a move outside of any game."""
        return Analysis(self.ask(view, limit, None))

    def choose(self, view: Position, limit: Limit | None = None) -> Analysis:
        """Ask the program for a move in the present game."""
        return Analysis(self.decide(view, limit))

    def ask(self, view: Position, limit: Limit | None, game: str | None) -> Move:
        check_view(view)
        shown = view.view(view.turn)
        patience = GRACE + (PATIENCE if limit is None or limit.time is None else limit.time)
        with _changing:
            if self.engine is None:
                self.engine = SyncEngineClient(self.words, name=self.name)
                patience += START
            engine = self.engine
        try:
            return self.checked(shown, engine.go(shown, limit, game=game, timeout=patience)["move"])
        except PlayerFailed as error:
            self.close()
            raise PlayerFailed(str(error), engine.client.output) from None

    def checked(self, view: Position, word: str) -> Move:
        """The move, if it is one and legal."""
        try:
            move = Move.parse(word)
            error = view.why_not(move)
        except CartagenaError:
            raise PlayerFailed(f"{self.name}: answered {word[:40]!r}, which is not a move") from None
        if error is not None:
            raise PlayerFailed(f"{self.name}: answered {word}, which is illegal: {error}")
        return move

    def close(self) -> None:
        """End the program."""
        with _changing:
            engine, self.engine = self.engine, None
        if engine is not None:
            engine.close()


def split_command(command: str) -> list[str]:
    """The words of a command line."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words:
        raise PlayerError("cmd: needs a program behind it, for example cmd:./my-bot")
    return words
