"""The committed perft files hold: a position, then the number of move sequences of length 1, 2, 3, 4."""

from pathlib import Path

import pytest
from tests.referee import rules as referee

from cartagena import Position, perft
from cartagena.rulesets import names

FILES = sorted(Path(__file__).parent.glob("*.txt"))
REFEREE_LIMIT = 800


def rows(path: Path) -> list[tuple[str, list[int]]]:
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            text, counts = line.split(" ; ")
            found.append((text, [int(count) for count in counts.split()]))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_engine_counts_what_the_file_says(path: Path) -> None:
    for text, counts in rows(path):
        position = Position.parse(text)
        assert str(position) == text
        assert [perft(position, depth) for depth in range(1, len(counts) + 1)] == counts, text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_referee_counts_the_same(path: Path) -> None:
    for text, counts in rows(path):
        small = [count for count in counts if count <= REFEREE_LIMIT]
        assert [referee.perft(referee.read(text), depth) for depth in range(1, len(small) + 1)] == small, text


def test_the_files_cover_every_game_edition_and_situation() -> None:
    assert {path.stem for path in FILES} == set(names())
    positions = [text for path in FILES for text, _ in rows(path)]
    assert len(positions) >= 120
    assert len(set(positions)) == len(positions)
    turns = [text.rsplit(" ", 1)[1] for text in positions]
    for mark in ("r", "+", "!", "c", "p"):
        assert any(mark in turn for turn in turns), mark
    assert {text.split(" ")[2].count("/") + 1 for text in positions} == {2, 3, 4, 5}
    assert sum(text.split(" ")[5] == "-" for text in positions) >= 10
