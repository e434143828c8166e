"""The picture of a calibration: for each game, what was said against what happened."""

from collections.abc import Mapping, Sequence
from typing import Any

SIZE = 200
GAP = 50
LEAST = 0.4


def plot(rows: Sequence[Mapping[str, Any]]) -> str:
    """A panel for each game. The area of a dot grows with the positions of its bin."""
    width, height = GAP + len(rows) * (SIZE + GAP), SIZE + 2 * GAP
    panels = [panel(row, GAP + number * (SIZE + GAP)) for number, row in enumerate(rows)]
    style = "text{font:12px sans-serif;fill:#2b2117}.axis{stroke:#888;fill:none}.even{stroke:#bbb;stroke-dasharray:4}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" width="{width}">'
    title = "<title>Predicted win chance against the share of games won, game by game</title>"
    back = f'<rect width="{width}" height="{height}" fill="#fff"/>'
    return f"{head}{title}<style>{style}</style>{back}{''.join(panels)}</svg>\n"


def panel(row: Mapping[str, Any], left: float) -> str:
    """One game."""
    top, bottom = GAP, GAP + SIZE
    parts = [
        f'<rect class="axis" x="{left}" y="{top}" width="{SIZE}" height="{SIZE}"/>',
        f'<line class="even" x1="{left}" y1="{bottom}" x2="{left + SIZE}" y2="{top}"/>',
        f'<text x="{left}" y="{top - 24}">{row["game"]}</text>',
        f'<text x="{left}" y="{top - 8}">error {row["error"]:.3f} ({row["low"]:.3f} to {row["high"]:.3f})</text>',
        f'<text x="{left}" y="{bottom + 18}">said: 0 to 100 %</text>',
        f'<text transform="translate({left - 8},{bottom}) rotate(-90)">won: 0 to 100 %</text>',
    ]
    most = max(each[0] for each in row["bins"])
    for number, *means in row["bins"]:
        if number:
            across, up = left + SIZE * means[0], bottom - SIZE * means[1]
            radius = 8 * max(LEAST, (number / most) ** 0.5)
            parts.append(f'<circle cx="{across:.1f}" cy="{up:.1f}" r="{radius:.1f}" fill="royalblue" opacity="0.7"/>')
    return "".join(parts)
