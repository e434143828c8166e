"""Tables of the database. Migrations bring older databases up to this."""

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Connection,
    Index,
    Integer,
    MetaData,
    ScalarSelect,
    Select,
    String,
    Text,
    bindparam,
    exists,
    func,
    insert,
    inspect,
    literal_column,
    select,
    true,
    update,
)
from sqlalchemy import Table as SqlTable
from sqlalchemy.sql.elements import ColumnElement

metadata: Final = MetaData()

tables: Final = SqlTable(
    "tables",
    metadata,
    Column("id", String(20), primary_key=True),
    Column("created", BigInteger, nullable=False),
    Column("touched", BigInteger, nullable=False),  # when the stage last changed
    Column("stage", String(10), nullable=False),  # waiting, playing or over: an index, the events are the truth
    Column("lobby", Boolean, nullable=False),
    Column("wake", Boolean, nullable=False),  # load after a restart: a computer plays or a clock runs
    Column("setup", Text, nullable=False),
    Column("secret", String(64), nullable=False),
    Column("due", BigInteger),  # by post: when the due-time query is next to find the table
    Index("tables_by_stage", "stage", "touched"),
    Index("tables_by_due", "due"),
)

events: Final = SqlTable(
    "events",
    metadata,
    Column("table_id", String(20), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", String(10), nullable=False),
    Column("data", Text, nullable=False),
    Column("move_id", String(60)),
    Index("events_by_move_id", "table_id", "move_id", unique=True),
)

keys: Final = SqlTable(
    "keys",
    metadata,
    Column("table_id", String(20), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(10), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("chairs", String(20), nullable=False),
    Column("revoked", Boolean, nullable=False),
    Column("host", Boolean, nullable=False),
    Index("keys_by_digest", "digest"),
)

marks: Final = SqlTable(
    "marks",
    metadata,
    Column("table_id", String(20), primary_key=True),
    Column("at", BigInteger, nullable=False),  # when the table was marked for removal
)

contacts: Final = SqlTable(  # where a person gets messages: a device by web push, or a mail address
    "contacts",
    metadata,
    Column("id", String(20), primary_key=True),
    Column("kind", String(10), nullable=False),  # push or mail
    Column("digest", String(64), nullable=False),  # of the address, which is found by it
    Column("address", Text, nullable=False),
    Column("keys", Text, nullable=False),  # of a push subscription, as JSON
    Column("wishes", Text, nullable=False),  # what the person wants to be told, and when, as JSON
    Column("created", BigInteger, nullable=False),
    Column("quiet_until", BigInteger, nullable=False),  # no mail before: one an hour
    Index("contacts_by_digest", "digest", unique=True),
)

links: Final = SqlTable(  # which seat tokens a contact belongs to, by the digest of the token
    "links",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("contact", String(20), primary_key=True),
    Column("confirmed", Boolean, nullable=False),
    Column("since", BigInteger, nullable=False),
    Index("links_by_contact", "contact"),
)

webhooks: Final = SqlTable(
    "webhooks",
    metadata,
    Column("table_id", String(20), primary_key=True),
    Column("url", Text, nullable=False),
    Column("secret", String(64), nullable=False),
)

secrets: Final = SqlTable(  # keys of the server itself, made at its first start
    "secrets",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("value", Text, nullable=False),
)

uptime: Final = SqlTable(  # one row: that servers run, and until when no days by post run out
    "uptime",
    metadata,
    Column("name", String(10), primary_key=True),
    Column("alive", BigInteger, nullable=False),  # when a server last said that it runs
    Column("earliest", BigInteger, nullable=False),  # before this time no days by post end
)
FORGET_UPTIME: Final = uptime.delete()
NOTE_UPTIME: Final = uptime.insert()

outbox: Final = SqlTable(  # what people are to be told; a row without a contact is still to be shared out
    "outbox",
    metadata,
    Column("cause", String(40), primary_key=True),
    Column("contact", String(20), primary_key=True),
    Column("table_id", String(20), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("chairs", String(20), nullable=False),
    Column("number", Integer, nullable=False),  # of the event
    Column("at", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("due", BigInteger, nullable=False),  # when it is sent; of a row that a server has taken, when its lease ends
    Column("holder", String(20), nullable=False),
    Column("tries", Integer, nullable=False),
    Index("outbox_by_due", "due"),
    Index("outbox_by_contact", "contact"),
    Index("outbox_by_table", "table_id"),
)


commands: Final = SqlTable(
    "commands",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("sender", String(100), nullable=False),  # the user and the machine
    Column("verb", String(20), nullable=False),
    Column("data", Text, nullable=False),
    Column("taken", BigInteger),  # when a server took it
    Column("done", BigInteger),
    Column("result", Text),
)

blocks: Final = SqlTable(
    "blocks",
    metadata,
    Column("network", String(50), primary_key=True),
    Column("until", BigInteger, nullable=False),
)


def stored_columns(connection: Connection, part: SqlTable) -> list[Column[Any]]:
    """The columns of a part that the database has: one that is not migrated yet lacks the newest, or the whole part."""
    database = inspect(connection)
    names = {each["name"] for each in database.get_columns(part.name)} if database.has_table(part.name) else set()
    return [column for column in part.columns if column.name in names]


def is_event(at: int, data: str) -> ColumnElement[bool]:
    """Whether an event has that time and data: another server may have written one of the same number."""
    return (events.c.at == at) & (events.c.data == data)


REVOKE: Final = (
    update(keys)
    .where((keys.c.table_id == bindparam("of_table")) & (keys.c.number == bindparam("of_number")))
    .values(revoked=true())
)
REWRITE: Final = (
    update(events)
    .where((events.c.table_id == bindparam("of_table")) & (events.c.number == bindparam("of_number")))
    .values(data=bindparam("new_data"))
)
SET_UP: Final = update(tables).where(tables.c.id == bindparam("of_table")).values(setup=bindparam("new_setup"))
UNMARK: Final = marks.delete().where(marks.c.table_id == bindparam("of_table"))
MARK: Final = marks.insert().values(table_id=bindparam("of_table"), at=bindparam("new_at"))
REMOVE: Final = (
    events.delete().where(events.c.table_id == bindparam("of_table")),
    keys.delete().where(keys.c.table_id == bindparam("of_table")),
    UNMARK,
    webhooks.delete().where(webhooks.c.table_id == bindparam("of_table")),
    outbox.delete().where(outbox.c.table_id == bindparam("of_table")),
    tables.delete().where(tables.c.id == bindparam("of_table")),
)
STAGE: Final = (
    update(tables)
    .where(tables.c.id == bindparam("of_table"))
    .values(
        stage=bindparam("new_stage"),
        wake=bindparam("new_wake"),
        touched=bindparam("new_touched"),
        due=bindparam("new_due"),
    )
)
LOOK: Final = (
    update(tables)
    .where((tables.c.id == bindparam("of_table")) & (tables.c.due == bindparam("of_due")))
    .values(due=bindparam("new_due"))
)
"""Puts off the next look at a table by post, unless a move has done so since it was read."""

WATCHED: Final = exists().where(
    (keys.c.table_id == bindparam("new_table_id", type_=String))
    & keys.c.revoked.is_(False)
    & (links.c.digest == keys.c.digest)
) | exists().where(webhooks.c.table_id == bindparam("new_table_id", type_=String))
"""Whether a person at a table, or the table itself, gets messages."""
ANNOUNCE: Final = insert(outbox).from_select(
    list(outbox.c.keys()),
    select(
        *(
            literal_column("''", String) if column.name in ("contact", "holder")
            else literal_column("0", Integer) if column.name == "tries"
            else bindparam(f"new_{column.name}", type_=column.type)
            for column in outbox.c
        )
    ).where(WATCHED),
    include_defaults=False,
)  # fmt: skip
"""Adds a row to the outbox if a message would be sent to anyone. It runs in the transaction of the event."""
MINE: Final = (outbox.c.cause == bindparam("of_cause")) & (outbox.c.contact == bindparam("of_contact"))
TAKE: Final = (
    update(outbox)
    .where(MINE & (outbox.c.due == bindparam("of_due")))
    .values(due=bindparam("new_due"), holder=bindparam("new_holder"), tries=outbox.c.tries + literal_column("1"))
)
"""Takes a row that no other server has taken since it was read."""
HELD: Final = MINE & (outbox.c.holder == bindparam("of_holder"))
DONE: Final = outbox.delete().where(HELD)
LATER: Final = update(outbox).where(HELD).values(due=bindparam("new_due"), holder=literal_column("''"))
HOLD: Final = update(outbox).where(HELD).values(tries=outbox.c.tries)
"""Locks a row that this server holds until the end of the transaction, so that no other server takes it meanwhile."""
ENTER: Final = insert(outbox).from_select(
    list(outbox.c.keys()),
    select(*(bindparam(f"new_{column.name}", type_=column.type) for column in outbox.c)).where(exists().where(HELD)),
    include_defaults=False,
)
"""Adds a row in place of one that this server holds. A server whose lease has ended adds nothing."""
ADD_CONTACT: Final = contacts.insert()


def count_of(column: ColumnElement[str], name: str) -> ScalarSelect[int]:
    """The number of rows whose column has the value of that name."""
    return select(func.count()).where(column == bindparam(name, type_=String)).scalar_subquery()


HOLD_CONTACT: Final = (
    update(contacts).where(contacts.c.id == bindparam("of_contact")).values(created=contacts.c.created)
)
"""Lets links of a contact be added and deleted one after another, whichever servers do it."""
OTHERS: Final = links.alias("others")
ADD_LINK: Final = insert(links).from_select(
    list(links.c.keys()),
    select(*(bindparam(f"new_{column.name}", type_=column.type) for column in links.c)).where(
        exists().where(contacts.c.id == bindparam("new_contact", type_=String)),
        ~exists().where(
            (OTHERS.c.digest == bindparam("new_digest", type_=String))
            & (OTHERS.c.contact == bindparam("new_contact", type_=String))
        ),
        count_of(OTHERS.c.digest, "new_digest") < bindparam("most_contacts", type_=Integer),
        count_of(OTHERS.c.contact, "new_contact") < bindparam("most_seats", type_=Integer),
    ),
    include_defaults=False,
)
"""Links a contact that is there to a token, unless it is linked already or either has too many links."""
WISH: Final = update(contacts).where(contacts.c.id == bindparam("of_contact")).values(wishes=bindparam("new_wishes"))
HUSH: Final = (
    update(contacts)
    .where((contacts.c.id == bindparam("of_contact")) & (contacts.c.quiet_until == bindparam("of_quiet_until")))
    .values(quiet_until=bindparam("new_quiet_until"))
)
CONFIRM: Final = (
    update(links)
    .where((links.c.digest == bindparam("of_digest")) & (links.c.contact == bindparam("of_contact")))
    .values(confirmed=true())
)
UNLINK: Final = links.delete().where(
    (links.c.digest == bindparam("of_digest")) & (links.c.contact == bindparam("of_contact"))
)
UNLINK_ALL: Final = links.delete().where(links.c.digest == bindparam("of_digest"))
DROP_CONTACT: Final = (
    outbox.delete().where(outbox.c.contact == bindparam("of_contact")),
    links.delete().where(links.c.contact == bindparam("of_contact")),
    contacts.delete().where(contacts.c.id == bindparam("of_contact")),
)
UNUSED: Final = ~exists().where(links.c.contact == bindparam("of_contact"))
DROP_UNUSED: Final = (
    outbox.delete().where((outbox.c.contact == bindparam("of_contact")) & UNUSED),
    contacts.delete().where((contacts.c.id == bindparam("of_contact")) & UNUSED),
)
"""Deletes a contact that belongs to no token any more, with the messages that wait for it."""
DROP_WEBHOOK: Final = webhooks.delete().where(webhooks.c.table_id == bindparam("of_table"))
ADD_WEBHOOK: Final = webhooks.insert()
ADD_SECRET: Final = secrets.insert()
LOOSE_LINKS: Final = links.delete().where(
    (links.c.confirmed.is_(False) & (links.c.since < bindparam("before")))
    | ~exists().where((keys.c.digest == links.c.digest) & keys.c.revoked.is_(False))
)
"""Links of tokens that hold no seat any more, and those that were not confirmed in time."""
LOOSE_CONTACTS: Final = contacts.delete().where(
    (contacts.c.created < bindparam("before")) & ~exists().where(links.c.contact == contacts.c.id)
)
LOOSE_WEBHOOKS: Final = webhooks.delete().where(
    ~exists().where((keys.c.table_id == webhooks.c.table_id) & keys.c.host & keys.c.revoked.is_(False))
)
"""Webhooks of tables that are gone or have no host any more, who alone could take them away."""


def due_tables(now: int, most: int) -> Select[tuple[str, int]]:
    """The query for tables by post that are to be looked at by now, the longest overdue first."""
    due = tables.c.due
    return select(tables.c.id, due).where(due <= now).order_by(due).limit(most)
