"""The public names: what ``cartagena`` offers, how it is explained, how its errors are shown, how it is started."""

import doctest
import inspect
import pickle
import subprocess
import sys
from collections.abc import Iterator

import pytest

import cartagena
from cartagena import CartagenaError, Game, NotationError, Position, RuleSetError, errors, perft, rollouts

KINDS = [getattr(errors, name) for name in errors.__all__]
EXPLAINED = [name for name in cartagena.__all__ if callable(getattr(cartagena, name))]
HEAVY = ("numba", "numpy", "fastapi", "starlette", "uvicorn", "sqlalchemy", "typer", "rich")


def python(*arguments: str) -> str:
    """The output of a new Python process."""
    answer = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, timeout=300)
    assert (answer.returncode, answer.stderr) == (0, "")
    return answer.stdout


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_error_is_a_kind_of_the_root_and_shown_under_the_public_name(kind: type[CartagenaError]) -> None:
    assert issubclass(kind, CartagenaError)
    assert kind.__module__ == "cartagena"
    assert getattr(cartagena, kind.__name__) is kind
    assert str(kind("the port is in use")) == "the port is in use"
    assert type(pickle.loads(pickle.dumps(kind("no")))) is kind


def test_every_error_has_a_code_of_its_own() -> None:
    assert len({kind.code for kind in KINDS}) == len(KINDS)


def examples(name: str) -> Iterator[doctest.DocTest]:
    """The examples that ``help`` shows for a public name and its methods."""
    thing = getattr(cartagena, name)
    for test in doctest.DocTestFinder(recurse=True).find(thing, name, globs={name: thing}):
        if test.examples:
            test.globs.update(vars(cartagena))
            yield test


@pytest.mark.usefixtures("compiled_code")
@pytest.mark.parametrize("name", EXPLAINED)
def test_every_public_name_is_explained_with_an_example_that_runs(name: str) -> None:
    explanation = inspect.getdoc(getattr(cartagena, name))
    assert explanation
    assert len(explanation.splitlines()[0]) > 20
    found = list(examples(name))
    assert found, f"help({name}) has no example"
    for test in found:
        assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


@pytest.mark.parametrize("name", EXPLAINED)
def test_every_public_method_and_property_is_explained(name: str) -> None:
    thing = getattr(cartagena, name)
    if inspect.isclass(thing):
        for member, value in inspect.getmembers(thing):
            if not member.startswith("_") and (callable(value) or isinstance(value, property)):
                assert inspect.getdoc(value), f"{name}.{member}"


def test_every_public_name_exists_and_is_listed() -> None:
    assert set(cartagena.__all__) <= set(dir(cartagena))
    assert all(getattr(cartagena, name) is not None for name in cartagena.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Sloop'"):
        cartagena.Sloop  # noqa: B018


def test_importing_the_package_loads_nothing_heavy() -> None:
    loaded = python("-c", "import sys, cartagena; cartagena.Game.new(seed=1); print(*sys.modules)").split()
    assert "cartagena.game" in loaded
    assert [name for name in loaded if name.partition(".")[0] in HEAVY] == []


def test_python_m_cartagena_is_the_command_line() -> None:
    assert '"jamaica-en"' in python("-m", "cartagena", "rules", "jamaica-en", "--json")


def test_rollouts_start_from_a_game_a_position_or_text() -> None:
    game = Game.new("jamaica-en", seats=3, seed=7, pieces=2, pirates=2)
    game.play(game.legal_moves[0])
    played = [rollouts(start, games=3, seed=2, backend="plain") for start in (game, game.position, str(game.position))]
    assert played[0] == played[1] == played[2]
    assert rollouts(game.rules, games=3, backend="plain").games == 3
    with pytest.raises(NotationError, match="a position has nine words"):
        rollouts("jamaica-en BPHSDK", games=3, backend="plain")
    with pytest.raises(RuleSetError, match="is not a rule set"):
        rollouts("jamaica", games=3, backend="plain")


def test_perft_takes_a_game_a_position_or_text() -> None:
    game = Game.new("jamaica-en", seats=2, seed=7)
    assert perft(game, 2) == perft(game.position, 2) == perft(str(game.position), 2) > 1
    assert perft(Position(str(game.position)), 0) == 1
    for depth in (-1, 1.0, True, "1"):
        with pytest.raises(CartagenaError, match="depth must be a whole number from 0"):
            perft(game, depth)  # type: ignore[arg-type]
