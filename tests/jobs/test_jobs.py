"""Long work: the same answers everywhere, in pieces of about a second, and nothing lost by an error."""

import os
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cartagena.errors import PlayerError
from cartagena.jobs import executor, in_order
from cartagena.jobs.pieces import MOST, Done, Pieces, do


def squared(number: int) -> int:
    return number * number


def fails_at(bad: int, number: int) -> int:
    if number == bad:
        raise PlayerError(f"{number} is bad")
    return number


def process_of(_: int) -> int:
    time.sleep(0.2)
    return os.getpid()


def process_beside_another(folder: Path, _: int) -> int:
    """The process of a task, which waits until another process is at work too."""
    (folder / str(os.getpid())).touch()
    deadline = time.monotonic() + 300
    while len(list(folder.iterdir())) < 2:
        assert time.monotonic() < deadline, "one process does all the work"
        time.sleep(0.02)
    return os.getpid()


def counted(numbers: Iterator[int], taken: list[int]) -> Iterator[int]:
    for number in numbers:
        taken.append(number)
        yield number


@pytest.mark.parametrize("workers", [1, 2])
def test_answers_come_for_all_tasks_and_in_order_where_wanted(workers: int) -> None:
    with executor("local", workers) as place:
        assert sorted(place.map(squared, iter(range(50)))) == [number * number for number in range(50)]
        assert list(in_order(place, squared, iter(range(50)))) == [number * number for number in range(50)]


def test_several_processes_share_the_work(tmp_path: Path) -> None:
    with executor("local", 2) as place:
        found = set(place.map(partial(process_beside_another, tmp_path), iter(range(6))))
    assert len(found) == 2
    assert os.getpid() not in found


@pytest.mark.parametrize("workers", [1, 2])
def test_what_was_done_before_an_error_is_kept(workers: int) -> None:
    found: list[int] = []
    with executor("local", workers) as place:
        answers = place.map(partial(fails_at, 30), iter(range(31)))
        with pytest.raises(PlayerError, match="30 is bad"):
            found.extend(answers)
    assert sorted(found) == list(range(30))


@pytest.mark.parametrize("workers", [1, 2])
def test_work_that_is_over_hands_out_no_further_piece(workers: int) -> None:
    answers: list[int] = []
    taken: list[int] = []
    with executor("local", workers) as place:
        for answer in place.map(process_of, counted(iter(range(1000)), taken), lambda: len(answers) >= 3):
            answers.append(answer)  # noqa: PERF402  # their number is watched
    assert 3 <= len(answers) == len(taken) < 100


def test_pieces_take_about_a_second() -> None:
    pieces: Pieces[int, int] = Pieces(iter(range(10_000)), lambda: False)
    sizes = []
    for _ in range(12):
        piece = pieces.next()
        sizes.append(len(piece))
        pieces.answers(Done(piece, 0.01 * len(piece)))
    assert sizes[:3] == [1, 2, 4]
    assert max(sizes) == sizes[-1] == 100
    pieces.answers(Done([0] * 100, 50.0))
    assert pieces.size == 2
    quick: Pieces[int, int] = Pieces(iter(range(10_000)), lambda: False, size=MOST)
    quick.answers(Done([0] * MOST, 0.0))
    assert quick.size == MOST


def test_a_piece_keeps_its_answers_and_its_error() -> None:
    done = do(partial(fails_at, 2), [0, 1, 2, 3])
    assert done.answers == [0, 1]
    assert isinstance(done.error, PlayerError)


@pytest.mark.parametrize("name", ["", "cloud", "Ray", "ray:head", None, 1, b"ray", []])
def test_another_place_is_refused_in_a_sentence(name: Any) -> None:
    with pytest.raises(PlayerError, match=r"is not a place for work; choose local, ray or ray://HOST:PORT"):
        executor(name)
