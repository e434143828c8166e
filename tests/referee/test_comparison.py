"""Engine and referee agree. The long run is ``python -m tests.referee --positions 300000``."""

import pytest
from tests.referee import rules as referee
from tests.referee.compare import compare
from tests.referee.positions import EDITIONS
from tests.support import WORKED_A, WORKED_B

from cartagena import Position, perft

POSITIONS = 1200
KINDS = ("drop", "freebooter", "free crossing", "sail", "push", "becalmed")


@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.whole)])
def test_engine_and_referee_agree_over_random_play(game: str, seed: int) -> None:
    tally = compare(POSITIONS, seed, game)
    assert tally.positions >= POSITIONS
    assert tally.kinds["finished"] > 0
    assert tally.kinds["forced pass"] > 0
    if game == "nest":
        assert min(tally.kinds[kind] for kind in KINDS) > 0


@pytest.mark.parametrize(("text", "counts"), [(WORKED_A, (16, 248, 3923)), (WORKED_B, (20, 345, 6060))], ids=["A", "B"])
def test_the_referee_reproduces_the_perft_table_too(text: str, counts: tuple[int, ...]) -> None:
    table = referee.read(text)
    assert referee.write(table) == text
    assert tuple(referee.perft(table, depth) for depth in (1, 2, 3)) == counts
    assert tuple(perft(Position.parse(text), depth) for depth in (1, 2, 3)) == counts
