"""Client for engines: programs that speak JSON lines on their standard input and output (docs/protocol.md).

``EngineClient`` is for asyncio, ``SyncEngineClient`` has the same methods for code without an event loop.

A request has a life: it is sent, answered, over. A request that is abandoned (its caller was cancelled or ran out of
time) stays open until the engine answers it, and that late answer is dropped. An engine that ends or answers with
something else than a JSON object has failed: all open requests raise PlayerFailed, and so does every later one.

>>> import sys
>>> from cartagena import Game
>>> from cartagena.players import Limit
>>> view = Game.new("tortuga-en", seats=2, seed=1).view(1)
>>> with SyncEngineClient([sys.executable, "-m", "cartagena", "engine", "--player", "sailor"]) as engine:
...     answer = engine.go(view, Limit(nodes=10), game="table 7")
>>> answer["move"] in view.legal_words()
True
"""

import asyncio
import json
import os
import shlex
import signal
import sys
import threading
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import Any, Final, Self, TypeVar

from cartagena.errors import PlayerError, PlayerFailed, shown
from cartagena.game import Position

from .model import Limit

PARTING: Final = 0.5
"""Seconds that an engine may take to end by itself."""
MAX_LINE: Final = 1 << 20
MAX_OUTPUT: Final = 4000
"""Bytes that are kept of the end of an engine's standard error."""

_running: set[int] = set()
"""The process groups of the engines that this process has started."""

Answer = dict[str, Any]
T = TypeVar("T")


class EngineClient:
    """An engine process and the conversation with it. Make one with ``await EngineClient.start(command)``."""

    def __init__(self, process: asyncio.subprocess.Process, name: str) -> None:
        self.process = process
        self.name = name
        self.failure = ""
        self._numbers = count(1)
        self._open: dict[int, asyncio.Future[Answer]] = {}
        self._sent = 0
        self._wants_legal = False
        self._strange = ""
        """The last answer with a wrong id, as the end of an error's sentence."""
        self._thinking: asyncio.Future[Answer] | None = None
        self._errors = b""
        self._reader = asyncio.create_task(self._read())
        self._listener = asyncio.create_task(self._listen())
        _running.add(process.pid)

    @classmethod
    async def start(cls, command: Sequence[str], *, name: str = "", env: Mapping[str, str] | None = None) -> Self:
        """Start an engine in a process group of its own. The end of its standard error is kept in ``output``.

        Args:
            name: how errors call the engine; by default its command.
            env: the environment, by default that of this process.
        """
        name = name or shlex.join(command)
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=MAX_LINE,
                start_new_session=True,
                env=env,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a command"
            raise PlayerError(f"{name}: cannot be started: {reason}") from None
        return cls(process, name)

    @property
    def is_alive(self) -> bool:
        """True until the engine has ended or failed."""
        return self.process.returncode is None and not self.failure

    @property
    def output(self) -> str:
        """The end of what the engine wrote on its standard error."""
        return self._errors.decode("utf-8", "replace")

    # --- requests

    async def request(self, cmd: str, *, timeout: float | None = None, **fields: object) -> Answer:
        """Send a request and wait for its answer, which may be an ``error``.

        Raises:
            PlayerFailed: the engine has ended, or gave no valid answer within ``timeout`` seconds.
        """
        return await self._answer(self._send(cmd, fields), timeout)

    async def go(
        self,
        view: Position | str,
        limit: Limit | None = None,
        *,
        game: str | None = None,
        explain: bool = True,
        timeout: float | None = None,
    ) -> Answer:
        """Ask for a move: the answer's fields, of which ``move`` is a text that is not checked further.

        An earlier ``go`` that was abandoned is stopped first, so that this one is not refused as busy.

        Args:
            game: the game that the move is played in; the engine remembers nothing without it.
            explain: whether values, turns and reasons are wanted too, which take some milliseconds.
            timeout: seconds to wait for the answer.

        Raises:
            PlayerFailed: as ``request``, and where the answer is an error or has no move.
        """
        if self._thinking is not None and not self._thinking.done():
            await self.stop()
            await asyncio.wait({self._thinking}, timeout=timeout)
        fields: dict[str, object] = {"view": str(view)}
        if isinstance(view, Position) and view.rules.is_variant:
            fields["rules"] = view.rules.to_data()
        if self._wants_legal:
            fields["legal"] = legal_in(view)
        if limit is not None:
            fields["limit"] = limit.to_json()
        if game is not None:
            fields["game"] = game
        if not explain:
            fields["explain"] = False
        self._thinking = self._send("go", fields)
        answer = await self._answer(self._thinking, timeout)
        if answer.get("legal") is True and "move" not in answer:
            self._wants_legal = True
            self._thinking = self._send("go", {**fields, "legal": legal_in(view)})
            answer = await self._answer(self._thinking, timeout)
        if "error" in answer:
            raise PlayerFailed(f"{self.name}: answered with an error: {str(answer['error'])[:200]}")
        if not isinstance(answer.get("move"), str):
            raise PlayerFailed(f"{self.name}: answered without a move")
        return answer

    async def stop(self) -> None:
        """Make the engine answer its ``go`` now. The answer goes to the caller of that ``go``."""
        self._send("stop", {})

    async def halt(self, timeout: float) -> bool:
        """Stop a ``go`` that was abandoned. Returns whether the engine has answered it within the time."""
        if self._thinking is None or self._thinking.done():
            return True
        await self.stop()
        done, _ = await asyncio.wait({self._thinking}, timeout=timeout)
        return bool(done)

    def _send(self, cmd: str, fields: Mapping[str, object]) -> asyncio.Future[Answer]:
        """Send a request. The future is open until the engine answers or fails."""
        number = self._sent = next(self._numbers)
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        future.add_done_callback(retrieve)
        self._open[number] = future
        if self.failure:
            self._fail(self.failure)
        elif self.process.stdin is not None:
            try:
                self.process.stdin.write(json.dumps({"id": number, "cmd": cmd, **fields}).encode() + b"\n")
            except (OSError, RuntimeError):  # uvloop raises RuntimeError for a closed pipe
                self._fail("has ended")
        return future

    async def _answer(self, future: asyncio.Future[Answer], timeout: float | None) -> Answer:
        try:
            return await asyncio.wait_for(asyncio.shield(future), timeout)
        except TimeoutError:
            raise PlayerFailed(f"{self.name}: did not answer in time{self._strange}") from None

    # --- answers

    async def _read(self) -> None:
        """Take answers until the engine ends or fails."""
        reason = "has ended"
        try:
            while self.process.stdout is not None and (line := await self.process.stdout.readline()):
                self._take(line)
        except PlayerFailed as error:
            reason = str(error)
        except ValueError:  # of readline, for a line above the limit
            reason = "answered with a line without an end"
        except OSError:
            reason = "has ended"
        self._fail(reason)

    async def _listen(self) -> None:
        """Read standard error until it ends, and keep the last of it."""
        with suppress(OSError):
            while self.process.stderr is not None and (read := await self.process.stderr.read(MAX_OUTPUT)):
                self._errors = (self._errors + read)[-MAX_OUTPUT:]

    def _take(self, line: bytes) -> None:
        """Hand an answer to its request. An answer without an id is for the oldest request."""
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise PlayerFailed("answered with something that is not a JSON object")
        number = answer["id"] if "id" in answer else next(iter(self._open), 0)
        if "info" in answer:
            return
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= self._sent:
            self._strange = f"; it answered with the id {shown(number)}, which no request has"
            return
        future = self._open.pop(number, None)
        if future is not None and not future.done():
            future.set_result(answer)

    def _fail(self, reason: str) -> None:
        """Fail all open requests and those to come."""
        self.failure = reason
        for future in self._open.values():
            if not future.done():
                future.set_exception(PlayerFailed(f"{self.name}: {reason}{self._strange}"))
        self._open.clear()

    # --- the end

    async def close(self) -> None:
        """End the engine: close its input, give it a moment to end by itself, then kill its process group."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.process.wait(), PARTING)
        await self.kill()

    async def kill(self) -> None:
        """Kill the engine and every process it has started."""
        kill_group(self.process.pid)
        self._reader.cancel()
        self._fail("has ended")
        _running.discard(self.process.pid)
        with suppress(TimeoutError):
            await asyncio.wait_for(self.process.wait(), PARTING)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._listener, PARTING)
        transport = getattr(self.process, "_transport", None)
        if transport is not None:  # asyncio has no public way to close the pipes; closing also reaps, so wait first
            transport.close()


def legal_in(view: Position | str) -> list[str]:
    """The legal moves of a view, for engines that ask for them."""
    return (Position.parse(view) if isinstance(view, str) else view).legal_words()


def kill_group(pid: int) -> None:
    """Kill a process and those that it has started; on Windows the process alone."""
    with suppress(ProcessLookupError, PermissionError):
        if sys.platform == "win32":
            os.kill(pid, signal.SIGTERM)
        else:
            os.killpg(pid, signal.SIGKILL)


def kill_engines() -> None:
    """Kill all engines of this process at once, when it is about to end without closing them."""
    for group in tuple(_running):
        kill_group(group)


def retrieve(future: asyncio.Future[Answer]) -> None:
    """Retrieve the exception so that asyncio does not log it where the request was abandoned."""
    if not future.cancelled():
        future.exception()


# --- without an event loop


_loops: dict[int, asyncio.AbstractEventLoop] = {}
"""The event loop for synchronous callers, by process: the child of a fork has none of its parent's threads."""
_starting = threading.Lock()


def background_loop() -> asyncio.AbstractEventLoop:
    """The event loop of this process for synchronous callers, in a thread of its own. It is made once."""
    with _starting:
        loop = _loops.get(os.getpid())
        if loop is None:
            loop = _loops[os.getpid()] = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="engine-client", daemon=True).start()
        return loop


def wait_for(work: Coroutine[object, None, T]) -> T:
    """Run a coroutine in the background loop and wait for its result."""
    future = asyncio.run_coroutine_threadsafe(work, background_loop())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


class SyncEngineClient:
    """``EngineClient`` for code without an event loop. Its methods may be called from several threads."""

    def __init__(self, command: Sequence[str], *, name: str = "", env: Mapping[str, str] | None = None) -> None:
        self.client = wait_for(EngineClient.start(command, name=name, env=env))

    def request(self, cmd: str, *, timeout: float | None = None, **fields: object) -> Answer:
        """Send a request and wait for its answer (see ``EngineClient.request``)."""
        return wait_for(self.client.request(cmd, timeout=timeout, **fields))

    def go(
        self, view: Position | str, limit: Limit | None = None, *, game: str | None = None, timeout: float | None = None
    ) -> Answer:
        """Ask for a move (see ``EngineClient.go``)."""
        return wait_for(self.client.go(view, limit, game=game, timeout=timeout))

    def stop(self) -> None:
        """Make the engine answer its ``go`` now."""
        wait_for(self.client.stop())

    def close(self) -> None:
        """End the engine."""
        wait_for(self.client.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
