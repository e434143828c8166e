"""The registry of players, for the command line, the server and the arena."""

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from inspect import isclass
from pathlib import Path
from typing import Any, Final

from cartagena.errors import PlayerError

from .model import Player

Factory = Callable[[int], Player]

LEVELS: Final = ("deckhand", "sailor", "gunner", "quartermaster", "captain")
"""The levels, weakest first."""

GROUP: Final = "cartagena.players"
OWN: Final = {
    "random": "simple:Uniform",
    "deckhand": "simple:Deckhand",
    "sailor": "simple:Sailor",
    "gunner": "gunner:Gunner",
    "quartermaster": "ismcts:quartermaster",
    "captain": "ismcts:captain",
}
_added: dict[str, Factory] = {}


def names() -> tuple[str, ...]:
    """The names of all players, the levels first."""
    found = dict.fromkeys([*LEVELS, *OWN, *_added, *(point.name for point in entry_points(group=GROUP))])
    return tuple(found)


def register(name: str, factory: Factory) -> None:
    """Add a player for this process; ``factory`` is called with a seed and returns a new player."""
    if not name.isidentifier():
        raise PlayerError(f"{name[:40]!r} cannot name a player; use letters, digits and _")
    if name in OWN:
        raise PlayerError(f"there is already a player {name}")
    _added[name] = factory


def create(name: str, seed: int = 0) -> Player:
    """Create a player by its name, or ``cmd:PROGRAM`` for an external program. Raises PlayerError.

    >>> from cartagena.players import create
    >>> create("sailor", seed=1).name
    'sailor'
    """
    if name.startswith("cmd:"):
        from .engine_client import ExternalPlayer

        return ExternalPlayer(name.removeprefix("cmd:"))
    return _factory(name)(seed)


def _factory(name: str) -> Factory:
    if name in _added:
        return _added[name]
    if name in OWN:
        module, _, attribute = OWN[name].partition(":")
        own: Factory = getattr(import_module(f".{module}", __package__), attribute)
        return own
    for point in entry_points(group=GROUP):
        if point.name == name:
            return _loaded(name, point.load)
    raise PlayerError(f"{name[:40]!r} is not a player; there are {', '.join(names())}, and cmd:PROGRAM")


def _loaded(name: str, load: Callable[[], Any]) -> Factory:
    """Load the player of another package from its entry point."""
    try:
        factory: Factory = load()
    except Exception as error:
        raise PlayerError(f"the player {name} cannot be loaded: {type(error).__name__}: {error}") from None
    return factory


def load_code(path: str | Path) -> tuple[str, ...]:
    """Register the players that a Python file defines, and return their names.

    The file has either a dictionary ``PLAYERS`` of factories by name, or classes with a method ``decide``, each
    registered under its ``name`` (or the lower-case name of the class).
    """
    found = players_in(_module(Path(path)))
    if not found:
        raise PlayerError(f"{path}: defines no player: neither PLAYERS nor a class with a method decide")
    for name, factory in found.items():
        register(name, factory)
    return tuple(found)


def _module(path: Path) -> Any:
    name = f"cartagena_players_{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise PlayerError(f"{path}: is not a Python file that can be read")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise PlayerError(f"{path}: cannot be run: {type(error).__name__}: {error}") from None
    return module


def players_in(module: Any) -> dict[str, Factory]:
    """The player factories of a module, by name."""
    given = getattr(module, "PLAYERS", None)
    if isinstance(given, dict):
        return dict(given)
    own = [item for item in vars(module).values() if isclass(item) and item.__module__ == module.__name__]
    return {class_name(item): maker(item) for item in own if callable(getattr(item, "decide", None))}


def class_name(player: type) -> str:
    name = getattr(player, "name", None)
    return name if isinstance(name, str) else player.__name__.lower()


def maker(player: type) -> Factory:
    """A factory for a class whose constructor may take a seed."""

    def make(seed: int) -> Player:
        try:
            made: Player = player(seed)
        except TypeError:
            made = player()
        return made

    return make
