"""Landmarks of the chart: fortress, camp, nest, landing stages, the sloop."""

from .svg_ink import GOLD, INK, PAPER, SEPIA, group, move, number, path, tag, words


def fortress(x: float, y: float) -> str:
    """A fortress of 156 by 170 around a courtyard, its middle at a point."""
    stone = {"fill": "#c9b891", "stroke": INK, "stroke_width": 2}
    merlons = "v-12h11v7h9v-7h12v7h9v-7h11v12"
    tower = f"M0 44V10{merlons}V44z"
    wall = "M-50-52h12v7h10v-7h12v7h10v-7h12v7h10v-7h12v7h10v-7h12v14h-100z"
    bricks = "M-66-40h14m6 10h14m-10-22h12M48-36h14m-26 12h14M-70 66h16m8 0h16m70 0h16m-34 8h18"
    return group(
        path("M-78-44h156v126h-156z", **stone),
        path(wall, **stone),
        path("M-64-30h128v98h-128z", fill="#e4d3a6", stroke=INK, stroke_width=1.4),
        group(path(tower, **stone), transform="translate(-84 -72)"),
        group(path(tower, **stone), transform="translate(32 -72)"),
        path("M-58-58v10m4 0v-10zM58-58v10m-4 0v-10z", fill=INK, stroke=INK, stroke_width=1.5),
        path(bricks, fill="none", stroke=SEPIA, stroke_width=1.2),
        flag(0, -52),
        transform=move(x, y),
        stroke_linejoin="round",
    )


def flag(x: float, y: float) -> str:
    """A flag on its pole, whose foot is at a point."""
    cloth = path("M0-40c10-5 16 5 28 0v16c-12 5-18-5-28 0z", fill="#b23a2e", stroke=INK, stroke_width=1.4)
    pole = path("M0 4v-46", stroke=INK, stroke_width=2.4)
    return group(pole, cloth, transform=move(x, y))


def clearing(x: float, y: float, width: float, height: float, label: str) -> str:
    """Trodden ground inside a palisade, with a name board."""
    half = width / 2
    ground = tag(
        "rect", x=-half, y=-height / 2, width=width, height=height, rx=26, fill="#d8bd84", stroke=INK, stroke_width=1.6
    )
    fence = tag(
        "rect",
        x=-half,
        y=-height / 2,
        width=width,
        height=height,
        rx=26,
        fill="none",
        stroke="#6d4a2a",
        stroke_width=7,
        stroke_dasharray="6 3",
    )
    return group(ground, fence, sign_board(48 - half / 2, -height / 2, label), transform=move(x, y))


def sign_board(x: float, y: float, label: str) -> str:
    """A wooden board with a word on it, its middle at a point."""
    half = 8 + 4.6 * len(label)
    board = tag(
        "rect", x=x - half, y=y - 11, width=2 * half, height=20, rx=3, fill="#8b6239", stroke=INK, stroke_width=1.5
    )
    return board + words(
        x, y + 3.6, label, 13, text_anchor="middle", fill="#fff3d2", font_weight="bold", letter_spacing=1
    )


def landing(left: float, right: float, y: float) -> str:
    """A landing stage of planks."""
    width = right - left
    planks = "".join(f"M{number(left + nth * 11)} {number(y - 17)}v34" for nth in range(1, int(width / 11) + 1))
    posts = "".join(
        tag("circle", cx=x, cy=y + side * 17, r=3.6, fill="#6d4a2a", stroke=INK)
        for x in (left + 6, right - 6)
        for side in (-1, 1)
    )
    deck = tag("rect", x=left, y=y - 17, width=width, height=34, fill="#b98d58", stroke=INK, stroke_width=1.6)
    return deck + path(planks, stroke=INK, stroke_width=0.8, stroke_opacity=0.6) + posts


def sloop(x: float, y: float, facing: int) -> str:
    """A sloop whose deck is 150 wide with its middle at a point, bow to the right (1) or left (-1)."""
    hull = "M-84-4h164c10-2 18-8 22-14-2 24-14 44-34 52h-124c-18-4-27-20-28-38z"
    return group(
        path("M-98 36q12-9 24 0t24 0 24 0 24 0 24 0 24 0 24 0 24 0", fill="none", stroke="#2f5a56", stroke_width=2.2),
        path("M-6-4v-150h6v150z", fill="#6d4a2a", stroke=INK, stroke_width=1.2),
        path("M6-148c44 24 66 76 72 120-24 8-50 10-72 8z", fill="#fbf3dc", stroke=INK, stroke_width=1.8),
        path(
            "M6-116c24 10 40 24 52 42M6-82c26 6 46 16 62 32M6-48c26 2 50 6 70 14",
            fill="none",
            stroke=SEPIA,
            stroke_width=1.1,
        ),
        path("M-12-136c-26 34-46 74-64 118 22 2 44 0 64-4z", fill="#f2e2b8", stroke=INK, stroke_width=1.6),
        path("M-3-154c-10-6-18 4-30-2l4 9-4 9c12 6 20-4 30 2z", fill="#2f2418", stroke=INK),
        path(hull, fill="#8b5e34", stroke=INK, stroke_width=2.2),
        path("M-86 8h174M-82 20h158", fill="none", stroke=INK, stroke_width=1, stroke_opacity=0.6),
        path("M-84-4h164", stroke=GOLD, stroke_width=4, fill="none"),
        path("M80-10l22-9", stroke="#6d4a2a", stroke_width=4),
        transform=f"{move(x, y)} scale({facing} 1)",
        stroke_linejoin="round",
        stroke_linecap="round",
    )


def swell(x: float, y: float) -> str:
    """Water over the foot of a hull."""
    crest = f"M{number(x - 112)} {number(y + 32)}q8-7 16 0" + "t16 0" * 13
    foam = path(crest + "l-16 9h-192z", fill="#b4c8b8")
    return foam + path(crest, fill="none", stroke="#2f5a56", stroke_width=2)


def pips(x: float, y: float, used: int, allowed: int) -> str:
    """Actions as doubloons: those taken are dark, those left are gold."""
    coins = [
        tag(
            "circle",
            cx=x + nth * 19,
            cy=y,
            r=7,
            fill="#5d4c38" if nth < used else "#e9bf45",
            stroke=INK,
            stroke_width=1.5,
        )
        for nth in range(allowed)
    ]
    return group(*coins, title=f"{used} of {allowed} actions taken", data_used=used)


def plaque(x: float, y: float, width: float, height: float) -> str:
    """A cartouche to write on."""
    outer = tag("rect", x=x, y=y, width=width, height=height, rx=8, fill=PAPER, stroke=INK, stroke_width=1.8)
    inner = tag(
        "rect", x=x + 4, y=y + 4, width=width - 8, height=height - 8, rx=5, fill="none", stroke=SEPIA, stroke_width=0.8
    )
    return outer + inner


def tents(x: float, y: float) -> str:
    """Two tents and a fire, their middle foot at a point."""
    canvas = {"fill": "#f2e2b8", "stroke": INK, "stroke_width": 1.6}
    fire = path(
        "M-8 0c-6-8 3-10 3-20 6 4 5 8 8 10 2-2 2-4 2-5 7 7 3 13 1 15z", fill="#e07b2c", stroke=INK, stroke_width=1.2
    )
    logs = path("M-12 3l24-6M-12-3l24 6", stroke="#6d4a2a", stroke_width=4, stroke_linecap="round")
    tent = (
        path("M-30 0L0-46 30 0z", **canvas)
        + path("M-10 0L0-46 10 0z", fill=INK)
        + path("M0-46l-3-7M0-46l3-7", stroke=INK, stroke_width=2)
    )
    back_tent = group(tent, transform="translate(-34 -10) scale(0.8)")
    return group(
        back_tent, tent, group(logs, fire, transform="translate(50 0)"), transform=move(x, y), stroke_linejoin="round"
    )


def hideout(x: float, y: float) -> str:
    """A house on stilts under a thatched roof with a black flag, its middle foot at a point."""
    return group(
        path("M-34 0v-16M34 0v-16M-12 0v-16M12 0v-16", stroke="#6d4a2a", stroke_width=4),
        path("M-38-44h76v30h-76z", fill="#a8713f", stroke=INK, stroke_width=1.6),
        path("M-38-34h76M-38-24h76", stroke=INK, stroke_width=0.8, stroke_opacity=0.6),
        path("M-8-14v-20h16v20zM-28-36h11v10h-11zM17-36h11v10h-11z", fill=INK),
        path("M-48-40L-26-66h52l22 26z", fill="#c9a75a", stroke=INK, stroke_width=1.6),
        path("M-34-44l8-18M-16-44l4-20M0-44v-20M16-44l-4-20M34-44l-8-18", stroke=SEPIA, stroke_width=1.2),
        path("M0-66v-20", stroke=INK, stroke_width=2),
        path("M0-86c8-4 12 4 22 0v13c-10 4-14-4-22 0z", fill=INK),
        transform=move(x, y),
        stroke_linejoin="round",
        fill="none",
    )
