"""A position as an SVG picture: an engraved sea chart with the game on it."""

from collections.abc import Sequence
from html import escape
from typing import Final

from ..scene import Scene
from .captions import crowd, duties, fields, headline, in_turn, sign_name, spoken, title_of
from .svg_cards import GAP, PANEL_HEIGHT, seat_panels, seats_height, supply
from .svg_chart import Box, frame, land, palm, paper, ribbon, rose, sea
from .svg_ink import INK, SEPIA, SERIF, definitions, group, number, pirate, tag, words
from .svg_sights import clearing, fortress, hideout, landing, pips, plaque, sign_board, sloop, swell, tents
from .svg_track import ROW_GAP, DrawnField, Row, chevrons, course, from_above, masonry, muster, rows_of, tiles, to_above

MARGIN: Final = 26
SIDE: Final = 270
"""Room for the fortress and the sloop beside a tunnel."""
WIDEST: Final = 12
HEAD: Final = 96
NEST_WIDTH: Final = 1440
NEST_PITCH: Final = 54
NEST_WIDEST: Final = 9


def draw_svg(position: Scene) -> str:
    """Draw a position or a view as a complete SVG document."""
    chart = nest_chart if position.rules.nest else tunnel_chart
    width, bottom, drawn = chart(position)
    tray = bottom + GAP
    hands = tray + PANEL_HEIGHT + GAP
    height = hands + seats_height(position.seats) + MARGIN - GAP
    inside = width - 2 * MARGIN - 8
    return tag(
        "svg",
        tag("title", escape(f"{title_of(position.rules)}: {headline(position)}", quote=False)),
        tag("desc", spoken(position)),
        definitions(position.rules.signs, position.seats),
        paper(width, height),
        drawn,
        supply(position, MARGIN + 4, tray, inside),
        *seat_panels(position, MARGIN + 4, hands, inside),
        frame(width, height),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:g} {height:g}",
        width=width,
        height=height,
        role="img",
        style="max-width:100%;height:auto",
        font_family=SERIF,
    )


def drawn_fields(position: Scene, island: int) -> list[DrawnField]:
    """The fields of an island, ready to be drawn."""
    standing = crowd(position)
    return [
        DrawnField(name, sign_name(position, letter), standing.get(name, ()), nth == 0, bool(count % 2))
        for count, piece in enumerate(fields(position)[island])
        for nth, (name, letter) in enumerate(piece)
    ]


def gathered(position: Scene, place: str, x: float, feet: float, width: float) -> str:
    """The pirates at the start, aboard or in the nest."""
    return muster(place, crowd(position).get(place, ()), position.seats, x, feet, width)


def tunnel(rows: Sequence[Row], drawn: Sequence[DrawnField], head: str, tail: str) -> str:
    """A tunnel with its fields, with a way into its first row and one out of its last."""
    return group(masonry(head + course(rows) + tail), *chevrons(rows), *tiles(rows, drawn))


def turn_plaque(position: Scene, x: float, y: float, width: float) -> str:
    """Whose turn it is, the actions taken, what is due."""
    seat = position.active or in_turn(position)
    notes = "; ".join(duties(position)) or turn_note(position)
    left = x + (48 if seat else 18)
    drawn = [plaque(x, y, width, 54), words(left, y + 25, headline(position), 19, font_weight="bold", fill=INK)]
    drawn.append(words(left, y + 43, notes, 12.5, font_style="italic", fill=SEPIA))
    if seat:
        drawn.append(pirate(seat, x + 27, y + 46, 40))
    if not position.is_over:
        allowed = position.rules.actions
        drawn.append(pips(x + width - 8 - 19 * allowed, y + 20, position.used, allowed))
    return group(*drawn)


def turn_note(position: Scene) -> str:
    if position.is_over:
        return "The game is over"
    return f"{position.used} of {position.rules.actions} actions taken"


def about(position: Scene) -> str:
    """The rule set's name, and whether this is a view."""
    return position.rules.name + (" (a view)" if position.is_view else "")


# --- one tunnel


def tunnel_rows(position: Scene, top: float, width: float) -> list[Row]:
    """Rows in alternating directions. The last one leads right, to the sloop."""
    fields = sum(map(len, position.islands[0]))
    counts = rows_of(fields, WIDEST, range(1, fields + 1))
    pitch = min(80.0, (width - 2 * SIDE) / max(counts))
    half = pitch * max(counts) / 2
    gap = ROW_GAP + (
        72 if len(counts) == 2 else 0
    )  # two rows start and end on the same side: fortress above, sloop below
    return [
        Row(width / 2 - half, width / 2 + half, top + nth * gap, count, (len(counts) - nth) % 2 == 1)
        for nth, count in enumerate(counts)
    ]


def tunnel_land(rows: Sequence[Row], fort: float) -> list[Box]:
    """Land under all rows, broad under the fortress and narrow above the last landing."""
    last = rows[-1]
    boxes = [Box(rows[0].left - 110, last.y - 84, last.right + 36, last.y + 88)]
    if len(rows) > 1:
        boxes.append(Box(rows[0].left - 110, rows[0].y - 78, last.right + 106, rows[-2].y + 72))
        boxes.append(Box(rows[0].left - 110, rows[0].y - 78, last.right, last.y + 88))
    boxes.append(
        Box(min(fort - 104, rows[0].left), rows[0].y - 100, max(fort + 104, rows[0].left + 60), rows[0].y + 88)
    )
    return boxes


def tunnel_chart(position: Scene) -> tuple[float, float, str]:
    """The chart of a tunnel game: its width, where it ends, the drawing."""
    width = 1340.0
    rows = tunnel_rows(position, HEAD + 110, width)
    first, last = rows[0], rows[-1]
    bottom = last.y + 124
    fort = first.left - 118 if first.rightward else first.right + 118
    gate = f"M{number(fort)} {number(first.y)}"
    ship = last.right + 140
    return (
        width,
        bottom,
        group(
            sea(Box(20, 20, width - 20, bottom), (width - 110, bottom - 100)),
            rose(*rose_spot(rows, width), 0.72),
            land(tunnel_land(rows, fort)),
            *(palm(width / 2 + x, first.y + 124 + abs(x) / 20, 1.2) for x in (-210, -160, 190) if len(rows) == 2),
            landing(last.right + 10, ship - 70, last.y + 26),
            tunnel(rows, drawn_fields(position, 0), gate, f"H{number(last.right + 18)}"),
            fortress(fort, first.y),
            sign_board(fort, first.y + 82, "Start"),
            gathered(position, "s", fort, first.y + 54, 124),
            sloop(ship, last.y + 46, 1),
            swell(ship, last.y + 46),
            gathered(position, "b", ship, last.y + 44, 130),
            ribbon(MARGIN + 44, 34, 480, title_of(position.rules), about(position)),
            turn_plaque(position, width - MARGIN - 560, 32, 548),
        ),
    )


def rose_spot(rows: Sequence[Row], width: float) -> tuple[float, float]:
    """Open water: below the fortress, or above the sloop."""
    if rows[0].rightward:
        return width - 84, rows[0].y - 6
    return 84, rows[0].y


# --- two islands


def nest_rows(first: int, second: int) -> tuple[list[Row], list[Row]]:
    """The rows of both islands by their fields: the first in the west leads down, the second in the east leads up.

    The way down starts and ends at the right, so its rows are even in number. The way up starts at the left: odd.
    """
    wide = NEST_PITCH * 7
    west, east = 140.0, NEST_WIDTH - 142 - wide
    down = rows_of(first, NEST_WIDEST, range(2, first + 1, 2))
    up = rows_of(second, NEST_WIDEST, range(1, second + 1, 2))
    quay = HEAD + 30 + ROW_GAP * max(len(down) + 1, len(up))
    return (
        [
            Row(west, west + wide, quay - ROW_GAP * (len(down) - 1 - nth), count, nth % 2 == 1)
            for nth, count in enumerate(down)
        ],
        [Row(east, east + wide, quay - ROW_GAP * nth, count, nth % 2 == 0) for nth, count in enumerate(up)],
    )


def nest_land(first: Sequence[Row], second: Sequence[Row]) -> list[Box]:
    """Both islands."""
    top, up = first[0].y - ROW_GAP, second[-1].y - ROW_GAP
    return [
        Box(first[0].left - 96, top - 64, first[0].right + 100, first[-1].y - 40),
        Box(first[0].left - 96, top - 64, first[0].right + 42, first[-1].y + 84),
        Box(second[0].left - 98, up - 66, second[0].right + 98, second[0].y - 50),
        Box(second[0].left - 34, up - 66, second[0].right + 98, second[0].y + 84),
    ]


def nest_chart(position: Scene) -> tuple[float, float, str]:
    """The chart of the nest: its width, where it ends, the drawing."""
    first, second = nest_rows(*(sum(map(len, island)) for island in position.islands))
    small, large = first[-1], second[0]
    bottom = small.y + 112
    camp = (small.left + small.right) / 2
    nest = (large.left + large.right) / 2
    docks = small.right + 150, large.left - 150
    ship = docks[1] if position.sloop == 2 else docks[0]
    quay = f"M{number(large.left - 20)} {number(large.y)}"
    camp_y, nest_y = first[0].y - ROW_GAP, second[-1].y - ROW_GAP
    return (
        NEST_WIDTH,
        bottom,
        group(
            sea(Box(20, 20, NEST_WIDTH - 20, bottom), (720, 300)),
            rose((docks[0] + docks[1]) / 2, HEAD + 180, 0.9),
            land(nest_land(first, second)),
            palm(small.left - 56, camp_y + 8, 1.1),
            palm(large.left - 60, nest_y + 26, 1.2),
            palm(large.left - 28, nest_y + 34, 0.9),
            landing(small.right + 10, small.right + 66, small.y),
            landing(large.left - 66, large.left - 10, large.y),
            tunnel(first, drawn_fields(position, 0), from_above(first[0], camp_y), f"H{number(small.right + 20)}"),
            tunnel(second, drawn_fields(position, 1), quay, to_above(second[-1], nest_y)),
            clearing(camp + 24, camp_y, small.right - small.left + 112, 104, "Start"),
            tents(small.left + 48, camp_y + 36),
            gathered(position, "s", camp + 74, camp_y + 32, 220),
            clearing(nest + 24, nest_y, large.right - large.left + 112, 104, "Nest"),
            hideout(large.left + 34, nest_y + 38),
            gathered(position, "n", nest + 74, nest_y + 32, 220),
            sloop(ship, large.y + 40, 1 if position.sloop == 1 else -1),
            swell(ship, large.y + 40),
            gathered(position, "b", ship, large.y + 38, 130),
            ribbon(MARGIN + 44, 34, 480, title_of(position.rules), about(position)),
            turn_plaque(position, MARGIN + 14, 96, 548),
        ),
    )
