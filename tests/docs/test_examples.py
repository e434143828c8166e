"""Every public name of the library's rooms is explained with an example that runs."""

import doctest
import inspect
from importlib import import_module
from typing import Any

import pytest

import cartagena

ROOMS = ["arena", "backends", "players"]
NAMES = [
    (room, name)
    for room in ROOMS
    for name in import_module(f"cartagena.{room}").__all__
    if name not in cartagena.__all__
]


def explained(room: str, name: str) -> Any:
    thing = getattr(import_module(f"cartagena.{room}"), name)
    return thing if inspect.isclass(thing) or inspect.isroutine(thing) else None


@pytest.mark.parametrize(("room", "name"), [pair for pair in NAMES if explained(*pair) is not None])
def test_every_public_name_has_an_example_that_runs(room: str, name: str) -> None:
    found = doctest.DocTestFinder().find(explained(room, name), name, globs={})
    tests = [test for test in found if test.examples]
    assert tests, f"cartagena.{room}.{name} has no example"
    for test in tests:
        result = doctest.DocTestRunner(verbose=False).run(test)
        assert result.failed == 0
        assert result.attempted > 0
