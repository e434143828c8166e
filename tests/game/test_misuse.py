"""Plausible misuse of every public callable gets one sentence: a CartagenaError, never another exception."""

import inspect
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from cartagena import CartagenaError, Game, Limit, Outcome, Position, Record, perft, play_match, rule_set
from cartagena.arena import Contest, Entrant, merge, read, run
from cartagena.rl.dataset import DatasetConfig
from cartagena.rl.spaces.observation import mask, observe, part
from cartagena.rulesets import from_file
from cartagena.study import review

MODULES = (
    "cartagena", "cartagena.rulesets", "cartagena.game", "cartagena.game.fair_deal",
    "cartagena.players", "cartagena.arena", "cartagena.study", "cartagena.rl.dataset", "cartagena.rl.spaces.actions",
    "cartagena.rl.spaces.observation",
)  # fmt: skip
"""Modules whose errors are ours; adapters have the exceptions of their libraries."""
TEXT = "jamaica-en BDHKPS 5,b/2,2 BS/H2 - B16D17H15K17P17S16 - - 1.0"
WRONG: tuple[Any, ...] = (None, "no such thing", -1, 2.5, object(), [], {}, b"x")
LEFT_OUT = {"warmup", "has_cuda", "solved_variants", "register", "load_code", "from_kernel"}
"""Callables without arguments, or with lasting effects."""


def good_values(folder: Path) -> dict[str, Any]:
    """A right value for parameters of each name, so that one at a time can be wrong."""
    game = Game.new("jamaica-en", seed=1, pieces=1, pirates=1)
    record = Record.parse(f"{TEXT}\n5:S 6:B")
    position = Position(TEXT)
    return {
        "position": position, "start": position, "game": game, "record": record, "rules": rule_set("jamaica-en"),
        "text": TEXT, "opening": TEXT, "depth": 1, "games": 1, "size": 1, "limit": Limit(nodes=1), "name": "sailor",
        "players": ["sailor", "random"], "seats": 2, "seat": 1, "path": folder / "file", "paths": [folder / "file"],
        "out": folder / "data", "pieces": 6, "pirates": 6, "where": "here", "entries": {}, "data": {}, "label": "a",
        "results": [], "winner": 1, "moves": [], "action": 0, "view": position.view(1), "table": position.table,
        "words": position.words, "commitment": "", "secret": "", "message": "no",
    }  # fmt: skip


def callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    """All public functions, and the public functions of public classes."""
    seen: set[int] = set()
    for module in map(import_module, MODULES):
        names = getattr(module, "__all__", None) or [name for name in vars(module) if name[0] != "_"]
        for name in names:
            thing = getattr(module, name)
            if not callable(thing) or name in LEFT_OUT or not thing.__module__.startswith("cartagena"):
                continue
            if id(thing) in seen or (inspect.isclass(thing) and issubclass(thing, Exception)):
                continue
            seen.add(id(thing))
            if not inspect.isclass(thing):
                yield f"{module.__name__}.{name}", thing
                continue
            for member, value in vars(thing).items():
                if isinstance(value, classmethod | staticmethod) and member[0] != "_" and member not in LEFT_OUT:
                    yield f"{module.__name__}.{name}.{member}", getattr(thing, member)


ALL = dict(callables())


@pytest.mark.usefixtures("compiled_code")
@pytest.mark.parametrize("name", ALL)
def test_one_wrong_argument_is_refused_in_one_sentence(name: str, tmp_path: Path) -> None:
    given, good = ALL[name], good_values(tmp_path)
    parameters = inspect.signature(given).parameters.values()
    needed = [each for each in parameters if each.default is each.empty and each.kind <= each.KEYWORD_ONLY]
    needed = [each for each in needed if each.kind is not each.VAR_POSITIONAL]
    for parameter in needed:
        for wrong in WRONG:
            values = {each: wrong if each is parameter else good.get(each.name) for each in needed}
            positional = [value for each, value in values.items() if each.kind is not each.KEYWORD_ONLY]
            named = {each.name: value for each, value in values.items() if each.kind is each.KEYWORD_ONLY}
            with suppress(CartagenaError, ImportError):
                given(*positional, **named)


def misuses(folder: Path) -> dict[str, Callable[[], object]]:
    """Mistakes that people made."""
    position, record = Position(TEXT), Record.parse(f"{TEXT}\n5:S 6:B")
    limits: dict[str, Any] = {"rules": "jamaica-en", "seats": 2, "seed": "1", "nodes": 10, "turns": 3}
    return {
        "a number as a limit": lambda: review(record, 100),  # type: ignore[arg-type]
        "a test of another kind": lambda: play_match(["sailor", "random"], stop=0.5),  # type: ignore[arg-type]
        "less than no process": lambda: play_match(["sailor", "random"], games=2, processes=-1),
        "shares of a text": lambda: Outcome(1).shares("x"),  # type: ignore[arg-type]
        "nodes as text": lambda: DatasetConfig.of(["sailor"], 1, **{**limits, "nodes": "x"}),
        "a limit without a unit": lambda: Entrant.parse("captain@5x"),
        "a deep count": lambda: perft(position, 5000),
        "a seat that is not there": lambda: observe(position.table, position.words, 7),
        "another seat that is not there": lambda: mask(position.table, position.words, -1),
        "an unknown field": lambda: part(observe(position.table, position.words, 0), "foo"),
        "no file of results": lambda: read(str(folder / "none")),
        "no rule set": lambda: from_file(str(folder / "none.toml")),
    }


def test_mistakes_that_people_made_are_named(tmp_path: Path) -> None:
    for what, mistake in misuses(tmp_path).items():
        with pytest.raises(CartagenaError) as refusal:
            mistake()
        assert "\n" not in str(refusal.value), what


@pytest.mark.usefixtures("compiled_code")
def test_a_path_may_be_a_text(tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text('base = "tortuga-en"\npirates = 1\npieces = 1\n')
    results = str(tmp_path / "results.jsonl")
    run(Contest(("sailor", "random"), from_file(str(file)), games=2), results, processes=1)
    assert len(read(results)[1]) == 2
    assert len(merge([results])) == 1
