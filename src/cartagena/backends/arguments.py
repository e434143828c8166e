"""Checks of arguments that the functions of every backend share."""

from cartagena.errors import BackendError


def checked_number(name: str, value: object, low: int, high: int, error: type[Exception] = BackendError) -> int:
    """Return a whole number if it is in a range. Raises the error if it is not."""
    if hasattr(value, "__index__") and not isinstance(value, bool):
        number = int(value.__index__())
        if low <= number <= high:
            return number
    raise error(f"{name} must be a whole number from {low} to {high}, not {value!r}.")
