"""Messages that a client sends over a WebSocket. Answers are in ``responses``."""

from typing import Annotated, Any, Final, Literal

from pydantic import Field, TypeAdapter

from .requests import PROTOCOL, Message, PlayMove, SayTalk, SeatAction, SeatNumber, Sequence, TakeBack, example


class Hello(Message):
    """The first message of a socket: the token, the last event seen, and the seat to look through."""

    model_config = example(
        {"type": "hello", "token": "your token", "after": 12, "protocol": PROTOCOL}, {"type": "hello"}
    )

    type: Literal["hello"]
    token: str | None = Field(default=None, max_length=100)
    after: Sequence | None = Field(default=None, description="The seq you have; without it you get everything.")
    seat: SeatNumber | None = None
    detail: Literal["full", "text"] = Field(default="full", description="text: the view in notation, without options.")
    protocol: int | None = Field(default=None, description="The version of the interface; required of a page.")


class MoveCommand(PlayMove):
    """Play a move."""

    type: Literal["move"]


class UndoCommand(TakeBack):
    """Take a move back."""

    type: Literal["undo"]


class TalkCommand(SayTalk):
    """Say something at the table."""

    type: Literal["talk"]


class SeatCommand(SeatAction):
    """Resign, leave, come back, or look through another seat."""

    type: Literal["resign", "leave", "back", "look"]


class Ping(Message):
    """A request for a ``pong`` with the same number."""

    type: Literal["ping"]
    n: int = 0


Command = Annotated[MoveCommand | UndoCommand | TalkCommand | SeatCommand | Ping, Field(discriminator="type")]
HELLO: Final[TypeAdapter[Hello]] = TypeAdapter(Hello)
COMMAND: Final[TypeAdapter[Any]] = TypeAdapter(Command)
