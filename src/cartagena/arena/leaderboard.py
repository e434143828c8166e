"""Results of several files together: merged, rated, and as a page."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Final

from cartagena.errors import PlayerError, takes
from cartagena.game.plurals import counted

from .contest import FORMAT, Head, other_files, read, rewrite
from .fixture import Result
from .ratings import Rating, cross_table, known_ratings, labels_of, ratings, share_of
from .report import cross_text

SAME: Final = ("rules", "seats", "rules-hash", "suite", "suite-hash", "seating")
"""What files must agree on to be rated together."""
STYLE: Final = """
body{font:16px/1.5 Georgia,serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#2b2117;background:#fbf7ee}
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem .7rem;text-align:right}
td:first-child,th:first-child{text-align:left}tr+tr{border-top:1px solid #d8ccb4}svg{display:block}
"""
BAR: Final = 240
"""Pixels of the widest error bar's scale."""


@dataclass(frozen=True)
class Board:
    """The results of one kind of game from all files: ``head`` as in a file of results, and the games.

    >>> from cartagena.arena import Board, Result
    >>> head = {"rules": "nest-nl", "seats": 2}
    >>> Board(head, [Result(0, 0, ("sailor", "random"), winner=1)]).title
    'nest-nl, 2 seats'
    """

    head: Head
    results: Sequence[Result]

    @property
    def title(self) -> str:
        """The rule set, the seats, the suite, and whether neighbours were the same in all games."""
        suite = f", suite {self.head['suite']}" if self.head.get("suite") else ""
        fixed = ", fixed neighbours" if self.head["seats"] > 2 and "seating" not in self.head else ""
        return f"{self.head['rules']}, {self.head['seats']} seats{suite}{fixed}"

    def ratings(self) -> list[Rating]:
        """The ratings of all players, best first."""
        return ratings(self.results)


@takes(PlayerError, paths=(list, tuple))
def merge(paths: Sequence[str | Path]) -> list[Board]:
    """The results of files, put together by rule set, seats and suite. The same game in two files counts once.

    Raises PlayerError for a player whose weights or code are not the same in two files.

    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> from cartagena.arena import Contest, merge, run
    >>> files = [Path(mkdtemp()) / "results.jsonl" for _ in range(2)]
    >>> for seed, file in enumerate(files):
    ...     _ = run(Contest(("sailor", "random"), "nest-nl", games=2, seed=str(seed)), file, processes=1)
    >>> [board] = merge(files)
    >>> board.title, len(board.results)
    ('nest-nl, 2 seats', 4)
    """
    if not paths:
        raise PlayerError("name at least one file of results")
    boards: dict[str, tuple[Head, dict[str, Result]]] = {}
    for path in paths:
        head, results = read(path)
        kind = json.dumps([head.get(key) for key in SAME])
        joint, games = boards.setdefault(kind, (head.copy(), {}))
        if changed := other_files(joint, head):
            raise PlayerError(f"{path}: was played with another version of {changed} than the files before")
        if "files" in head:
            joint["files"] = {**joint.get("files", {}), **head["files"]}
        joint["players"] = list(dict.fromkeys([*joint["players"], *head["players"]]))
        joint["seed"] = "+".join(dict.fromkeys([*str(joint["seed"]).split("+"), *str(head["seed"]).split("+")]))
        for result in results:
            games.setdefault(json.dumps([head["seed"], result.deal, result.seats]), result)
    return [Board(head, renumbered(games)) for head, games in boards.values()]


def renumbered(games: dict[str, Result]) -> list[Result]:
    """The games with numbers of their own. Deals of different seeds are different deals."""
    deals = {key: number for number, key in enumerate(dict.fromkeys(deal_of(key) for key in games))}
    return [
        replace(result, number=number, deal=deals[deal_of(key)]) for number, (key, result) in enumerate(games.items())
    ]


def deal_of(key: str) -> str:
    """The seed and the deal of a game."""
    return json.dumps(json.loads(key)[:2])


def write_merged(board: Board, path: Path) -> None:
    """Write a board as a file of results, which can be read and merged again."""
    rewrite(path, {**board.head, "arena": FORMAT}, board.results)


def text(boards: Sequence[Board]) -> str:
    """The boards as text."""
    return "\n\n".join("\n".join(board_lines(board)) for board in boards)


def board_lines(board: Board) -> list[str]:
    width = max([6, *(len(label) for label in labels_of(board.results))])
    lines = [
        f"{board.title}: {counted(len(board.results), 'game')}",
        "",
        f"{'player':{width}}  {'Elo':>6}  {'+-':>4}  share (95 %)",
    ]
    for rating in known_ratings(board.results):
        share = share_of(board.results, rating.label)
        lines.append(f"{rating.label:{width}}  {rating.elo:6.0f}  {rating.error:4.0f}  {share}")
    return [*lines, "", *cross_text(board.results, width)]


def data(boards: Sequence[Board]) -> list[dict[str, object]]:
    """The boards as data for JSON."""
    return [
        {
            "rules": board.head["rules"],
            "seats": board.head["seats"],
            "suite": board.head.get("suite", ""),
            "games": len(board.results),
            "ratings": [
                {"player": rating.label, "elo": round(rating.elo), "error": round(rating.error)}
                for rating in known_ratings(board.results)
            ],
        }
        for board in boards
    ]


def page(boards: Sequence[Board]) -> str:
    """The boards as one HTML page that needs nothing else."""
    body = "\n".join(section(board) for board in boards)
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>Cartagena: leaderboard</title>'
        f"<style>{STYLE}</style></head>\n<body>\n<h1>Leaderboard</h1>\n{body}\n</body>\n</html>\n"
    )


def section(board: Board) -> str:
    """One board: the ratings with their error bars, and the cross table."""
    rated = known_ratings(board.results)
    ends = [rating.elo + sign * rating.error for rating in rated for sign in (-1, 1)] or [0.0]
    low, high = min(ends), max(ends)
    rows = "\n".join(row(board, rating, low, max(1.0, high - low)) for rating in rated)
    return (
        f"<h2>{escape(board.title)}</h2>\n<p>{counted(len(board.results), 'game')}."
        " Elo points around the mean of the field, with"
        " 95 % error bars.</p>\n<table><tr><th>player</th><th>Elo</th><th>±</th><th></th><th>share (95 %)</th>"
        f"<th>games</th></tr>\n{rows}\n</table>\n{cross_html(board)}"
    )


def row(board: Board, rating: Rating, low: float, width: float) -> str:
    share = share_of(board.results, rating.label)
    left, middle, right = (BAR * (rating.elo + sign * rating.error - low) / width for sign in (-1, 0, 1))
    bar = (
        f'<svg width="{BAR + 8}" height="14" role="img" aria-label="{rating.elo:.0f} plus or minus {rating.error:.0f}">'
        f'<line x1="{left + 4:.1f}" x2="{right + 4:.1f}" y1="7" y2="7" stroke="#8a6d3b" stroke-width="2"/>'
        f'<circle cx="{middle + 4:.1f}" cy="7" r="4" fill="#7a1f1f"/></svg>'
    )
    return (
        f"<tr><td>{escape(rating.label)}</td><td>{rating.elo:.0f}</td><td>{rating.error:.0f}</td><td>{bar}</td>"
        f"<td>{escape(str(share))}</td><td>{share.played:g}</td></tr>"
    )


def cross_html(board: Board) -> str:
    """The share of each player in the games that one of the two won."""
    labels, table = [rating.label for rating in board.ratings()], cross_table(board.results)
    head = "".join(f"<th>{escape(label)}</th>" for label in labels)
    lines = []
    for one in labels:
        cells = [f"{table[one, other].mean:.3f}" if (one, other) in table else "" for other in labels]
        lines.append(f"<tr><td>{escape(one)}</td>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    return f"<table><tr><th></th>{head}</tr>\n" + "\n".join(lines) + "\n</table>"
