"""The table of solved variants that comes with the package, and how it is made."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any, Final

from cartagena.errors import TooMuchWork
from cartagena.game import Position

from .regret import Regret, regret
from .solve import solve

PLAYER: Final = "captain"
NODES: Final = 1000
"""The limit of the captain's decisions in the table."""


@dataclass(frozen=True)
class SolvedVariant:
    """A small variant, solved from several positions.

    ``values`` are the chances of the first seat to win, by position. ``captain`` says what the captain's moves cost in
    games from these positions. A variant of hidden hands is solved as if they lay open.

    >>> from cartagena.study import solved_variants
    >>> variant = solved_variants()[-1]
    >>> variant.title, len(variant.values)
    ('nest-nl+actions1+cards3: endgames of 2 pirates', 20)
    """

    title: str
    values: Mapping[str, float]
    captain: Regret

    @property
    def first_seat(self) -> float:
        """The mean chance of the first seat to win."""
        return sum(self.values.values()) / len(self.values)

    def to_data(self) -> dict[str, Any]:
        """The variant as data for JSON."""
        values = {position: round(value, 12) for position, value in self.values.items()}
        return {"title": self.title, "values": values, "captain": asdict(self.captain)}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "SolvedVariant":
        """Read a variant of the table."""
        return cls(data["title"], data["values"], Regret(**data["captain"]))


def solved_variants() -> tuple[SolvedVariant, ...]:
    """The solved variants that come with the package.

    >>> from cartagena.study import solved_variants
    >>> all(0.0 <= variant.first_seat <= 1.0 for variant in solved_variants())
    True
    """
    text = (files("cartagena.study") / "data" / "solved.json").read_text(encoding="utf-8")
    return tuple(SolvedVariant.from_data(entry) for entry in json.loads(text)["variants"])


def solve_variant(title: str, starts: Iterable[Position], wanted: int, *, most: int, games: int = 1) -> SolvedVariant:
    """Solve so many positions, and measure the captain in games from each of them.

    Positions that need more work than ``most``, that can be made endless or in which no move matters are left out.
    """
    values: dict[str, float] = {}
    captain = Regret(0, 0, 0, 0.0)
    for start in starts:
        try:
            solution = solve(start, open_hands=True, most=most)
            matters = len({round(value, 9) for value in solution.moves(start).values()}) > 1
            found = regret(solution, PLAYER, games=games, nodes=NODES) if solution.is_exact and matters else None
        except TooMuchWork:
            continue
        if found is not None:
            values[str(start)] = solution.value[0]
            captain += found
        if len(values) == wanted:
            break
    return SolvedVariant(title, values, captain)


def table_data(variants: Sequence[SolvedVariant], made_by: str) -> dict[str, Any]:
    """The table as data for its file."""
    return {"made-by": made_by, "nodes": NODES, "variants": [variant.to_data() for variant in variants]}


def text(variants: Sequence[SolvedVariant]) -> str:
    """The table as text."""
    width = max(len(variant.title) for variant in variants)
    lines = [f"{'variant':{width}}  positions  first seat  decisions  captain best  gives away"]
    for variant in variants:
        captain = variant.captain
        share = f"{100 * captain.best / captain.decisions:.1f} %" if captain.decisions else "-"
        lines.append(
            f"{variant.title:{width}}  {len(variant.values):9}  {variant.first_seat:10.4f}  {captain.decisions:9}"
            f"  {share:>12}  {captain.mean:10.4f}"
        )
    return "\n".join(lines)
