"""A review as one self-contained HTML page: numbers, graph, decisions, and the boards of costly ones."""

from html import escape
from typing import Final

from cartagena.game import Position
from cartagena.players.luck import VALUE

from .judge import Decision
from .review import Review
from .review_text import BAD, fortune, heading, knowledge, points, remark, seat_row

WIDTH: Final = 900
HEIGHT: Final = 220
SIDE: Final = 48
BELOW: Final = 36
"""Room beside and below the graph for its labels."""
LONGEST: Final = 16
"""Letters of a name in the legend."""
MARK: Final = 4
INKS: Final = ("royalblue", "crimson", "darkgoldenrod", "seagreen", "sienna")
"""The colours of the seats, dark enough for lines on white."""
MOST_BOARDS: Final = 12
"""Boards in a page: those of the most costly decisions, and the last position."""
STYLE: Final = """
body{font:16px/1.5 Georgia,serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#2b2117;background:#fbf7ee}
table{border-collapse:collapse}td,th{padding:.2rem .7rem;text-align:right}td:first-child,th:first-child{text-align:left}
tr+tr{border-top:1px solid #d8ccb4}svg{max-width:100%;height:auto}details{margin:.6rem 0}summary{cursor:pointer}
.graph{background:#fff;border:1px solid #d8ccb4}li{margin:.2rem 0}
"""
COLUMNS: Final = (
    "Seat",
    "Accuracy",
    "Inaccuracies",
    "Mistakes",
    "Blunders",
    "Fair share",
    "Deal",
    "Luck",
    "Decisions",
    "Result",
)


def page(review: Review) -> str:
    """Return the page."""
    title = escape(heading(review))
    return "\n".join(
        [
            '<!doctype html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width,initial-scale=1">',
            f"<title>{title}</title><style>{STYLE}</style></head><body>",
            f"<h1>Review</h1><p>{title}</p>",
            f"<p>Judged by the {review.judge} with {review.nodes} nodes a decision; luck by the value of {VALUE}.</p>",
            seats_table(review),
            (
                f"<h2>Win chance</h2><p>From the opening to the end, {knowledge(review)}. Dots mark decisions that"
                " cost 3 points or more; bars at the bottom mark dealt cards that changed much.</p>"
            ),
            graph(review),
            "<h2>Decisions</h2>",
            decisions(review),
            "<h2>Cards</h2>",
            cards(review),
            "<h2>The end</h2>",
            board(review, review.record.final),
            "</body></html>",
        ]
    )


def seats_table(review: Review) -> str:
    """Return the numbers of each seat."""
    head = "".join(f"<th>{name}</th>" for name in COLUMNS)
    rows = [
        "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in seat_row(seat, len(review.names))) + "</tr>"
        for seat in review.seats
    ]
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def graph(review: Review) -> str:
    """Return the win chances over the game as a picture that explains itself."""
    course = review.split.course
    step = WIDTH / max(1, len(course) - 1)
    lines = [
        f'<rect x="-{SIDE}" y="-8" width="{WIDTH + SIDE + 8}" height="{HEIGHT + BELOW + 8}" fill="#fff"/>',
        *axis(),
    ]
    for seat, ink in zip(range(len(review.names)), INKS, strict=False):
        path = " ".join(f"{n * step:.1f},{HEIGHT * (1 - values[seat]):.1f}" for n, values in enumerate(course))
        lines.append(f'<polyline points="{path}" fill="none" stroke="{ink}" stroke-width="2"/>')
    lines += [dot(review, decision, step) for decision in review.decisions if decision.kind in BAD]
    for draw in review.draws:
        tall = max(map(abs, draw.luck)) * HEIGHT
        lines.append(f'<rect x="{draw.number * step:.1f}" y="{HEIGHT - tall:.1f}" width="2" height="{tall:.1f}"/>')
    lines += legend(review)
    box = f'viewBox="-{SIDE} -8 {WIDTH + SIDE + 8} {HEIGHT + BELOW + 8}" width="{WIDTH}"'
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="graph" role="img" aria-label="Win chance of each seat" {box}>'
    )
    return f"{head}{''.join(lines)}</svg>"


def axis() -> list[str]:
    """Return the lines for no, half and full win chance."""
    parts = []
    for percent in (0, 50, 100):
        height = HEIGHT * (1 - percent / 100)
        parts.append(f'<line x1="0" y1="{height}" x2="{WIDTH}" y2="{height}" stroke="#d8ccb4"/>')
        parts.append(f'<text x="-6" y="{height + 4}" font-size="12" text-anchor="end">{percent} %</text>')
    return parts


def legend(review: Review) -> list[str]:
    """Return what lines, dots and bars mean."""
    parts, across, height = [], 0, HEIGHT + 24
    for name, ink in zip(review.names, INKS, strict=False):
        short = name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"
        parts.append(f'<path d="M{across} {height - 4}h18" stroke="{ink}" stroke-width="2"/>')
        parts.append(f'<text x="{across + 24}" y="{height}" font-size="12">{escape(short)}</text>')
        across += 40 + 7 * len(short)
    said = "dot: a decision that cost 3 points or more; bar: a dealt card, as tall as what it changed"
    return [*parts, f'<text x="{WIDTH}" y="{height}" font-size="12" text-anchor="end">{said}</text>']


def dot(review: Review, decision: Decision, step: float) -> str:
    """Return the mark of a costly decision on its seat's line."""
    height = HEIGHT * (1 - review.split.course[decision.number][decision.seat - 1])
    title = escape(remark(decision).strip())
    shape = f'cx="{decision.number * step:.1f}" cy="{height:.1f}" r="{MARK}"'
    return f'<circle {shape} fill="{INKS[decision.seat - 1]}"><title>{title}</title></circle>'


def decisions(review: Review) -> str:
    """Return the costly decisions; the most costly ones with their boards."""
    bad = [decision for decision in review.decisions if decision.kind in BAD]
    if not bad:
        return "<p>No decision cost 3 points or more.</p>"
    shown = {each.number for each in sorted(bad, key=lambda each: -each.cost)[:MOST_BOARDS]}
    positions = dict(enumerate(review.record.positions(), 1))
    parts = []
    for each in bad:
        said = escape(remark(each).strip())
        if each.number in shown:
            parts.append(f"<details><summary>{said}</summary>{board(review, positions[each.number])}</details>")
        else:
            parts.append(f"<p>{said}</p>")
    return "".join(parts)


def cards(review: Review) -> str:
    """Return the luck of every dealt card."""
    total = "".join(f"<li>{escape(seat.name)}: {points(seat.luck)} points</li>" for seat in review.seats)
    each = "".join(f"<li>{escape(fortune(draw).strip())}</li>" for draw in review.draws)
    return f"<ul>{total}</ul><details><summary>Every dealt card</summary><ol>{each}</ol></details>"


def board(review: Review, position: Position) -> str:
    """Return the picture of a position."""
    return review.shown(position).svg()
