"""``common.machine`` for CUDA devices: words without a sign are the device's own."""

from typing import Final, TypeAlias

import numpy as np

Word: TypeAlias = int
word: Final = np.uint64
number: Final = np.int64
