"""Requests and answers about people: how they are told when they are away, their turns, and what is kept about them."""

from typing import Annotated, Final, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, Field, ValidationInfo

from .requests import STORED, Message, Name, example

Daytime = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$", examples=["22:00"])]
NoticeKind = Literal["turn", "late", "over", "rematch", "talk"]


def known_zone(name: str, info: ValidationInfo) -> str:
    """The name of a time zone. Raises ValueError if there is none. A stored one is taken as it is."""
    if info.context == STORED:
        return name
    try:
        return ZoneInfo(name).key
    except (KeyError, ValueError, OSError):
        raise ValueError("must be the name of a time zone such as Europe/Berlin") from None


Zone = Annotated[str, Field(min_length=1, max_length=60), AfterValidator(known_zone)]


class QuietHours(Message):
    """Hours of the day in which no message is sent; those of the night wait until they are over."""

    from_: Daytime = Field(alias="from")
    to: Daytime
    zone: Zone = Field(examples=["Europe/Berlin"], description="The time zone's name.")


class Wishes(Message):
    """What a device or mail address is told, and when."""

    model_config = example({"kinds": ["turn", "over"], "quiet": {"from": "22:00", "to": "07:30", "zone": "Asia/Tokyo"}})

    name: Name = Field(default="", description="What the person calls the device.")
    muted: bool = False
    kinds: list[NoticeKind] = Field(default=["turn", "late", "over", "rematch"], max_length=5)
    quiet: QuietHours | None = None
    language: Literal["en", "de", "nl", "sv", "fr", "es", "it"] = "en"


class PushSubscription(Message):
    """A subscription as a browser gives it out."""

    endpoint: str = Field(min_length=9, max_length=2000)
    p256dh: str = Field(min_length=80, max_length=100)
    auth: str = Field(min_length=16, max_length=40)


class HeldSeat(Message):
    """A seat at a table, held by its token."""

    table: str = Field(pattern=r"^[a-z0-9]{4,20}$")
    token: str = Field(min_length=1, max_length=100)


class Notify(Message):
    """Tell me what happens at this table: on a device, by mail, or where I am told about another table of mine."""

    model_config = example(
        {"mail": "ann@example.org", "wishes": {"language": "de"}}, {"like": {"table": "k3v9x2m4q8rt", "token": "t"}}
    )

    push: PushSubscription | None = None
    mail: str | None = Field(default=None, min_length=3, max_length=254)
    like: HeldSeat | None = None
    wishes: Wishes = Wishes()


class SetWebhook(Message):
    """Send what happens at this table to an address of yours."""

    model_config = example({"url": "https://example.org/hook"})

    url: str = Field(min_length=9, max_length=2000)


class WatchTurns(Message):
    """Tell me whose turn it is at all my tables."""

    model_config = example({"seats": [{"table": "k3v9x2m4q8rt", "token": "your token"}]})

    seats: list[HeldSeat] = Field(min_length=1, max_length=200)


MOST_LOOKS: Final = 50
"""Tables of one look: what is told of them fits into an answer that is built at once."""


class OwnSeat(Message):
    """A seat as its holder has kept it. What no table can be called does not exist, and fails no other."""

    table: str = Field(min_length=1, max_length=100)
    token: str = Field(min_length=1, max_length=100)


class LookAtTables(Message):
    """Show me all these tables as they are now."""

    model_config = example({"seats": [{"table": "k3v9x2m4q8rt", "token": "your token"}]})

    seats: list[OwnSeat] = Field(min_length=1, max_length=MOST_LOOKS)


# --- answers


class NotifyOffer(Message):
    """How this server can reach people who are away."""

    push: str | None = Field(description="The server's public key for web push, if it has one.")
    mail: bool
    webhooks: bool


class Contact(Message):
    """A device or mail address of yours."""

    id: str
    kind: Literal["push", "mail"]
    address: str = Field(description="The push service, or the mail address with most of its name left out.")
    confirmed: bool = Field(description="Whether a mail address was confirmed by its link for this seat.")
    since: int
    device: str | None = Field(
        description="By which a browser knows itself: SHA-256 of `push ` and its endpoint, in hex; null for mail."
    )
    wishes: Wishes


class Contacts(Message):
    """Where you are told about this table."""

    contacts: list[Contact]
    webhook: str | None = Field(description="The host name of the table's webhook, if it has one.")


class Webhook(Message):
    """A table's webhook. The secret, which signs what is sent, is shown once."""

    url: str
    secret: str


class Asked(Message):
    """The seats of your table that are held for the people of an earlier game."""

    seats: list[int]


class TurnState(Message):
    """A table of yours: whether it is your turn, and until when by post. ``code``: why it cannot be seen."""

    table: str
    seq: int
    version: int
    stage: str
    yours: bool
    due: int | None
    code: str | None
    next: str | None = Field(description="The table of a rematch or invitation; your token is valid there too.")


class Turns(Message):
    """Whose turn it is at all your tables."""

    tables: list[TurnState]


class KeptSeat(Message):
    """A seat with the name and the randomness that its person gave."""

    seat: int
    name: str
    salt: str


class KeptLine(Message):
    """A line of talk."""

    seq: int
    at: int
    text: str


class KeptToken(Message):
    """What is stored of a token: its hash, and whether it is the host's."""

    kept: Literal["SHA-256"]
    host: bool


class KeptTable(Message):
    """What one table keeps about a person."""

    table: str
    created: int
    rules: str
    stage: str
    seats: list[KeptSeat]
    names: list[str] = Field(description="All names with which the seats were taken.")
    talk: list[KeptLine]
    moves: int = Field(description="How many moves of these seats are part of the game's record.")
    token: KeptToken | None


class Kept(Message):
    """Everything that is kept about a person, by table."""

    tables: list[KeptTable]
    contacts: list[Contact] = Field(description="Devices and mail addresses that are told about this table.")


class Forgotten(Message):
    """How many tables have deleted what they kept about a person."""

    tables: int
