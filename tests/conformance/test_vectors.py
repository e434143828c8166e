"""The committed vectors of the browser's engine are what this package finds."""

import json

import pytest
from tests.conformance.vectors import PATH, WRONG, vectors

from cartagena import Position
from cartagena.errors import CartagenaError


def test_the_vectors_are_those_of_this_package() -> None:
    assert json.loads(PATH.read_text(encoding="utf-8")) == json.loads(json.dumps(vectors()))


@pytest.mark.parametrize("text", WRONG)
def test_wrong_texts_are_refused(text: str) -> None:
    with pytest.raises(CartagenaError):
        Position.parse(text)
