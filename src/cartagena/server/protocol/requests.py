"""Requests of clients over HTTP, and their messages over a WebSocket. Answers are in ``responses``.

Everything is bounded, and unknown keys are refused.
"""

from typing import Annotated, Any, Final, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationInfo, WrapValidator
from pydantic import ValidatorFunctionWrapHandler as Handler
from pydantic.config import JsonDict

from .encoding import MAX_NAME, MAX_TALK, clean_name, clean_talk

PROTOCOL: Final = 2
"""Version of the HTTP and WebSocket interface. It grows when a client of the version before would fail."""
MIN_ABSENCE: Final = 20
"""Fewest seconds after which the computer replaces an absent person: a page that reconnects needs some."""
MAX_ABSENCE: Final = 86_400
"""Most seconds that a set-up names; a server's own setting may be longer."""


def name_of(text: str, info: ValidationInfo) -> str:
    """A cleaned name. One that is stored is taken as it is, since older versions accepted more."""
    return text if info.context == STORED else clean_name(text)


def patience_of(value: object, validated: Handler, info: ValidationInfo) -> int:
    """The seconds of an absence. Stored ones are taken as they are, since older versions accepted fewer and more."""
    if info.context == STORED and type(value) is int:
        return value
    seconds = int(validated(value))
    if 0 < seconds < MIN_ABSENCE:
        raise ValueError(f"must be 0 or at least {MIN_ABSENCE}")
    return seconds


STORED: Final = "stored"
"""Context of the validation of what the server itself has stored."""
Name = Annotated[str, Field(max_length=4 * MAX_NAME), AfterValidator(name_of)]
Talk = Annotated[str, Field(max_length=4 * MAX_TALK), AfterValidator(clean_talk)]
Salt = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{0,64}$", description="Your randomness for the fair deal.")]
ChosenToken = Annotated[
    str,
    Field(
        min_length=32,
        max_length=64,
        pattern=r"^[A-Za-z0-9_-]+$",
        description="A token of your own choice, at least 128 random bits. A request that is repeated with it is "
        "carried out once.",
    ),
]
SeatNumber = Annotated[int, Field(ge=1, le=5)]
Sequence = Annotated[int, Field(ge=0, le=2**31 - 1)]
MoveId = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_.:-]+$")]
Level = Annotated[str, Field(min_length=1, max_length=40, pattern=r"^[A-Za-z0-9_.:-]+$")]


class Message(BaseModel):
    """Base of all messages: unknown keys are refused, values are frozen."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def example(*values: JsonDict) -> ConfigDict:
    """Configuration of a message with examples for the documentation."""
    return ConfigDict(extra="forbid", frozen=True, json_schema_extra={"examples": [*values]})


# --- setting a table up


class NoClock(Message):
    """No clock."""

    kind: Literal["none"] = "none"


ClockForm = Annotated[
    Literal[1, 2],
    Field(
        description="How time is counted; every new table has form 2, in which a turn goes on with the time it had "
        "left after another seat has chosen."
    ),
]


class TurnClock(Message):
    """A time for each turn."""

    kind: Literal["turn"]
    seconds: int = Field(ge=5, le=86400)
    form: ClockForm = 1


class BankClock(Message):
    """A time for the whole game, and an increment after each turn."""

    kind: Literal["bank"]
    seconds: int = Field(ge=10, le=86400)
    increment: int = Field(default=0, ge=0, le=600)
    form: ClockForm = 1


PostDays = Literal[1, 2, 3, 7, 14]
POST_DAYS: Final[tuple[PostDays, ...]] = get_args(PostDays)


class PostClock(Message):
    """Days for each turn, for people who are not online together."""

    kind: Literal["post"]
    days: PostDays
    late: Literal["computer", "resign"] = Field(
        default="computer",
        description="What happens when the days run out: the computer takes the seat over, or the seat gives up.",
    )


Clock = Annotated[NoClock | TurnClock | BankClock | PostClock, Field(discriminator="kind")]


class SeatSetup(Message):
    """The player of a seat: a person at this device, a person by link, or a computer."""

    kind: Literal["here", "link", "computer"]
    name: Name = ""
    level: Level | None = Field(default=None, description="Which computer player; only with kind computer.")


class TableSetup(Message):
    """The options of a table. A person who joins accepts them."""

    rules: str = Field(default="jamaica-en", max_length=60, description="A rule set's name, such as tortuga-en+pass.")
    seats: list[SeatSetup] = Field(min_length=2, max_length=5)
    style: Literal["printed", "random"] = "printed"
    pirates: int | None = Field(default=None, ge=1, le=8)
    pieces: int | None = Field(default=None, ge=1, le=8)
    deal: int | None = Field(default=None, ge=0, le=12)
    variant: dict[str, Any] | None = Field(
        default=None,
        max_length=30,
        description="The entries of a rule set's file, as JSON; rules is then the name of its base with its options.",
    )
    clock: Clock = NoClock()
    spectators: Literal["none", "public"] = "none"
    lobby: bool = Field(default=False, description="Listed in the lobby, where anyone may take a free seat.")
    talk: bool = True
    hints: bool = Field(default=False, description="Allow hints although several persons sit at the table.")
    replace: Level | None = Field(
        default=None, description="The computer player that takes over from a person who leaves or runs out of time."
    )
    absence: Annotated[int, Field(ge=0, le=MAX_ABSENCE), WrapValidator(patience_of)] | None = Field(
        default=None,
        description="Without a clock: the seconds that others wait for an absent person before the computer "
        "takes over (0: for ever; else at least 20; left out: the server's setting). The seat can be taken back.",
    )
    lots: bool = Field(default=True, description="Draw lots for the seats; else they stay as listed and seat 1 starts.")
    salts: int | None = Field(
        default=None,
        ge=0,
        le=600,
        description="When all seats are taken: the seconds that the deal waits for the randomness of every person "
        "(0: it does not wait; left out: the server's setting).",
    )
    promise: Literal[1, 2, 3] = Field(
        default=1,
        description="The form of the commitment, which the server chooses: 2 binds the set-up too, 3 also the content "
        "of the rules and the chairs of computers. New tables have form 3, or 2 while a server of the version before "
        "runs beside this one.",
    )
    hold: bool = Field(default=False, description="Deal only when the host says start, not when all seats are taken.")


def stored_setup(text: str) -> TableSetup:
    """The options of a stored table."""
    return TableSetup.model_validate_json(text, context=STORED)


class CreateTable(TableSetup):
    """Set a table up."""

    model_config = example(
        {"rules": "tortuga-en", "seats": [{"kind": "here", "name": "Ann"}, {"kind": "computer", "level": "sailor"}]},
        {
            "rules": "jamaica-en",
            "seats": [{"kind": "here", "name": "Ann"}, {"kind": "link"}, {"kind": "link"}],
            "clock": {"kind": "bank", "seconds": 900, "increment": 10},
            "spectators": "public",
        },
    )


class JoinTable(Message):
    """Take a free seat by invitation, or without one at a table of the lobby."""

    model_config = example({"invite": "an invitation", "name": "Ben", "salt": "r4nd0m"}, {"name": "Cas"})

    invite: str | None = Field(default=None, max_length=100)
    name: Name = ""
    salt: Salt = ""
    token: ChosenToken | None = None


class RenewToken(Message):
    """Replace your token by a new one, at this table and at its rematches."""

    model_config = example({"token": "oGk4QbM8sX2vTz0cWJ5yRn7eLd1pHfUa"}, {})

    token: ChosenToken | None = None


class PreviewTable(Message):
    """See a table before joining it, by an invitation that has not been used."""

    model_config = example({"invite": "an invitation"}, {})

    invite: str | None = Field(default=None, max_length=100)


class RemovePerson(Message):
    """Remove the person of a seat from a table that has not started."""

    model_config = example({"seat": 2}, {"seat": 2, "forget": True})

    seat: SeatNumber
    forget: bool = Field(default=False, description="Delete the person's name and what the person said, too.")


class SeatComputer(Message):
    """Give a free seat of a table that has not started to a computer player."""

    model_config = example({"seat": 2, "level": "sailor"})

    seat: SeatNumber
    level: Level


class AddSalt(Message):
    """Add randomness to the deal for all seats held."""

    model_config = example({"salt": "7uY0pXk2"})

    salt: Salt


# --- playing


class MoveJson(Message):
    """A move as fields. Those that a kind does not have are left out."""

    model_config = example({"kind": "advance", "from": "17", "card": "B"}, {"kind": "end"})

    kind: Literal["advance", "retreat", "push", "sail", "drop", "end"]
    from_: str | None = Field(default=None, alias="from", max_length=2, description="The place a pirate starts from.")
    card: str | None = Field(default=None, max_length=2)
    seat: SeatNumber | None = Field(default=None, description="The seat whose pirate is pushed.")


AnyMove = Annotated[
    MoveJson | Annotated[str, Field(min_length=1, max_length=16)],
    Field(description="The move of an option, or a move in notation."),
]


def move_notation(move: MoveJson | str) -> str:
    """A requested move in notation, which may still be no move at all."""
    if isinstance(move, str):
        return move
    place, card = move.from_ or "", move.card or ""
    match move.kind:
        case "advance":
            return f"{place}:{card}"
        case "retreat":
            return f"{place}<"
        case "push":
            return f"{move.seat or 0}@{place}"
        case "drop":
            return f"drop:{card}"
        case _:
            return move.kind


class PlayMove(Message):
    """A move. A repeated request with the same ``id`` is not played again."""

    model_config = example(
        {"id": "m-17", "version": 12, "move": {"kind": "advance", "from": "17", "card": "B"}},
        {"id": "m-18", "version": 13, "move": "17:B"},
    )

    id: MoveId
    version: Sequence = Field(description="The version of the game that the mover saw.")
    move: AnyMove
    seat: SeatNumber | None = Field(
        default=None, description="Which of the seats held; the one that must choose if left out."
    )


class TakeBack(Message):
    """Take back the last move of your turn."""

    model_config = example({"id": "u-3", "version": 13})

    id: MoveId
    version: Sequence
    seat: SeatNumber | None = None


class SeatAction(Message):
    """Resign, leave, or take a seat back: the seat named, else all seats held."""

    model_config = example({"seat": 2}, {})

    seat: SeatNumber | None = None


class TakeHoliday(Message):
    """Announce days in which no time runs for you at a table by post: for the seat named, else all seats held."""

    model_config = example({"days": 3})

    days: int = Field(ge=1, le=10)
    seat: SeatNumber | None = None


class SayTalk(Message):
    """Say something at the table."""

    model_config = example({"text": "Good game!"})

    text: Talk
    seat: SeatNumber | None = None


class AskHint(Message):
    """Ask a computer player for a hint from the seat's view."""

    model_config = example({"seconds": 1.0, "turns": 3})

    seat: SeatNumber | None = None
    level: Level | None = None
    seconds: float = Field(default=1.0, ge=0.05, le=5.0)
    turns: int = Field(default=3, ge=1, le=10, description="How many whole turns to compare.")


# --- over a WebSocket


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
    legal: bool = Field(default=False, description="Send the legal moves in notation too, while it is your choice.")
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
COMMAND: Final[TypeAdapter[Command]] = TypeAdapter(Command)
