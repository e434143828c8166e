"""Print the line coverage of every package from coverage's JSON report; fail below the target outside the rules."""

import json
import sys
from collections import defaultdict
from pathlib import Path, PurePath

TARGET = 90.0
RULES = ("kernel", "rulesets")
"""Packages that ``make test`` holds to 100 % already."""
DEVICE = ("backends/cuda",)
"""Packages that need a GPU. The simulator runs most of their lines; they are listed and not judged."""


def room_of(path: str) -> str:
    """The package of a file, with the sub-package where it has one: ``server/http``."""
    parts = PurePath(path).parts
    inner = parts[parts.index("cartagena") + 1 : -1]
    return "/".join(inner[:2]) or "cartagena"


def main() -> int:
    """Print the table, and what is missing in packages below the target."""
    files = json.loads(Path(sys.argv[1]).read_text("utf-8"))["files"]
    rooms: dict[str, list[str]] = defaultdict(list)
    for path in sorted(files):
        rooms[room_of(path)].append(path)
    below = []
    print("| package | lines | covered | % |\n| --- | --- | --- | --- |")
    for room, paths in sorted(rooms.items()):
        lines = sum(files[path]["summary"]["num_statements"] for path in paths)
        covered = sum(files[path]["summary"]["covered_lines"] for path in paths)
        share = 100 * covered / max(lines, 1)
        print(f"| {room} | {lines} | {covered} | {share:.1f} |")
        if share < TARGET and room.split("/")[0] not in RULES and room not in DEVICE:
            below.append(room)
    for path in (path for room in below for path in rooms[room] if files[path]["missing_lines"]):
        print(f"{path}: {', '.join(map(str, files[path]['missing_lines']))}", file=sys.stderr)
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
