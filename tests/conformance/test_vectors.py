"""The committed vectors of the browser's engine are what this package finds."""

import json
from typing import Any

import pytest
from tests.conformance.vectors import MISFITS, PATH, WRONG, WRONG_RECORDS, deal, vectors

from cartagena import Position, Record
from cartagena.errors import CartagenaError


def test_the_vectors_are_those_of_this_package() -> None:
    assert json.loads(PATH.read_text(encoding="utf-8")) == json.loads(json.dumps(vectors()))


@pytest.mark.parametrize("text", WRONG)
def test_wrong_texts_are_refused(text: str) -> None:
    with pytest.raises(CartagenaError):
        Position.parse(text)


@pytest.mark.parametrize("text", WRONG_RECORDS)
def test_wrong_records_are_refused(text: str) -> None:
    with pytest.raises(CartagenaError):
        Record.parse(text)


@pytest.mark.parametrize("setup", MISFITS, ids=str)
def test_wrong_setups_are_refused(setup: dict[str, Any]) -> None:
    with pytest.raises(CartagenaError):
        deal(setup)
