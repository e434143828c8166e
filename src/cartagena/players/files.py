"""Files by the names they have on another machine: a worker of a cluster has copies of those that its work names."""

from collections.abc import Iterable, Mapping
from pathlib import Path

_copies: dict[str, str] = {}


def lend(copies: Mapping[str, str]) -> None:
    """Let files be found by the names they have on another machine.

    >>> from cartagena.players.files import at, lend
    >>> lend({"/there/weights.json": "/here/weights.json"})
    >>> at("/there/weights.json").name, at("other.json").name
    ('weights.json', 'other.json')
    """
    _copies.update(copies)


def at(name: str | Path) -> Path:
    """The file of that name, or the copy of it on this machine."""
    return Path(_copies.get(str(name), name))


def files_among(names: Iterable[str]) -> tuple[str, ...]:
    """The names that are those of files of this machine.

    >>> from cartagena.players.files import files_among
    >>> files_among(["tuned"])
    ()
    """
    return tuple(name for name in names if Path(name).is_file())
