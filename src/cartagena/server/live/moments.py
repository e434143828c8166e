"""The present moment, by the two clocks of the machine."""

import time


def now_ms() -> int:
    """Milliseconds of the steady clock. Only differences within one run of the program mean something."""
    return time.monotonic_ns() // 1_000_000


def wall_ms() -> int:
    """Milliseconds since 1970 by the clock of the system, which may be set forward or back at any time."""
    return time.time_ns() // 1_000_000
