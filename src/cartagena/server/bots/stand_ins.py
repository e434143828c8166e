"""Stand-ins for computer players that fail: the levels that need no compiled code, in the serving process."""

import asyncio
import logging
import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from cartagena.game import Position
from cartagena.players import LEVELS, Player, choose, create

log = logging.getLogger("cartagena.computers")
LEVELS_IN_PROCESS: Final = ("sailor", "deckhand")
"""Levels that are plain Python, the stronger first."""


def levels_below(level: str) -> tuple[str, ...]:
    """Stand-ins for a level, the strongest first: none is stronger than the level itself."""
    if level not in LEVELS:
        return LEVELS_IN_PROCESS
    return tuple(each for each in LEVELS_IN_PROCESS if LEVELS.index(each) <= LEVELS.index(level))


class StandIns:
    """Players of the serving process. They think in one thread, one after another."""

    def __init__(self) -> None:
        self.thread = ThreadPoolExecutor(1, "stand-in")
        self.players: dict[str, Player] = {}

    async def choose(self, level: str, view: Position, game: str) -> tuple[str, str]:
        """The level that stands in and its move. Raises the error of the weakest one if all fail."""
        return await asyncio.get_running_loop().run_in_executor(self.thread, self._choose, level, view, game)

    def _choose(self, level: str, view: Position, game: str) -> tuple[str, str]:
        *stronger, weakest = levels_below(level)
        for each in stronger:
            try:
                return each, self._move(each, view, game)
            except Exception:
                log.exception("a stand-in failed", extra={"player": each})
        return weakest, self._move(weakest, view, game)

    def _move(self, level: str, view: Position, game: str) -> str:
        if level not in self.players:
            self.players[level] = create(level, secrets.randbelow(2**31))
        return str(choose(self.players[level], view, game=game).move)

    def stop(self) -> None:
        """End the thread."""
        self.thread.shutdown(wait=False, cancel_futures=True)
