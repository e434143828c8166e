"""Measure one group of benchmarks of one checkout in this process: ``python -m bench.versus.measure GROUP ...``.

The last line of output is a JSON object with the readings by name and, if something failed, the error. The process
that starts this one sets ``PYTHONPATH`` to the sources that are measured, and sends a line each time this one may go
on (see ``turns``); by hand: ``yes | python -m bench.versus.measure ...``.
"""

import argparse
import json
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Final

from bench.versus.readings import Reading, Task

GROUPS: Final = {
    "cpu": "playouts",
    "micro": "micro",
    "rl": "environments",
    "search": "search",
    "web": "web",
    "soak": "soak",
}
"""The module of each group."""
WITH_SERVER: Final = ("web", "soak")
"""The groups in which a client measures a server; the other ones are held to one core."""


def keep_pipes() -> None:
    """Keep the pipes to the process that started this one for this one alone: servers and browsers get others."""
    sys.stdin, sys.stdout = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)


def main() -> None:
    """Measure, and print what was found even if a later benchmark of the group fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("group", choices=GROUPS)
    parser.add_argument("--side", type=Path, required=True, help="the checkout that is measured")
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--soak-seconds", type=float, required=True)
    options = parser.parse_args()
    if options.group not in WITH_SERVER and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    keep_pipes()
    sys.stdin.readline()  # the first turn
    task = Task(options.side, options.seconds, options.soak_seconds)
    readings: dict[str, Reading] = {}
    error = ""
    try:
        for name, reading in import_module(f"bench.versus.{GROUPS[options.group]}").measure(task):
            readings[name] = reading  # noqa: PERF403  # kept if a later one fails
    except Exception as problem:  # the report names it, and the other groups go on
        error = f"{type(problem).__name__}: {problem}"
    print(json.dumps({"readings": readings, "error": error}), flush=True)


if __name__ == "__main__":
    main()
