"""``cartagena engine``: the rules and players for other programs, over JSON lines."""

import os
import sys
import threading
from collections.abc import Iterator
from typing import Annotated, BinaryIO

import typer

from ..engine.protocol import COMMANDS, MAX_LINE, Engine, too_long


def read_lines(source: BinaryIO) -> Iterator[bytes | None]:
    """The lines of the input. A line above the limit is not kept and comes as None."""
    while line := source.readline(MAX_LINE + 1):
        if len(line) <= MAX_LINE or line.endswith(b"\n"):
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = source.readline(MAX_LINE)
        yield None


class Sender:
    """Writes whole lines, also from several threads."""

    def __init__(self, sink: BinaryIO) -> None:
        self.sink = sink
        self.lock = threading.Lock()

    def __call__(self, line: bytes) -> None:
        if line:
            with self.lock:
                self.sink.write(line)
                self.sink.flush()


def converse(engine: Engine, source: BinaryIO, send: Sender) -> None:
    """Answer line by line until the input ends or a quit is answered."""
    for line in read_lines(source):
        send(too_long() if line is None else engine.answer(line))
        if not engine.running:
            return


def command(
    player: Annotated[str | None, typer.Option(help="A player that answers go, for example captain.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the player.")] = 0,
    code: Annotated[list[str] | None, typer.Option(help="A Python file that defines players. Repeatable.")] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Threads that the player may search in.", show_default="all cores")
    ] = None,
) -> None:
    """Serve other programs over JSON lines on standard input and output.

    One request per line: {"id":1,"cmd":"legal","position":"…"} is answered by {"id":1,"moves":[…]}. Commands are
    hello, legal, apply, perft, view and quit, and with a player also go and stop; docs/protocol.md describes them.
    """
    send = Sender(sys.stdout.buffer)
    if player is None:
        converse(Engine(), sys.stdin.buffer, send)
        return
    from cartagena.players import load_code
    from cartagena.players.model import THREADS

    from ..engine.thinking import thinker

    if threads is not None:
        os.environ[THREADS] = str(threads)
    for path in code or []:
        load_code(path)
    mind = thinker(player, seed, send)
    engine = Engine({**COMMANDS, **mind.commands()})
    converse(engine, sys.stdin.buffer, send)
    mind.finish()
