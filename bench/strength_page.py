"""The page of strength: every row with its target, and plainly which are not measured yet."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from bench.strength_rows import DOUBLINGS, GAMES, LEVELS, OLD, SEATS, Row, rows

from cartagena.study import solved_variants

MISSING = "not measured yet"
COST = 1.5
BEST = 0.995
HEAD = f"""# Strength

Every row names the command that plays it; `python -m bench.strength GROUP` plays a whole group, goes on where it
stopped and writes this page. The deals have a seed that nothing was trained or chosen by. Shares are of decided games
with 95 % intervals (Wilson). `{OLD}` is the captain with the weights of November 2026.

## Targets

| what | target | result | games | met |
| --- | --- | --- | --- | --- |
"""


def page(told: Mapping[str, Any]) -> str:
    """The whole page."""
    lines = [*target_lines(told), cost_line(told), *solved_lines()]
    parts = [HEAD + "\n".join(lines), notes(told), levels(told), growth(told), REST]
    return "\n\n".join(parts) + "\n"


def target_lines(told: Mapping[str, Any]) -> Iterator[str]:
    """A line for each row with a target."""
    titles = {
        "equal-time": "{game}: admiral against the captain of 2026-11, 0.3 s a move, 2 seats",
        "crowd": "{game}: one admiral among captains of 2026-11, 0.1 s a move, {seats} seats",
        "gunners": "{game}: one admiral with 0.1 s among three gunners",
        "quarter": "{game}: admiral with 200 nodes against the captain of 2026-11 with 800",
    }
    for group, title in titles.items():
        for row in rows():
            if row.group == group:
                what = title.format(game=row.game, seats=row.seats)
                yield target_line(what, row, told.get(row.name))


def target_line(what: str, row: Row, found: Mapping[str, Any] | None) -> str:
    target = f"{100 * row.target:.1f} %"
    if found is None:
        return f"| {what} | {target} | {MISSING} | 0 of {row.games} | |"
    met = "too few games yet" if found["games"] < row.games else "yes" if found["share"] >= row.target else "no"
    count = f"{found['games']} of {row.games}"
    return f"| {what} | {target} | {share_text(found)} | {count} | {met} |"


def share_text(found: Mapping[str, Any]) -> str:
    return f"{100 * found['share']:.1f} % ({100 * found['low']:.1f} to {100 * found['high']:.1f})"


def cost_line(told: Mapping[str, Any]) -> str:
    what, target = "cost of one evaluation on cpu, network against the weights of 2026-11", f"at most {COST} times"
    if "cost" not in told:
        return f"| {what} | {target} | {MISSING} | | |"
    games = told["cost"]["games"]
    each = "; ".join(f"{game}: {row['ratio']:.2f} ({row['network_ns']} ns)" for game, row in games.items())
    met = "yes" if all(row["ratio"] <= COST for row in games.values()) else "no"
    return f"| {what} | {target} | {each} | | {met} |"


def solved_lines() -> Iterator[str]:
    """The share of best moves in solved variants with open hands, for the admiral in those that fit its networks."""
    opened = [variant for variant in solved_variants() if variant.title.startswith("tortuga")]
    whole = [variant for variant in opened if variant.title.endswith("whole size")]
    for name, chosen in (("captain", opened), ("admiral", whole)):
        found = [getattr(variant, name) for variant in chosen]
        decisions, best = sum(each.decisions for each in found), sum(each.best for each in found)
        what = f"solved variants with open hands: best moves of the {name}, 1,000 nodes (`python -m bench.solved`)"
        if not decisions:
            yield f"| {what} | {100 * BEST:.1f} % | {MISSING} | | |"
            continue
        lost = sum(each.lost for each in found) / decisions
        result = f"{100 * best / decisions:.2f} % of {decisions} decisions; {lost:.5f} given away by each"
        yield f"| {what} | {100 * BEST:.1f} % | {result} | | {'yes' if best / decisions >= BEST else 'no'} |"


def notes(told: Mapping[str, Any]) -> str:
    """The commands and machines of the rows that are measured."""
    lines = []
    for row in rows():
        if row.name in told and row.group not in {"levels", "growth"}:
            found = told[row.name]
            lines.append(f"- {row.name}: `{row.command}`; {about(found)}.")
    if "cost" in told:
        lines.append(f"- cost: `python -m bench.strength cost`; {about(told['cost'])}.")
    return "\n".join(lines) if lines else "None of these rows is measured yet."


def about(found: Mapping[str, Any]) -> str:
    return found["machine"] + (f"; {found['note']}" if found["note"] else "")


def levels(told: Mapping[str, Any]) -> str:
    """The rating lists."""
    text = "## Levels\n\nElo points around the mean of the six, with 95 % error bars; "
    text += f"{', '.join(name for name in LEVELS if '@' in name)} have so many nodes, a fiftieth of their usual limit."
    text += "\n"
    for game in GAMES:
        found = {seats: told.get(f"levels-{game}-{seats}") for seats in SEATS}
        heads = (
            f"{seats} seats ({each['games']} games)" if each else f"{seats} seats" for seats, each in found.items()
        )
        text += f"\n| {game} | {' | '.join(heads)} |\n| --- |{' --- |' * len(SEATS)}\n"
        for level in reversed(LEVELS):
            cells = [rating_text(each, level) for each in found.values()]
            text += f"| {level} | {' | '.join(cells)} |\n"
    return text.rstrip()


def rating_text(found: Mapping[str, Any] | None, level: str) -> str:
    if found is None:
        return MISSING
    elo, error = found["ratings"][level]
    return f"{elo:+d} ± {error}"


def growth(told: Mapping[str, Any]) -> str:
    """The doubling curves."""
    text = (
        "## Growth with nodes\n\nThe admiral against itself with half the nodes, two seats (`python -m bench.strength"
    )
    text += f" growth`).\n\n| nodes | {' | '.join(GAMES)} |\n| --- |{' --- |' * len(GAMES)}\n"
    for less, more in pairwise(DOUBLINGS):
        cells = []
        for game in GAMES:
            found = told.get(f"growth-{game}-{more}")
            cells.append(MISSING if found is None else f"{share_text(found)}, {found['games']} games")
        text += f"| {more:,} against {less:,} | {' | '.join(cells)} |\n"
    text += "\nAdded up, in Elo points above the fewest nodes, with 95 % errors:\n\n![Growth with nodes](strength.svg)"
    return text


REST = """## Elsewhere

`players.md` has every level against the one below at its usual limit, `champions.md` how the networks were trained,
`calibration.md` whether win chances are what they say, `conformance-wasm.md` the same moves on cpu and wasm."""
