"""Where compiled code is kept between runs.

The compiler's own cache looks only at the file of the function that is called, so a change in another file would run
stale code. Here every set of sources has a folder of its own: its name is a hash of all sources that the code can have
been compiled from, of the versions of what compiles them, and of the processor. Code of a room comes from the shared
rooms and from its own files; code of anywhere else may come from all of them. So a change in one room leaves what was
compiled for another.
"""

import hashlib
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

SHARED: Final = ("kernel", "backends")
"""The folders whose sources all compiled code may come from."""
ROOMS: Final = ("players/compiled", "rl/compiled")
"""The folders whose sources are compiled for their own room only."""
COPY: Final = re.compile(r"cartagena\.backends\._compiled(?:_in_(\w+))?\.")
"""The names of modules of compiled copies with the usual policy; the group is the room of their episodes."""
KEEP: Final = 3
"""How many folders of other versions stay."""
YOUNG: Final = 24 * 3600
"""Seconds after its last use in which a folder is left alone: another process may be using it."""


def rooms_of(module: str) -> tuple[str, ...]:
    """Return the folders that the compiled code of a module can come from: all of them if that is not known."""
    copy = COPY.match(module)
    place = module.removeprefix(copy.group() if copy else "cartagena.").replace(".", "/")
    for room in ROOMS:
        if place.startswith(f"{room}/") or (copy and room == f"{copy[1]}/compiled"):
            return (*SHARED, room)
    if copy and copy[1] is None and place.startswith(tuple(f"{room}/" for room in SHARED)):
        return SHARED
    return (*SHARED, *ROOMS)


def sources(root: Path, rooms: Iterable[str]) -> list[Path]:
    """All files of these rooms, in a fixed order."""
    return sorted(path for room in rooms for path in (root / room).rglob("*.py"))


def digest(root: Path, rooms: Iterable[str], extra: Iterable[str]) -> str:
    """A short hash of the sources of these rooms and of the words that say what compiles them."""
    found = hashlib.sha256("\n".join(extra).encode())
    for path in sources(root, rooms):
        found.update(path.relative_to(root).as_posix().encode() + b"\0")
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:20]


def versions() -> list[str]:
    """What the compiled code depends on besides its sources."""
    import llvmlite
    import numba
    import numpy as np

    numbers = [numba.__version__, llvmlite.__version__, np.__version__]
    return [sys.version, platform.machine(), *numbers, os.environ.get("NUMBA_CPU_NAME", "")]


def wanted_places() -> list[Path]:
    """Where the cache may lie, best first."""
    if chosen := os.environ.get("CARTAGENA_CACHE"):
        return [Path(chosen).expanduser(), temporary()]
    base = os.environ.get("XDG_CACHE_HOME", "")
    places = [Path(base) / "cartagena"] if Path(base).is_absolute() else []
    if not places:
        try:
            places = [Path.home() / ".cache" / "cartagena"]
        except RuntimeError:  # a user without a home
            places = []
    return [*places, temporary()]


def temporary() -> Path:
    """A folder of this user's own below the system's temporary one."""
    return Path(tempfile.gettempdir()) / f"cartagena-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


def is_ours(path: Path) -> bool:
    """Whether the folder belongs to this user; compiled code that somebody else wrote must not be run."""
    return not hasattr(os, "getuid") or path.stat().st_uid == os.getuid()


def usable(folder: Path) -> Path | None:
    """The folder, made and tried, or None if nothing can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not is_ours(folder):
            return None
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
    except OSError:
        return None
    return folder


def prune(folder: Path) -> None:
    """Remove folders of other versions that were not used lately."""
    try:
        others = sorted(
            (other for other in folder.parent.iterdir() if other != folder and other.is_dir()),
            key=lambda other: other.stat().st_mtime,
            reverse=True,
        )
        for other in others[KEEP:]:
            if time.time() - other.stat().st_mtime > YOUNG:
                shutil.rmtree(other, ignore_errors=True)
    except OSError:  # another process is at it too
        return


def folder(module: str) -> Path | None:
    """The folder for a module's code compiled from the present sources, or None if none can be written anywhere."""
    found = folder_for(rooms_of(module))
    return None if found is None else found / module


@cache
def folder_for(rooms: tuple[str, ...]) -> Path | None:
    """The folder for code that comes from these rooms."""
    key = digest(Path(__file__).resolve().parent.parent, rooms, versions())
    name = "+".join(room.replace("/", "-") for room in rooms)
    for place in wanted_places():
        found = usable(place / "compiled" / name / key)
        if found is not None:
            prune(found)
            return found
    return None
