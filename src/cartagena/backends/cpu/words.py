"""``common.machine`` for processors: words without a sign are the machine's own."""

from typing import Final, TypeAlias

import numpy as np

Word: TypeAlias = int
word: Final = np.uint64
number: Final = np.int64
