"""A review as text for a terminal."""

from collections.abc import Iterable, Sequence
from typing import Final

from cartagena.game.plurals import counted
from cartagena.game.render.captions import title_of
from cartagena.players.luck import VALUE

from .judge import Decision
from .luck import Draw, result_of
from .review import Review, SeatReview

BARS: Final = "▁▂▃▄▅▆▇█"
WIDTH: Final = 60
"""Columns of the graph."""
DRAWS: Final = 5
"""Number of the most important cards that are listed."""
BAD: Final = ("inaccuracy", "mistake", "blunder")


def text(review: Review) -> str:
    """Return the whole report."""
    parts = [
        heading(review),
        table(review),
        graph(review),
        "\n".join(["Decisions that cost 3 points or more", *costly(review)]),
        "\n".join(["Cards that changed most", *lucky(review)]),
        closing(review),
    ]
    return "\n\n".join(parts)


def heading(review: Review) -> str:
    """Return the game, its length and its result."""
    result = result_of(review.record)
    winner = result.index(1.0) if 1.0 in result else None
    end = "no winner" if winner is None else f"{review.names[winner]} (seat {winner + 1}) won"
    rules = title_of(review.record.opening.rules)
    seen = "" if review.seat is None else f", as {review.names[review.seat - 1]} (seat {review.seat}) saw it"
    length = f"{counted(len(review.decisions), 'decision')}, {counted(len(review.draws), 'card')} dealt"
    return f"{rules}{seen}, {length}: {end}"


def points(value: float) -> str:
    """Return a win chance or a change of one in points of 100, with its sign.

    >>> points(0.125), points(-0.04)
    ('+12.5', '-4.0')
    """
    return f"{100 * value:+.1f}"


def table(review: Review) -> str:
    """Return the numbers of each seat as a table; the columns of the split add up to the result."""
    rows = [["", "accuracy", "inaccurate", "mistakes", "blunders", "fair", "deal", "luck", "decisions", "result"]]
    rows += [seat_row(seat, len(review.names)) for seat in review.seats]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(line(row, widths) for row in rows)


def seat_row(seat: SeatReview, seats: int) -> list[str]:
    """Return one row of the table. What resigning changed counts with the decisions here."""
    kinds = [str(seat.kinds[name]) for name in BAD]
    split = [points(seat.opening), points(seat.luck), points(seat.decisions + seat.ending), f"{100 * seat.result:.0f}"]
    return [f"{seat.seat} {seat.name}", f"{seat.accuracy:.0f} %", *kinds, f"{100 / seats:.0f}", *split]


def line(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return one line of a table: the first column flush left, the others flush right."""
    first, *rest = (
        cell.ljust(width) if column == 0 else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join([first, *rest]).rstrip()


def graph(review: Review) -> str:
    """Return the win chance of each seat over the game as a row of bars."""
    course = review.split.course
    columns = min(WIDTH, len(course))
    picked = [course[round(column * (len(course) - 1) / max(1, columns - 1))] for column in range(columns)]
    rows = [
        f"{seat} {''.join(bar(values[seat - 1]) for values in picked)} {name}"
        for seat, name in enumerate(review.names, 1)
    ]
    return "\n".join([f"Win chance from the opening to the end, {knowledge(review)}", *rows])


def knowledge(review: Review) -> str:
    """Return which cards the graph and the split of a review use."""
    return "all cards known" if review.seat is None else f"from what seat {review.seat} could know"


def bar(value: float) -> str:
    """Return the bar of a win chance.

    >>> bar(0.0), bar(1.0)
    ('▁', '█')
    """
    return BARS[min(len(BARS) - 1, int(value * len(BARS)))]


def costly(review: Review) -> Iterable[str]:
    """Return a line for each decision that was an inaccuracy or worse, in the order of the game."""
    decisions = [decision for decision in review.decisions if decision.kind in BAD]
    return map(remark, decisions) if decisions else ["  None."]


def remark(decision: Decision) -> str:
    """Return what was chosen, what it cost and what was better."""
    turn = " ".join(map(str, decision.turns[0].moves)) if decision.turns else str(decision.best)
    why = ", ".join(decision.why)
    cost = f"{100 * decision.cost:.1f}"
    start = f"move {decision.number}, seat {decision.seat}: {decision.move}"
    return f"  {start:<26} {decision.kind:<10} cost {cost:>5}; better {turn} ({why})"


def lucky(review: Review) -> Iterable[str]:
    """Return a line for each of the cards with the most luck in them."""
    most = sorted(review.draws, key=lambda draw: -max(map(abs, draw.luck)))[:DRAWS]
    return [fortune(draw) for draw in sorted(most, key=lambda draw: draw.number)] or ["None was dealt."]


def fortune(draw: Draw) -> str:
    """Return the card and what it changed for the seat in turn."""
    start = f"move {draw.number}, seat {draw.seat}: {draw.move}"
    return f"  {start:<26} {points(draw.luck[draw.seat - 1]):>6} points for seat {draw.seat}"


def closing(review: Review) -> str:
    """Return each seat's turning point, and who judged."""
    lines = []
    for seat in review.seats:
        if seat.turning_point is not None:
            move = review.move(seat.turning_point.number)
            change = points(seat.turning_point.change)
            lines.append(f"  {seat.name}: move {seat.turning_point.number}, {move} ({change} points)")
    judge = f"Judged by the {review.judge} with {review.nodes} nodes a decision; luck by the value of {VALUE}."
    return "\n".join(["Turning points", *lines, "", judge])
