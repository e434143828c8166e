"""Errors: one root, ``CartagenaError``, and its kinds. All of them are names of ``cartagena`` itself.

>>> import cartagena
>>> try:
...     cartagena.Move.parse("nonsense")
... except cartagena.CartagenaError as error:
...     print(type(error).__name__, error.code)
NotationError not-notation
"""

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from operator import index
from typing import Any, ParamSpec, TypeGuard, TypeVar

__all__ = [
    "BackendError",
    "CartagenaError",
    "IllegalMove",
    "ImpossiblePosition",
    "NotationError",
    "PlayerError",
    "PlayerFailed",
    "RuleSetError",
    "StudyError",
    "TooMuchWork",
    "UnfairDeal",
]


P = ParamSpec("P")
R = TypeVar("R")


def one_line(message: str) -> str:
    """Replace line breaks and unprintable characters, so that a terminal shows the message as one line."""
    if message.isprintable():
        return message
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in message)


def shown(value: object, most: int = 40) -> str:
    """A wrong value as an error message shows it: cut short, and described where it cannot be written.

    >>> shown("x" * 50), shown(10**5000)
    ("'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", 'a number with too many digits')
    """
    if isinstance(value, int) and abs(value) >= 10**most:
        return "a number with too many digits"
    try:
        return repr(value)[:most]
    except Exception:
        return f"an object of the type {type(value).__name__}"[:most]


def shown_path(path: object) -> str:
    """A file name as an error message has it: cut short where a whole text was given in its place.

    >>> shown_path("game.txt"), shown_path('base = "jamaica-en"\\npirates = 3')
    ('game.txt', '\\'base = "jamaica-en"\\\\npirates = 3\\'')
    """
    name = str(path)
    return name if len(name) <= 300 and "\n" not in name else shown(name)


def whole(value: object) -> int | None:
    """Return a whole number as an ``int``, NumPy's too; None for anything else, ``True`` and ``False`` included.

    >>> whole(3), whole(3.0), whole("3"), whole(True)
    (3, None, None, None)
    """
    if type(value) is int:
        return value
    if type(value).__name__ == "bool":  # Python's, and NumPy's, which older versions of it take for a number
        return None
    try:
        return index(value)  # type: ignore[arg-type]  # TypeError for what is no whole number
    except TypeError:
        return None


def has_parts(value: object) -> TypeGuard[Iterable[Any]]:
    """Whether it can be gone through part by part, as a list. An array without dimensions cannot.

    >>> has_parts([1, 2]), has_parts("s:B s:D"), has_parts(3)
    (True, True, False)
    """
    try:
        iter(value)  # type: ignore[call-overload]  # TypeError for what has no parts
    except TypeError:
        return False
    return True


def lacking(package: str, gone: list[str]) -> str:
    """The sentence for a package whose installed version lacks parts that this one uses."""
    from importlib.metadata import PackageNotFoundError, requires, version

    try:
        lines = requires("cartagena") or []
    except PackageNotFoundError:
        lines = []
    fits = next((line.partition(";")[0].strip() for line in lines if line.startswith(package)), f"another {package}")
    parts = " and ".join(gone[:2])
    return f"{package} {version(package)} has no {parts}, which this version of Cartagena uses: install {fits}."


def missing(error: ModuleNotFoundError, what: str, extra: str = "") -> ModuleNotFoundError:
    """The error for a library that is not installed: it says what needs it, and how it is installed.

    >>> str(missing(ModuleNotFoundError(name="pyarrow"), "a data set", "rl"))
    "a data set needs pyarrow: pip install 'cartagena[rl]'"
    """
    library = (error.name or "").partition(".")[0]
    where = f"'cartagena[{extra}]'" if extra else library
    return ModuleNotFoundError(f"{what} needs {library}: pip install {where}", name=library)


def takes(error: "type[CartagenaError]", **kinds: Any) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Refuse arguments of other kinds in one sentence. A kind is a type or a tuple of types.

    Where the kind is ``int``, any whole number is taken and handed on as an ``int``.

    >>> @takes(CartagenaError, number=int)
    ... def half(number): return number / 2
    >>> half("x")
    Traceback (most recent call last):
    cartagena.CartagenaError: number must be of the type int, not 'x'
    """

    def marked(function: Callable[P, R]) -> Callable[P, R]:
        names = tuple(signature(function).parameters)
        places = tuple((name, names.index(name), kind) for name, kind in kinds.items())

        @wraps(function)
        def checked(*given: P.args, **named: P.kwargs) -> R:
            values: Any = given
            for name, place, kind in places:
                if place < len(values):
                    if type(values[place]) is not kind:
                        value = of_kind(error, name, values[place], kind)
                        values = (*values[:place], value, *values[place + 1 :])
                elif name in named:
                    named[name] = of_kind(error, name, named[name], kind)
            return function(*values, **named)

        return checked

    return marked


def of_kind(error: "type[CartagenaError]", name: str, value: Any, kind: Any) -> Any:
    """Return an argument of that kind, a whole number as an ``int``. Raises the error for other kinds."""
    if kind is int:
        number = whole(value)
        if number is not None:
            return number
    elif kind is None or isinstance(value, kind):
        return value
    types = " or ".join(each.__name__ for each in (kind if isinstance(kind, tuple) else (kind,)))
    raise error(f"{name} must be of the type {types}, not {shown(value)}")


class CartagenaError(ValueError):
    """Root of all errors of this package. The message is one sentence for a person, ``code`` is for programs.

    >>> raise CartagenaError("the file is empty")
    Traceback (most recent call last):
    cartagena.CartagenaError: the file is empty
    """

    code = "error"

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


class NotationError(CartagenaError):
    """Text that is not notation. ``word`` names the part that cannot be read.

    >>> from cartagena import Move
    >>> Move.parse("17")
    Traceback (most recent call last):
    cartagena.NotationError: '17' is not a move; moves look like 17:B, 18<, 3@14, sail, drop:D, end, +D.
    """

    code = "not-notation"

    def __init__(self, message: str, word: str = "") -> None:
        super().__init__(message)
        self.word = word


class ImpossiblePosition(CartagenaError):
    """Notation of a position that no game can reach. ``word`` names the part at fault.

    >>> from cartagena import Position
    >>> Position.parse("jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - 1 1.0")
    Traceback (most recent call last):
    cartagena.ImpossiblePosition: sloop: it is - in jamaica
    """

    code = "impossible-position"

    def __init__(self, message: str, word: str = "") -> None:
        super().__init__(message)
        self.word = word


class IllegalMove(CartagenaError):
    """A move that the rules do not allow now. ``reason`` is a code that is the same in every language.

    >>> from cartagena import Game
    >>> Game.new("jamaica-en", seats=2, seed=7).play("end")
    Traceback (most recent call last):
    cartagena.IllegalMove: at least one action must be taken before the turn ends
    """

    code = "illegal-move"

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


class TooMuchWork(CartagenaError):
    """An answer that would take more work than was allowed.

    >>> from cartagena import Game, perft
    >>> perft(Game.new("jamaica-en", seats=2, seed=7).position, 5, limit=10)
    Traceback (most recent call last):
    cartagena.TooMuchWork: counting that far takes more than 10 positions
    """

    code = "too-much-work"


class UnfairDeal(CartagenaError):
    """A record whose deal does not follow from the secret it names, or cannot be proved from it.

    >>> from cartagena import Game
    >>> from cartagena.game import fair_deal
    >>> fair_deal.check(Game.new(seed=7).record())
    Traceback (most recent call last):
    cartagena.UnfairDeal: the record has no tag Commitment, so its deal cannot be proved
    """

    code = "unfair-deal"


class RuleSetError(CartagenaError):
    """A rule set that does not exist or makes no sense.

    >>> from cartagena import Game
    >>> Game.new("jamaica-en", seats=6)
    Traceback (most recent call last):
    cartagena.RuleSetError: jamaica-en: seats must be a whole number from 2 to 5, not 6.
    """

    code = "bad-rules"


class BackendError(CartagenaError):
    """A request that a backend cannot run.

    >>> from cartagena.backends import rollouts
    >>> rollouts("jamaica-en", games=0)
    Traceback (most recent call last):
    cartagena.BackendError: games must be a whole number from 1 to 1000000000000000, not 0.
    """

    code = "backend-error"


class PlayerError(CartagenaError):
    """A player that does not exist, cannot be started or cannot be used in this way.

    >>> from cartagena.players import Limit
    >>> Limit(time=0)
    Traceback (most recent call last):
    cartagena.PlayerError: a time limit is a number of seconds above 0, at most 10^9, not 0
    """

    code = "player-error"


class PlayerFailed(PlayerError):
    """A player that crashed, hung or answered nonsense during a game. It forfeits the game.

    ``output`` is the end of what an external program wrote on its standard error.

    >>> issubclass(PlayerFailed, PlayerError)
    True
    """

    code = "player-failed"

    def __init__(self, message: str, output: str = "") -> None:
        super().__init__(message)
        self.output = output


class StudyError(CartagenaError):
    """A game or a file that cannot be studied.

    >>> from cartagena import Game
    >>> from cartagena.study import review
    >>> review(Game.new("jamaica-en", seats=2, seed=7).record())
    Traceback (most recent call last):
    cartagena.StudyError: The game of this record is not over; only a finished game can be reviewed.
    """

    code = "study-error"


for _name in __all__:  # tracebacks and pickles name the public place
    globals()[_name].__module__ = "cartagena"
