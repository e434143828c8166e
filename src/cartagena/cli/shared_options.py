"""Options that several verbs share, and commands that take many options as one structure."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, get_type_hints

import typer

from cartagena.game import Game

On = Annotated[
    str, typer.Option("--on", metavar="PLACE", help="Where the work is done: local, ray, or ray://HOST:PORT.")
]
Rules = Annotated[str, typer.Argument(help="A rule set, such as tortuga-en or jamaica-de+cards9, or a .toml file.")]
RulesOf = Annotated[
    str | None,
    typer.Option("--rules", metavar="RULES", help="The .toml file of a rule set of your own, which no position names."),
]
Code = Annotated[
    list[str] | None, typer.Option("--code", metavar="FILE", help="A Python file that defines players. Repeatable.")
]


def load_code(paths: list[str] | None) -> None:
    """Load the files of ``--code``, so that their players have names."""
    if paths:
        from cartagena.players import load_code as load

        for path in paths:
            load(path)


@dataclass(frozen=True)
class Setup:
    """The options as they were given. None stands for the rule set's own choice."""

    seats: Annotated[int | None, typer.Option(help="Number of players, 2 to 5.", show_default="2")] = None
    seed: Annotated[
        str | None, typer.Option(help="Seed of the deal; the same seed deals the same game.", show_default="random")
    ] = None
    pieces: Annotated[int | None, typer.Option(help="Pieces of the tunnel, 1 to 6; up to 8 with style random.")] = None
    pirates: Annotated[int | None, typer.Option(help="Pirates per player, 1 to 8.")] = None
    deal: Annotated[int | None, typer.Option(help="Cards dealt to each player, 0 to 12.")] = None
    actions: Annotated[int | None, typer.Option(help="Actions per turn, 1 to 5.")] = None
    cards: Annotated[int | None, typer.Option(help="Cards of each sign, 2 to 20.")] = None
    style: Annotated[str | None, typer.Option(help="Board style: printed, or random for shuffled signs.")] = None
    board: Annotated[str | None, typer.Option(help="The board itself, for example BPHSDK/DBKPHS.")] = None

    def new_game(self, rules: str) -> Game:
        """Deal a game with these options."""
        return Game.new(rules, **{key: value for key, value in asdict(self).items() if value is not None})


def takes(kind: type[Any], name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a command the options of a dataclass, which it receives as its argument of that name."""
    hints = get_type_hints(kind, include_extras=True)
    shared = [
        Parameter(each.name, Parameter.KEYWORD_ONLY, default=each.default, annotation=hints[each.name])
        for each in fields(kind)
    ]

    def give(command: Callable[..., None]) -> Callable[..., None]:
        own = [each for each in signature(command).parameters.values() if each.name != name]

        @wraps(command)
        def wrapped(**given: Any) -> None:
            options = kind(**{each.name: given.pop(each.name) for each in shared})
            command(**{name: options}, **given)

        first = [each for each in own if each.kind is not Parameter.KEYWORD_ONLY]
        last = [each for each in own if each.kind is Parameter.KEYWORD_ONLY]
        wrapped.__signature__ = signature(command).replace(parameters=[*first, *shared, *last])  # type: ignore[attr-defined]
        wrapped.__annotations__ = {each.name: each.annotation for each in [*own, *shared]}
        return wrapped

    return give
