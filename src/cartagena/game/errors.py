"""What can be wrong with something a person or a program typed: three kinds, kept apart."""

from cartagena.rulesets import one_line


class CartagenaError(ValueError):
    """Anything wrong with what was typed. The message is one sentence for a person."""

    code = "error"

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class NotationError(CartagenaError):
    """The text is not notation. ``word`` names the part that cannot be read."""

    code = "not-notation"

    def __init__(self, message: str, word: str = "") -> None:
        super().__init__(message)
        self.word = word


class ImpossiblePosition(CartagenaError):
    """The text reads, but no game can look like that. ``word`` names the word at fault."""

    code = "impossible-position"

    def __init__(self, message: str, word: str = "") -> None:
        super().__init__(message)
        self.word = word


class IllegalMove(CartagenaError):
    """The move reads, but the rules do not allow it now. ``reason`` is its code, the same in every language."""

    code = "illegal-move"

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


class TooMuchWork(CartagenaError):
    """The answer would take more work than was allowed."""

    code = "too-much-work"
