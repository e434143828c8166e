"""Where compiled code is kept between runs.

Numba's own cache looks only at the file of the function that is called, so that a change in another file would run
stale code. Here every set of sources has its own folder: its name is a hash of all sources that the code can be
compiled from, of the versions of the compilers, and of the processor. Code of a room comes from the shared rooms and
from its own files; other code may come from all of them. So a change in one room leaves what was compiled for another.
A process in which a source has changed since it began to load them neither reads nor writes such folders (``Stamps``).
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

from platformdirs import user_cache_path

SHARED: Final = ("kernel", "backends")
"""Folders whose sources may be part of any compiled code."""
ROOMS: Final = ("players/compiled", "rl/compiled")
"""Folders whose sources are compiled for their own room only."""
JOINING: Final = ("rl/compiled/opponents", "rl/compiled/whole_game")
"""Files of such a folder that take code from all of them."""
COPY: Final = re.compile(r"cartagena\.backends\._compiled(?:_in_(\w+))?\.")
"""The names of modules of compiled copies with the usual policy; the group is the room of their episodes."""
KEEP: Final = 3
"""Folders of other versions that are kept."""
YOUNG: Final = 24 * 3600
"""Seconds after its last use during which a folder is kept: another process may be using it."""
PACKAGE: Final = Path(__file__).resolve().parent.parent


def rooms_of(module: str) -> tuple[str, ...]:
    """Return the folders that the compiled code of a module can come from: all of them if that is not known."""
    copy = COPY.match(module)
    path = module.removeprefix(copy.group() if copy else "cartagena.").replace(".", "/")
    if path in JOINING:
        return (*SHARED, *ROOMS)
    for room in ROOMS:
        if path.startswith(f"{room}/") or (copy and room == f"{copy[1]}/compiled"):
            return (*SHARED, room)
    if copy and copy[1] is None and path.startswith(tuple(f"{room}/" for room in SHARED)):
        return SHARED
    return (*SHARED, *ROOMS)


def sources(root: Path, rooms: Iterable[str]) -> list[Path]:
    """Return all files of these rooms, in a fixed order."""
    return sorted(path for room in rooms for path in (root / room).rglob("*.py"))


def digest(root: Path, rooms: Iterable[str], extra: Iterable[str]) -> str:
    """Return a short hash of the sources of these rooms and of the texts in ``extra``."""
    content = hashlib.sha256("\n".join(extra).encode())
    for path in sources(root, rooms):
        content.update(path.relative_to(root).as_posix().encode() + b"\0")
        content.update(hashlib.sha256(path.read_bytes()).digest())
    return content.hexdigest()[:20]


class Stamps:
    """When the sources were last written, to notice that what a process loads is no longer what a key was made from."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self.times = {path: written(path) for path in paths}

    def are_current(self) -> bool:
        """True if no source has been written since."""
        return all(written(path) == time for path, time in self.times.items())


def written(path: Path) -> tuple[int, ...]:
    """What differs after a file was written, even where its time was set back."""
    try:
        state = path.stat()
    except OSError:
        return ()
    return state.st_mtime_ns, state.st_ctime_ns, state.st_size, state.st_ino


def versions() -> list[str]:
    """Return what the compiled code depends on besides its sources."""
    import llvmlite
    import numba
    import numpy as np

    numbers = [numba.__version__, llvmlite.__version__, np.__version__]
    return [sys.version, platform.machine(), *numbers, os.environ.get("NUMBA_CPU_NAME", "")]


def wanted_roots() -> list[Path]:
    """Return where the cache may be, best first: the user's choice or the usual folder, then a temporary one."""
    if chosen := os.environ.get("CARTAGENA_CACHE"):
        return [Path(chosen).expanduser(), temporary()]
    usual = user_cache_path("cartagena", appauthor=False)
    return [usual, temporary()] if usual.is_absolute() else [temporary()]  # it is relative for a user without a home


def temporary() -> Path:
    """Return a private folder below the system's temporary one."""
    return Path(tempfile.gettempdir()) / f"cartagena-{os.getuid() if hasattr(os, 'getuid') else 'user'}"


def is_ours(path: Path) -> bool:
    """Whether the folder belongs to this user. Compiled code of another user must not be run."""
    return not hasattr(os, "getuid") or path.stat().st_uid == os.getuid()


def usable(folder: Path) -> Path | None:
    """Make the folder and try it. Returns None if nothing can be written there."""
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
    """Remove folders of other versions that were not used recently."""
    try:
        others = sorted(
            (other for other in folder.parent.iterdir() if other != folder and other.is_dir()),
            key=lambda other: other.stat().st_mtime,
            reverse=True,
        )
        for other in others[KEEP:]:
            if time.time() - other.stat().st_mtime > YOUNG:
                shutil.rmtree(other, ignore_errors=True)
    except OSError:  # another process is removing them too
        return


def folder(module: str) -> Path | None:
    """Return the folder for a module's code compiled from the present sources, or None if no folder can be written."""
    parent = folder_for(rooms_of(module))
    return None if parent is None else parent / module


@cache
def folder_for(rooms: tuple[str, ...]) -> Path | None:
    """Return the folder for code that comes from these rooms, or None."""
    key = digest(PACKAGE, rooms, versions())
    name = "+".join(room.replace("/", "-") for room in rooms)
    for root in wanted_roots():
        folder = usable(root / "compiled" / name / key)
        if folder is not None:
            prune(folder)
            return folder
    return None
