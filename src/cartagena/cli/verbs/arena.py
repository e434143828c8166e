"""``cartagena arena``: matches between players."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cartagena.game import CartagenaError

from .. import shared_options
from ..output import AsJson, emit, progress_bar

if TYPE_CHECKING:
    from cartagena.arena import Contest, Sequential


@dataclass(frozen=True)
class GameOptions:
    """Which games are played, and when to stop."""

    rules: Annotated[str, typer.Option(help="A rule set or a .toml file.")] = "jamaica-en"
    seats: Annotated[
        int | None, typer.Option(min=2, max=5, help="Number of seats.", show_default="the rule set's, or 2")
    ] = None
    games: Annotated[int, typer.Option(min=1, help="Number of games, rounded up to whole rounds of the seating.")] = 100
    seed: Annotated[str, typer.Option(help="Seed of the deals; the same seed deals the same games.")] = "1"
    suite: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Play fixed openings: standard, a suite of the package, or a file of positions."
        ),
    ] = ""
    stop: Annotated[
        str | None,
        typer.Option(
            metavar="LOW,HIGH",
            help="Stop as soon as a sequential test decides between these two shares of the first player.",
        ),
    ] = None
    adjusted: Annotated[
        bool, typer.Option("--adjusted", help="The sequential test looks at shares without the luck of the cards.")
    ] = False

    def contest(self, players: list[str], code: list[str] | None) -> "Contest":
        """The contest of these players in these games."""
        from cartagena.arena import Contest

        test = None if self.stop is None else replace(read_stop(self.stop), adjusted=self.adjusted)
        files = tuple(code or ())
        return Contest(
            tuple(players), self.rules, self.seats or 0, self.games, self.seed, files, test, suite=self.suite
        )


@dataclass(frozen=True)
class Files:
    """Where results, records and a plot are written."""

    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the results as JSON lines, and continue a file that has some."),
    ] = None
    records: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write the record of every game to this folder.")
    ] = None
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the ratings to a picture file.")] = None


@shared_options.takes(GameOptions, "played")
@shared_options.takes(Files, "files")
def command(
    players: Annotated[
        list[str], typer.Argument(help="Players: captain, captain@0.1s, captain@5000n, cmd:./their-bot.")
    ],
    *,
    played: GameOptions,
    files: Files,
    code: shared_options.Code = None,
    processes: Annotated[int | None, typer.Option(min=1, help="Games at a time.", show_default="all cores")] = None,
    on: shared_options.On = "local",
    as_json: AsJson = False,
) -> None:
    """Let players play each other: every deal from every seat, ratings with error bars, a cross table."""
    from cartagena.arena import Result, run, share_of
    from cartagena.arena.report import check_plot, plot, summary, text
    from cartagena.jobs import executor

    contest = played.contest(players, code)
    if files.plot:
        check_plot(files.plot)
    workers = executor(on, processes, wanted=contest.wanted())
    results: list[Result] = []
    try:
        with progress_bar() as progress:
            task = progress.add_task(contest.rules_name, total=sum(1 for _ in contest.fixtures()))

            def tell(result: Result) -> None:
                results.append(result)
                share = share_of(results, players[0])
                progress.update(
                    task, advance=1, description=f"{players[0]} {100 * share.mean:.0f} %, {workers.about()}"
                )

            run(contest, files.out, None, tell, files.records, workers)
    finally:  # what was played is shown, also before an error or after an interrupt
        results.sort(key=lambda result: result.number)
        if results:
            emit(text(contest, results), summary(contest, results), as_json)
    if files.plot:
        plot(results, files.plot)


def read_stop(text: str) -> "Sequential":
    """Parse ``0.6,0.75`` as a sequential test."""
    from cartagena.arena import Sequential

    match = re.fullmatch(r"(0?\.[0-9]+),(0?\.[0-9]+)", text)
    if match is None or not float(match[1]) < float(match[2]):
        raise CartagenaError("--stop takes two shares between 0 and 1, the lower first, for example 0.6,0.75")
    return Sequential(float(match[1]), float(match[2]))
