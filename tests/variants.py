"""Variants for tests: some by hand, which together use every key, and any number by Hypothesis.

``python -m tests.variants 40`` writes these four and 40 others as lines of JSON, for ``bench/variants.py``.
"""

import json
import sys
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cartagena.rulesets import RuleSet, by_name, from_data

EVERY_KEY: dict[str, dict[str, Any]] = {
    "tunnel": {
        "base": "tortuga-en", "name": "narrow", "title": "The narrow tunnel", "signs": "BDKS", "style": "random",
        "pieces": 7, "cards": {"B": 9, "K": 0}, "row": 1, "hands": "hidden", "draw": 2, "hold": 8, "home": 3,
        "pirates": 4, "extra": [0, 1, 2], "deal": 4, "actions": 2, "pass": True, "return": False, "seats": 3,
    },
    "board": {"base": "jamaica-en", "board": "BPHSDK/DBKPHS/KPHSBD", "row": 5, "hands": "open", "draw": 1, "hold": 3},
    "nest": {
        "base": "nest-nl", "islands": [3, 1], "limit": 4, "hold": 9, "draw": 1, "home": 1, "crew": False,
        "cards": {"C": 0, "D": 1, "T": 20}, "hands": "open", "extra": [0, 2],
    },
    "signs": {"base": "nest-nl", "signs": "DGMST", "style": "random", "islands": [4, 4], "limit": 0, "draw": 2},
}  # fmt: skip
"""Entries of four files."""


def every_key() -> dict[str, RuleSet]:
    """The rule sets of ``EVERY_KEY``."""
    return {name: from_data(entries) for name, entries in EVERY_KEY.items()}


@st.composite
def variants(draw: st.DrawFn) -> dict[str, Any]:
    """The entries of a file with any of the keys."""
    base = draw(st.sampled_from(["jamaica-en", "tortuga-de", "hispaniola-nl+cards14", "nest-nl"]))
    letters, nest = by_name(base).letters, base == "nest-nl"
    signs = draw(st.lists(st.sampled_from(letters), min_size=3, unique=True))
    pirates = draw(st.integers(1, 8))
    board = [draw(st.permutations(sorted(signs))) for _ in range(draw(st.integers(2, 5)))]
    pieces = ["".join(piece) for piece in board]
    cut = draw(st.integers(1, len(pieces) - 1))
    counts = st.dictionaries(st.sampled_from(sorted(signs)), st.integers(4, 20), min_size=1)
    choices: dict[str, st.SearchStrategy[Any]] = {
        "name": st.from_regex(r"[a-z][a-z0-9-]{0,9}", fullmatch=True),
        "title": st.text('Aé "\\}', min_size=1, max_size=9).filter(str.strip),
        "board": st.just("|".join(["/".join(pieces[:cut]), "/".join(pieces[cut:])]) if nest else "/".join(pieces)),
        "hands": st.sampled_from(["open", "hidden"]),
        "cards": st.integers(4, 20) | counts,
        "deal": st.integers(0, 3),
        "extra": st.lists(st.integers(0, 1), max_size=5),
        "hold": st.integers(0, 12),
        "draw": st.sampled_from([1, 2, "as many"]),
        "home": st.integers(0, pirates),
        "actions": st.integers(1, 5),
        "limit" if nest else "row": st.integers(0, 12),
        "crew" if nest else "return": st.booleans(),
        "pass": st.booleans(),
    }
    chosen = draw(st.lists(st.sampled_from(list(choices)), unique=True))
    fixed = {"base": base, "signs": "".join(signs), "pirates": pirates, "deal": 2}
    return fixed | {key: draw(choices[key]) for key in chosen}


def listed(number: int) -> list[dict[str, Any]]:
    """The variants of ``EVERY_KEY`` and that many by Hypothesis, the same in every process, each with its seats."""
    found = [
        {"seats": seats, "entries": entries} for seats, entries in zip((3, 2, 4, 5), EVERY_KEY.values(), strict=True)
    ]

    @settings(max_examples=number, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(variants(), st.integers(2, 5))
    def note(entries: dict[str, Any], seats: int) -> None:
        found.append({"seats": seats, "entries": entries})

    note()
    return found


if __name__ == "__main__":
    for line in listed(int(sys.argv[1])):
        print(json.dumps(line))
