"""Pages that are written from the code are current: the reference and the card of the networks."""

import inspect
import subprocess
import sys
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from typing import Any

import pytest
from tests.docs.booklets import ROOT

reference: Any = import_module("tools.reference")


@pytest.mark.parametrize("tool", ["reference", "networks"])
def test_a_written_page_is_current(tool: str) -> None:
    command = [sys.executable, str(ROOT / f"tools/{tool}.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_reference_shows_inherited_members_arguments_as_lists_and_short_headings() -> None:
    page = (ROOT / "docs/reference/cartagena.md").read_text("utf-8")
    position = page.partition("### class `Position`")[2].partition("\n### ")[0]
    for name in ("hand()", "places()", "turn", "row", "outcome()", "seats", "is_over"):
        assert f"\n#### `{name}`\n" in position
    assert all(f"`{name}" not in position for name in ("words`", "table`", "from_kernel"))  # for the kernel
    move = page.partition("### class `Move`")[2].partition("\n### ")[0]
    assert all(f"\n#### `{name}`\n" in move for name in ("kind", "place", "card", "seat"))
    assert all(f"{word}:\n    " not in page for word in ("Args", "Raises", "Returns"))
    assert "\n- `TooMuchWork`: If more than `limit` positions" in page
    assert "\n- `players`: names of the registry" in page
    assert max(len(line) for line in page.splitlines() if line.startswith("#")) < 60


def test_signatures_show_defaults_whole_and_protocols_none() -> None:
    pages = reference.pages()
    assert "from_toml(text: str, where: str = 'rules.toml') -> RuleSet" in pages["cartagena.rulesets.md"]
    assert "Player(*args" not in pages["cartagena.md"]
    assert "<factory>" not in pages["cartagena.arena.md"]


def public_members() -> Iterator[tuple[str, object]]:
    """The methods and properties of all public classes, those that they inherit from ours included."""
    for module in map(import_module, reference.MODULES):
        for name in reference.public(module):
            thing = getattr(module, name)
            for base in thing.__mro__ if inspect.isclass(thing) else ():
                if base.__module__.partition(".")[0] == "cartagena":
                    for member, value in vars(base).items():
                        is_told = inspect.isroutine(value) or isinstance(value, property | cached_property)
                        if is_told and member[0] != "_":
                            yield f"{module.__name__}.{name}.{member}", value


def test_every_public_member_has_a_sentence() -> None:
    """A member without one would be missing in the reference."""
    assert [name for name, member in public_members() if not getattr(member, "__doc__", None)] == []
