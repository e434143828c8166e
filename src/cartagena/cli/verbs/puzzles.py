"""``cartagena puzzles``: solve, list, verify and mine puzzles."""

import datetime as dt
import json
import random
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from cartagena.errors import CartagenaError
from cartagena.game import Move
from cartagena.game.files import write_whole
from cartagena.game.plurals import counted

from .. import shared_options
from ..output import AsJson, emit, progress_bar

app = typer.Typer(help="Positions with one clearly best turn: solve, list, verify and mine them.", no_args_is_help=True)
Game = Annotated[str, typer.Argument(metavar="GAME", help="jamaica, tortuga or nest.")]


@app.command()
def show(
    game: Game,
    name: Annotated[str | None, typer.Option(help="A puzzle by its name; the puzzle of the day by default.")] = None,
    solution: Annotated[bool, typer.Option("--solution", help="Show the solution too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show a puzzle."""
    from cartagena.study import puzzles

    puzzle = puzzles.named(game, name) if name else puzzles.daily(game, dt.datetime.now(dt.UTC).date())
    lines = [f"{puzzle.name}, rating {puzzle.rating}", "", puzzle.position.text(), "", "Find the best turn."]
    if solution:
        lines.append(f"{' '.join(map(str, puzzle.solution))} ({', '.join(puzzle.themes) or 'no theme'})")
    data = puzzle.to_json()
    emit("\n".join(lines), data if solution else {"name": data["name"], "position": data["position"]}, as_json)


@app.command()
def solve(
    game: Game,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the puzzle.")],
    moves: Annotated[list[str], typer.Argument(metavar="MOVE ...", help="The turn, move by move.")],
) -> None:
    """Check a solution: any order of moves that ends in the same position counts."""
    from cartagena.study import puzzles

    puzzle = puzzles.named(game, name)
    right = puzzle.is_solved_by(tuple(map(Move, moves)))
    typer.echo("Solved." if right else "Not the best turn.")
    raise typer.Exit(0 if right else 1)


@app.command("list")
def list_puzzles(
    game: Game,
    theme: Annotated[str | None, typer.Option(help="Only puzzles with this theme.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the puzzles of a game, the easiest first."""
    from cartagena.study import puzzles

    listed = sorted(puzzles.load(game), key=lambda each: each.rating)
    if theme is not None:
        listed = [each for each in listed if theme in each.themes]
    lines = [f"{each.name:<22} {each.rating:>6}  {', '.join(each.themes)}" for each in listed]
    emit("\n".join(lines), [each.to_json() for each in listed], as_json)


@app.command()
def verify(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="jamaica, tortuga or nest; all of them by default.")
    ] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="Only this many of each game, chosen by the seed.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the sample.")] = 0,
    player: Annotated[
        str | None,
        typer.Option(
            help="captain, or admiral: the captain then judges only where it has no network.",
            show_default="the player that verified the puzzle before",
        ),
    ] = None,
) -> None:
    """Search the puzzles again, with 3,000 and 30,000 nodes."""
    from cartagena.study import puzzles

    chosen: list[puzzles.Puzzle] = []
    for name in puzzles.GAMES if game is None else (game,):
        known = puzzles.load(name)
        chosen += known if sample is None else random.Random(seed).sample(known, min(sample, len(known)))
    judges = Counter(puzzles.style_for(each, player).name for each in chosen)
    bad = []
    with progress_bar() as bar:
        for each in bar.track(chosen, description="Verifying"):
            if not puzzles.holds(each, player=player):
                bad.append(each.name)
                typer.echo(each.name)
    judged = ", ".join(f"{number} judged by the {name}" for name, number in sorted(judges.items()))
    typer.echo(f"{len(chosen) - len(bad)} of {counted(len(chosen), 'puzzle')} verified ({judged}).")
    if bad:
        raise CartagenaError(f"the best turn is not clear in {counted(len(bad), 'puzzle')}")


@app.command()
def mine(
    game: Game,
    out: Annotated[str, typer.Argument(metavar="FILE", help="The JSON file to write.")],
    number: Annotated[int, typer.Option(min=1, help="Puzzles to find.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="The same seed finds the same puzzles.")] = 0,
    processes: Annotated[
        int | None, typer.Option("--processes", "--workers", min=1, help="Games at a time.", show_default="all cores")
    ] = None,
    on: shared_options.On = "local",
) -> None:
    """Find puzzles in games between computer players."""
    from cartagena.jobs import executor
    from cartagena.study import mining, puzzles

    puzzles.check_game(game)
    if Path(out).exists():
        raise CartagenaError(f"{out}: exists already")
    mined: list[puzzles.Puzzle] = []
    with progress_bar() as bar:
        work = mining.mine(game, number, seed, executor(on, processes))
        for each in bar.track(work, total=number, description="Mining"):
            mined.append(each)
            write_whole(out, json.dumps([one.to_json() for one in mined], indent=0) + "\n")
    typer.echo(f"{counted(len(mined), 'puzzle')} in {out}")
