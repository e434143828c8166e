"""The WebSocket: commands in, acknowledgements, refusals and updates out."""

import asyncio
import logging
from contextlib import AsyncExitStack, suppress
from functools import partial
from typing import Final

from fastapi import APIRouter
from pydantic import ValidationError
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from ..addresses import address_key
from ..live.registry import TableRegistry
from ..live.subscription import Subscription
from ..metrics import FAILURES, MOVE, REFUSALS, SOCKETS
from ..protocol.encoding import dumps, text_frame
from ..protocol.errors import Refused, malformed
from ..protocol.requests import COMMAND, HELLO, MoveCommand, Ping, SeatCommand, TalkCommand, UndoCommand
from ..settings import Settings
from ..tables import decide
from ..tables.decide import Change
from ..tables.state import Event, Table
from ..tables.updates import Detail
from .connection import NAME, FrameProtocol
from .crowd import BUSY, PLAYING
from .gate import MAX_DELAY
from .middleware import check_protocol, origin_allowed
from .ratelimit import LIMITS, SOCKET_STEPS, HelloLimiter, Metered, Slots, Window, host_of

log = logging.getLogger("cartagena.socket")
router = APIRouter()
HEARTBEAT: Final = text_frame(b'{"type":"heartbeat"}')


def ack(table: Table, change: Change, move_id: str | None) -> bytes:
    """The acknowledgement of a change that is durable."""
    last: Event | None = change.repeated or (change.events[-1] if change.events else None)
    message = {
        "type": "ack", "id": move_id, "seq": last.number if last else table.seq, "version": table.version,
        "repeated": change.repeated is not None,
    }  # fmt: skip
    return dumps(message)


def refusal(error: Refused, move_id: str | None) -> bytes:
    REFUSALS.labels(error.code).inc()
    fields = error.wire.model_dump(exclude_none=True)
    return dumps({"type": "rejected", **fields, **({"id": move_id} if move_id else {})})


class TableSocket:
    """One socket at one table. The table pushes updates as it changes."""

    def __init__(self, socket: WebSocket, registry: TableRegistry, settings: Settings) -> None:
        self.socket = socket
        self.pipe: FrameProtocol = socket.scope["extensions"][NAME]
        self.registry = registry
        self.settings = settings
        self.window = Window(settings.messages, settings.window_seconds)
        self.loop = asyncio.get_running_loop()
        self.subscription: Subscription | None = None
        self.told_at = self.loop.time()
        self.behind: asyncio.TimerHandle | None = None
        self.acknowledgement = b""
        self.ending = False

    # --- out

    async def send(self, text: bytes) -> None:
        """Send an answer."""
        await self.keeping_up()
        self.pipe.push(text_frame(text))

    async def keeping_up(self) -> None:
        """Wait until the client reads. Raises TimeoutError after ``send_seconds``."""
        if not self.pipe.keeps_up:
            async with asyncio.timeout(self.settings.send_seconds):
                await self.pipe.writable.wait()

    def tell(self) -> None:
        """Push the pending update. A client that does not read gets one larger update once it reads again."""
        if self.subscription is None or self.ending:
            return
        if self.subscription.over:
            self.end(1012, "reconnect soon")
        elif self.pipe.keeps_up:
            self._push_news(self.subscription)
        elif self.behind is None:
            self.behind = self.loop.call_later(self.settings.send_seconds, self.pipe.drop)

    def _push_news(self, subscription: Subscription) -> None:
        try:
            news = subscription.frame()
            self.pipe.push(self._take_acknowledgement() + news)
        except Refused as error:
            self.pipe.push(text_frame(refusal(error, None)))
            self.end(4401, error.code)
        except Exception:  # the mover must not fail because of a viewer
            FAILURES.inc()
            log.exception("a subscription could not be told")
            self.end(1011, "failed")
        self.told_at = self.loop.time()

    def _take_acknowledgement(self) -> bytes:
        """The frame of a pending acknowledgement, which is sent in front of its update."""
        frame, self.acknowledgement = self.acknowledgement, b""
        return frame

    def catch_up(self) -> None:
        """Push the pending update once the client reads again."""
        if self.behind is not None:
            self.behind.cancel()
            self.behind = None
            self.tell()

    def end(self, code: int, reason: str) -> None:
        """Close the socket unless a command is still to be answered."""
        if not self.pipe.answering and not self.ending:
            self.ending = True
            self.registry.spawn(self._close(code, reason))

    async def _close(self, code: int, reason: str) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):  # the client may have gone before
            await self.socket.close(code, reason)

    async def refuse(self, error: Refused, code: int) -> None:
        LIMITS.note_refusal(error, host_of(self.socket))
        await self.send(refusal(error, None))
        await self.socket.close(code, error.code)

    def beat(self) -> None:
        """Send a heartbeat if nothing was sent for a while, and schedule the next check."""
        quiet = self.loop.time() - self.told_at
        if quiet >= self.settings.heartbeat_seconds:
            self.told_at, quiet = self.loop.time(), 0.0
            if self.pipe.keeps_up:
                self.pipe.push(HEARTBEAT)
        self.heart = self.loop.call_later(self.settings.heartbeat_seconds - quiet, self.beat)

    # --- in

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

    async def run(self, table_id: str, hello_limiter: HelloLimiter, slots: Slots) -> None:
        """Serve the socket from its first message to its end."""
        host = host_of(self.socket)
        async with AsyncExitStack() as held:
            try:
                with hello_limiter.wait(host, self.give_way):
                    async with asyncio.timeout(self.settings.hello_seconds):
                        text = await self.receive()
                if (turn := self.turn()) is not None:
                    await turn
                hello = HELLO.validate_json(text)
                check_protocol(self.socket.headers, None if hello.protocol is None else str(hello.protocol))
                live = await held.enter_async_context(self.registry.lease(table_id))
                detail = Detail(text=hello.detail == "text", legal=hello.legal)
                subscription = Subscription(
                    self.registry, live, hello.token, after=hello.after or 0, seat=hello.seat, detail=detail
                )
                self.pipe.use = PLAYING if subscription.who.chairs else BUSY
                if subscription.who.chairs:
                    if live.table.stage == "playing":
                        self.pipe.visitor.sit()
                    live.sit_at(address_key(host), subscription.who.key)
                held.callback(slots.take(host, table_id, subscription.who.key))
            except ValidationError as error:
                await self.refuse(malformed(error), 4400)
            except TimeoutError:
                await self.socket.close(4408, "say hello first")
            except Refused as error:
                await self.refuse(error, 4000 + error.status)
            else:
                await self.talk(subscription, first=hello.after is None)

    def give_way(self) -> None:
        """Close a socket that has not said hello, because others wait."""
        self.pipe.cut(4408, "say hello first")

    async def talk(self, subscription: Subscription, *, first: bool) -> None:
        """Push updates and carry out commands until either side closes."""
        if first:
            await self.send(b'{"type":"setup","setup":%s}' % subscription.live.updates.setup())
        SOCKETS.inc()
        self.beat()
        try:
            with subscription.present():
                self.subscription, self.pipe.on_writable = subscription, self.catch_up
                subscription.live.sockets.add(self)
                self.tell()
                await self.listen()
        finally:
            subscription.live.sockets.discard(self)
            self.heart.cancel()
            if self.behind is not None:
                self.behind.cancel()
            SOCKETS.dec()

    async def listen(self) -> None:
        while True:
            try:
                text = await self.receive()
            except Refused as error:
                await self.refuse(error, 1009 if error.code == "too-large" else 4000 + error.status)
                return
            if (delay := self.pipe.visitor.delay()) > 0:  # its address or network is ahead of its share of time
                await asyncio.sleep(min(delay, MAX_DELAY))
            if (turn := self.turn()) is not None:
                await turn
            self.pipe.answering = True
            try:
                await self.obey(text)
            finally:
                self.pipe.answering = False
            if self.subscription is not None and self.subscription.over:
                self.tell()

    def turn(self) -> asyncio.Future[None] | None:
        """What a message of this socket must wait for until the event loop has time. None: it begins at once."""
        return self.pipe.gate.turns.of_message(self.pipe.visitor.address, playing=self.pipe.use == PLAYING)

    async def obey(self, text: str) -> None:
        """Carry out a command and answer it."""
        move_id = None
        try:
            command = COMMAND.validate_json(text)
            move_id = getattr(command, "id", None)
            if isinstance(command, Ping):
                await self.send(dumps({"type": "pong", "n": command.n}))
            elif isinstance(command, MoveCommand):
                await self.play(command)
            else:
                await self.send(await self.carry_out(command))
        except ValidationError as error:
            await self.send(refusal(malformed(error), None))
        except Refused as error:
            LIMITS.note_refusal(error, host_of(self.socket))
            await self.send(refusal(error, move_id))
        except (WebSocketDisconnect, asyncio.CancelledError, TimeoutError):
            raise
        except Exception:
            FAILURES.inc()
            log.exception("a command failed")
            await self.send(refusal(Refused("failed", "The server failed; the error is logged."), move_id))

    async def play(self, command: MoveCommand) -> None:
        """Play a move. Its acknowledgement is sent when it is durable, before any update."""
        subscription = self.the_subscription()
        who, live = subscription.refresh(), subscription.live

        def acknowledge(change: Change) -> None:
            self.acknowledgement = text_frame(ack(live.table, change, command.id))

        began = self.loop.time()
        change = await self.registry.act(live, who, decide.play, command, acknowledge)
        MOVE.observe(self.loop.time() - began)
        if change.repeated is not None:
            await self.send(ack(live.table, change, command.id))
        elif self.acknowledgement:  # no update could be pushed
            await self.keeping_up()
            self.pipe.push(self._take_acknowledgement())

    async def carry_out(self, command: UndoCommand | TalkCommand | SeatCommand) -> bytes:
        subscription = self.the_subscription()
        who, live = subscription.refresh(), subscription.live
        act, level = partial(self.registry.act, live, who), self.registry.level_for(live.table)
        change = Change()
        match command:
            case UndoCommand():
                change = await act(decide.take_back, command)
            case TalkCommand():
                change = await act(partial(decide.say, most=self.settings.talk_lines), command)
            case SeatCommand(type="resign"):
                change = await act(partial(decide.resign, level=level), command.seat)
            case SeatCommand(type="leave"):
                change = await act(partial(decide.leave_by_choice, level=level), command.seat)
                await self.left(subscription)
            case SeatCommand(type="back"):
                change = await act(decide.come_back, command.seat)
            case _:
                subscription.look_through(command.seat)
                self.tell()
        return ack(live.table, change, getattr(command, "id", None))

    async def left(self, subscription: Subscription) -> None:
        """Tell the devices of a person who has left all seats no longer, as the route does."""
        table, who = subscription.live.table, subscription.refresh()
        if subscription.token and all(table.chair(seat).by_computer for seat in who.seats):
            await self.socket.app.state.notifier.let_go(subscription.token)

    def the_subscription(self) -> Subscription:
        if self.subscription is None:
            raise Refused("malformed", "Say hello first.")
        return self.subscription


async def live(socket: WebSocket) -> None:
    """Serve the live socket of a table."""
    state = socket.app.state
    if not origin_allowed(socket.headers, state.settings):
        await socket.close(4403, "origin")
        return
    await socket.accept()
    connection = TableSocket(socket, state.registry, state.settings)
    visitor = connection.pipe.visitor
    work = connection.run(socket.path_params["table"], state.hello_limiter, state.slots)
    try:
        # A task of its own: otherwise every message would wake all layers of the framework around this function.
        await asyncio.ensure_future(Metered(work, visitor.charge, SOCKET_STEPS))
    except (WebSocketDisconnect, RuntimeError, TimeoutError):
        return


router.routes.append(WebSocketRoute("/api/tables/{table}/live", live))  # without FastAPI's work for each socket
