"""``cartagena review``: understand a finished game."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cartagena.errors import CartagenaError
from cartagena.game.files import write_whole
from cartagena.players import Limit

from .. import inputs, shared_options
from ..output import AsJson, emit, progress_bar

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from cartagena.study import Review


@dataclass(frozen=True)
class Judging:
    """How decisions are judged."""

    nodes: Annotated[int, typer.Option(min=1, help="Nodes that each decision is searched with.")] = 3000
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same review.")] = 0
    seat: Annotated[
        int | None, typer.Option(min=1, help="Review only what this seat could know, and its own decisions.")
    ] = None


@dataclass(frozen=True)
class Files:
    """The files that a review writes."""

    html: Annotated[str | None, typer.Option(metavar="FILE", help="Write the review as one HTML page.")] = None
    annotate: Annotated[str | None, typer.Option(metavar="FILE", help="Write the record with the review in it.")] = None
    journal: Annotated[
        str | None, typer.Option(metavar="FILE", help="Keep finished decisions, to go on after an interruption.")
    ] = None
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False

    def check(self, records: int) -> None:
        """Raise CartagenaError for files of several records, no name, or a file that must not be replaced."""
        if records > 1 and (self.html or self.annotate or self.journal):
            raise CartagenaError("--html, --annotate and --journal take one record at a time.")
        if "-" in (self.html, self.annotate, self.journal):
            raise CartagenaError("--html, --annotate and --journal need a file: the report goes to standard output.")
        for path in (self.html, self.annotate):
            if path is not None and Path(path).exists() and not self.force:
                raise CartagenaError(f"{path}: exists already; --force replaces it")

    def write(self, review: "Review") -> None:
        """Write the page and the annotated record, where they are wanted."""
        from cartagena import study
        from cartagena.study import page

        if self.html is not None:
            write_whole(self.html, page.page(review))
        if self.annotate is not None:
            write_whole(self.annotate, str(study.annotated(review)))


@shared_options.takes(Judging, "judging")
@shared_options.takes(Files, "files")
def command(
    records: Annotated[list[str], typer.Argument(metavar="RECORD ...", help="Record files, or - for standard input.")],
    *,
    judging: Judging,
    files: Files,
    rules: shared_options.RulesOf = None,
    processes: Annotated[int, typer.Option(min=1, help="Decisions at a time.")] = 1,
    on: shared_options.On = "local",
    as_json: AsJson = False,
) -> None:
    """Judge every decision of a finished game, and tell luck from skill."""
    files.check(len(records))
    games = [inputs.read_record(record, rules) for record in records]
    from cartagena import study
    from cartagena.jobs import executor
    from cartagena.study import review_text

    limit, place = Limit(nodes=judging.nodes), executor(on, processes if on == "local" else None)
    rows = []
    with progress_bar() as bar:
        for name, game in zip(records, games, strict=True):
            task = bar.add_task(f"Reviewing {name}", total=None)
            tell = partial(show_progress, bar, task)
            review = study.review(
                game, limit, seed=judging.seed, seat=judging.seat, journal=files.journal, progress=tell, place=place
            )
            rows.append(review)
    titles = [f"{name}\n" for name in records] if len(records) > 1 else [""]
    text = "\n".join(title + review_text.text(each) for title, each in zip(titles, rows, strict=True))
    data = [each.to_json() for each in rows]
    emit(text, data if len(data) > 1 else data[0], as_json)
    files.write(rows[0])


def show_progress(bar: "Progress", task: "TaskID", done: int, total: int) -> None:
    """Show how many decisions are judged."""
    bar.update(task, completed=done, total=total)
