"""The reviews that the browser repeats are those of this version."""

import json
from typing import Any

import pytest

from cartagena import Limit, Record
from cartagena.study import review

from .vectors import PATH, rounded

VECTORS: list[dict[str, Any]] = json.loads(PATH.read_text(encoding="utf-8"))


def flat(data: Any, path: str = "") -> dict[str, Any]:
    """The leaves of plain data by their places."""
    if isinstance(data, dict | list):
        items = data.items() if isinstance(data, dict) else enumerate(data)
        return {key: leaf for name, value in items for key, leaf in flat(value, f"{path}/{name}").items()}
    return {path: data}


@pytest.mark.parametrize("told", VECTORS, ids=[f"{each['rules']}-{each['seat'] or 'all'}" for each in VECTORS])
def test_a_review_gives_the_committed_numbers(told: dict[str, Any]) -> None:
    record = Record.parse(told["record"])
    found = rounded(review(record, Limit(nodes=told["nodes"]), seed=told["seed"], seat=told["seat"]).to_json())
    assert flat(found) == pytest.approx(flat({key: value for key, value in told.items() if key != "record"}), abs=1e-9)
