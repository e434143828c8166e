"""Every public name of the reference is explained with an example that runs."""

import doctest
import inspect
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import cartagena

reference: Any = import_module("tools.reference")
NAMES = [
    (module, name)
    for module in reference.MODULES
    for name in reference.public(import_module(module))
    if name not in cartagena.__all__ or (module == "cartagena" and not callable(getattr(cartagena, name)))
]
"""All but the classes and functions of ``cartagena`` itself, which ``tests/game/test_public_names.py`` covers."""


def examples_of(module: str, name: str) -> list[doctest.DocTest]:
    """The examples in the docstring of a name, and in those of its methods."""
    room = import_module(module)
    thing = getattr(room, name)
    if inspect.isclass(thing) or inspect.isroutine(thing):
        return [test for test in doctest.DocTestFinder().find(thing, name, globs={}) if test.examples]
    text = reference.explanation(room, name)
    return [doctest.DocTestParser().get_doctest(text, {}, name, None, 0)] if ">>>" in text else []


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_every_public_name_has_an_example_that_runs(module: str, name: str) -> None:
    found = examples_of(module, name)
    assert found, f"{module}.{name} has no example"
    for test in found:
        result = doctest.DocTestRunner(verbose=False).run(test)
        assert (result.failed, result.attempted > 0) == (0, True)


def modules_with_examples() -> list[str]:
    """All modules whose docstrings have examples, public or not, that need no GPU."""
    root = Path(cartagena.__file__).parent
    texts = ((path, path.read_text("utf-8")) for path in sorted(root.rglob("*.py")) if "cuda" not in path.parts)
    names = (path.relative_to(root.parent).with_suffix("").parts for path, text in texts if ">>>" in text)
    return [".".join(parts).removesuffix(".__init__") for parts in names]


@pytest.mark.parametrize("module", modules_with_examples())
def test_the_examples_of_every_module_run(module: str) -> None:
    assert doctest.testmod(import_module(module)).failed == 0


def test_every_page_of_the_reference_is_covered() -> None:
    assert {module for module, _ in NAMES} >= {*reference.MODULES} - {"cartagena.rl", "cartagena.game"}
