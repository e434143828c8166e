"""The rules at speed, in three backends: ``plain`` (Python, the reference), ``cpu`` (Numba), ``cuda`` (numba-cuda).

>>> from cartagena.backends import rollouts
>>> result = rollouts("jamaica-en", games=4, seed=1, backend="plain")
>>> sum(result.wins) + result.deadlocks + result.cut
4

Importing this package loads neither a compiler nor NumPy; the first use compiles.
"""

from typing import TYPE_CHECKING, Any

from cartagena.errors import BackendError

from .openings import Positioned
from .policies import register
from .results import Lengths, Rollouts
from .rollouts import has_cuda, rollouts
from .warmup import warmup

if TYPE_CHECKING:
    from .vector import Batch

__all__ = ["BackendError", "Batch", "Lengths", "Rollouts", "has_cuda", "perft", "register", "rollouts", "warmup"]


def perft(position: Positioned, depth: int) -> int:
    """Count the move sequences of length ``depth`` on the cpu backend."""
    from .cpu import perft as counted

    return counted(position, depth)


def __getattr__(name: str) -> Any:
    if name != "Batch":
        raise AttributeError(f"module 'cartagena.backends' has no attribute {name!r}")
    from .vector import Batch

    globals()[name] = Batch
    return Batch
