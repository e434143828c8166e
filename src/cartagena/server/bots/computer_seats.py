"""Computer seats and hints: the computer chooses at every table that waits for it, a weaker one where it fails.

A hint comes from the view of the asking seat only.
"""

import asyncio
import logging
import math
import secrets
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final

from cartagena.errors import CartagenaError, IllegalMove, PlayerError
from cartagena.game import NO_SEAT, Move, Position
from cartagena.kernel.moves import may_act
from cartagena.players import LEVELS, Player, choose, create

from ..addresses import shares
from ..live.lease import Lease
from ..live.live_table import LiveTable, TableObserver
from ..live.registry import TableRegistry
from ..protocol.encoding import move_fields
from ..protocol.errors import Refused
from ..protocol.requests import AskHint
from ..settings import Settings
from ..tables import decide
from ..tables.clocks import Moment
from ..tables.decide import Change
from ..tables.state import Table
from ..tables.tokens import Requester
from ..tasks import Lull
from .pool import COMPUTERS_ONLY, PEOPLE, Pool, Question

log = logging.getLogger("cartagena.computers")
LEVELS_IN_PROCESS: Final = ("sailor", "deckhand")
"""Levels that are plain Python, the stronger first."""
PER_ADDRESS: Final = 3  # hints of an address at once
WITHOUT_SEARCH: Final = ("deckhand", "sailor", "gunner")
STEP: Final = 0.1
"""Seconds of a step for a level that does not search. The gunner takes about 1 ms with the way to its engine. At large
tables of Tortuga and the nest up to 5 of 100 decisions take more than 20 ms, and at most 90 ms (see ``bench/pace.py``).
So each decision is made within the first step, and a turn of three waits no longer than its steps."""
SEARCH_STEP: Final = 0.75
"""Seconds of a step for a level that searches: ``engine_seconds`` and what the way to the engine and back takes."""


def has_people(table: Table) -> bool:
    """Whether a person plays at the table."""
    return any(not chair.by_computer for chair in table.chairs)


def step_of(level: str, settings: Settings) -> float:
    """The step of a level in seconds. Nothing is known of how long other programs than our own players take."""
    if not settings.pace:
        return 0.0
    return STEP if level in WITHOUT_SEARCH and not settings.engine else SEARCH_STEP


def pause_until_step(passed: float, step: float) -> float:
    """Seconds until the next multiple of a step that is not over."""
    return max(1, math.ceil(passed / step)) * step - passed if step > 0 else 0.0


def is_plain_end(position: Position) -> bool:
    """Whether everybody can see that nothing but ``end`` is legal: no action is left, or the hand is open or empty.

    An ``end`` that is forced by a hidden hand is no plain end: that it comes at once would tell about the hand.
    """
    public = position.view(NO_SEAT)
    if public.turn == public.active and not may_act(public.table, public.state()):
        return True
    try:
        return public.legal_words() == ["end"]
    except IllegalMove:  # the hand of the seat that must choose is hidden
        return False


class ComputerSeats(TableObserver):
    """Plays the computer seats of all tables in memory, each table in a task of its own."""

    def __init__(self, registry: TableRegistry, pool: Pool, settings: Settings) -> None:
        self.registry = registry
        self.pool = pool
        self.settings = settings
        self.stand_ins = StandIns()
        self.lull = Lull()
        self.thinking: set[str] = set()
        """Ids of the tables with a task."""
        self.stopping = False

    def changed(self, live: LiveTable) -> None:
        """Have the engines of a new table ready. Start a task if the computer must choose and none is running."""
        if not live.is_gone and live.table.stage != "over" and self.registry.cares(live):
            for level in {chair.level for chair in live.table.chairs if chair.by_computer and chair.level}:
                self.pool.prepare(level)
        if live.id not in self.thinking and self._may_play(live):
            self.thinking.add(live.id)
            self.registry.spawn(self._play_on(self.registry.hold(live)))

    def looked_at(self, live: LiveTable) -> None:
        """Let the computers of a table without people go on."""
        self.changed(live)

    def _may_play(self, live: LiveTable) -> bool:
        """Whether the computer must choose now. A table of computers only plays while it is watched."""
        if not live.table.chooser_is_computer or self.stopping or live.is_gone or not self.registry.cares(live):
            return False
        return has_people(live.table) or live.viewers > 0 or live.was_looked_at

    async def _play_on(self, lease: Lease) -> None:
        """Play until a person must choose, the game is over or the server stops."""
        with lease as live:
            try:
                while self._may_play(live):
                    await self._play_once(live)
            except Refused as error:
                log.info("a computer's move was refused", extra={"table": live.id, "why": error.code})
            except Exception:
                log.exception("a computer seat failed", extra={"table": live.id})
                self.registry.read_again(live)
            finally:
                self.thinking.discard(live.id)

    async def _play_once(self, live: LiveTable) -> None:
        table, began = live.table, asyncio.get_running_loop().time()
        seat, version = table.chooser, table.version
        asked = table.chair(seat).level or ""
        if is_plain_end(decide.must_play(table)):
            level, move = asked, "end"
        else:
            level, move = await self._choose(live, seat, asked)
            passed = asyncio.get_running_loop().time() - began
            await asyncio.sleep(pause_until_step(passed, step_of(asked, self.settings)))
        await self.lull.wait()

        def proposal(table: Table, now: Moment) -> Change:
            if table.version != version or table.chooser != seat or not table.chooser_is_computer:
                return Change()  # the game has moved on, or the person is back
            return decide.play_by_computer(table, seat, level, move, now)

        if not self.stopping:
            await self.registry.change(live, proposal)

    async def _choose(self, live: LiveTable, seat: int, asked: str) -> tuple[str, str]:
        """The level that chooses and its move: the level that is asked, or a weaker one if that fails.

        A move that only a hidden hand forces is asked for as well: it must wait where any other move would.
        """
        table, rank = live.table, PEOPLE if has_people(live.table) else COMPUTERS_ONLY
        view = decide.must_play(table).view(seat)
        move = await self.pool.choose(asked, view, table.id, live.addresses, rank)
        live.updates.hurried = asked if self.pool.hurry.is_short else None
        if move is not None:
            return asked, move
        if self.stopping:
            raise Refused("stopping", "The server is stopping.")
        async with self.pool.queue.turn(live.addresses or (table.id,), rank):
            return await self.stand_ins.choose(asked, view, table.id)

    def stop(self) -> None:
        """Start nothing new."""
        self.stopping = True
        self.stand_ins.stop()


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


# --- hints for people


def one_hint_only() -> Refused:
    return Refused("too-many", "The computer thinks about a hint for this seat already.", retry_after=2, limit="hints")


def checked_answer(answer: dict[str, object], view: Position, most: int) -> dict[str, object]:
    """An answer with its moves as fields and at most that many turns. Raises PlayerError if a move makes no sense."""
    if answer.get("move") not in view.legal_words():
        raise PlayerError("The answer is not a legal move.")
    turns = answer.get("turns", [])
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
        raise PlayerError("The turns of the answer cannot be read.")
    read = [{**turn, "moves": read_moves(turn.get("moves"))} for turn in turns[:most]]
    rest = {key: value for key, value in answer.items() if key not in ("id", "turns")}
    return {**rest, "move": read_moves([answer["move"]])[0], **({"turns": read} if "turns" in answer else {})}


def read_moves(words: object) -> list[dict[str, object]]:
    """Moves in notation as fields."""
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise PlayerError("The moves of the answer cannot be read.")
    try:
        return [move_fields(Move.parse(word)) for word in words]
    except CartagenaError as error:
        raise PlayerError(str(error)) from None


class Hints:
    """Answers requests for hints. A hint is an analysis, so the player remembers nothing of it."""

    def __init__(self, pool: Pool, levels: tuple[str, ...]) -> None:
        self.pool = pool
        self.levels = levels
        self.busy: dict[tuple[str, int], str] = {}

    async def ask(self, live: LiveTable, who: Requester, want: AskHint, owner: str) -> dict[str, object]:
        """A move for the seat that must choose, with values, turns and reasons. ``owner`` is the asking address."""
        table = live.table
        seat = decide.seat_for(table, who, want.seat)
        view, level, version = decide.must_play(table).view(seat), self._level(table, seat, want), table.version
        with self.only_one(table.id, seat, owner):
            try:
                async with self.pool.alone(f"hint:{table.id}:{seat}", want.seconds) as alone:
                    if not alone:
                        raise one_hint_only()
                    answer = await self.pool.ask(Question(level, view, want.seconds, owners=(owner,)))
                hint = checked_answer(answer, view, want.turns)
            except PlayerError:
                raise Refused("no-computer", "The computer player gave no answer; try again.") from None
        return {"version": version, "level": level, "answer": hint}

    @contextmanager
    def only_one(self, table_id: str, seat: int, owner: str) -> Iterator[None]:
        """Allow one hint at a time for a seat and few for an address and its networks."""
        if (table_id, seat) in self.busy:
            raise one_hint_only()
        asked = Counter(share for other in self.busy.values() for share in shares(other))
        if any(asked[share] >= PER_ADDRESS * share.visitors for share in shares(owner)):
            sentence = "Too many hints are asked for at once; wait a moment."
            raise Refused("too-many", sentence, retry_after=2, limit="hints")
        self.busy[table_id, seat] = owner
        try:
            yield
        finally:
            del self.busy[table_id, seat]

    def _level(self, table: Table, seat: int, want: AskHint) -> str:
        """The level that answers. Raises Refused if the table, the turn or the level does not allow a hint."""
        if table.persons > 1 and not table.setup.hints:
            raise Refused("off", "Hints are off: the players at this table did not agree to them.")
        if table.chooser != seat:
            raise Refused("not-your-turn", "Hints are given to the seat that must choose.", version=table.version)
        if not self.levels or (want.level is not None and want.level not in self.levels):
            raise Refused("no-computer", f"There are no hints of level {want.level or 'any'} here.")
        return want.level or self.levels[-1]
