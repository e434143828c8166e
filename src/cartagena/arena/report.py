"""Reports of a contest: tables, data, and a plot."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypedDict

from cartagena.game.plurals import counted
from cartagena.players import PlayerError

from .contest import Contest, verdict
from .fixture import Result
from .ratings import (
    Adjusted,
    Share,
    adjusted_share,
    cross_table,
    known_ratings,
    labels_of,
    luck_by_seat,
    neighbour_table,
    share_of,
)

MOST_FORFEITS: Final = 10
"""Number of different forfeits that are listed with their reasons."""
MOST_LINES: Final = 12
"""Number of lines shown of what a program wrote before it forfeited."""
PICTURES: Final = ("png", "svg", "pdf", "jpg")


class Times(TypedDict):
    """A player's thinking time in seconds."""

    decisions: int
    mean: float
    slowest: float
    overruns: int


def summary(contest: Contest, results: Sequence[Result]) -> dict[str, Any]:
    """The report as data."""
    labels = labels_of(results)
    shares = {label: share_of(results, label) for label in labels}
    decided = sum(result.is_decided for result in results)
    listed = {} if is_mirror(results) or not decided else shares
    report: dict[str, Any] = {
        **contest.head(),
        "games": len(results),
        "decided": decided,
        "nobody": sum(result.winner == 0 and not result.forfeit for result in results),
        "unfinished": sum(result.winner is None and not result.forfeit for result in results),
        "forfeits": sum(bool(result.forfeit) for result in results),
        "turns": round(sum(result.turns for result in results) / max(1, len(results)), 1),
        "longest": max((result.turns for result in results), default=0),
        "shares": {label: share_data(share) for label, share in listed.items()},
        "adjusted": {label: adjusted_data(adjusted_share(results, label)) for label in listed},
        "luck": [{"mean": mean, "error": error} for mean, error in luck_by_seat(results)],
        "by-seat": [share_data(share) for share in seat_shares(results)],
        "design": contest.seating,
        "ratings": [
            {"player": rating.label, "elo": round(rating.elo), "error": round(rating.error)}
            for rating in known_ratings(results)
            if rating.label in listed
        ],
        "clock": {label: clock(results, label) for label in labels},
        "reasons": [forfeit_data(result) for result in results if result.forfeit],
    }
    if contest.stop is not None:
        report["test"] = {
            "adjusted": contest.stop.adjusted,
            "low": contest.stop.low,
            "high": contest.stop.high,
            "ratio": round(contest.stop.ratio(contest.stop.share(results, contest.players[0])), 3),
            "verdict": {1: "high", 0: "open", -1: "low"}[verdict(contest, results)],
        }
    return report


def is_mirror(results: Sequence[Result]) -> bool:
    """True where one player sat at all seats of all games: its share is always the whole."""
    return bool(results) and all(len({*result.seats}) == 1 for result in results)


def seat_shares(results: Sequence[Result]) -> list[Share]:
    """The share of the decided games that was won from each seat."""
    decided = [result.shares() for result in results if result.is_decided]
    return [Share(sum(won), len(decided)) for won in zip(*decided, strict=True)]


def forfeit_data(result: Result) -> dict[str, object]:
    """The player that has forfeited a game, why, and what it wrote."""
    about = {"game": result.number, "player": result.seats[result.forfeit - 1], "reason": result.reason}
    return {**about, **({"output": result.output} if result.output else {})}


def share_data(share: Share) -> dict[str, float]:
    low, high = share.interval()
    return {
        "won": round(share.won, 3),
        "played": share.played,
        "share": round(share.mean, 4),
        "low": round(low, 4),
        "high": round(high, 4),
    }


def adjusted_data(share: Adjusted) -> dict[str, float]:
    low, high = share.interval()
    return {"share": round(share.mean, 4), "low": round(low, 4), "high": round(high, 4), "left": round(share.left, 3)}


def clock(results: Sequence[Result], label: str) -> Times:
    """A player's thinking time."""
    seats = [
        (result, seat)
        for result in results
        for seat, name in enumerate(result.seats)
        if name == label and result.seconds
    ]
    decisions = sum(result.decisions[seat] for result, seat in seats)
    seconds = sum(result.seconds[seat] for result, seat in seats)
    return {
        "decisions": decisions,
        "mean": round(seconds / max(1, decisions), 4),
        "slowest": max((result.slowest[seat] for result, seat in seats), default=0.0),
        "overruns": sum(result.overruns[seat] for result, seat in seats),
    }


def text(contest: Contest, results: Sequence[Result]) -> str:
    """The report as text."""
    data = summary(contest, results)
    width = max([6, *(len(label) for label in data["shares"])])
    games, forfeits = counted(data["games"], "game"), counted(data["forfeits"], "forfeit")
    no_winner = data["nobody"]  # the key stays as it is since 0.1.0
    head = (
        f"{contest.rules_name}, {contest.seats} seats, {games}: {data['decided']} decided,"
        f" {no_winner} without a winner, {data['unfinished']} unfinished, {forfeits}; {data['turns']} turns a game"
    )
    lines = [head, data["design"]]
    if data["ratings"]:
        lines += ["", f"{'player':{width}}  {'Elo':>6}  {'+-':>4}  {'won':>8} of  share (95 %)"]
    for rating in data["ratings"]:
        share = share_of(results, rating["player"])
        won = f"{share.won:g}"
        lines.append(
            f"{rating['player']:{width}}  {rating['elo']:6}  {rating['error']:4}  {won:>8} of {share.played:g}  {share}"
        )
    if data["ratings"] and data["luck"]:
        lines += ["", *luck_text(data, width)]
    if data["ratings"]:
        lines += ["", *cross_text(results, width)]
    if data["ratings"] and contest.seats > 2:
        lines += ["", *neighbour_text(results, width)]
    lines += ["", *seat_text(results), "", *clock_text(data["clock"], width), *forfeit_text(results)]
    if "test" in data:
        test = data["test"]
        lines += ["", f"sequential test {test['low']} or {test['high']}: {test['verdict']} (ratio {test['ratio']})"]
    return "\n".join(lines)


def luck_text(data: Mapping[str, Any], width: int) -> list[str]:
    """The share of each player without the luck of its cards, and what that leaves of the standard error."""
    means = ", ".join(f"{100 * each['mean']:+.1f} +- {100 * each['error']:.1f}" for each in data["luck"])
    lines = [f"luck of the cards by seat, in points (0 in the long run): {means}"]
    lines.append(f"{'player':{width}}  share without luck (95 %), standard error left")
    for label, share in data["adjusted"].items():
        bounds = f"({100 * share['low']:.1f} to {100 * share['high']:.1f})"
        lines.append(f"{label:{width}}  {100 * share['share']:.1f} % {bounds}, {100 * share['left']:.0f} %")
    return lines


def cross_text(results: Sequence[Result], width: int) -> list[str]:
    """The cross table: the share of each player in the games that one of the two won."""
    labels, table = labels_of(results), cross_table(results)
    return grid_text(labels, table, width)


def neighbour_text(results: Sequence[Result], width: int) -> list[str]:
    """What each player won by who sat just before it."""
    labels, table = labels_of(results), neighbour_table(results)
    return ["share won just after:", *grid_text(labels, table, width)]


def grid_text(labels: Sequence[str], table: Mapping[tuple[str, str], Share], width: int) -> list[str]:
    """A table with a row and a column for each player."""
    lines = [" " * width + "  " + "  ".join(f"{label[:9]:>9}" for label in labels)]
    for one in labels:
        cells = [f"{table[one, other].mean:9.3f}" if (one, other) in table else f"{'-':>9}" for other in labels]
        lines.append(f"{one:{width}}  " + "  ".join(cells))
    return lines


def seat_text(results: Sequence[Result]) -> list[str]:
    """The share of all games that was won from each seat."""
    shares = seat_shares(results)
    return ["seat  won (95 %)"] + [f"{seat:4}  {share}" for seat, share in enumerate(shares, 1)] if shares else []


def clock_text(clocks: Mapping[str, Times], width: int) -> list[str]:
    return [
        f"{label:{width}}  {times['mean'] * 1000:8.1f} ms a move, slowest {times['slowest'] * 1000:.0f} ms,"
        f" {counted(times['overruns'], 'overrun')} in {counted(times['decisions'], 'decision')}"
        for label, times in clocks.items()
    ]


def forfeit_text(results: Sequence[Result], most: int = MOST_FORFEITS) -> list[str]:
    """The forfeits with their reasons and what the programs wrote. Equal ones are listed once."""
    groups: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for result in results:
        if result.forfeit:
            groups[result.seats[result.forfeit - 1], result.reason].append(result)
    lines: list[str] = []
    for (label, reason), group in list(groups.items())[:most]:
        numbers = ", ".join(str(result.number) for result in group[:8]) + (" ..." if len(group) > 8 else "")
        lines += ["", f"{label} forfeits {counted(len(group), 'game')} ({numbers}): {reason}"]
        lines += [f"    {line}" for line in group[0].output.rstrip().splitlines()[-MOST_LINES:]]
    if len(groups) > most:
        lines += ["", f"... and forfeits for {counted(len(groups) - most, 'other reason')}"]
    return lines


def check_plot(path: Path) -> None:
    """Raise PlayerError for a plot that cannot be drawn, before any game is played."""
    pyplot()
    if not path.parent.is_dir():
        raise PlayerError(f"{path}: cannot be written: there is no folder {path.parent}")
    if path.suffix[1:].lower() not in PICTURES:
        raise PlayerError(f"{path}: is not a picture that can be drawn; choose {', '.join(PICTURES)}")


def pyplot() -> ModuleType:
    """Matplotlib, drawing to files."""
    try:
        import matplotlib as mpl

        mpl.use("Agg")
        from matplotlib import pyplot as plt
    except ImportError:
        raise PlayerError("a plot needs matplotlib: pip install 'cartagena[study]'") from None
    return plt


def plot(results: Sequence[Result], path: Path) -> None:
    """Draw the ratings with their error bars to a picture file."""
    plt = pyplot()
    rated = known_ratings(results)
    figure, axes = plt.subplots(figsize=(6, 1 + 0.4 * len(rated)))
    axes.errorbar(
        [rating.elo for rating in rated],
        range(len(rated)),
        xerr=[rating.error for rating in rated],
        fmt="o",
        capsize=4,
    )
    axes.set_yticks(range(len(rated)), [rating.label for rating in rated])
    axes.invert_yaxis()
    axes.set_xlabel("Elo, 95 % error bars")
    figure.tight_layout()
    try:
        figure.savefig(path)
    except (OSError, ValueError) as error:
        raise PlayerError(f"{path}: cannot be written: {error}") from None
    finally:
        plt.close(figure)
