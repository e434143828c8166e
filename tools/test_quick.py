"""Choose and run the tests of one room of the code, as many as fit into the time."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CACHE = ROOT / ".pytest_cache/v/cartagena/durations"
"""The seconds that each file took in the last whole run here."""
USUAL = ROOT / "tests/durations.json"
"""The same of a whole run on two cores, for a machine that has not run all tests yet; copied from there."""
SECONDS = 140.0
"""For all tests of a room that nothing is compiled or built for; collecting them comes on top."""
BEFORE = {"kernel": 50.0, "rulesets": 50.0, "backends": 50.0, "players": 50.0, "web": 40.0}
"""Seconds that a change in a room costs before its tests: the compiled code, or the browser table, is made anew."""
UNKNOWN = 10.0
"""Seconds that a file is thought to take which neither of them lists."""
TESTS = {
    "kernel": ["kernel", "perft", "properties", "referee"],
    "rulesets": ["rulesets", "kernel", "perft"],
    "backends": ["backends", "conformance"],
    "game": ["game", "fuzz", "cli"],
    "players": ["players"],
    "jobs": ["jobs", "arena"],
    "arena": ["arena"],
    "study": ["study"],
    "rl": ["rl"],
    "server": ["server"],
    "cli": ["cli"],
    "web": ["web"],
    "docs": ["docs"],
    "deploy": ["deploy", "packaging"],
    "tools": ["packaging", "docs"],
}
"""The folders of tests/ for each room."""
FIRST = (
    "tests/perft/test_perft_files.py",
    "tests/referee/test_comparison.py",
    "tests/server/test_live.py",
    "tests/server/test_playing.py",
    "tests/server/test_secrecy.py",
    "tests/web/test_table.py",
)
"""Files that are taken before quicker ones, because they cover most of their room."""


def changed() -> list[str]:
    """The rooms of the files that differ from the last commit."""
    command = ["git", "status", "--porcelain", "--untracked-files=all"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout  # noqa: S603
    return sorted({room for line in listed.splitlines() if (room := room_of(line[3:].rpartition(" -> ")[2]))})


def room_of(path: str) -> str:
    """The room that a file belongs to, or nothing."""
    parts = path.strip('"').split("/")
    if parts[:2] == ["src", "cartagena"]:
        name = parts[2]
    elif parts[0] == "tests" and len(parts) > 2:
        name = next((room for room, folders in TESTS.items() if folders[0] == parts[1]), "")
    else:
        name = parts[0]
    return name if name in TESTS else ""


def files_of(rooms: list[str]) -> list[str]:
    """The test files of some rooms."""
    folders = dict.fromkeys(folder for room in rooms for folder in TESTS[room])
    found = [path for folder in folders for path in sorted((ROOT / "tests" / folder).glob("test_*.py"))]
    return [path.relative_to(ROOT).as_posix() for path in found]


def chosen(files: list[str], seconds: dict[str, float], budget: float) -> list[str]:
    """The files that fit into the time: those that cover most, then the quickest."""
    taken: list[str] = []
    spent = 0.0
    for name in sorted(files, key=lambda name: (name not in FIRST, seconds.get(name, UNKNOWN))):
        spent += seconds.get(name, UNKNOWN)
        if spent > budget and taken:
            break
        taken.append(name)
    return taken


def timed(command: list[str]) -> int:
    """Run a program and say how long it took. Returns its exit status."""
    begun = time.monotonic()
    status = subprocess.run(command, check=False, cwd=ROOT).returncode  # noqa: S603
    sys.stderr.write(f"{'Passed' if status == 0 else 'Failed'} after {time.monotonic() - begun:.0f} s.\n")
    return status


def main() -> int:
    """Run the tests of the rooms that were named or changed."""
    rooms = sys.argv[1:] or changed()
    wrong = [room for room in rooms if room not in TESTS]
    if wrong or not rooms:
        sys.stderr.write(
            f"{f'There is no room {wrong[0]}' if wrong else 'Nothing has changed'}: name one of {', '.join(TESTS)}.\n"
        )
        return 2
    seconds = {
        name: took
        for path in (USUAL, CACHE)
        if path.is_file()
        for name, took in json.loads(path.read_text("utf-8")).items()
    }
    files, cores = files_of(rooms), os.cpu_count() or 2
    budget = SECONDS - max(BEFORE.get(room, 0.0) for room in rooms)
    taken = chosen(files, seconds, budget * cores)
    total = sum(seconds.get(name, UNKNOWN) for name in taken) / cores
    left = [name for name in files if name not in taken]
    sys.stderr.write(
        f"{', '.join(rooms)}: {len(taken)} of {len(files)} test files, about {total:.0f} s on {cores} cores.\n"
    )
    if left:
        sys.stderr.write(f"Left to make test: {', '.join(left)}\n")
    if "web" in rooms and (status := timed(["tools/node", "web", "test"])):
        return status
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-n",
        str(cores),
        "--dist",
        "worksteal",
        "-p",
        "tests.durations",
        *taken,
    ]
    return timed(command)


if __name__ == "__main__":
    sys.exit(main())
