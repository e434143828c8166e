"""``cartagena db``: back up, restore and check the server's database."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from cartagena.server.settings import load_settings
from cartagena.server.storage import backup as storage_backup
from cartagena.server.storage.database import Database
from cartagena.server.tables import check as tables_check

T = TypeVar("T")
app = typer.Typer(help="Back up, restore and check the server's database.", no_args_is_help=True)
Address = Annotated[str | None, typer.Option(metavar="URL", help="The database, by default that of the settings.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="The backup file.")]


def with_database(database: str | None, work: Callable[[Database], Awaitable[T]]) -> T:
    """Run ``work`` on the open database."""

    async def main() -> T:
        opened = Database(load_settings(database=database).database)
        try:
            return await work(opened)
        finally:
            await opened.close()

    return asyncio.run(main())


@app.command()
def backup(file: File, database: Address = None) -> None:
    """Write the whole database to a file, also while the server runs."""
    number = with_database(database, lambda opened: storage_backup.backup(opened, file))
    typer.echo(f"{number} tables are in {file}.")


@app.command()
def restore(file: File, database: Address = None) -> None:
    """Fill an empty database from a backup. Both may be SQLite or PostgreSQL."""
    number = with_database(database, lambda opened: storage_backup.restore(opened, file))
    typer.echo(f"{number} tables were restored.")


@app.command()
def check(database: Address = None) -> None:
    """Replay every game and verify every deal."""
    number, problems = with_database(database, tables_check.check)
    for problem in problems:
        typer.echo(problem)
    typer.echo(f"{number} tables, {len(problems)} with problems.")
    if problems:
        raise typer.Exit(1)
