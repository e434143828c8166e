"""Plausible misuse of every public callable gets one sentence: a CartagenaError, never another exception."""

import inspect
import json
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from cartagena import (
    CartagenaError,
    Game,
    Limit,
    Outcome,
    Position,
    Record,
    create_player,
    perft,
    play_match,
    rollouts,
    rule_set,
)
from cartagena.arena import Contest, Entrant, Sequential, merge, read, run
from cartagena.backends import Batch
from cartagena.game import fair_deal
from cartagena.jobs import executor
from cartagena.rl.dataset import DatasetConfig
from cartagena.rl.spaces.observation import mask, observe, part
from cartagena.rulesets import compile_table, from_data, from_file
from cartagena.study import review, solve

MODULES = (
    "cartagena", "cartagena.rulesets", "cartagena.game", "cartagena.game.fair_deal", "cartagena.backends",
    "cartagena.players", "cartagena.jobs", "cartagena.arena", "cartagena.study", "cartagena.rl.dataset",
    "cartagena.rl.spaces.actions", "cartagena.rl.spaces.observation",
)  # fmt: skip
"""Modules whose errors are ours; adapters have the exceptions of their libraries."""
TEXT = "jamaica-en BDHKPS 5,b/2,2 BS/H2 - B16D17H15K17P17S16 - - 1.0"
SOLVED = "jamaica-en+cards3 DBKPHS/KBSDHP 7,12/9,12 S/BKP - - B2D3H3K2P2S2 - 1.0"
WRONG: tuple[Any, ...] = (
    None, "no such thing", -1, 2.5, object(), [], {}, b"x", "a\0b", "\ud800", "x" * 300, 10**30, np.zeros(2),
    np.array(2.5),
)  # fmt: skip
LEFT_OUT = {"warmup", "has_cuda", "solved_variants", "register", "load_code", "from_kernel", "RuleSet", "with_words"}
"""Callables without arguments, with lasting effects, or that only the package calls, with what it has checked."""
SMALL = ("games", "limit", "nodes", "out", "processes", "size")
"""Parameters that are always given, so that no call takes long."""
DATASET: dict[str, Any] = {"rules": "jamaica-en", "seats": 2, "seed": "1", "nodes": 10, "turns": 3}


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
        "words": position.words, "commitment": "", "secret": "", "message": "no", "nodes": 1, "processes": 1,
        "move": "5:S", "player": create_player("sailor"), "actions": [0, 0], "work": abs, "tasks": iter([1]),
        "config": DatasetConfig.of(["sailor"], 1, **DATASET), "contest": Contest(("sailor", "random"), games=2),
        "number": 0, "low": 0.4, "high": 0.6, "place": executor(workers=1),
    }  # fmt: skip


def public(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The public functions and classes of a module, without errors."""
    for name in getattr(module, "__all__", None) or [name for name in vars(module) if name[0] != "_"]:
        thing = getattr(module, name)
        is_ours = callable(thing) and name not in LEFT_OUT and thing.__module__.startswith("cartagena")
        if is_ours and not (inspect.isclass(thing) and issubclass(thing, Exception)):
            yield f"{module.__name__}.{name}", thing


def callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    """All public functions and constructors, and the class methods of public classes."""
    seen: set[int] = set()
    for module in map(import_module, MODULES):
        for name, thing in public(module):
            if id(thing) in seen:
                continue
            seen.add(id(thing))
            if not inspect.isclass(thing):
                yield name, thing
                continue
            if not getattr(thing, "_is_protocol", False):
                yield name, thing
            for member, value in vars(thing).items():
                if isinstance(value, classmethod | staticmethod) and member[0] != "_" and member not in LEFT_OUT:
                    yield f"{name}.{member}", getattr(thing, member)


def try_wrong_arguments(given: Callable[..., Any], good: dict[str, Any], *more: type[Exception]) -> None:
    """Call it with each argument wrong in each way, the others right. Other errors than ours and these are raised."""
    parameters = [each for each in inspect.signature(given).parameters.values() if each.kind not in (2, 4)]
    for parameter in parameters:
        for wrong in WRONG:
            values = {
                each: wrong if each is parameter else good.get(each.name)
                for each in parameters
                if each is parameter or each.default is each.empty or each.name in SMALL
            }
            positional = [value for each, value in values.items() if each.kind is each.POSITIONAL_ONLY]
            named = {each.name: value for each, value in values.items() if each.kind is not each.POSITIONAL_ONLY}
            with suppress(CartagenaError, ImportError, *more):
                given(*positional, **named)


ALL = dict(callables())


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in the folder of the test: a wrong argument may be taken as the name of a file to write."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("compiled_code")
@pytest.mark.parametrize("name", ALL)
def test_one_wrong_argument_is_refused_in_one_sentence(name: str, tmp_path: Path) -> None:
    try_wrong_arguments(ALL[name], good_values(tmp_path))


def objects(good: dict[str, Any]) -> dict[str, Any]:
    """An object of each public class whose methods take arguments."""
    small = good["rules"].with_(islands=(1,), pirates=1)
    match = play_match(["sailor", "random"], small, games=2)
    made = (
        good["game"], good["position"], good["position"].legal_moves, good["position"].legal_moves[0], good["record"],
        good["record"].moves[0], good["rules"], good["limit"], Outcome(1), match, match.results[0], match.contest,
        next(iter(match.contest.fixtures())), match.share("sailor"), match.adjusted("sailor"), Sequential(0.4, 0.6),
        Batch("jamaica-en", 2), good["config"], review(good["record"], Limit(nodes=10)),
        solve(SOLVED, open_hands=True), rollouts("jamaica-en", games=2, backend="plain"),
    )  # fmt: skip
    return {type(each).__name__: each for each in made}


def classes_with_methods() -> set[str]:
    """The public classes that have methods with arguments, without protocols."""
    found = set()
    for module in map(import_module, MODULES):
        for _, thing in public(module):
            if inspect.isclass(thing) and not getattr(thing, "_is_protocol", False):
                members = [inspect.getattr_static(thing, name) for name in dir(thing) if name[0] != "_"]
                methods = [each for each in members if inspect.isfunction(each)]
                found |= {thing.__name__ for each in methods if len(inspect.signature(each).parameters) > 1}
    return found


@pytest.mark.usefixtures("compiled_code")
def test_one_wrong_argument_of_a_method_is_refused_in_one_sentence(tmp_path: Path) -> None:
    good = good_values(tmp_path)
    made = objects(good)
    assert classes_with_methods() <= set(made)
    for kind, thing in made.items():
        for name in dir(type(thing)):
            is_method = inspect.isfunction(inspect.getattr_static(type(thing), name))
            if name[0] != "_" and name not in LEFT_OUT and is_method:
                try:
                    try_wrong_arguments(getattr(thing, name), good)
                except Exception as error:
                    error.add_note(f"{kind}.{name}")
                    raise


@pytest.mark.usefixtures("compiled_code")
@pytest.mark.parametrize("level", ["random", "deckhand", "sailor", "gunner", "captain"])
def test_one_wrong_argument_of_a_player_is_refused_in_one_sentence(level: str, tmp_path: Path) -> None:
    player: Any = create_player(level)
    for name in ("decide", "analyse", "choose"):
        if hasattr(player, name):
            try_wrong_arguments(getattr(player, name), good_values(tmp_path))


def outcome_of(given: Callable[..., Any], positional: list[Any], named: dict[str, Any]) -> str:
    """What a call brings: the type of its result or of its error."""
    try:
        return type(given(*positional, **named)).__name__
    except (CartagenaError, ImportError) as error:
        return type(error).__name__


def try_numbers_of_numpy(given: Callable[..., Any], good: dict[str, Any]) -> None:
    """Call it with each whole number as Python has it and as NumPy has it. Both must bring the same."""
    parameters = [each for each in inspect.signature(given).parameters.values() if each.kind not in (2, 4)]
    for parameter in parameters:
        number = good.get(parameter.name, parameter.default)
        if type(number) is not int:
            continue
        needed = [each for each in parameters if each.default is each.empty or each.name in SMALL]
        values = {each.name: good.get(each.name) for each in needed}
        first = [each.name for each in parameters if each.kind is each.POSITIONAL_ONLY]
        found = set()
        for value in (number, np.int64(number), np.array(number)):
            filled = values | {parameter.name: value}
            found.add(outcome_of(given, [filled.pop(name) for name in first], filled))
        assert len(found) == 1, (parameter.name, found)


@pytest.mark.usefixtures("compiled_code")
@pytest.mark.parametrize("name", ALL)
def test_a_whole_number_of_numpy_is_one(name: str, tmp_path: Path) -> None:
    try_numbers_of_numpy(ALL[name], good_values(tmp_path))


@pytest.mark.usefixtures("compiled_code")
def test_methods_take_whole_numbers_of_numpy(tmp_path: Path) -> None:
    good = good_values(tmp_path)
    for kind, thing in objects(good).items():
        for name in dir(type(thing)):
            is_method = inspect.isfunction(inspect.getattr_static(type(thing), name))
            if name[0] != "_" and name not in LEFT_OUT and is_method:
                try:
                    try_numbers_of_numpy(getattr(thing, name), good)
                except Exception as error:
                    error.add_note(f"{kind}.{name}")
                    raise


def test_what_is_kept_of_such_a_number_is_an_int() -> None:
    """JSON and hashes know no numbers of NumPy."""
    two: Any = np.int64(2)
    three: Any = np.int64(3)
    half: Any = np.float32(0.5)
    small = rule_set("jamaica-en", pirates=three).with_(deal=three, islands=(three,))
    kept = [small.content, small.to_data(), Limit(half, three).to_json(), Outcome(two).winner]
    assert json.loads(json.dumps(kept)) == [
        {**small.content, **{key: list(value) for key, value in small.content.items() if isinstance(value, tuple)}},
        {"base": "jamaica-en", "pieces": 3, "pirates": 3, "deal": 3}, {"time": 0.5, "nodes": 3}, 2,
    ]  # fmt: skip
    game = Game.new("nest-nl", seats=three, seed=1)
    assert (game.view(two), game.view(two - 2)) == (game.view(2), game.view(0))
    wrong: Any
    for wrong in (np.float64(1), np.bool_(1), three + 1, True):
        with pytest.raises(CartagenaError, match="there is no seat"):
            game.view(wrong)


def play_to(name: str) -> None:
    """Play a match to a file of that name."""
    run(Contest(("random", "random"), games=2), name)


def misuses(folder: Path) -> dict[str, Callable[[], object]]:
    """Mistakes that people made."""
    position, record = Position(TEXT), Record.parse(f"{TEXT}\n5:S 6:B")
    return {
        "a number as a limit": lambda: review(record, 100),  # type: ignore[arg-type]
        "a test of another kind": lambda: play_match(["sailor", "random"], stop=0.5),  # type: ignore[arg-type]
        "less than no process": lambda: play_match(["sailor", "random"], games=2, processes=-1),
        "shares of a text": lambda: Outcome(1).shares("x"),  # type: ignore[arg-type]
        "nodes as text": lambda: DatasetConfig.of(["sailor"], 1, **{**DATASET, "nodes": "x"}),
        "a limit without a unit": lambda: Entrant.parse("captain@5x"),
        "a limit below none": lambda: Entrant.parse("captain@-1s"),
        "a limit of nothing": lambda: Entrant.parse("captain@"),
        "two limits": lambda: Entrant.parse("captain@5n@5n"),
        "a limit of nobody": lambda: Entrant.parse("@5n"),
        "salts that are numbers": lambda: fair_deal.chance_of("00", [1, 2]),  # type: ignore[list-item]
        "half a character": lambda: fair_deal.commitment("\ud800"),
        "a deep count": lambda: perft(position, 5000),
        "a seat that is not there": lambda: observe(position.table, position.words, 7),
        "another seat that is not there": lambda: mask(position.table, position.words, -1),
        "an unknown field": lambda: part(observe(position.table, position.words, 0), "foo"),
        "no file of results": lambda: read(str(folder / "none")),
        "no rule set": lambda: from_file(str(folder / "none.toml")),
        "a key that is no text": lambda: from_data({"base": "jamaica-en", 3: 4}),  # type: ignore[dict-item]
        "a sign that is no text": lambda: from_data({"base": "jamaica-en", "cards": {3: 4}}),
        "an array of flags": lambda: record.write(folder / "none.txt", overwrite=np.zeros(2)),  # type: ignore[arg-type]
        "a name of no file": lambda: play_to(str(folder / ("x" * 300))),
        "another name of no file": lambda: play_to("a\0b"),
        "a table for giants": lambda: compile_table(rule_set("jamaica-en"), 2, 10**30, 6),
        "an array of hands": lambda: from_data({"base": "jamaica-en", "hands": np.zeros(2)}),
    }


def test_mistakes_that_people_made_are_named(tmp_path: Path) -> None:
    for what, mistake in misuses(tmp_path).items():
        with pytest.raises(CartagenaError) as refusal:
            mistake()
        assert "\n" not in str(refusal.value), what


def test_a_text_in_the_place_of_its_file_is_named() -> None:
    text, rules = f"{TEXT}\n5:S 6:B\n" * 20, 'base = "tortuga-en"\npirates = 3\n' * 20
    for read_it, sentence in (
        (lambda: Record.read(text), "Record.parse reads a text"),
        (lambda: Game.load(text), "Record.parse reads a text"),
        (lambda: from_file(rules), "from_toml reads a text"),
        (lambda: Record.read_all("x" * 5000), "cannot be read"),
    ):
        with pytest.raises(CartagenaError, match=sentence) as refusal:
            read_it()
        assert len(str(refusal.value)) < 200


@pytest.mark.usefixtures("compiled_code")
def test_what_has_long_results_is_one_short_line() -> None:
    rules = from_data({"base": "jamaica-en", "name": "tiny", "pieces": 1, "pirates": 1, "draw": 1})
    match = play_match(["sailor", "random"], rules, games=20)
    assert repr(match) == "<Match of sailor, random: 20 games of tiny>"
    judged = review(Record.parse(f"{TEXT}\n5:S 6:B"), Limit(nodes=10))
    assert repr(judged) == "<Review of jamaica-en: 2 decisions>"


@pytest.mark.usefixtures("compiled_code")
def test_one_player_answers_the_questions_of_several_threads() -> None:
    player = create_player("captain", 1)
    views = [Game.new("tortuga-en", seed=seed, pieces=2).view(1) for seed in range(8)]
    with ThreadPoolExecutor(4) as threads:
        moves = list(threads.map(lambda view: player.decide(view, Limit(nodes=30)), views))
    assert all(move in view.legal_moves for move, view in zip(moves, views, strict=True))
    assert pickle.loads(pickle.dumps(player)).decide(views[0], Limit(nodes=10)) in views[0].legal_moves


@pytest.mark.usefixtures("compiled_code")
def test_a_share_is_that_of_a_player_of_the_match() -> None:
    match = play_match(["sailor", "random"], rule_set("jamaica-en", pieces=1, pirates=1), games=2)
    for share in (match.share, match.adjusted):
        with pytest.raises(CartagenaError, match="'captain' did not play; the players are random, sailor"):
            share("captain")
    with pytest.raises(CartagenaError, match="already a player sailor: ask for it by this text, or give yours another"):
        play_match([create_player("sailor"), "random"], games=2)
    with pytest.raises(CartagenaError, match=r"name a player for each of the 2 seats, or let DatasetConfig.of do it"):
        DatasetConfig(rule_set("jamaica-en"), 2, ("sailor",), 1, "1", 10, 3)


@pytest.mark.usefixtures("compiled_code")
def test_a_path_may_be_a_text(tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text('base = "tortuga-en"\npirates = 1\npieces = 1\n')
    results = str(tmp_path / "results.jsonl")
    run(Contest(("sailor", "random"), from_file(str(file)), games=2), results, processes=1)
    assert len(read(results)[1]) == 2
    assert len(merge([results])) == 1


LIBRARIES = {
    "cartagena.rl.gymnasium": "gymnasium", "cartagena.rl.vector": "gymnasium", "cartagena.rl.pettingzoo": "pettingzoo",
    "cartagena.rl.wrappers": "pettingzoo", "cartagena.rl.openspiel": "pyspiel",
    "cartagena.rl.exploitability": "pyspiel",
    "cartagena.rl.dataset": "pyarrow",
}  # fmt: skip
ALONE = """
import sys
from importlib import import_module
for module, library in {libraries}.items():
    sys.modules[library] = None
    try:
        import_module(module)
    except ImportError as error:
        print(module, error.name, error)
    del sys.modules[library]
sys.modules["numba"] = None
from cartagena import CartagenaError, Game, create_player
view = Game.new("jamaica-en", seed=1).view(1)
for level in ("sailor", "gunner", "captain", "admiral"):
    try:
        print(create_player(level).decide(view) in view.legal_moves)
    except CartagenaError as error:
        print(error)
try:
    import cartagena.arena
except ImportError as error:
    print(error)
"""


def test_a_missing_library_is_named_with_the_command_that_installs_it() -> None:
    program = [sys.executable, "-c", ALONE.format(libraries=LIBRARIES)]
    told = subprocess.run(program, capture_output=True, text=True, check=True).stdout.splitlines()
    modules = [
        f"{module} {library} {module} needs {library}: pip install 'cartagena[rl]'"
        for module, library in LIBRARIES.items()
    ]
    levels = ["True", *(f"{level} needs numba: pip install numba" for level in ("gunner", "captain", "admiral"))]
    assert told[:-1] == modules + levels
    assert told[-1].endswith("needs numba: pip install numba")
