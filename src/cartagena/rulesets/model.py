"""The rule set: a game in one edition with its options, as data."""

import hashlib
import json
import re
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Final

from cartagena.errors import RuleSetError, takes, whole
from cartagena.kernel.layout import MAX_PLACES

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
    "row": (0, 12),
    "limit": (0, 20),
    "hold": (0, 40),
    "draw": (0, 2),
    "home": (0, 8),
}
MAX_PIECES: Final = {"printed": 6, "random": 8}
"""The most board pieces of each style.

>>> from cartagena.rulesets import MAX_PIECES
>>> MAX_PIECES["random"]
8
"""
SWITCHES: Final = {"pass": "may_pass", "return": "may_return", "crew": "crew"}
"""The switches as files and names write them, each with its field."""
SIZES: Final = ("pirates", "deal", "actions", "cards", "style", "seats", "row", "limit", "hold", "draw", "home")
"""The entries of a file that are written as their fields are, besides the switches."""
SHORT: Final = ("pieces", "pirates", "deal", "style", "seats")
"""What ``repr`` writes as arguments of ``rule_set``, besides the name."""
NAMED: Final = {"base", "pieces", "pirates", "deal", "style", "actions", "cards", *SWITCHES}
"""The entries that the name, the board, the pirates and the tags of a record say."""
LATER: Final = {"variant": "", "deck": (), "board": "", "hold": 0, "draw": 0, "home": 0, "extra": ()}
"""Fields that the first rule sets did not have, with the value that changes nothing: their hashes stay the same."""
VARIANT_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
MAX_TITLE: Final = 80
RULINGS: Final = {"nest": 2}
"""The version of our rulings on a game, raised where a new one changes how games go; 1 for those not named.

The nest's second: a becalmed game is over (``kernel.moves.is_becalmed``).
"""
WORDS: Final = ("title", "about", "booklet", "because", "default", "variant")
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
    variant: str = ""
    """The name of a rule set of a file, as the file gives it."""
    deck: tuple[int, ...] = ()
    """How many cards there are of each sign where these numbers differ. Empty: ``cards`` of each."""
    board: str = ""
    """The board of every game, as it is written. Empty: pieces are laid by chance."""
    hold: int = 0
    """The number of cards in a hand at which a draw stops. 0: there is none."""
    draw: int = 0
    """How many cards a retreat or a push draws. 0: as many as pirates stand on the field."""
    home: int = 0
    """How many pirates at the goal win. 0: all of them."""
    extra: tuple[int, ...] = ()
    """How many cards more than ``deal`` seat 1, 2 and so on are dealt."""

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
        if self.is_variant and set(self.to_data()) - NAMED != {"seats"}:
            return f"from_data({self.to_data()!r})"
        changed = [f", {key}={getattr(self, key)!r}" for key in SHORT if getattr(self, key) != getattr(base, key)]
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

    @property
    def is_variant(self) -> bool:
        """Whether there is more to the rule set than its name and the sizes of board, crews and hands say.

        >>> from cartagena.rulesets import from_toml
        >>> from_toml('base = "jamaica-en"\\npirates = 3').is_variant
        False
        >>> from_toml('base = "jamaica-en"\\ndraw = 2').is_variant
        True
        """
        return bool(self.deck) or not NAMED.issuperset(self.to_data())

    @property
    def counts(self) -> tuple[int, ...]:
        """How many cards there are of each sign, a freebooter included."""
        return self.deck or (self.cards,) * len(self.letters)

    @takes(RuleSetError, seat=int)
    def dealt(self, seat: int) -> int:
        """How many cards a seat, counted from 0, is dealt."""
        return self.deal + (self.extra[seat] if 0 <= seat < len(self.extra) else 0)

    def with_(self, **changes: Any) -> "RuleSet":
        """A copy with some fields changed. ``name`` still compares it with the same edition. Raises RuleSetError.

        >>> from cartagena import rule_set
        >>> rule_set("tortuga-en").with_(pirates=3, may_pass=True).name
        'tortuga-en+pass'
        """
        if not changes:
            return self
        fixed = {key: checked_field(self.name, key, value) for key, value in changes.items()}
        if "cards" in fixed:  # one number for all signs, as in a file
            fixed = {"deck": (), **fixed}
        copy = self.changed(**fixed)
        check_fit(self.name, copy)
        return simplest(copy)

    def changed(self, **changes: Any) -> "RuleSet":
        """A copy with some fields changed that are known to fit. Only ranges are checked."""
        return replace(self, default=self.default or self, **changes) if changes else self

    def to_data(self) -> dict[str, Any]:
        """The entries of a TOML file with this rule set: its edition as ``base``, and what differs from it.

        >>> from cartagena import rule_set
        >>> rule_set("jamaica-en+pass", pirates=3).to_data()
        {'base': 'jamaica-en', 'pirates': 3, 'pass': True}
        """
        base = self.default or self
        keys = {**{key: key for key in SIZES}, **SWITCHES}
        changed = {word: getattr(self, key) for word, key in keys.items() if getattr(self, key) != getattr(base, key)}
        board = {"islands": list(self.islands)} if self.nest else {"pieces": self.pieces}
        odd = {
            "name": self.variant,
            "title": self.title if self.title != base.title else "",
            "signs": self.letters if self.letters != base.letters else "",
            "board": self.board,
            "cards": dict(zip(self.letters, self.deck, strict=False)),
            "extra": list(self.extra),
        }
        if self.open_hands != base.open_hands:
            odd["hands"] = "open" if self.open_hands else "hidden"
        sized = board if self.islands != base.islands and not self.board else {}
        given = {key: value for key, value in odd.items() if value}
        option = f"+cards{self.cards}" if self.deck and self.cards != base.cards else ""  # part of the name
        return {"base": f"{self.game}-{self.edition}{option}", **sized, **changed, **given}

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
        content = {key: value for key, value in content.items() if key not in LATER or value != LATER[key]}
        return content | ({"rulings": self.rulings} if self.rulings > 1 else {})

    @cached_property
    def content_hash(self) -> str:
        """The whole hash of which ``digest`` is the beginning: SHA-256 of the content as JSON with sorted names.

        >>> from cartagena import rule_set
        >>> len(rule_set("jamaica-en").content_hash)
        64
        """
        return hashlib.sha256(json.dumps(self.content, sort_keys=True).encode()).hexdigest()


def checked_field(where: str, key: str, value: object) -> object:
    """The new value of a field, if the field may be changed and the value is of its type. Raises RuleSetError."""
    if key in RANGES:
        number, wanted = whole(value), "a whole number"
        fits = number is not None or (value is None and key == "seats")
        value = value if number is None else number
    elif key in (*SWITCHES.values(), "open_hands"):
        fits, wanted = isinstance(value, bool), "true or false"
    elif key == "style":
        fits, wanted = isinstance(value, str) and value in MAX_PIECES, " or ".join(MAX_PIECES)
    elif key in ("islands", "deck", "extra"):
        numbers = tuple(map(whole, value)) if isinstance(value, tuple) else (None,)
        fits, wanted = None not in numbers, "a tuple of whole numbers"
        value = numbers if fits else value
    elif key == "board":
        fits, wanted = isinstance(value, str), "a text"
    elif key == "variant":
        fits, wanted = value == "" or is_name(value), "1 to 40 letters, digits, _ . or -"
    elif key == "title":
        fits, wanted = is_title(value), f"one line of 1 to {MAX_TITLE} characters"
    else:
        known = ", ".join([*RANGES, *SWITCHES.values(), "style", "islands", "open_hands", "deck", "extra", "board"])
        raise RuleSetError(f"{where}: {key[:40]} cannot be changed; what can are {known}, variant, title.")
    if not fits:
        raise RuleSetError(f"{where}: {key} must be {wanted}, not {repr(value)[:40]}.")
    return value


def is_name(value: object) -> bool:
    """Whether a variant can have this name."""
    return isinstance(value, str) and VARIANT_NAME.fullmatch(value) is not None


def is_title(value: object) -> bool:
    """Whether a variant can have this title."""
    return isinstance(value, str) and bool(value.strip()) and len(value) <= MAX_TITLE and value.isprintable()


def simplest(rules: RuleSet) -> RuleSet:
    """The same rule set in its simplest words: equal numbers of cards are one number, no zeros end the extra cards."""
    extra, deck = rules.extra[: max((seat for seat, more in enumerate(rules.extra, 1) if more), default=0)], rules.deck
    changes: dict[str, Any] = {"extra": extra} if extra != rules.extra else {}
    if len({*deck}) == 1 and deck[0] >= RANGES["cards"][0]:
        changes |= {"cards": deck[0], "deck": ()}
    return rules.changed(**changes)


def check_fit(where: str, rules: RuleSet) -> None:
    """Check that the fields of a changed rule set fit one another. Raises RuleSetError with the name of the key."""
    base = rules.default or rules
    if len(rules.islands) != len(base.islands):
        raise RuleSetError(f"{where}: islands must be like {list(base.islands)}, not {list(rules.islands)}.")
    for word in ("crew",) if not rules.nest else ("return",):
        if getattr(rules, SWITCHES[word]):
            raise RuleSetError(f"{where}: {word} has no meaning in {rules.game}, it must be off.")
    if rules.row and rules.nest:
        raise RuleSetError(f"{where}: row must be 0 in the nest, where freebooters cannot lie in an open row.")
    if rules.limit and not rules.nest:
        raise RuleSetError(f"{where}: limit has no meaning in {rules.game}, which has no freebooters; hold is for all.")
    if rules.home > rules.pirates:
        raise RuleSetError(
            f"{where}: home must be from 1 to {rules.pirates}, the number of pirates, or 0 for all, not {rules.home}."
        )
    check_cards(where, rules)
    check_board(where, rules)
    check_pieces(where, rules)
    check_deal(where, rules, rules.seats or MIN_SEATS)


def check_cards(where: str, rules: RuleSet) -> None:
    """Check the numbers of cards of each sign and of the extra cards of the seats."""
    most = RANGES["cards"][1]
    if rules.deck and len(rules.deck) != len(rules.letters):
        raise RuleSetError(f"{where}: cards must have a number for each of {rules.letters}.")
    if any(not 0 <= number <= most for number in rules.deck) or not any(rules.counts):
        raise RuleSetError(f"{where}: cards of a sign must be from 0 to {most}, and not 0 of all.")
    if len(rules.extra) > MAX_SEATS or any(not 0 <= number <= RANGES["deal"][1] for number in rules.extra):
        raise RuleSetError(f"{where}: extra must have at most {MAX_SEATS} numbers from 0 to {RANGES['deal'][1]}.")


def islands_of(board: str) -> tuple[tuple[str, ...], ...]:
    """The pieces of each island of a board as it is written."""
    return tuple(tuple(island.split("/")) for island in board.split("|"))


def check_board(where: str, rules: RuleSet) -> None:
    """Check a fixed board: as many islands as the game has, each piece with every sign in play once."""
    if not rules.board:
        return
    islands = islands_of(rules.board)
    wrong = [piece for island in islands for piece in island if sorted(piece) != sorted(rules.letters)]
    if wrong:
        raise RuleSetError(f"{where}: board must have pieces with each of {rules.letters} once, not {wrong[0][:20]!r}.")
    if tuple(map(len, islands)) != rules.islands:
        laid = " and ".join(str(len(island)) for island in islands)
        raise RuleSetError(f"{where}: board has {laid} pieces, islands has {' and '.join(map(str, rules.islands))}.")


def most_pieces(rules: RuleSet) -> int:
    """How many pieces the board of a rule set can have: printed ones, or what the places of the kernel allow."""
    if rules.style == "printed" and not rules.board:
        return len(rules.printed)
    return min(MAX_PIECES["random"], (MAX_PLACES - 3 if rules.nest else MAX_PLACES - 2) // len(rules.letters))


def check_pieces(where: str, rules: RuleSet) -> None:
    """Check the number of pieces: only 6 are printed, in the nest 5."""
    most = most_pieces(rules)
    key = "islands" if rules.nest else "pieces"
    if min(rules.islands) < 1 or rules.pieces > most:
        all_in = " in all" if rules.nest else ""
        raise RuleSetError(
            f"{where}: {key} must be from 1 to {most}{all_in} with style {rules.style}, not {rules.pieces}."
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
    deck, more = sum(rules.counts), sum(rules.extra[:seats])
    if rules.deal * seats + more > deck:
        most = max(0, deck - more) // seats
        extra = f" and {more} of them extra" if more else ""
        raise RuleSetError(
            f"{where}: deal must be from 0 to {most} with {seats} seats and {deck} cards{extra}, not {rules.deal}."
        )
