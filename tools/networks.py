"""Write docs/networks.md, the card of the admiral's networks, from the headers of their files: python tools/networks.py

``--check`` writes nothing and fails if the page is not current.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cartagena.arena import Share
from cartagena.players.networks import read

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT / "src/cartagena/players/data"
PAGE = ROOT / "docs/networks.md"
HEAD = """# The admiral's networks

This page is written from the headers of the files in `src/cartagena/players/data` by `python tools/networks.py`.

## Use

A network gives every seat's chance to win a position in which all hands are known. The admiral searches with it, and
reviews, hints and puzzles ask the admiral ([who judges](players.md#who-judges)). The chances are those of games
between players of about the admiral's strength. They are no advice for other games, and no measure of a person.

Each network belongs to one game in its usual size: pirates, track, signs and row. It also plays the game's other
editions and options, although it was trained with the edition named below. For other sizes it is refused, and the
admiral plays as the captain. Every backend finds the same value to the bit.

## Data and training

All data are games of the players against themselves, made by `cartagena train`
([how](players.md#training-a-network)). No game of a person was used. Quick games are played one action ahead by the
network itself; in searched games every decision is searched with the number of nodes that the command names.
"""
LIMITS = """
## Limits

- A network learns what its own generation plays. Positions that only weak or unusual play reaches are judged less
  well; one quick move in 50 is drawn by chance to soften that.
- With more than two seats the chances assume that all rivals are equally strong. Who sits after a weaker player wins
  more often than they say ([why seating matters](seating.md)).
- Hidden hands are dealt by the search, each possible hand alike: a network does not guess cards from what a rival
  did.
- Quick games without a winner (deadlocks) were left out of what is learned.
- Of the open row the first six cards are looked at.
"""


def about(path: Path) -> dict[str, Any]:
    """The header of a network's file."""
    return read(str(path))[1]


def games_of(header: dict[str, Any]) -> str:
    """The games that a network was trained on in its last run."""
    if "learned-from" in header:
        given = header["learned-from"]
        return f"{sum(given['quick']):,} quick, {given['searched']:,} searched"
    return f"{sum(stage.get('games', 0) for stage in header['curve']):,} searched"


def gates(header: dict[str, Any]) -> Iterator[str]:
    """The matches by which a network took the place of the one before, by seats."""
    for stage in header["curve"]:
        if "gate" in stage and stage.get("accepted", True):
            for seats, (won, played) in stage["gate"].items():
                yield f"{seats} seats: {Share(won, played)} of {played:,}"


def row(name: str, header: dict[str, Any]) -> str:
    """A line of the table."""
    seats = "2" if header["tables"] == [2] else f"{header['tables'][0]} to {header['tables'][-1]}"
    kind = "each rival by itself" if header["input-set"] == 2 else "the table once"
    won = "; ".join(gates(header)) or "see `bench/results/champions.md`"
    return f"| `{name}` | {header['rules']} | {seats} | {kind} | {games_of(header)} | {won} |"


def page() -> str:
    """The whole page."""
    found = {path.stem: about(path) for path in sorted(DATA.glob("*.network")) if "luck" not in path.stem}
    table = [
        "| network | trained with | seats | looks at | games of its last training | won against the network before |",
        "| --- | --- | --- | --- | --- | --- |",
        *(row(name, header) for name, header in found.items()),
    ]
    commands = [f"- `{name}`: `{header['made-by'].rpartition(': ')[2]}`" for name, header in found.items()]
    results = (
        "\n## Results\n\nThe matches above are the gates of training. Matches with more games, at other numbers"
        "\nof nodes and against the captain followed: `bench/results/champions.md`.\n"
    )
    told = (
        "\nThe commands that made them; where a run was limited by time, the command names what was reached."
        " Networks whose command\nnames a start were trained further from the network of that name before.\n\n"
    )
    return HEAD + "\n" + "\n".join(table) + "\n" + told + "\n".join(commands) + "\n" + results + LIMITS


def main() -> int:
    if "--check" in sys.argv[1:]:
        if PAGE.read_text("utf-8") == page():
            return 0
        sys.stderr.write("docs/networks.md is not current: run python tools/networks.py\n")
        return 1
    PAGE.write_text(page(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
