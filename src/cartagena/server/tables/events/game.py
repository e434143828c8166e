"""Events of the game itself: the deal, moves, moves taken back, and the time that was thought."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Final

from pydantic import PlainValidator

from cartagena.game import Move, Position
from cartagena.game.fair_deal import chance_of, draw_lots, next_card
from cartagena.game.reasons import WALLS
from cartagena.game.setup import open_position
from cartagena.kernel.options import MAY_UNDO, undo_wall
from cartagena.rulesets import RuleSet, RuleSetError, by_name, from_data, vary

from ...protocol.encoding import move_fields
from ...protocol.requests import TableSetup
from ..state import Event, Played, Table, Told

parse_move: Final = lru_cache(maxsize=4096)(Move.parse)
TABLE_SIZES: Final = ("style", "pirates", "pieces", "deal")
"""The sizes of a rule set that the set-up of a table names."""


def table_rules(setup: TableSetup) -> RuleSet:
    """The rule set that a table has agreed on. Raises RuleSetError."""
    entries = {key: value for key in TABLE_SIZES if (value := getattr(setup, key)) not in (None, "printed")}
    if setup.variant is None:
        rules = by_name(setup.rules)
        return vary(rules, entries, setup.rules) if entries else rules
    rules = variant_rules(json.dumps(setup.variant))
    if entries:
        raise RuleSetError(f"variant: {next(iter(entries))} belongs into the entries of the variant.")
    base = by_name(setup.variant["base"]).name
    if by_name(setup.rules).name not in (rules.name, base):
        raise RuleSetError(f"variant: rules must be {base}, the base of the variant, not {setup.rules}.")
    return rules


def plain_setup(setup: TableSetup) -> TableSetup:
    """The set-up of a new table, with the options of its variant in the name of the rules.

    A variant that only has sizes becomes these: its record has their tags.
    """
    rules = table_rules(setup)
    if setup.variant is None or rules.is_variant:
        return setup.model_copy(update={"rules": rules.name}) if setup.variant else setup
    sizes = {key: value for key, value in rules.to_data().items() if key in TABLE_SIZES}
    return setup.model_copy(update={"variant": None, "rules": rules.name, **sizes})


@lru_cache(maxsize=256)
def variant_rules(entries: str) -> RuleSet:
    """The rule set of a variant's entries as JSON. Raises RuleSetError."""
    return from_data(json.loads(entries), "variant")


def read_opening(text: str, setup: TableSetup) -> Position:
    """The opening of a table, a variant's by its own rules."""
    return Position.parse(text, table_rules(setup) if setup.variant else None)


@dataclass(slots=True)
class Dealt(Event):
    """The game starts. ``order`` names the chairs that got seat 1, 2 and so on."""

    kind, shown_as, stored = "deal", "deal", ("opening", "order")
    changes_game = restarts_thinking = True

    opening: str
    order: list[int]
    with_computers: bool = field(default=False, init=False, compare=False)
    """Whether a computer sits there by then; the table before the change may lack one."""

    @classmethod
    def drawn(cls, table: Table) -> "Dealt":
        """The deal that follows from the secret and from what the chairs added."""
        chance = chance_of(table.secret, table.salts)
        order = draw_lots(chance, table.seats) if table.setup.lots else list(range(1, table.seats + 1))
        event = cls(str(open_position(table_rules(table.setup), table.seats, chance)), order)
        event.with_computers = any(chair.kind == "computer" for chair in table.chairs)
        return event

    def apply(self, table: Table) -> None:
        table.draw_lots(list(self.order))
        table.opening = table.position = read_opening(self.opening, table.setup)
        table.chance = chance_of(table.secret, table.salts)
        table.clocks.start(table.seats, table.chooser)

    def wakes(self, table: Table) -> bool:
        return table.setup.clock.kind in ("turn", "bank") or self.with_computers

    def tells(self, table: Table, change: Sequence[Event]) -> Told:  # noqa: ARG002
        return "turn", [self.order[read_opening(self.opening, table.setup).turn - 1]]

    def flaw(self, table: Table) -> str | None:
        same = Dealt.drawn(table).data() == self.data()
        return None if same else "the deal does not follow from the secret"


@dataclass(slots=True)
class Acted(Event):
    """Base of the kinds that a seat causes after ``ms`` milliseconds of thinking."""

    restarts_thinking = True

    seat: int
    ms: int = field(default=0, kw_only=True)
    by_hand: bool = field(default=True, kw_only=True, compare=False)
    """False if a computer chose, the days ran out, or the server played the only decision. Not stored."""

    def causes(self, table: Table) -> Iterable[int]:
        return (table.order[self.seat - 1],)

    def knowing(self, table: Table) -> list[int]:
        """The chair of the person who did it by hand and needs no telling."""
        return [table.order[self.seat - 1]] if self.by_hand else []

    def fields_for(self, table: Table, seat: int) -> dict[str, object] | None:  # noqa: ARG002
        return {"seat": self.seat}


def secret_cards(table: Table) -> Callable[[Position, int], str]:
    """The cards that follow from the table's secret, for ``carry_out``."""
    chance, dealt = table.chance, table.dealt
    if chance is None:
        raise ValueError("the cards are not dealt")
    return lambda position, number: next_card(position, chance, dealt + number).card


@dataclass(slots=True)
class Moved(Acted):
    """A move with the cards dealt after it."""

    kind, shown_as, stored = "move", "move", ("seat", "move", "cards", "ms")
    changes_seats = False
    changes_game = True

    move: Annotated[Move, PlainValidator(parse_move)]
    cards: list[str]
    worked_out: tuple[Played, Position] | None = field(default=None, init=False, repr=False, compare=False)
    """The result of the move, kept from the decision until it is applied."""

    @classmethod
    def decided(cls, table: Table, move: Move, ms: int) -> "Moved":
        """A move of the chooser with the cards that follow from the secret. Raises IllegalMove."""
        played, after = table.carry_out(move, secret_cards(table))
        event = cls(played.seat, move, played.cards, ms=ms)
        event.worked_out = played, after
        return event

    def apply(self, table: Table) -> None:
        before, end = table.position, self.move.kind == "end"
        if before is None:
            raise ValueError("a move before the deal")
        played, after = self.worked_out or table.carry_out(self.move, lambda _, number: self.cards[number])
        self.worked_out = None
        if (played.seat, played.cards) != (self.seat, self.cards):
            raise ValueError("a seat or a card that was not due")
        table.played[self.number] = played
        table.position = after
        table.dealt += len(self.cards)
        wall = undo_wall(before.state(), after.state(), before.action(self.move), len(self.cards))
        if wall == MAY_UNDO:
            table.stack.append(before)
        else:
            table.stack, table.wall = [], WALLS[wall]
        if (outcome := after.outcome()) is not None:
            went_on = before.play_on(self.move)
            table.went_on = None if went_on.is_over else went_on
            table.outcome = (outcome.winner, "home" if outcome.winner else "becalmed" if table.went_on else "deadlock")
        table.turn += end
        table.clocks.spend(self.ms)
        table.clocks.pass_to(table.chooser, end, frozen=table.chair(self.seat).frozen)

    def fields_for(self, table: Table, seat: int) -> dict[str, object] | None:
        played = table.played.get(self.number)
        if played is None:
            return None  # taken back
        everything = table.stage == "over" and seat > 0
        seen = [everything or shown[seat] for shown in played.shown]
        fields = {
            "seat": played.seat,
            "move": move_fields(played.move),
            "to": played.to or None,
            "cards": [f"+{card}" if open_ else "+?" for card, open_ in zip(played.cards, seen, strict=True)],
            "draws": played.draws,
            "turn": played.turn,
        }
        if played.drawn is not None:
            fields["drawn"] = played.drawn
        return fields

    def ends(self, table: Table, change: Sequence[Event]) -> bool:  # noqa: ARG002
        return self.worked_out is not None and self.worked_out[1].is_over

    def tells(self, table: Table, change: Sequence[Event]) -> Told | None:
        after, mine = self.worked_out[1] if self.worked_out else None, [table.order[self.seat - 1]]
        if after is None:
            return None
        if self.ends(table, change):
            return "over", table.others(self.knowing(table))
        if after.turn == self.seat:
            return None
        next_chair = table.order[after.turn - 1]
        return ("turn", [next_chair]) if next_chair in table.others(mine) else None

    def data(self) -> dict[str, object]:
        return {"seat": self.seat, "move": str(self.move), "cards": self.cards, "ms": self.ms}

    def flaw(self, table: Table) -> str | None:
        due, _ = table.carry_out(self.move, secret_cards(table))
        return None if due.cards == self.cards else "the cards do not follow from the secret"


@dataclass(slots=True)
class Undone(Acted):
    """The last move is taken back."""

    kind, shown_as, stored = "undo", "undo", ("seat", "ms")
    changes_seats = False
    changes_game = True
    limited = True

    undone: int = field(default=0, init=False)
    """The number of the move that was taken back."""

    def apply(self, table: Table) -> None:
        table.position = table.stack.pop()
        self.undone, _ = table.played.popitem()
        table.clocks.spend(self.ms)
        table.clocks.pass_to(table.chooser, turn_over=False)

    def fields_for(self, table: Table, seat: int) -> dict[str, object]:  # noqa: ARG002
        return {"seat": self.seat, "undone": self.undone}


@dataclass(slots=True)
class Paused(Event):
    """The chooser has thought for ``ms`` milliseconds, which stay charged if the server stops or fails now."""

    kind, shown_as, stored = "pause", "pause", ("ms",)
    changes_seats = False
    restarts_thinking = True

    ms: int

    def apply(self, table: Table) -> None:
        table.clocks.spend(self.ms)

    def fields_for(self, table: Table, seat: int) -> None:  # noqa: ARG002
        return None
