"""What clients receive: the table as one seat (or a spectator) may see it, and the events that led there.

These models are the contract and the documentation. For speed the answers are put together in ``tables.updates`` and
``tables.events``; the tests compare them with these models.
"""

from typing import Final, Literal

from pydantic import Field
from pydantic.config import JsonDict

from .contacts import NotifyOffer
from .errors import Refusal
from .requests import Message, MoveJson, TableSetup, example

POSITION: Final[JsonDict] = {
    "rules": "jamaica-en", "game": "jamaica", "islands": [["BPHSDK"]], "pirates": [["s", "1"], ["s", "s"]],
    "hands": [{"size": 1, "cards": {"B": 1}}, {"size": 2, "cards": None}], "row": None, "stock": 96,
    "discard": {"size": 1, "cards": {"B": 1}}, "sloop": None,
    "turn": {"seat": 1, "chooser": 1, "used": 1, "actions": 3, "captain": False, "passes": 0, "row_due": 0, "owed": 0,
             "dropper": None, "limit": None},
}  # fmt: skip


class Hand(Message):
    """A hand or pile: how many cards, and which ones where they may be seen."""

    size: int
    cards: dict[str, int] | None = Field(description="The number of each card, or null where they are hidden.")


class Turn(Message):
    """Whose turn it is and what is due."""

    seat: int = Field(description="The seat whose turn it is; 0 when the game is over.")
    chooser: int = Field(description="The seat that must choose now: the same, or one that must drop a card; 0: none.")
    used: int
    actions: int = Field(description="Actions a turn has.")
    captain: bool = Field(description="The seat is captain and may sail for nothing now.")
    passes: int
    row_due: int
    owed: int
    dropper: int | None
    limit: int | None = Field(
        description="Cards that a freebooter leaves in a hand; null in games without freebooters."
    )


class PositionJson(Message):
    """A position as far as this seat may know it. Lists of seats start with seat 1."""

    model_config = example(POSITION)

    rules: str
    game: str
    islands: list[list[str]] = Field(description="The pieces of each island, each the signs of its fields in order.")
    pirates: list[list[str]] = Field(description="The places of each seat's pirates: s, a field's number, b, n.")
    hands: list[Hand]
    row: list[str] | None = Field(description="The open row, the next card first; null in games without one.")
    stock: int
    discard: Hand
    sloop: int | None
    turn: Turn


class Option(Message):
    """A legal move, where it leads and what it brings."""

    model_config = example(
        {"move": {"kind": "advance", "from": "17", "card": "B"}, "to": "b", "cards": 0, "passed": ["20"]}
    )

    move: MoveJson
    to: str | None
    cards: int = Field(description="How many cards it brings.")
    passed: list[str] = Field(
        default=[], description="Fields with the sign of the card that are leapt over because they are taken."
    )


class NearMiss(Message):
    """A move that a person may try, and why it is not legal."""

    move: MoveJson
    reason: str
    message: str


class Elsewhere(Message):
    """Places where the seat has no pirate to move, and why."""

    reason: str
    places: list[str]


class Options(Message):
    """The choices of the seat."""

    legal: list[Option]
    illegal: list[NearMiss]
    elsewhere: list[Elsewhere] = Field(default=[], description="All places that no listed move starts from.")


class Undo(Message):
    """Whether the seat can take its last move back, and if not, why."""

    model_config = example({"possible": False, "reason": "cards-dealt", "message": "A card was dealt since."})

    possible: bool
    reason: (
        Literal["not-your-turn", "nothing-to-undo", "cards-dealt", "others-chose", "game-is-over", "not-seated"] | None
    )
    message: str | None


class SeatJson(Message):
    """A seat and its player. ``clock`` is the time left in milliseconds, null without a clock."""

    seat: int
    kind: Literal["person", "computer"]
    name: str
    level: str | None = Field(description="The computer player that moves there now.")
    taken: bool = Field(description="False while a person is awaited.")
    away: Literal["left", "time"] | None = Field(description="Why the computer moves for an absent person.")
    may_return: bool = Field(description="Whether that person can take the seat back now.")
    resigned: bool
    online: bool
    salted: bool = Field(description="Whether it added randomness to the deal.")
    clock: int | None
    holiday: int | None = Field(
        default=None, description="By post: the end of the last holiday that was announced, in ms since 1970."
    )
    holidays: int | None = Field(default=None, description="By post: days of holiday left in this game.")


class Event(Message):
    """An event at the table. The ``seq`` numbers have gaps where moves were taken back or the server paused clocks."""

    seq: int
    at: int = Field(description="Milliseconds since 1970.")
    type: Literal[
        "joined", "removed", "computer", "cancelled", "salt", "deal", "move", "undo", "left", "back", "resigned",
        "standin", "talk", "forgotten", "next", "holiday",
    ]  # fmt: skip
    seat: int | None = None
    seats: list[int] | None = Field(
        default=None, description="With forgotten: the seats whose names and talk are gone."
    )
    move: MoveJson | None = None
    to: str | None = Field(default=None, description="Where the pirate ended.")
    cards: list[str] | None = Field(default=None, description="The deals a move brought: +D, or +? where hidden.")
    draws: int | None = Field(default=None, description="How many cards the mover drew, from the stock or the row.")
    drawn: list[str] | None = Field(
        default=None, description="In games with an open row: the cards that the mover drew from it, in order."
    )
    turn: int | None = Field(default=None, description="The number of the turn in the game.")
    undone: int | None = Field(default=None, description="With undo: the seq of the move that was taken back.")
    text: str | None = None
    until: int | None = Field(default=None, description="With holiday: its end, in ms since 1970.")
    why: str | None = None
    table: str | None = None
    level: str | None = Field(
        default=None, description="The computer player that sits down, or stands in for one that failed."
    )


class Outcome(Message):
    """How the game ended."""

    winner: int | None
    how: Literal["home", "deadlock", "becalmed", "resigned", "cancelled"]


class Absent(Message):
    """The seat that must choose while its person is not connected, and when the computer takes over."""

    seat: int
    left: int = Field(description="Milliseconds at the moment of sending.")


class Fair(Message):
    """The fair deal: the promise, and for the players of a finished game the secret."""

    commitment: str
    secret: str | None
    salts: list[str] | None = Field(description="What each chair added, told once the cards are dealt.")
    lots: list[int] | None = Field(description="Which chair got seat 1, 2 and so on.")


class You(Message):
    """The requester: the seat looked through (0: a spectator), all seats held, and whether it is the host."""

    seat: int
    seats: list[int]
    host: bool


class Update(Message):
    """The table as it is now: everything that a client needs to show it.

    ``events`` are those since the number that the client named or had; the rest is the table as it is now.
    """

    model_config = example(
        {
            "type": "update", "table": "k3v9x2m4q8", "seq": 12, "version": 12, "stage": "playing",
            "you": {"seat": 1, "seats": [1], "host": True},
            "seats": [{"seat": 1, "kind": "person", "name": "Ann", "level": None, "taken": True, "away": None,
                       "may_return": False, "resigned": False, "online": True, "salted": False, "clock": None}],
            "events": [{"seq": 12, "at": 1790000000000, "type": "move", "seat": 1,
                        "move": {"kind": "retreat", "from": "17"}, "to": "8",
                        "cards": ["+D"], "draws": 1, "turn": 3}],
            "text": None, "position": POSITION, "options": None,
            "undo": {"possible": False, "reason": "cards-dealt", "message": "A card was dealt since."},
            "clock": None, "outcome": None,
            "fair": {"commitment": "9f…", "secret": None, "salts": None, "lots": None}, "next": None,
        }
    )  # fmt: skip

    type: Literal["update"]
    table: str
    seq: int = Field(description="The number of the last event; name it to resume.")
    version: int = Field(description="The version of the game; a move names the one it saw.")
    stage: Literal["waiting", "playing", "over"]
    you: You
    seats: list[SeatJson]
    events: list[Event]
    position: PositionJson | None = Field(description="The view; null before the deal or with detail=text.")
    text: str | None = Field(description="With detail=text the view in notation, instead of position and options.")
    options: Options | None = Field(description="What this seat can choose from, while it must choose.")
    legal: list[str] | None = Field(
        default=None, description="With legal=true the legal moves in notation, while this seat must choose."
    )
    undo: Undo
    clock: dict[str, object] | None = Field(
        description="The running clock: the seat, and ms left at the moment of sending or by post the end of its days "
        "(due, ms since 1970); null if none runs."
    )
    absent: Absent | None = Field(
        default=None, description="At a table without a clock: the absent person that the others wait for."
    )
    hurried: str | None = Field(
        default=None,
        description="The level of a computer player that was short of time: many games wait for the computers.",
    )
    outcome: Outcome | None
    fair: Fair
    next: str | None = Field(description="The table of the rematch; your token is valid there too.")


class Looked(Message):
    """A table of yours as it is now, without its events, or why it cannot be seen."""

    table: str
    update: Update | None
    error: Refusal | None


class Looks(Message):
    """The tables in the order of the request."""

    tables: list[Looked]


class Snapshot(Update):
    """An update with all events that stand, and with the set-up."""

    setup: TableSetup


class Preview(Message):
    """A table before you join it: what you accept by joining. Keep the commitment to prove the deal afterwards."""

    table: str
    stage: Literal["waiting", "playing", "over"]
    commitment: str
    setup: TableSetup
    seats: list[SeatJson]


class Invite(Message):
    """An invitation to a seat, valid once. Put it behind the # of a link."""

    chair: int
    invite: str


class Created(Message):
    """A new table: the token of the seats at this device, and invitations for the others."""

    table: str
    token: str
    invites: list[Invite]
    snapshot: Snapshot


class Joined(Message):
    """A seat that was taken, and its token. Keep the token secret: it is the seat."""

    table: str
    token: str
    snapshot: Snapshot


class Ack(Message):
    """A durable change. ``repeated``: a request with that id was carried out before and was not repeated."""

    model_config = example({"type": "ack", "id": "m-17", "seq": 13, "version": 13, "repeated": False})

    type: Literal["ack"]
    id: str | None
    seq: int
    version: int
    repeated: bool


class LobbyTable(Message):
    """A table of the lobby."""

    table: str
    host: str = Field(default="", description="The name of the person who set it up.")
    rules: str
    title: str = Field(default="", description="The title or name of rules of one's own.")
    stage: Literal["waiting", "playing"]
    free: int
    seats: list[str]
    clock: dict[str, object]
    spectators: Literal["none", "public"]
    created: int


class Lobby(Message):
    """The tables that are listed, newest first."""

    tables: list[LobbyTable]


class PostOffer(Message):
    """Days a turn that a table by post may have, and the reason if none can be set up now."""

    days: list[int]
    why: str | None


class About(Message):
    """What this server offers."""

    version: str
    protocol: int = Field(description="The version of this interface.")
    rules: list[dict[str, object]]
    levels: list[str]
    limits: dict[str, int]
    post: PostOffer | None = Field(default=None, description="Tables by post, if this server knows them.")
    notify: NotifyOffer | None = Field(default=None, description="How people who are away can be reached.")
    addresses: list[str] = Field(description="Addresses at which other machines of the network reach this server.")


class Hint(Message):
    """A hint, from the seat's own view only."""

    version: int
    level: str
    answer: dict[str, object] = Field(description="The player's answer: move, turns with win chances and why codes.")


class Rejected(Refusal):
    """A refusal over a socket."""

    type: Literal["rejected"]
