"""Files that players and their training read and write.

A worker of a cluster has copies of those that its work names, and finds them by the names they have elsewhere.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from cartagena.errors import CartagenaError, PlayerError
from cartagena.game.files import write_whole

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


def save(path: Path, data: bytes) -> None:
    """Write a file, completely or not at all. Raises PlayerError.

    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> from cartagena.players.files import save
    >>> file = Path(mkdtemp()) / "weights.json"
    >>> save(file, b"{}")
    >>> file.read_text()
    '{}'
    """
    try:
        write_whole(path, data)
    except CartagenaError as error:
        raise PlayerError(str(error)) from None
