"""The public names: what ``cartagena`` offers, how its errors are shown, how it is started."""

import pickle
import subprocess
import sys

import pytest

import cartagena
from cartagena import CartagenaError, errors

KINDS = [getattr(errors, name) for name in errors.__all__]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_error_is_a_kind_of_the_root_and_shown_under_the_public_name(kind: type[CartagenaError]) -> None:
    assert issubclass(kind, CartagenaError)
    assert kind.__module__ == "cartagena"
    assert getattr(cartagena, kind.__name__) is kind
    assert str(kind("the port is in use")) == "the port is in use"
    assert type(pickle.loads(pickle.dumps(kind("no")))) is kind


def test_every_error_has_a_code_of_its_own() -> None:
    assert len({kind.code for kind in KINDS}) == len(KINDS)


def test_python_m_cartagena_is_the_command_line() -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "cartagena", "rules", "jamaica-en", "--json"],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert (answer.returncode, answer.stderr) == (0, "")
    assert '"jamaica-en"' in answer.stdout
