"""The rule set: a game in one edition with its options, as data."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from cartagena.errors import RuleSetError

MIN_SEATS: Final = 2
MAX_SEATS: Final = 5
RANGES: Final = {
    "pirates": (1, 8),
    "deal": (0, 12),
    "actions": (1, 5),
    "cards": (2, 20),
    "seats": (MIN_SEATS, MAX_SEATS),
}
MAX_PIECES: Final = {"printed": 6, "random": 8}
"""The most board pieces of each style."""


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
        """A copy with some fields changed. ``name`` still compares it with the same edition."""
        if not changes:
            return self
        return replace(self, default=self.default or self, **changes)
