"""``cartagena db``: the server's database, and commands of the operator to servers that run."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

import typer

from cartagena.cli import operator
from cartagena.errors import CartagenaError
from cartagena.game.plurals import counted
from cartagena.server.addresses import network_named
from cartagena.server.live import loading, privacy
from cartagena.server.live.operator import readable
from cartagena.server.live.registry import TableRegistry
from cartagena.server.protocol.errors import Refused
from cartagena.server.settings import load_settings
from cartagena.server.storage import backup as storage_backup
from cartagena.server.storage import commands
from cartagena.server.storage.database import Database
from cartagena.server.storage.migrate import SoleServer, upgrade
from cartagena.server.storage.write_queue import WriteQueue
from cartagena.server.tables.tokens import digest

T = TypeVar("T")
app = typer.Typer(
    help="Back up, restore and check the server's database, delete what it keeps about a person, close, revoke, block.",
    no_args_is_help=True,
)
Address = Annotated[str | None, typer.Option(metavar="URL", help="The database, by default that of the settings.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="The backup file.")]


def with_database(database: str | None, work: Callable[[Database], Awaitable[T]], *, new: bool = False) -> T:
    """Run ``work`` on the open database, which may be ``new``. Raises CartagenaError for a file that does not exist."""

    async def main() -> T:
        opened = Database(load_settings(database=database).database)
        try:
            if not new and opened.is_sqlite and not opened.file.exists():
                raise CartagenaError(f"There is no database {opened.file}.")
            return await work(opened)
        finally:
            await opened.close()

    return asyncio.run(main())


@app.command()
def backup(file: File, database: Address = None) -> None:
    """Write the whole database to a file, also while the server runs."""
    number = with_database(database, lambda opened: storage_backup.backup(opened, file))
    typer.echo(f"{counted(number, 'table')} written to {file}.")


@app.command()
def restore(file: File, database: Address = None) -> None:
    """Fill an empty database from a backup. Both may be SQLite or PostgreSQL."""
    number = with_database(database, lambda opened: storage_backup.restore(opened, file), new=True)
    typer.echo(f"{counted(number, 'table')} restored.")


@app.command()
def check(database: Address = None) -> None:
    """Replay every game and verify every deal."""
    number, problems = with_database(database, loading.check)
    for problem in problems:
        typer.echo(problem)
    typer.echo(f"{counted(number, 'table')}, {len(problems)} with problems.")
    if problems:
        raise typer.Exit(1)


@app.command()
def forget(
    database: Address = None,
    token: Annotated[str | None, typer.Option(help="The person's token.")] = None,
    table: Annotated[str | None, typer.Option(help="A table, for a person who has lost the token.")] = None,
    chair: Annotated[int | None, typer.Option(help="The chair there: all who ever sat on it.")] = None,
    show: Annotated[bool, typer.Option("--show", help="Print what is kept as JSON and delete nothing.")] = False,
) -> None:
    """Delete the names, the talk and the token of a person. The games stay. Stop the server first, not for --show."""
    if (token is None) == (table is None) or (table is None) != (chair is None):
        raise CartagenaError("Name the person by --token, or by --table and --chair.")
    whom = Person(token or "", table or "", chair or 0)
    kept = with_database(database, lambda opened: alone(opened, whom, show))
    if show:
        typer.echo(json.dumps({"tables": kept}, ensure_ascii=False, indent=2))
    else:
        typer.echo(deleted(kept))


def deleted(kept: list[Any]) -> str:
    """What was deleted, in one sentence."""
    names = {name for each in kept for name in (*each["names"], *(seat["name"] for seat in each["seats"])) if name}
    lines = sum(len(each["talk"]) for each in kept)
    what = f"{counted(len(names), 'name')} and {counted(lines, 'line')} of talk"
    return f"Deleted at {counted(len(kept), 'table')}: {what}; no token to these seats is valid any more."


class Person(NamedTuple):
    """A person by token, or by table and chair."""

    token: str
    table: str
    chair: int


async def alone(database: Database, whom: Person, show: bool) -> list[Any]:
    """Show what is kept about a person, or delete it while no server runs. Returns what was kept, by table."""
    if show:
        return await shown(database, whom)
    settings = load_settings()
    sole, writes = SoleServer(database), WriteQueue(database, settings.batch_moves)
    try:
        await sole.take()
        await upgrade(database)
        writes.start()
        registry = TableRegistry(database, writes, settings)
        kept = await kept_data(registry, whom, show)
        await asyncio.gather(*registry.tasks.running)
        await privacy.end_devices(registry, commands.now_wall())
    except Refused as error:
        raise CartagenaError(str(error)) from None
    finally:
        await writes.stop()
        await sole.free()
    return kept


async def shown(database: Database, whom: Person) -> list[Any]:
    """What is kept about a person, also while servers run."""
    try:
        async with operator.beside(database) as registry:
            return await kept_data(registry, whom, show=True)
    except Refused as error:
        raise CartagenaError(str(error)) from None


async def kept_data(registry: TableRegistry, whom: Person, show: bool) -> list[Any]:
    """What is kept about a person. Deletes it unless it is only to be shown."""
    if not whom.token:
        return await kept_on_chair(registry, whom, show)
    held = await registry.tables_of(digest(whom.token))
    if not held:
        raise CartagenaError("That token holds no seat here.")
    async with registry.lease(held[0]) as live:
        kept = await privacy.kept_about(registry, live, whom.token)
        if not show:
            await privacy.forget(registry, live, whom.token)
    return kept


async def kept_on_chair(registry: TableRegistry, whom: Person, show: bool) -> list[Any]:
    """As ``kept_data``, for a person who has lost the token, and for all who sat on that chair before."""
    async with registry.lease(whom.table) as live:
        chairs = privacy.chairs_with(live.table, whom.chair)
        kept = [privacy.kept_at(live.table, chairs, None, earlier=True)]
        if not show:
            await privacy.forget_chair(registry, live, whom.chair)
    return kept


# --- commands, which a server carries out if one runs

Token = Annotated[str | None, typer.Option(help="The token.")]
Table = Annotated[str | None, typer.Option(help="A table.")]


def command(database: str | None, verb: str, data: dict[str, object]) -> None:
    """Have a command carried out, and say what was done."""
    typer.echo(with_database(database, lambda opened: operator.carry_out(opened, verb, data)))


@app.command()
def close(table: Annotated[str, typer.Argument(help="The table.")], database: Address = None) -> None:
    """Close a table, also while it is played and while servers run."""
    command(database, "close", {"table": table})


@app.command()
def revoke(
    database: Address = None,
    token: Token = None,
    table: Table = None,
    chair: Annotated[int | None, typer.Option(help="A chair there, in the order of the set-up.")] = None,
) -> None:
    """Revoke a token, or all tokens to a chair, also while servers run. The seat stays taken."""
    if (token is None) == (table is None) or (table is None) != (chair is None):
        raise CartagenaError("Name the token by --token, or by --table and --chair.")
    command(database, "revoke", {"digest": digest(token)} if token else {"table": table, "chair": chair})


@app.command()
def block(
    network: Annotated[str, typer.Argument(help="An address, or a network such as 192.0.2.0/24.")],
    minutes: Annotated[int, typer.Option(help="How long (0: end the block).", min=0, max=525_600)] = 60,
    database: Address = None,
) -> None:
    """Refuse an address or a network for a time, also while servers run."""
    command(database, "block", {"network": checked_network(network), "minutes": minutes})


def checked_network(text: str) -> str:
    """The network that a text names. Raises CartagenaError."""
    try:
        network = network_named(text)
    except ValueError:
        raise CartagenaError(f"{text[:60]} is no address and no network.") from None
    if network.prefixlen == 0:
        raise CartagenaError("That would block everybody.")
    return str(network)


@app.command()
def blocks(database: Address = None) -> None:
    """List the networks that are blocked."""
    for network, until in sorted(with_database(database, commands.blocks).items()):
        typer.echo(f"{network} until {datetime.fromtimestamp(until / 1000, UTC):%Y-%m-%d %H:%M} UTC")


@app.command()
def log(database: Address = None) -> None:
    """List the commands of the last 30 days: when, who, what, and what came of it."""
    for row in with_database(database, commands.log_of):
        typer.echo(f"{datetime.fromtimestamp(row.at / 1000, UTC):%Y-%m-%d %H:%M} UTC  {readable(row)}")
