"""Computer seats: players that think in processes of their own, at low priority, from their seat's view only.

A player is any program that speaks JSON lines: ``{"id": 1, "cmd": "go", "view": "…", "limit": {"time": 0.7}}`` is
answered by a line with the same id and a ``move``. The serving process loads none of their code.
"""

import asyncio
import itertools
import json
import logging
import math
import os
import secrets
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

from ..metrics import THINKING
from ..protocol.errors import Refused
from ..protocol.requests import AskHint
from ..settings import Settings
from ..tables import decide
from ..tables.decide import Change, seat_for
from ..tables.registry import LoadedTable, TableRegistry
from ..tables.state import Table
from ..tables.tokens import Requester

log = logging.getLogger("cartagena.computers")
PATIENCE: Final = 60.0  # on top of the thinking time: a first start may compile
TRIES: Final = 2
RETRY: Final = 5.0
MAX_LINE: Final = 1 << 20
SPARE: Final = 3  # processes of other levels that may wait for their next turn
ONE_THREAD: Final = {"NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


class PlayerFailed(Exception):
    """A computer player did not answer as it should."""


def default_command(level: str) -> list[str]:
    """The player that comes along."""
    seed = str(secrets.randbelow(2**31))
    return [str(Path(sys.executable).with_name("cartagena")), "engine", "--player", level, "--seed", seed]


def command_line(settings: Settings, level: str) -> list[str]:
    command = settings.engine_command(level) if settings.engine else default_command(level)
    nice = shutil.which("nice")
    return [nice, "-n", "10", *command] if nice else command


class Process:
    """One running player."""

    def __init__(self, level: str, process: asyncio.subprocess.Process) -> None:
        self.level = level
        self.process = process
        self.numbers = itertools.count(1)

    @classmethod
    async def start(cls, settings: Settings, level: str) -> "Process":
        try:
            process = await asyncio.create_subprocess_exec(
                *command_line(settings, level),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=MAX_LINE,
                start_new_session=True,
                env={**os.environ, **ONE_THREAD},
            )
        except OSError as error:
            raise PlayerFailed(f"cannot be started: {error.strerror}") from None
        return cls(level, process)

    @property
    def alive(self) -> bool:
        return self.process.returncode is None

    async def ask(self, request: dict[str, Any], patience: float) -> dict[str, Any]:
        """Send a request and wait for the line that answers it."""
        number = next(self.numbers)
        stdin, stdout = self.process.stdin, self.process.stdout
        if stdin is None or stdout is None:
            raise PlayerFailed("has no pipes")
        try:
            stdin.write(json.dumps({"id": number, **request}).encode() + b"\n")
            await stdin.drain()
            return await asyncio.wait_for(self._answer(stdout, number), patience)
        except (OSError, ValueError, TimeoutError) as error:
            raise PlayerFailed(f"gave no answer ({type(error).__name__})") from None

    async def _answer(self, stdout: asyncio.StreamReader, number: int) -> dict[str, Any]:
        while line := await stdout.readline():
            answer = json.loads(line)
            if isinstance(answer, dict) and answer.get("id") == number and "info" not in answer:
                return answer
        raise PlayerFailed("ended")

    async def kill(self) -> None:
        with suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
        transport = getattr(self.process, "_transport", None)
        if transport is not None:
            transport.close()


class Computers:
    """The players' processes and the tables that wait for them. One core is always left to people."""

    def __init__(self, registry: TableRegistry, settings: Settings) -> None:
        self.registry = registry
        self.settings = settings
        self.most = settings.engine_processes or max(1, (os.cpu_count() or 2) - 1)
        self.turns = asyncio.Semaphore(self.most)
        self.idle: list[Process] = []
        self.all: set[Process] = set()
        self.thinking: set[LoadedTable] = set()
        self.stopping = False

    # --- processes

    @asynccontextmanager
    async def borrowed(self, level: str) -> AsyncIterator[Process]:
        """A process of that level; one that fails is ended."""
        async with self.turns:
            process = await self._take(level)
            THINKING.inc()
            try:
                self._must_go_on()
                yield process
            except BaseException:
                self.all.discard(process)
                await process.kill()
                raise
            finally:
                THINKING.dec()
            self.idle.append(process)

    async def _take(self, level: str) -> Process:
        for process in [process for process in self.idle if not process.alive]:
            self.idle.remove(process)
            self.all.discard(process)
        for process in reversed(self.idle):
            if process.level == level:
                self.idle.remove(process)
                return process
        while self.idle and len(self.all) >= self.most + SPARE:
            oldest = self.idle.pop(0)
            self.all.discard(oldest)
            await oldest.kill()
        self._must_go_on()
        process = await Process.start(self.settings, level)
        self.all.add(process)
        return process

    def _must_go_on(self) -> None:
        """Nobody else would end a player that starts after the others were ended."""
        if self.stopping:
            raise PlayerFailed("is not asked: the server stops")

    async def ask(self, level: str, view: str, seconds: float, **more: Any) -> dict[str, Any]:
        """What the player of that level would do, told this view and nothing else."""
        request = {"cmd": "go", "view": view, "limit": {"time": seconds}, **more}
        async with self.borrowed(level) as process:
            answer = await process.ask(request, seconds + PATIENCE)
            if not isinstance(answer.get("move"), str):
                raise PlayerFailed("named no move")
            return answer

    # --- tables

    def consider(self, loaded: LoadedTable) -> None:
        """Let the computer think where it must choose."""
        table = loaded.table
        if table.chooser_is_computer and loaded not in self.thinking and not self.stopping:
            self.thinking.add(loaded)
            loaded.watchers += 1
            self.registry.spawn(self._play_on(loaded))

    async def _play_on(self, loaded: LoadedTable) -> None:
        """Move by move until a person must choose, the game is over or the server stops."""
        try:
            while loaded.table.chooser_is_computer and not self.stopping and not loaded.gone:
                await self._play_once(loaded)
        except Refused as error:
            log.info("a computer's move was refused", extra={"table": loaded.table.id, "why": error.code})
            if error.code == "storage":
                asyncio.get_running_loop().call_later(RETRY, self._look_again, loaded.table.id)
        finally:
            self.thinking.discard(loaded)
            loaded.watchers -= 1

    def _look_again(self, table_id: str) -> None:
        """Read a table anew after the database was unwell; that lets its computer think."""
        if not self.stopping:
            self.registry.spawn(self.registry.find(table_id))

    async def _play_once(self, loaded: LoadedTable) -> None:
        table, began = loaded.table, asyncio.get_running_loop().time()
        seat, version = table.chooser, table.version
        move = await self._choose(table, seat)
        await self._keep_pace(began)
        if not self.stopping:
            await self.registry.change(loaded, lambda now_table, now: self._decide(now_table, now, seat, version, move))

    async def _choose(self, table: Table, seat: int) -> str:
        """The player's move; if it fails again and again any legal one, so that nobody waits for ever."""
        if table.position is None:
            raise Refused("not-started", "The cards are not dealt yet.")
        view, level = table.position.view(seat), table.chair(seat).level or ""
        legal = [str(move) for move in view.legal_moves]
        if len(legal) == 1:
            return legal[0]
        for _ in range(TRIES):
            try:
                answer = await self.ask(level, str(view), self.settings.engine_seconds)
            except PlayerFailed as error:
                if self.stopping:
                    break
                log.warning("a computer player failed", extra={"level": level, "why": str(error)})
                continue
            if answer["move"] in legal:
                return str(answer["move"])
            log.warning("a computer player named an illegal move", extra={"level": level})
        return secrets.choice(legal)

    async def _keep_pace(self, began: float) -> None:
        """Wait for the next whole step, so that how long was thought tells nothing about a hand."""
        step = self.settings.pace_seconds
        if step > 0:
            passed = asyncio.get_running_loop().time() - began
            await asyncio.sleep(max(1, math.ceil(passed / step)) * step - passed)

    def _decide(self, table: Table, now: int, seat: int, version: int, move: str) -> Change:
        """Nothing, if the game has moved on or the person is back."""
        if table.version != version or table.chooser != seat or not table.chooser_is_computer:
            return Change()
        return decide.play_for(table, decide.wanted_move(table, move), now)

    async def stop(self) -> None:
        self.stopping = True
        for process in list(self.all):
            await process.kill()
        self.all.clear()
        self.idle.clear()


class Hints:
    """Hints for people, from the asking seat's view only."""

    def __init__(self, computers: Computers, levels: tuple[str, ...]) -> None:
        self.computers = computers
        self.levels = levels

    async def ask(self, loaded: LoadedTable, who: Requester, want: AskHint) -> dict[str, Any]:
        table = loaded.table
        seat = seat_for(table, who, want.seat)
        level = self._check(table, seat, want)
        view = table.position.view(seat) if table.position else ""
        version = table.version
        try:
            answer = await self.computers.ask(level, str(view), want.seconds, turns=want.turns, why=True)
        except PlayerFailed:
            raise Refused("no-computer", "The computer player gave no answer; try again.") from None
        answer.pop("id", None)
        if isinstance(answer.get("turns"), list):
            answer["turns"] = answer["turns"][: want.turns]
        return {"version": version, "level": level, "answer": answer}

    def _check(self, table: Table, seat: int, want: AskHint) -> str:
        decide.must_play(table)
        if table.persons > 1 and not table.setup.hints:
            raise Refused("off", "Hints are off: not everybody at this table agreed to them.")
        if table.chooser != seat:
            raise Refused("not-your-turn", "Hints are given to the seat that must choose.", version=table.version)
        if not self.levels or (want.level is not None and want.level not in self.levels):
            raise Refused("no-computer", f"There are no hints of level {want.level or 'any'} here.")
        return want.level or self.levels[-1]
