"""The WebSocket: commands in, acknowledgements, refusals and updates out."""

import asyncio
import logging
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from . import commands
from .events import Event
from .hall import Hall
from .limits import Window
from .live import Viewer
from .metrics import FAILURES, MOVE, REFUSALS, SOCKETS
from .referee import Change
from .refusal import Refused
from .settings import Settings
from .table import Table
from .wire import Message, PlayMove, SayTalk, SeatAction, SeatNumber, Sequence, TakeBack, example
from .words import dumps

log = logging.getLogger("cartagena.socket")


class Hello(Message):
    """The first message of a socket: who you are, what you saw last, and through which seat you look."""

    model_config = example({"type": "hello", "token": "your token", "after": 12}, {"type": "hello"})

    type: Literal["hello"]
    token: str | None = Field(default=None, max_length=100)
    after: Sequence | None = Field(default=None, description="The seq you have; without it you get everything.")
    seat: SeatNumber | None = None
    detail: Literal["full", "text"] = Field(default="full", description="text: the view as notation only.")


class MoveCommand(PlayMove):
    """Play a move."""

    type: Literal["move"]


class UndoCommand(TakeBack):
    """Take a move back."""

    type: Literal["undo"]


class TalkCommand(SayTalk):
    """Say something."""

    type: Literal["talk"]


class SeatCommand(SeatAction):
    """Resign, leave, come back, or look through another seat."""

    type: Literal["resign", "leave", "back", "look"]


class Ping(Message):
    """Answered with pong and the same number."""

    type: Literal["ping"]
    n: int = 0


Command = Annotated[MoveCommand | UndoCommand | TalkCommand | SeatCommand | Ping, Field(discriminator="type")]
HELLO: TypeAdapter[Hello] = TypeAdapter(Hello)
COMMAND: TypeAdapter[Any] = TypeAdapter(Command)


def ack(table: Table, change: Change, move_id: str | None) -> str:
    """The acknowledgement of a change that is durable."""
    last: Event | None = change.repeated or (change.events[-1] if change.events else None)
    told = {
        "type": "ack", "id": move_id, "seq": last.number if last else table.seq, "version": table.version,
        "repeated": change.repeated is not None,
    }  # fmt: skip
    return dumps(told)


def refusal(error: Refused, move_id: str | None) -> str:
    REFUSALS.labels(error.code).inc()
    told = error.wire.model_dump(exclude_none=True)
    return dumps({"type": "rejected", **told, **({"id": move_id} if move_id else {})})


def describe(error: ValidationError) -> str:
    """What is wrong with a message, in one sentence that quotes nothing of it."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "message"
    return f"{where[:60]}: {str(first['msg'])[:120].rstrip('.')}."


class Connection:
    """One socket at one table."""

    def __init__(self, socket: WebSocket, hall: Hall, settings: Settings, level_for: Any) -> None:
        self.socket = socket
        self.hall = hall
        self.settings = settings
        self.level_for = level_for
        self.window = Window(settings.messages, settings.window_seconds)
        self.sending = asyncio.Lock()
        self.viewer: Viewer | None = None

    async def send(self, text: str) -> None:
        """Send, but do not wait for ever for somebody who does not read."""
        async with self.sending, asyncio.timeout(self.settings.send_seconds):
            await self.socket.send_text(text)

    async def receive(self) -> str:
        """The next text frame, within the limits."""
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text = message.get("text")
        if text is None:
            raise Refused("malformed", "Frames are JSON text.")
        if len(text.encode("utf-8", "surrogatepass")) > self.settings.frame_bytes:
            raise Refused("too-large", f"A frame has at most {self.settings.frame_bytes} bytes.")
        self.window.check("messages")
        return str(text)

    async def run(self, table_id: str) -> None:
        """From hello to goodbye."""
        try:
            hello = HELLO.validate_json(await asyncio.wait_for(self.receive(), self.settings.send_seconds))
            seated = await self.hall.find(table_id)
            self.viewer = Viewer(self.hall, seated, hello.token, after=hello.after or 0, seat=hello.seat)
            self.viewer.detail = hello.detail
        except ValidationError as error:
            await self.refuse(Refused("malformed", describe(error)), 4400)
        except TimeoutError:
            await self.socket.close(4408, "say hello first")
        except Refused as error:
            await self.refuse(error, 4000 + error.status)
        else:
            SOCKETS.inc()
            try:
                with self.viewer.present():
                    await self.talk(first=hello.after is None)
            finally:
                SOCKETS.dec()

    async def refuse(self, error: Refused, code: int) -> None:
        await self.send(refusal(error, None))
        await self.socket.close(code, error.code)

    async def talk(self, *, first: bool) -> None:
        """Tell and listen until either side ends."""
        telling = asyncio.create_task(self.tell(first=first))
        listening = asyncio.create_task(self.listen())
        try:
            done, _ = await asyncio.wait({telling, listening}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in (telling, listening):
                task.cancel()
            await asyncio.gather(telling, listening, return_exceptions=True)

    async def tell(self, *, first: bool) -> None:
        viewer = self.viewer
        if viewer is None:
            return
        if first:
            setup = dumps(viewer.seated.table.setup.model_dump(mode="json"))
            await self.send(f'{{"type":"setup","setup":{setup}}}')
        try:
            async for text in viewer.updates(self.settings.heartbeat_seconds):
                await self.send('{"type":"heartbeat"}' if text is None else text)
        except Refused as error:
            await self.refuse(error, 4401)
            return
        except TimeoutError:
            await self.socket.close(4408, "too slow")
            return
        await self.socket.close(1012, "come back in a moment")

    async def listen(self) -> None:
        while True:
            try:
                text = await self.receive()
            except Refused as error:
                await self.refuse(error, 1009 if error.code == "too-large" else 4000 + error.status)
                return
            await self.obey(text)

    async def obey(self, text: str) -> None:
        """Do what a frame says and answer it."""
        move_id = None
        try:
            command = COMMAND.validate_json(text)
            move_id = getattr(command, "id", None)
            await self.send(await self.carry_out(command))
        except ValidationError as error:
            await self.send(refusal(Refused("malformed", describe(error)), None))
        except Refused as error:
            await self.send(refusal(error, move_id))
        except (WebSocketDisconnect, asyncio.CancelledError, TimeoutError):
            raise
        except Exception:
            FAILURES.inc()
            log.exception("a command failed")
            await self.send(refusal(Refused("failed", "That failed by our fault; it is noted."), move_id))

    async def carry_out(self, command: Any) -> str:
        viewer = self.viewer
        if viewer is None:
            raise Refused("malformed", "Say hello first.")
        if isinstance(command, Ping):
            return dumps({"type": "pong", "n": command.n})
        who, seated = viewer.refresh(), viewer.seated
        level = self.level_for(seated.table)
        change = Change()
        match command:
            case MoveCommand():
                with MOVE.time():
                    want = PlayMove(id=command.id, version=command.version, move=command.move, seat=command.seat)
                    change = await commands.play(self.hall, seated, who, want)
            case UndoCommand():
                want_back = TakeBack(id=command.id, version=command.version, seat=command.seat)
                change = await commands.take_back(self.hall, seated, who, want_back)
            case TalkCommand():
                change = await commands.say(self.hall, seated, who, SayTalk(text=command.text, seat=command.seat))
            case SeatCommand(type="resign"):
                change = await commands.resign(self.hall, seated, who, command.seat, level)
            case SeatCommand(type="leave"):
                change = await commands.leave(self.hall, seated, who, command.seat, level)
            case SeatCommand(type="back"):
                change = await commands.come_back(self.hall, seated, who, command.seat)
            case _:
                viewer.look_through(command.seat)
                await self.send(viewer.news())
        return ack(seated.table, change, getattr(command, "id", None))
