"""Questions to the engine for browsers, answered under Node by ``wasm.mjs``, and the same answers in plain Python."""

import hashlib
import json
import subprocess
import tempfile
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.conformance.tracing import Case, plain_states

from cartagena.kernel import layout
from cartagena.kernel.legal import legal
from cartagena.kernel.reasons import reason
from cartagena.kernel.view import view
from cartagena.players.browser_data import numbers_of

ROOT = Path(__file__).parents[2]
CODE = ROOT / "src/cartagena/data/cartagena.wasm"


def texts(words: Sequence[int]) -> list[str]:
    """Whole numbers as JSON can carry them without loss."""
    return [str(int(word)) for word in words]


def ask(questions: list[dict[str, Any]]) -> list[Any]:
    """The engine's answers."""
    with tempfile.TemporaryDirectory() as folder:
        asked, told = Path(folder, "questions.json"), Path(folder, "answers.json")
        asked.write_text(json.dumps({"layout": numbers_of(layout), "questions": questions}), encoding="utf-8")
        command = [str(ROOT / "tools/node"), "web", "conformance", str(CODE), str(asked), str(told)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        assert done.returncode == 0, done.stdout + done.stderr
        found: list[Any] = json.loads(told.read_text(encoding="utf-8"))
        return found


def games(case: Case, seed: int, first: int, last: int, cap: int, *, closely: bool) -> dict[str, Any]:
    """The question for a hash of each of some games; ``closely`` looks also at moves, views and reasons."""
    start = {"table": texts(case.start.rules), "plan": texts(case.start.plan), "opening": texts(case.start.words)}
    return {"kind": "games", **start, "seed": seed, "first": first, "last": last, "cap": cap, "closely": closely}


def as_bytes(words: Sequence[int]) -> bytes:
    return array("q", words).tobytes()


def closely_hashed(case: Case, seed: int, game: int, cap: int) -> str:
    """The hash of a game in plain Python, with its moves, views and reasons."""
    found = hashlib.sha256()
    table, room = case.start.rules, [0] * layout.ACTIONS
    for number, words in enumerate(plain_states(case.start, seed, game, cap)):
        found.update(as_bytes(words))
        if words[layout.OVER]:
            break
        found.update(as_bytes(room[: legal(table, words, room)]))
        for seat in range(-1, case.seats):
            seen = [0] * layout.WORDS
            view(table, words, seat, seen)
            found.update(as_bytes(seen))
        if number % 16 == 0:
            found.update(as_bytes([reason(table, words, action) for action in range(layout.ACTIONS)]))
    return found.hexdigest()
