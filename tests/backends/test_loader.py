"""The kernel is loaded twice in one process: plain and compiled, from the same files."""

import sys

import numpy as np

from cartagena.backends.cpu import entry, kernel, pointer
from cartagena.kernel import layout, legal
from cartagena.kernel.step import step


@entry
def popcounts(masks: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> int:
    """A compiled function written against the compiled kernel."""
    words = pointer(masks, 0)
    number = 0
    for index in range(masks.size):
        number += kernel.cards.total(words[index])
    return number


def test_plain_and_compiled_kernels_exist_side_by_side() -> None:
    assert kernel.step.step is not step
    assert kernel.legal.count is not legal.count
    assert kernel.layout.WORDS == layout.WORDS


def test_a_function_calls_compiled_rules() -> None:
    assert popcounts(np.array([0x0201, 1 << 53, 0], np.int64)) == 4


def test_the_plain_package_does_not_load_the_compiler() -> None:
    import subprocess

    code = "import sys, cartagena, cartagena.backends; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
