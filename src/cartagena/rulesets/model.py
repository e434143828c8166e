"""The rule set: a game in one edition with its options, as data."""

import hashlib
import json
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Final

from cartagena.errors import RuleSetError, takes

MIN_SEATS: Final = 2
"""The fewest seats of a game.

>>> from cartagena.rulesets import MIN_SEATS
>>> MIN_SEATS
2
"""
MAX_SEATS: Final = 5
"""The most seats of a game.

>>> from cartagena.rulesets import MAX_SEATS
>>> MAX_SEATS
5
"""
RANGES: Final = {
    "pirates": (1, 8),
    "deal": (0, 12),
    "actions": (1, 5),
    "cards": (2, 20),
    "seats": (MIN_SEATS, MAX_SEATS),
}
MAX_PIECES: Final = {"printed": 6, "random": 8}
"""The most board pieces of each style.

>>> from cartagena.rulesets import MAX_PIECES
>>> MAX_PIECES["random"]
8
"""
SWITCHES: Final = {"pass": "may_pass", "return": "may_return", "crew": "crew"}
"""The switches as files and names write them, each with its field."""
SIZES: Final = ("pieces", "pirates", "deal", "actions", "cards", "style", "seats")
"""The entries of a file besides the switches."""
RULINGS: Final = {"nest": 2}
"""The version of our rulings on a game, raised where a new one changes how games go; 1 for those not named.

The nest's second: a becalmed game is over (``kernel.moves.is_becalmed``).
"""
WORDS: Final = ("title", "about", "booklet", "because", "default")
"""Fields that no game depends on."""


@dataclass(frozen=True)
class RuleSet:
    """A game in one edition with its options. Get one from ``rule_set`` or ``rule_sets``.

    >>> from cartagena import rule_set
    >>> rules = rule_set("jamaica-en+actions5")
    >>> rules.name, rules.title, rules.actions, rules.hidden_hands
    ('jamaica-en+actions5', 'Cartagena, Jamaica', 5, True)
    """

    game: str
    edition: str
    title: str
    about: str
    booklet: str
    letters: str
    signs: tuple[str, ...]
    printed: tuple[str, ...]
    islands: tuple[int, ...]
    open_hands: bool
    row: int
    freebooters: bool
    limit: int
    style: str
    pirates: int
    deal: int
    actions: int
    cards: int
    may_pass: bool
    may_return: bool
    crew: bool
    default: "RuleSet | None" = field(default=None, repr=False, compare=False)
    because: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    seats: int | None = None

    def __post_init__(self) -> None:
        for key, (low, high) in {**RANGES, "pieces": (1, max(MAX_PIECES.values()))}.items():
            value = getattr(self, key)
            if value is not None and not low <= value <= high:
                raise RuleSetError(f"{self.game}-{self.edition}: {key} must be from {low} to {high}, not {value}.")

    def __hash__(self) -> int:
        """Hash the name only: rule sets are keys of caches in hot paths."""
        return hash(self.name)

    def __repr__(self) -> str:
        base = self.default or self
        sizes = ("pieces", "pirates", "deal", "style", "seats")
        changed = [f", {key}={getattr(self, key)!r}" for key in sizes if getattr(self, key) != getattr(base, key)]
        return f"rule_set({self.name!r}{''.join(changed)})"

    @cached_property
    def name(self) -> str:
        """``game-edition`` and the options that differ from the edition, in their fixed order."""
        return f"{self.game}-{self.edition}{self.options}"

    @property
    def options(self) -> str:
        """The options that differ from the edition, as they are written in the name."""
        base = self.default or self
        switches = (("pass", "may_pass"), ("return", "may_return"), ("crew", "crew"))
        words = [
            ("+" if getattr(self, key) else "-") + word
            for word, key in switches
            if getattr(self, key) != getattr(base, key)
        ]
        words += [
            f"+{key}{getattr(self, key)}" for key in ("actions", "cards") if getattr(self, key) != getattr(base, key)
        ]
        return "".join(words)

    @property
    def nest(self) -> bool:
        """Whether there are two islands and a sloop that sails."""
        return len(self.islands) == 2

    @property
    def pieces(self) -> int:
        """How many board pieces are laid out."""
        return sum(self.islands)

    @property
    def hidden_hands(self) -> bool:
        """Whether the hands are hidden from the other seats."""
        return not self.open_hands

    def with_(self, **changes: Any) -> "RuleSet":
        """A copy with some fields changed. ``name`` still compares it with the same edition. Raises RuleSetError.

        >>> from cartagena import rule_set
        >>> rule_set("tortuga-en").with_(pirates=3, may_pass=True).name
        'tortuga-en+pass'
        """
        if not changes:
            return self
        for key, value in changes.items():
            check_field(self.name, key, value)
        copy = self.changed(**changes)
        check_fit(self.name, copy)
        return copy

    def changed(self, **changes: Any) -> "RuleSet":
        """A copy with some fields changed that are known to fit. Only ranges are checked."""
        return replace(self, default=self.default or self, **changes) if changes else self

    def to_data(self) -> dict[str, int | str | bool]:
        """The entries of a TOML file with this rule set: its edition as ``base``, and what differs from it.

        >>> from cartagena import rule_set
        >>> rule_set("jamaica-en+pass", pirates=3).to_data()
        {'base': 'jamaica-en', 'pirates': 3, 'pass': True}
        """
        base = self.default or self
        keys = {**{key: key for key in SIZES}, **SWITCHES}
        changed = {word: getattr(self, key) for word, key in keys.items() if getattr(self, key) != getattr(base, key)}
        return {"base": f"{self.game}-{self.edition}", **changed}

    @property
    def rulings(self) -> int:
        """The version of our rulings on this game."""
        return RULINGS.get(self.game, 1)

    @cached_property
    def digest(self) -> str:
        """A short hash of all that a game depends on, the same for equal rule sets of any name.

        A new ruling changes it for the game that it is about, so that results from before and after are not mixed.

        >>> from cartagena import rule_set
        >>> rule_set("jamaica-en", pirates=3).digest == rule_set("jamaica-en").digest
        False
        """
        return self.content_hash[:16]

    @cached_property
    def content(self) -> dict[str, Any]:
        """All that a game depends on, by name."""
        content = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in WORDS}
        return content | ({"rulings": self.rulings} if self.rulings > 1 else {})

    @cached_property
    def content_hash(self) -> str:
        """The whole hash of which ``digest`` is the beginning: SHA-256 of the content as JSON with sorted names.

        >>> from cartagena import rule_set
        >>> len(rule_set("jamaica-en").content_hash)
        64
        """
        return hashlib.sha256(json.dumps(self.content, sort_keys=True).encode()).hexdigest()


def check_field(where: str, key: str, value: object) -> None:
    """Check that a field may be changed and that the value is of its type. Raises RuleSetError."""
    if key in RANGES:
        fits, wanted = (isinstance(value, int) and not isinstance(value, bool)) or value is None, "a whole number"
        fits = fits and (value is not None or key == "seats")
    elif key in SWITCHES.values():
        fits, wanted = isinstance(value, bool), "true or false"
    elif key == "style":
        fits, wanted = isinstance(value, str) and value in MAX_PIECES, " or ".join(MAX_PIECES)
    elif key == "islands":
        numbers = value if isinstance(value, tuple) else ("none",)
        fits = all(isinstance(number, int) and not isinstance(number, bool) for number in numbers)
        wanted = "a tuple of whole numbers"
    else:
        known = ", ".join([*RANGES, *SWITCHES.values(), "style", "islands"])
        raise RuleSetError(f"{where}: {key[:40]} cannot be changed; what can are {known}.")
    if not fits:
        raise RuleSetError(f"{where}: {key} must be {wanted}, not {repr(value)[:40]}.")


def check_fit(where: str, rules: RuleSet) -> None:
    """Check that the fields of a changed rule set fit one another. Raises RuleSetError."""
    base = rules.default or rules
    if len(rules.islands) != len(base.islands) or (rules.nest and rules.islands != base.islands):
        raise RuleSetError(f"{where}: islands must be like {list(base.islands)}, not {list(rules.islands)}.")
    if rules.crew and not rules.nest:
        raise RuleSetError(f"{where}: crew has no meaning in {rules.game}, it must be off.")
    if rules.may_return and rules.nest:
        raise RuleSetError(f"{where}: return has no meaning in {rules.game}, it must be off.")
    check_pieces(where, rules)
    check_deal(where, rules, rules.seats or MIN_SEATS)


def check_pieces(where: str, rules: RuleSet) -> None:
    """Check the number of pieces: only 6 are printed."""
    if rules.pieces > MAX_PIECES[rules.style]:
        raise RuleSetError(
            f"{where}: pieces must be from 1 to {MAX_PIECES[rules.style]} with style {rules.style}, not {rules.pieces}."
        )


@takes(RuleSetError, where=str, rules=RuleSet, seats=int)
def check_deal(where: str, rules: RuleSet, seats: int) -> None:
    """Check that the deck is large enough for the hands that are dealt. Raises RuleSetError.

    >>> from cartagena.rulesets import by_name, check_deal
    >>> check_deal("here", by_name("jamaica-en+cards3"), 3)
    >>> check_deal("here", by_name("jamaica-en+cards3"), 4)
    Traceback (most recent call last):
    cartagena.RuleSetError: here: deal must be from 0 to 4 with 4 seats and 18 cards, not 6.
    """
    deck = rules.cards * len(rules.letters)
    if rules.deal * seats > deck:
        most = deck // seats
        raise RuleSetError(
            f"{where}: deal must be from 0 to {most} with {seats} seats and {deck} cards, not {rules.deal}."
        )
