"""The registry of players, for the command line, the server and the arena.

A player comes in as a class, a factory or an object: by ``register``, from a Python file (``load_code``) or from an
entry point of the group ``cartagena.players``. All of them are read by ``maker``. ``exported`` carries what one process
has registered to another.

A name may have options, ``captain:weights=my-weights.json``: they are handed to the class or the factory as texts, each
to the parameter of its name.
"""

import hashlib
import pickle
import sys
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points
from inspect import Parameter, isclass, signature
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from cartagena.errors import PlayerError, missing, shown, whole

from .model import Player

Factory = Callable[..., Player]
"""Makes a player of a seed and of options, which are texts by name."""

LEVELS: Final = ("deckhand", "sailor", "gunner", "quartermaster", "captain", "admiral")
"""The levels, weakest first.

>>> from cartagena.players import LEVELS
>>> LEVELS[0], LEVELS[-1]
('deckhand', 'admiral')
"""

GROUP: Final = "cartagena.players"
OWN: Final = {
    "random": "simple:Uniform",
    "deckhand": "simple:Deckhand",
    "sailor": "simple:Sailor",
    "gunner": "gunner:Gunner",
    "quartermaster": "ismcts:quartermaster",
    "captain": "ismcts:captain",
    "admiral": "ismcts:admiral",
}
_added: dict[str, object] = {}
_files: dict[str, str] = {}
"""The file of each player that ``load_code`` has registered."""


def names() -> tuple[str, ...]:
    """The names of all players, the levels first.

    >>> from cartagena.players import names
    >>> "captain" in names()
    True
    """
    known = dict.fromkeys([*LEVELS, *OWN, *_added, *(point.name for point in entry_points(group=GROUP))])
    return tuple(known)


def register(name: str, player: object) -> None:
    """Add a player for this process and for the processes that the arena starts.

    Args:
        name: letters, digits and ``_``.
        player: a class or a function that makes players, called with ``seed`` if it takes one, or a player itself.

    >>> from cartagena.players import create, register
    >>> class First:
    ...     name = "first"
    ...
    ...     def decide(self, view, limit=None):
    ...         return view.legal_moves[0]
    >>> register("first", First)
    >>> create("first").name
    'first'
    """
    if not isinstance(name, str) or not name.isidentifier():
        raise PlayerError(f"{str(name)[:40]!r} cannot name a player; use letters, digits and _")
    if name in OWN:
        raise PlayerError(f"there is already a player {name}: ask for it by this text, or give yours another name")
    maker(name, player)
    _added[name] = player
    _files.pop(name, None)


def create(name: str, seed: int = 0) -> Player:
    """Create a player by its name, or ``cmd:PROGRAM`` for an external program. Raises PlayerError.

    Options follow the name: ``captain:weights=my-weights.json`` has the weights of a file, ``captain:weights=2026-11``
    those of a generation that the package keeps. Several options are separated by commas.

    >>> from cartagena.players import create
    >>> create("sailor", seed=1).name
    'sailor'
    >>> create("captain:weights=2026-11").name
    'captain'
    """
    if not isinstance(name, str):
        raise PlayerError(f"a player has a name, such as captain, not {shown(name)}")
    number = whole(seed)
    if number is None:
        raise PlayerError(f"a seed of a player is a whole number, not {shown(seed)}")
    if name.startswith("cmd:"):
        from .external import ExternalPlayer

        return ExternalPlayer(name.removeprefix("cmd:"))
    word, colon, rest = name.partition(":")
    options = _options(word, rest) if colon else {}
    factory = _factory(word)
    if options:
        _check_options(word, factory, options)
    return factory(number, **options)


def _options(name: str, text: str) -> dict[str, str]:
    """The options behind a name."""
    pairs = [option.partition("=") for option in text.split(",")]
    if not all(key.isidentifier() and value for key, _, value in pairs):
        raise PlayerError(f"{text[:40]!r}: options are written as {name[:40]}:name=value,name=value")
    return {key: value for key, _, value in pairs}


def _check_options(name: str, factory: Factory, options: Mapping[str, str]) -> None:
    """Raise PlayerError for an option that a player does not have."""
    parameters = _parameters(factory)
    if any(each.kind is Parameter.VAR_KEYWORD for each in parameters.values()):
        return
    known = [each for each in parameters if each not in ("seed", "_seed")]
    for key in options:
        if key not in known:
            there = f"it has {', '.join(known)}" if known else "it has none"
            raise PlayerError(f"the player {name} has no option {key[:40]}; {there}")


def files_of(name: str) -> dict[str, str]:
    """The files that the options of a player name, such as its weights, each with a short hash of its content.

    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> from cartagena.players.registry import files_of
    >>> weights = Path(mkdtemp()) / "weights.json"
    >>> _ = weights.write_text("{}")
    >>> list(files_of(f"captain:weights={weights}").values()), files_of("captain:weights=2026-11")
    (['44136fa355b3678a'], {})
    """
    word, _, rest = name.partition(":")
    if word == "cmd" or not rest:
        return {}
    return {text: digest for text in _options(word, rest).values() if (digest := digest_of(Path(text)))}


def digest_of(path: Path) -> str:
    """A short hash of a file's content, or nothing where there is no such file."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    except (OSError, ValueError):
        return ""


def _factory(name: str) -> Factory:
    if name in _added:
        return maker(name, _added[name])
    if name in OWN:
        module, _, attribute = OWN[name].partition(":")
        try:
            own: Factory = getattr(import_module(f".{module}", __package__), attribute)
        except ModuleNotFoundError as error:
            raise PlayerError(str(missing(error, name))) from None
        return own
    for point in entry_points(group=GROUP):
        if point.name == name:
            return maker(name, _loaded(name, point.load))
    raise PlayerError(f"{name[:40]!r} is not a player; there are {', '.join(names())}, and cmd:PROGRAM")


def _loaded(name: str, load: Callable[[], Any]) -> Any:
    """Load the player of another package from its entry point."""
    try:
        return load()
    except Exception as error:
        raise PlayerError(f"the player {name} cannot be loaded: {type(error).__name__}: {error}") from None


def maker(name: str, player: Any) -> Factory:
    """A function from a seed to a player, for a class, a factory or a player itself. Raises PlayerError for others."""
    if not isclass(player) and callable(getattr(player, "decide", None)):
        return lambda _seed: player  # without parameters for options: they would change every game of the object
    if not callable(player) or (isclass(player) and not callable(getattr(player, "decide", None))):
        raise PlayerError(f"{name} is no player: a player is a class or an object with a method decide, or a factory")

    def make(seed: int, **options: str) -> Player:
        try:
            made: Player = player(seed, **options) if takes_seed(player, options) else player(**options)
        except PlayerError:
            raise
        except Exception as error:
            raise PlayerError(f"the player {name} cannot be created: {type(error).__name__}: {error}") from None
        if not callable(getattr(made, "decide", None)):
            raise PlayerError(f"the player {name} has no method decide")
        return made

    make.__wrapped__ = player  # type: ignore[attr-defined]  # whose parameters say which options there are
    return make


def takes_seed(function: Callable[..., object], options: Container[str] = ()) -> bool:
    """True for a function or a class whose first parameter is a seed: it has that name, or a value must be given.

    A parameter that one of the options is for is no seed.
    """
    first = next(iter(_parameters(function).values()), None)
    if first is None or first.kind in (Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD, Parameter.VAR_POSITIONAL):
        return False
    return first.name == "seed" or (first.default is Parameter.empty and first.name not in options)


def _parameters(function: Callable[..., object]) -> Mapping[str, Parameter]:
    """The parameters of a function or a class by name; empty for a type in C that does not describe them."""
    try:
        return signature(function).parameters
    except (TypeError, ValueError):
        return {}


# --- in other processes


@dataclass(frozen=True)
class Exported:
    """The players that a process has registered: the files they come from, and the others pickled, by name.

    ``left`` names those that cannot be sent to a new process, such as a class from the interactive prompt.
    """

    files: tuple[str, ...]
    pickled: Mapping[str, bytes]
    left: tuple[str, ...]


def exported() -> Exported:
    """The players registered here, for another process (see ``adopt``)."""
    pickled = {name: _pickled(player) for name, player in _added.items() if name not in _files}
    left = tuple(name for name, data in pickled.items() if data is None)
    return Exported(
        tuple(dict.fromkeys(_files.values())), {name: data for name, data in pickled.items() if data is not None}, left
    )


def _pickled(player: object) -> bytes | None:
    """The player as bytes that a new process can read, or None."""
    try:
        data = pickle.dumps(player)
    except Exception:  # pickling raises whatever the object raises
        return None
    is_typed_in = b"__main__" in data and not hasattr(sys.modules["__main__"], "__file__")
    return None if is_typed_in else data


def adopt(players: Exported) -> None:
    """Register the players that another process has exported."""
    for path in players.files:
        load_code(path)
    for name, data in players.pickled.items():
        register(name, pickle.loads(data))  # noqa: S301  # from the process that has started this one


# --- files


def load_code(path: str | Path) -> tuple[str, ...]:
    """Register the players that a Python file defines, and return their names.

    The file has either a dictionary ``PLAYERS`` of players by name, or classes with a method ``decide``, each
    registered under its ``name`` (or the lower-case name of the class).

    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> from cartagena.players import load_code
    >>> file = Path(mkdtemp()) / "bots.py"
    >>> _ = file.write_text("from cartagena.players.simple import Sailor\\nPLAYERS = {'mate': Sailor}")
    >>> load_code(file)
    ('mate',)
    """
    loaded = players_in(_module(checked_path(path)))
    if not loaded:
        raise PlayerError(f"{path}: defines no player: neither PLAYERS nor a class with a method decide")
    for name, player in loaded.items():
        register(name, player)
        _files[name] = str(Path(path).resolve())
    return tuple(loaded)


def checked_path(path: object) -> Path:
    """The path that a text or a path names. Raises PlayerError for anything else."""
    if not isinstance(path, str | Path):
        raise PlayerError(f"the path of a Python file is a text, not {shown(path)}")
    if Path(path).suffix != ".py":
        raise PlayerError(f"{path}: is not a Python file that can be read")
    return Path(path)


def _module(path: Path) -> ModuleType:
    """Run a file as a module named by a hash of its content, so that files of the same name can be loaded together."""
    try:
        content = path.read_bytes()
    except (OSError, ValueError):
        raise PlayerError(f"{path}: is not a Python file that can be read") from None
    module = ModuleType(f"cartagena_players_{path.stem}_{hashlib.sha256(content).hexdigest()[:16]}")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    try:
        exec(compile(content, str(path), "exec"), vars(module))  # noqa: S102  # the user's own code
    except Exception as error:
        raise PlayerError(f"{path}: cannot be run: {type(error).__name__}: {error}") from None
    return module


def players_in(module: ModuleType) -> dict[str, object]:
    """The players of a module, by name."""
    given = getattr(module, "PLAYERS", None)
    if isinstance(given, dict):
        return dict(given)
    own = [item for item in vars(module).values() if isclass(item) and item.__module__ == module.__name__]
    return {name_of(item): item for item in own if callable(getattr(item, "decide", None))}


def name_of(player: object) -> str:
    """The name of a class or an object: its ``name``, or the lower-case name of its class."""
    name = getattr(player, "name", None)
    if isinstance(name, str):
        return name
    return str(getattr(player, "__name__", type(player).__name__)).lower()
