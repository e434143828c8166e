"""``cartagena solve``: the exact value of a small game, or the table of solved variants."""

from typing import Annotated

import typer

from cartagena.errors import CartagenaError, StudyError
from cartagena.game.plurals import counted

from .. import inputs, shared_options
from ..output import AsJson, emit


def command(
    position: Annotated[
        list[str] | None,
        typer.Argument(metavar="POSITION", help="A position, or - for standard input; without it, the table is shown."),
    ] = None,
    open_hands: Annotated[
        bool, typer.Option("--open-hands", help="Solve a game of hidden hands as if they lay open.")
    ] = False,
    rules: shared_options.RulesOf = None,
    most: Annotated[int, typer.Option(min=1, max=10_000_000, help="Positions that may be looked at.")] = 500_000,
    as_json: AsJson = False,
) -> None:
    """Solve a small game for two exactly, or show the solved variants that come with the package."""
    from cartagena.study import solve, solved_variants
    from cartagena.study.solved import text

    if not position and rules is not None:
        raise CartagenaError("--rules belongs to a position")
    if not position:
        variants = solved_variants()
        emit(text(variants), [variant.to_data() for variant in variants], as_json)
        return
    start = inputs.read_position(position, rules)
    if start.rules.hidden_hands and start.seats == 2 and not (start.is_view or open_hands):
        raise StudyError(f"{start.rules.name} has hidden hands; --open-hands solves it as if they lay open")
    solution = solve(start, open_hands=open_hands, most=most)
    moves = {str(move): value for move, value in solution.moves(solution.start).items()} if solution.start.turn else {}
    low, high = solution.bounds
    data = {"value": solution.value, "bounds": [low, high], "positions": solution.positions, "moves": moves}
    said = f"seat 1 wins {low:.6f}" if solution.is_exact else f"seat 1 wins {low:.6f} to {high:.6f}, or plays for ever"
    lines = [
        f"{said} ({counted(solution.positions, 'position')})",
        *(f"{move} {value:.6f}" for move, value in moves.items()),
    ]
    emit("\n".join(lines), data, as_json)
