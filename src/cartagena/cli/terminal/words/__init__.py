"""What the terminal game says, in seven languages: a file of texts for each. Words to type are the same in all."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from cartagena.errors import CartagenaError, IllegalMove, NotationError
from cartagena.game.render.captions import ENGLISH, PLACES, Labels

from ...sentences import sentence

LANGUAGES: Final = ("en", "de", "es", "fr", "it", "nl", "sv")
VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The environment's languages, the strongest first."""


def language_of(wanted: str | None, environment: Mapping[str, str]) -> str:
    """Return the language that was asked for, else the environment's where we speak it, else English.

    >>> language_of(None, {"LANG": "fr_CA.UTF-8"}), language_of(None, {"LANG": "pl_PL"}), language_of("it", {})
    ('fr', 'en', 'it')
    """
    if wanted is not None:
        if wanted not in LANGUAGES:
            raise CartagenaError(f"the terminal game speaks {', '.join(LANGUAGES)}, not {wanted!r}")
        return wanted
    found = next((environment[name] for name in VARIABLES if environment.get(name)), "")[:2].lower()
    return found if found in LANGUAGES else "en"


class Words:
    """The texts of one language."""

    def __init__(self, language: str = "en") -> None:
        text = files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
        self.language = language
        self.texts: dict[str, Any] = tomllib.loads(text)
        self.moves: dict[str, str] = self.texts["moves"]
        self.reasons: dict[str, str] = self.texts.get("reasons", {})
        self.board = self.labels()

    def __call__(self, key: str, **given: object) -> str:
        """A text with its places filled in."""
        return str(self.texts[key]).format(**given)

    @property
    def help(self) -> str:
        return str(self.texts["help"])

    def colour(self, seat: int) -> str:
        """The colour of a seat counted from 1."""
        return str(self.texts["colours"][seat - 1])

    def amount(self, unit: str, number: int) -> str:
        """A number of days, hours or minutes."""
        one, several = self.texts[unit]
        is_one = number == 1 or (number == 0 and self.language == "fr")
        return f"{number} {one if is_one else several}"

    def labels(self) -> Labels:
        """What the drawn board says. English has the words of the board itself."""
        if "board" not in self.texts:
            return ENGLISH
        places = {name: self.moves[name] for name in PLACES.values()}
        colours = {f"colour_{seat}": capital(name) for seat, name in enumerate(self.texts["colours"], 1)}
        signs = {f"sign_{name}": said for name, said in self.texts["signs"].items()}
        return {**places, **colours, **signs, **self.texts["board"]}

    def refusal(self, error: CartagenaError) -> str:
        """Why something cannot be done, as a sentence. English has the sentences of the rules themselves."""
        if self.reasons and isinstance(error, IllegalMove) and error.reason in self.reasons:
            return self.reasons[error.reason]
        if self.reasons and isinstance(error, NotationError):
            return self("not_a_move")
        return sentence(str(error))


def capital(text: str) -> str:
    """The text with a capital letter, for sentences that begin with a colour."""
    return text[:1].upper() + text[1:]
