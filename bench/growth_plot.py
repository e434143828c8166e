"""The curve of strength against nodes: for each game, the points gained by every doubling, added up."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import log10
from typing import Any

WIDTH, HEIGHT, GAP = 480, 260, 50
LEAST, MOST = -100, 600  # points at the lower and the upper edge
COLOURS = ("#1b6ca8", "#b3541e", "#3f7d3f", "#7b3f8c")


def elo(share: float) -> float:
    """The difference in points that a share of wins stands for."""
    return 400 * log10(share / (1 - share))


def climb(told: Mapping[str, Any], game: str, nodes: Sequence[int]) -> list[tuple[float, float]]:
    """Points above the fewest nodes and their 95 % errors, whose squares add up, as far as the rows are played."""
    points = [(0.0, 0.0)]
    for _, more in pairwise(nodes):
        row = told.get(f"growth-{game}-{more}")
        if row is None:
            break
        gained, error = points[-1]
        width = (elo(row["high"]) - elo(row["low"])) / 2
        points.append((gained + elo(row["share"]), (error**2 + width**2) ** 0.5))
    return points


def plot(told: Mapping[str, Any], games: Sequence[str], nodes: Sequence[int]) -> str:
    """A line for each game, with the errors as bars, a little apart."""
    step = WIDTH / (len(nodes) - 1)
    right, bottom = GAP + WIDTH, GAP + HEIGHT

    def height(points: float) -> float:
        return bottom - HEIGHT * (points - LEAST) / (MOST - LEAST)

    parts = [f'<rect class="axis" x="{GAP}" y="{GAP}" width="{WIDTH}" height="{HEIGHT}"/>']
    parts += [
        f'<text x="{GAP + number * step:.0f}" y="{bottom + 18}" text-anchor="middle">{each:,}</text>'
        for number, each in enumerate(nodes)
    ]
    parts.append(f'<text x="{right}" y="{bottom + 36}" text-anchor="end">nodes</text>')
    for points in range(LEAST, MOST + 1, 100):
        parts.append(f'<path class="even" d="M{GAP} {height(points):.0f}H{right}"/>')
        parts.append(f'<text x="{GAP - 6}" y="{height(points) + 4:.0f}" text-anchor="end">{points}</text>')
    for number, (game, colour) in enumerate(zip(games, COLOURS, strict=True)):
        found = climb(told, game, nodes)
        at = [(GAP + place * step + 4 * (number - 1.5) * (place > 0), each) for place, each in enumerate(found)]
        line = "L".join(f"{x:.1f} {height(points):.1f}" for x, (points, _) in at)
        bars = "".join(f"M{x:.1f} {height(y - error):.1f}V{height(y + error):.1f}" for x, (y, error) in at[1:])
        parts.append(f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts.append(f'<path d="{bars}" stroke="{colour}" opacity="0.5"/>')
        parts.append(f'<text x="{GAP + 12 + number * 90}" y="{GAP - 12}" style="fill:{colour}">{game}</text>')
    size = f'viewBox="0 0 {right + GAP} {bottom + GAP}" width="{right + GAP}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>'
    title = "<title>Elo points of the admiral above 400 nodes, by nodes</title>"
    style = "<style>text{font:12px sans-serif;fill:#2b2117}.axis{stroke:#888;fill:none}.even{stroke:#ddd}</style>"
    return f'{head}{title}{style}<rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
