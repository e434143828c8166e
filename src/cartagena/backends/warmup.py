"""Compile ahead of the first use."""

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from cartagena.kernel import layout as at

from .openings import start_of

Progress: TypeAlias = Callable[[int, int, str], object]
"""Called with the number of parts done, the number of all, and the next part's name (empty at the end)."""
Part: TypeAlias = tuple[str, Callable[[], None]]
"""Something to compile: its name, and the work that compiles it by using it."""


def quiet(_done: int, _parts: int, _what: str) -> None:
    """Report no progress."""


def warm_rollouts() -> None:
    from .rollouts import rollouts

    rollouts("jamaica-en", 1, backend="cpu", threads=1)


def warm_batches() -> None:
    from .vector import Batch

    batch = Batch("jamaica-en", 1)
    batch.step(batch.legal().argmax(axis=1))
    batch.sample()
    batch.views()


def warm_perft() -> None:
    from .cpu import perft

    class Empty:
        table = start_of("jamaica-en").rules
        words = (0,) * at.WORDS

    perft(Empty(), 1)


def warm_expansion() -> None:
    from .cpu import expand

    next(expand(start_of("jamaica-en").rules, [[0] * at.WORDS]))


PARTS: Final[tuple[Part, ...]] = (
    ("rollouts", warm_rollouts),
    ("games side by side", warm_batches),
    ("counting of move sequences", warm_perft),
    ("solving of small games", warm_expansion),
)
"""What is compiled here, in order. ``cartagena warmup`` adds players, environments and tuning."""


def warmup(progress: Progress = quiet) -> None:
    """Compile everything ahead and keep it on disk. Returns soon if that was done before.

    >>> from cartagena.backends import warmup
    >>> parts = []
    >>> warmup(lambda done, all_parts, what: parts.append(what))
    >>> parts[0], parts[-1]
    ('rollouts', '')
    """
    compile_parts(PARTS, progress)


def compile_parts(parts: Sequence[Part], progress: Progress) -> None:
    """Do the work of every part, and report each before it begins."""
    for done, (name, work) in enumerate(parts):
        progress(done, len(parts), name)
        work()
    progress(len(parts), len(parts), "")
