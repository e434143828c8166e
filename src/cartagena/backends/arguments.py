"""Checks of arguments that the functions of every backend share, and the cores that threads are counted by."""

import os

from cartagena.errors import BackendError, shown, whole


def checked_number(name: str, value: object, low: int, high: int, error: type[Exception] = BackendError) -> int:
    """Return a whole number if it is in a range. Raises the error if it is not."""
    number = whole(value)
    if number is not None and low <= number <= high:
        return number
    raise error(f"{name} must be a whole number from {low} to {high}, not {shown(value)}.")


def cores() -> int:
    """Return the number of cores that this process may use.

    >>> from cartagena.jobs import cores
    >>> cores() >= 1
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
