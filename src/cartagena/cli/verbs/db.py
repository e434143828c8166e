"""``cartagena db``: backup, restore and check the server's database."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from cartagena.game import CartagenaError
from cartagena.server.settings import Settings, SettingsError
from cartagena.server.storage import backup as storage_backup
from cartagena.server.storage.database import Store, StoreError

T = TypeVar("T")
app = typer.Typer(help="Back up, restore and check the server's database.", no_args_is_help=True)
Database = Annotated[str | None, typer.Option(metavar="URL", help="The database; else that of the settings.")]
File = Annotated[Path, typer.Argument(metavar="FILE", help="The backup file.")]


def with_store(database: str | None, work: Callable[[Store], Awaitable[T]]) -> T:
    """Open the database, do something, close it; what goes wrong is one sentence."""

    async def main() -> T:
        store = Store(Settings.from_environment(database=database).database)
        try:
            return await work(store)
        finally:
            await store.close()

    try:
        return asyncio.run(main())
    except (StoreError, SettingsError) as error:
        raise CartagenaError(str(error)) from None


@app.command()
def backup(file: File, database: Database = None) -> None:
    """Write everything to a file, also while the server runs."""
    number = with_store(database, lambda store: storage_backup.backup(store, file))
    typer.echo(f"{number} tables are in {file}.")


@app.command()
def restore(file: File, database: Database = None) -> None:
    """Fill an empty database from a backup, of whichever kind either is."""
    number = with_store(database, lambda store: storage_backup.restore(store, file))
    typer.echo(f"{number} tables were restored.")


@app.command()
def check(database: Database = None) -> None:
    """Replay every game and prove every deal."""
    number, problems = with_store(database, storage_backup.check)
    for problem in problems:
        typer.echo(problem)
    typer.echo(f"{number} tables, {len(problems)} with problems.")
    if problems:
        raise typer.Exit(1)
