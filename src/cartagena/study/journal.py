"""The journal of a review: finished decisions, one JSON line each, so that interrupted work goes on."""

import hashlib
import json
from pathlib import Path
from typing import Any, Final

from cartagena.errors import CartagenaError, StudyError
from cartagena.game import Move, Record
from cartagena.game.files import write_whole
from cartagena.game.variants import variant_text
from cartagena.players import Line

from .judge import Decision

VERSION: Final = 4
"""Changes where the same record, nodes and seed are judged otherwise, or luck is measured otherwise."""


def decision_data(decision: Decision) -> dict[str, object]:
    """A decision as plain data."""
    turns = [{"moves": " ".join(map(str, t.moves)), "value": t.value, "visits": t.visits} for t in decision.turns]
    moves = {"move": str(decision.move), "best": str(decision.best)}
    return {**vars(decision), **moves, "turns": turns, "why": list(decision.why)}


def decision_from(data: dict[str, Any]) -> Decision:
    """A decision from plain data."""
    turns = tuple(
        Line(tuple(Move(text) for text in turn["moves"].split()), tuple(turn["value"]), turn["visits"])
        for turn in data["turns"]
    )
    lists = {key: tuple(data[key]) for key in ("before", "after", "why")}
    return Decision(**{**data, **lists, "move": Move(data["move"]), "best": Move(data["best"]), "turns": turns})


class Journal:
    """Finished decisions of one review, by the number of their move."""

    def __init__(self, path: str | Path, record: Record, nodes: int, seed: int) -> None:
        content = (
            f"{variant_text(record.opening.rules)}{record.opening}\n{' '.join(str(each.move) for each in record.moves)}"
        )
        digest = hashlib.sha256(content.encode()).hexdigest()[:16]
        self.path = Path(path)
        self.head = {"review": VERSION, "record": digest, "nodes": nodes, "seed": seed}
        self.known: dict[int, Decision] = {}
        self.begin()

    def begin(self) -> None:
        """Read an earlier run and write the file anew, without a line that was cut. Raises StudyError."""
        try:
            lines = self.path.read_text("utf-8").splitlines() if self.path.exists() else []
            self.read(lines)
            kept = [json.dumps(self.head), *(json.dumps(decision_data(each)) for each in self.known.values())]
            write_whole(self.path, "".join(f"{line}\n" for line in kept))
        except CartagenaError as error:
            raise StudyError(str(error)) from None
        except (OSError, UnicodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not a text file"
            raise StudyError(f"{self.path}: the journal cannot be used: {reason}") from None

    def read(self, lines: list[str]) -> None:
        """Read the decisions of an earlier run. Raises StudyError for the journal of another review."""
        if not lines:
            return
        try:
            head = json.loads(lines[0])
        except (ValueError, RecursionError):
            head = None
        if isinstance(head, dict) and head != self.head and head | {"review": VERSION} == self.head:
            raise StudyError(f"{self.path}: was written by another version, whose reviews differ; choose another file.")
        if head != self.head:
            raise StudyError(f"{self.path}: is not the journal of this record with these nodes and this seed.")
        for line in lines[1:]:
            try:
                decision = decision_from(json.loads(line))
            except (ValueError, TypeError, KeyError, RecursionError):
                return  # the last line of a run that was killed
            self.known[decision.number] = decision

    def add(self, decision: Decision) -> None:
        """Write a decision, at once."""
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(decision_data(decision)) + "\n")
        except OSError as error:
            raise StudyError(f"{self.path}: the journal cannot be written: {error.strerror}") from None
        self.known[decision.number] = decision
