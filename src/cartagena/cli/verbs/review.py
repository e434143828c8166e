"""``cartagena review``: understand a finished game."""

from pathlib import Path
from typing import Annotated

import typer

from cartagena.errors import CartagenaError
from cartagena.players import Limit

from .. import inputs
from ..output import AsJson, emit, progress_bar, write_file


def command(
    record: Annotated[str, typer.Argument(metavar="RECORD", help="A record file, or - for standard input.")],
    nodes: Annotated[int, typer.Option(min=1, help="Nodes that each decision is searched with.")] = 3000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same review.")] = 0,
    html: Annotated[str | None, typer.Option(metavar="FILE", help="Write the review as one HTML page.")] = None,
    annotate: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write the record with the review in it.")
    ] = None,
    journal: Annotated[
        str | None, typer.Option(metavar="FILE", help="Keep finished decisions, to go on after an interruption.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
    as_json: AsJson = False,
) -> None:
    """Judge every decision of a finished game, and tell luck from skill."""
    game = inputs.read_record(record)
    for path in (html, annotate):
        check_new(path, force)
    from cartagena import study
    from cartagena.study import page, report

    with progress_bar() as bar:
        task = bar.add_task("Reviewing", total=None)
        found = study.review(
            game,
            Limit(nodes=nodes),
            seed=seed,
            journal=journal,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    emit(report.text(found), found.to_json(), as_json)
    if html is not None:
        write_file(html, page.page(found))
    if annotate is not None:
        write_file(annotate, str(study.annotated(found)))


def check_new(path: str | None, force: bool) -> None:
    """Raise CartagenaError where a file would be replaced without being asked for."""
    if path is not None and Path(path).exists() and not force:
        raise CartagenaError(f"{path}: exists already; --force replaces it")
