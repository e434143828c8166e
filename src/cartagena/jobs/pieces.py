"""Pieces of work: some tasks that one worker does one after another, about a second in all."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, Generic, TypeVar

Task = TypeVar("Task")
Answer = TypeVar("Answer")

SECONDS: Final = 1.0
"""How long a piece should take."""
MOST: Final = 1000
"""Tasks in a piece at most."""


@dataclass
class Done(Generic[Answer]):
    """The answers of a piece, the seconds it took, and the error that ended it, if there was one."""

    answers: list[Answer] = field(default_factory=list)
    seconds: float = 0.0
    error: Exception | None = None


def do(work: Callable[[Task], Answer], tasks: list[Task]) -> Done[Answer]:
    """Do the tasks of a piece. What was done before an error is kept."""
    done: Done[Answer] = Done()
    begin = time.perf_counter()
    try:
        for task in tasks:
            done.answers.append(work(task))
    except Exception as error:  # a user's player may raise anything
        done.error = error
    done.seconds = time.perf_counter() - begin
    return done


@dataclass
class Pieces(Generic[Task, Answer]):
    """Cuts tasks into pieces: one task at first, then as many as the last pieces did in about a second.

    After an error no further piece begins. The answers of those under way are still given before it is raised.
    """

    tasks: Iterator[Task]
    is_over: Callable[[], bool]
    size: int = 1
    error: Exception | None = None

    def next(self) -> list[Task]:
        """The next piece; an empty one when all tasks are handed out or the work is over."""
        return [] if self.error is not None or self.is_over() else list(islice(self.tasks, self.size))

    def answers(self, done: Done[Answer]) -> list[Answer]:
        """The answers of a piece. Sets the size by it, which at most doubles: the first tasks may be easy ones."""
        self.error = self.error or done.error
        if done.answers:
            fitting = SECONDS * len(done.answers) / max(done.seconds, 1e-6)
            self.size = max(1, min(MOST, 2 * self.size, round(fitting)))
        return done.answers

    def end(self) -> None:
        """Raise the error that ended a piece, if there was one."""
        if self.error is not None:
            raise self.error
