"""Other people's programs as players: JSON lines on their standard input and output, as ``cartagena engine`` speaks.

A program is sent views only, ``{"id":7,"cmd":"go","view":"…","limit":{"time":1.0}}``, and answers with its move,
``{"id":7,"move":"17:B"}``. One that crashes, hangs or answers nonsense is ended and has failed; the next question
starts it anew.
"""

import contextlib
import json
import os
import selectors
import shlex
import signal
import subprocess
import time
from typing import Any, Final

from cartagena.errors import CartagenaError, PlayerError, PlayerFailed
from cartagena.game import Move, Position

from .model import Limit, check_view

PATIENCE: Final = 10.0
"""Seconds for an answer where the limit says nothing of time."""
START: Final = 20.0
"""Seconds more for the first answer of a program that has just been started."""
GRACE: Final = 1.0
"""Seconds beyond the limit before a program counts as hung; the arena counts overruns by its own clock."""
MAX_LINE: Final = 1 << 16
PARTING: Final = 0.5


class External:
    """A program that plays. It is started with the first question and ended by ``close``."""

    def __init__(self, command: str) -> None:
        self.words = split(command)
        self.name = f"cmd:{command}"
        self.process: subprocess.Popen[bytes] | None = None
        self.number = 0
        self.rest = b""

    def decide(self, view: Position, limit: Limit | None = None) -> Move:
        check_view(view)
        shown = view.view(view.turn)
        patience = GRACE + (PATIENCE if limit is None or limit.time is None else limit.time)
        if self.process is None:
            self.start()
            patience += START
        self.number += 1
        try:
            self.send(question(self.number, shown, limit))
            return self.read_move(shown, time.monotonic() + patience)
        except PlayerFailed:
            self.close()
            raise

    # --- the process

    def start(self) -> None:
        """Start the program; what it says on standard error is not kept."""
        try:
            self.process = subprocess.Popen(  # noqa: S603
                self.words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else "not a command"
            raise PlayerError(f"{self.name}: cannot be started: {reason}") from None
        self.rest = b""

    def close(self) -> None:
        """End the program, politely first."""
        process, self.process = self.process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # it was gone before it had read everything
                    continue
        try:
            process.wait(PARTING)
        except subprocess.TimeoutExpired:
            process.kill()
        kill_family(process.pid)
        process.wait()

    def send(self, line: bytes) -> None:
        pipe = self.pipe("stdin")
        try:
            pipe.write(line)
            pipe.flush()
        except OSError:
            raise PlayerFailed(f"{self.name}: has ended") from None

    def pipe(self, which: str) -> Any:
        return getattr(self.process, which)

    # --- its answers

    def read_move(self, view: Position, deadline: float) -> Move:
        """The answer to the present question; late answers to earlier ones are passed over."""
        while True:
            answer = self.parse(self.read_line(deadline))
            if answer.get("id", self.number) != self.number:
                continue
            if "error" in answer:
                raise PlayerFailed(f"{self.name}: answered with an error: {str(answer['error'])[:200]}")
            return self.checked(view, answer.get("move"))

    def checked(self, view: Position, word: object) -> Move:
        """The move, if it is one and legal."""
        if not isinstance(word, str):
            raise PlayerFailed(f"{self.name}: answered without a move")
        try:
            move = Move.parse(word)
            error = view.why_not(move)
        except CartagenaError:
            raise PlayerFailed(f"{self.name}: answered {word[:40]!r}, which is not a move") from None
        if error is not None:
            raise PlayerFailed(f"{self.name}: answered {word}, which is illegal: {error}")
        return move

    def parse(self, line: bytes) -> dict[str, Any]:
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict):
            raise PlayerFailed(f"{self.name}: answered with something that is not a JSON object")
        return answer

    def read_line(self, deadline: float) -> bytes:
        """One line, waiting no longer than the deadline."""
        pipe = self.pipe("stdout")
        with selectors.DefaultSelector() as selector:
            selector.register(pipe, selectors.EVENT_READ)
            while b"\n" not in self.rest:
                if len(self.rest) > MAX_LINE:
                    raise PlayerFailed(f"{self.name}: answered with a line without an end")
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise PlayerFailed(f"{self.name}: did not answer in time")
                more = os.read(pipe.fileno(), MAX_LINE)
                if not more:
                    raise PlayerFailed(f"{self.name}: has ended")
                self.rest += more
        line, _, self.rest = self.rest.partition(b"\n")
        return line


def kill_family(leader: int) -> None:
    """End whatever a program has started and left behind; it leads a session of its own."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def split(command: str) -> list[str]:
    """The words of a command line."""
    try:
        words = shlex.split(command)
    except ValueError:
        words = []
    if not words:
        raise PlayerError("cmd: needs a program behind it, for example cmd:./my-bot")
    return words


def question(number: int, view: Position, limit: Limit | None) -> bytes:
    """What a program is asked."""
    asked: dict[str, Any] = {"id": number, "cmd": "go", "view": str(view)}
    if limit is not None:
        given = {"time": limit.time, "nodes": limit.nodes}
        asked["limit"] = {key: value for key, value in given.items() if value is not None}
    return json.dumps(asked).encode() + b"\n"
