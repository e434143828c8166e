"""Where compiled code is kept between runs.

The compiler's own cache looks only at the file of the function that is called, so a change in another file would run
stale code. Here every set of sources has a folder of its own: its name is a hash of all sources that are ever compiled,
of the versions of what compiles them, and of the processor.
"""

import hashlib
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

ROOMS: Final = ("kernel", "backends", "players/core", "rl")
"""The folders whose sources are compiled."""
KEEP: Final = 3
"""How many folders of other versions stay."""
YOUNG: Final = 24 * 3600
"""Seconds after its last use in which a folder is left alone: another process may be using it."""


def sources(root: Path) -> list[Path]:
    """All files that are compiled, in a fixed order."""
    return sorted(path for room in ROOMS for path in (root / room).rglob("*.py"))


def digest(root: Path, extra: Iterable[str]) -> str:
    """A short hash of all sources and of the words that say what compiles them."""
    found = hashlib.sha256("\n".join(extra).encode())
    for path in sources(root):
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


def usable(place: Path, key: str) -> Path | None:
    """The folder for this key, made and tried, or None if nothing can be written there."""
    folder = place / "compiled" / key
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


@cache
def folder() -> Path | None:
    """The folder for the code compiled from the present sources, or None if none can be written anywhere."""
    key = digest(Path(__file__).resolve().parent.parent, versions())
    for place in wanted_places():
        found = usable(place, key)
        if found is not None:
            prune(found)
            return found
    return None
