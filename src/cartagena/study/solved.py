"""The table of solved variants that comes with the package, and how it is made."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any, Final

from cartagena.errors import StudyError, TooMuchWork, takes
from cartagena.game import Position

from .regret import Regret, regret
from .solve import solve

PLAYERS: Final = ("captain", "admiral")
"""The players whose moves are compared with the best ones in the table."""
NODES: Final = 1000
"""The limit of their decisions."""
NOTHING: Final = Regret(0, 0, 0, 0.0)


@dataclass(frozen=True)
class SolvedVariant:
    """A small variant, solved from several positions.

    ``values`` are the chances of the first seat to win, by position. ``captain`` and ``admiral`` say what the moves of
    these players cost in games from these positions. A variant of hidden hands is solved as if they lay open.
    The admiral has a network only for variants of full size.

    >>> from cartagena.study import solved_variants
    >>> variant = solved_variants()[2]
    >>> variant.title, len(variant.values)
    ('tortuga-en+actions1+cards3: endgames of 2 pirates', 20)
    """

    title: str
    values: Mapping[str, float]
    captain: Regret
    admiral: Regret = NOTHING

    @property
    def first_seat(self) -> float:
        """The mean chance of the first seat to win."""
        return sum(self.values.values()) / len(self.values)

    def to_data(self) -> dict[str, object]:
        """The variant as data for JSON."""
        values = {position: round(value, 12) for position, value in self.values.items()}
        return {"title": self.title, "values": values} | {name: asdict(getattr(self, name)) for name in PLAYERS}

    @classmethod
    @takes(StudyError, data=dict)
    def from_data(cls, data: Mapping[str, Any]) -> "SolvedVariant":
        """Read a variant of the table."""
        try:
            regrets = [Regret(**data[name]) if name in data else NOTHING for name in PLAYERS]
            return cls(data["title"], data["values"], *regrets)
        except (KeyError, TypeError):
            raise StudyError("a solved variant has a title and values, as to_data gives them") from None


def solved_variants() -> tuple[SolvedVariant, ...]:
    """The solved variants that come with the package.

    >>> from cartagena.study import solved_variants
    >>> all(0.0 <= variant.first_seat <= 1.0 for variant in solved_variants())
    True
    """
    text = (files("cartagena.study") / "data" / "solved.json").read_text(encoding="utf-8")
    return tuple(SolvedVariant.from_data(entry) for entry in json.loads(text)["variants"])


def solve_variant(title: str, starts: Iterable[Position], wanted: int, *, most: int, games: int = 1) -> SolvedVariant:
    """Solve ``wanted`` positions, and measure the captain and the admiral in games from each of them.

    Positions that need more work than ``most``, that can be made endless or in which no move matters are left out.
    """
    values: dict[str, float] = {}
    totals = [NOTHING for _ in PLAYERS]
    for start in starts:
        try:
            solution = solve(start, open_hands=True, most=most)
            matters = len({round(value, 9) for value in solution.moves(start).values()}) > 1
            if not solution.is_exact or not matters:
                continue
            regrets = [regret(solution, player, games=games, nodes=NODES) for player in PLAYERS]
        except TooMuchWork:
            continue
        values[str(start)] = solution.value[0]
        totals = [before + more for before, more in zip(totals, regrets, strict=True)]
        if len(values) == wanted:
            break
    return SolvedVariant(title, values, *totals)


def table_data(variants: Sequence[SolvedVariant], made_by: str) -> dict[str, object]:
    """The table as data for its file."""
    return {"made-by": made_by, "nodes": NODES, "variants": [variant.to_data() for variant in variants]}


def text(variants: Sequence[SolvedVariant]) -> str:
    """The table as text."""
    width = max(len(variant.title) for variant in variants)
    heads = "  ".join(f"{name + ' best':>12}  gives away" for name in PLAYERS)
    lines = [f"{'variant':{width}}  positions  first seat  decisions  {heads}"]
    for variant in variants:
        head = f"{variant.title:{width}}  {len(variant.values):9}  {variant.first_seat:10.4f}"
        costs = "  ".join(regret_text(getattr(variant, name)) for name in PLAYERS)
        lines.append(f"{head}  {variant.captain.decisions:9}  {costs}")
    return "\n".join(lines)


def regret_text(regret: Regret) -> str:
    """The share of best moves, and what a decision gives away on average."""
    share = f"{100 * regret.best / regret.decisions:.1f} %" if regret.decisions else "-"
    return f"{share:>12}  {regret.mean:10.4f}"
