"""Ratios of paired measurements with their intervals, and the page that shows them."""

import math
import statistics
from dataclasses import dataclass
from typing import Any, Final

from bench.versus.readings import Reading

LOWEST, HIGHEST = 0.97, 1.03
"""Ratios between these count as the same speed."""
ENOUGH: Final = 7
"""Pairs that a verdict needs; fewer are a trial of the measurement itself."""
SMALLER_IS_BETTER: Final = ("ns", "ms", "KB")
T_VALUES: Final = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
    2.110, 2.101, 2.093, 2.086,
)  # fmt: skip
"""Student's t for 95 %, from one degree of freedom on; with more than these the last is a little too wide."""
Run = dict[str, dict[str, Reading]]
"""The readings of one pair: those of ``old`` and those of ``new``, by name."""


@dataclass(frozen=True)
class Comparison:
    """One benchmark: medians of both sides and the ratio of speeds, new to old, with its 95 % interval."""

    name: str
    unit: str
    pairs: int
    old: float
    new: float
    ratio: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """Say ``worse`` only if the whole interval lies below the lowest ratio that counts as the same."""
        if self.pairs < ENOUGH:
            return "too few"
        if self.high < LOWEST:
            return "worse"
        if self.low > HIGHEST:
            return "better"
        return "same" if self.low >= LOWEST and self.high <= HIGHEST else "unclear"


def interval(values: list[float]) -> tuple[float, float, float]:
    """Return mean, lower and upper end of the 95 % interval; a single value tells nothing of its error."""
    mean = statistics.fmean(values)
    if len(values) < 2:
        return mean, -math.inf, math.inf
    t_value = T_VALUES[min(len(values) - 1, len(T_VALUES)) - 1]
    error = t_value * statistics.stdev(values) / math.sqrt(len(values))
    return mean, mean - error, mean + error


def compare(name: str, pairs: list[tuple[Reading, Reading]]) -> Comparison:
    """Compare the paired readings, old and new, of one benchmark."""
    unit = pairs[0][0].unit
    sign = -1 if unit in SMALLER_IS_BETTER else 1
    logarithms = [sign * math.log(new.value / old.value) for old, new in pairs]
    ratio, low, high = (math.exp(value) for value in interval(logarithms))
    old, new = (statistics.median(pair[side].value for pair in pairs) for side in (0, 1))
    return Comparison(name, unit, len(pairs), old, new, ratio, low, high)


def compare_all(runs: list[Run]) -> list[Comparison]:
    """Compare every benchmark that both sides of at least one pair have."""
    names = dict.fromkeys(name for run in runs for name in run["old"])
    found = []
    for name in names:
        pairs = [(run["old"][name], run["new"][name]) for run in runs if name in run["old"] and name in run["new"]]
        if pairs:
            found.append(compare(name, pairs))
    return found


def figure(value: float) -> str:
    """Write a number with about four digits."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def row(item: Comparison) -> str:
    """Write one line of the table."""
    known = f"{item.low:.3f} to {item.high:.3f}" if item.pairs > 1 else "-"
    cells = (item.name, item.unit, figure(item.old), figure(item.new), f"{item.ratio:.3f}", known, item.verdict)
    return "| " + " | ".join(cells) + " |"


def page(about: dict[str, Any], found: list[Comparison], problems: list[str]) -> str:
    """Write the report."""
    verdicts = [item.verdict for item in found]
    counts = ", ".join(f"{verdicts.count(word)} {word}" for word in ("worse", "better", "same", "unclear", "too few"))
    lines = ["# Speed of two checkouts", "", f"`{about['command']}`", ""]
    lines += ["; ".join(f"{key} {value}" for key, value in about.items() if key != "command"), ""]
    lines += [
        "Each pair is a new process for each side; the two work in turns, round by round. The ratio is the speed of",
        "new to that of old (above 1: new is faster, or smaller): the geometric mean of the pairs, with its 95 %",
        f"interval (Student's t of the paired logarithms). Worse: the whole interval is below {LOWEST}; better: above",
        f"{HIGHEST}; same: between these; unclear: none of it; too few: fewer than {ENOUGH} pairs. With this many",
        "rows, a few intervals miss the true ratio by chance: measure a row that is worse again with --only.",
        "",
        f"{counts}.",
        "",
        "| benchmark | unit | old, median | new, median | ratio | 95 % interval | verdict |",
        "| --- | --- | --- | --- | --- | --- | --- |",
        *map(row, found),
    ]
    if problems:
        lines += ["", "Not measured:", "", *(f"- {problem}" for problem in dict.fromkeys(problems))]
    return "\n".join(lines) + "\n"
