"""Settings of the process that all tests run in."""

import os
import signal
from pathlib import Path

# Before NumPy is imported: test processes share the cores, and waiting BLAS threads would keep them busy.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import pytest
from hypothesis import HealthCheck, settings

from tests.warmup import wait_for_compiled_code

# A shell starts background jobs with SIGINT ignored, and their children inherit that. The tests send SIGINT to programs
# they start, so it must have its default effect.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run, but others in every round of `make fuzz`; no failure because the machine is slow.
FRESH = "CARTAGENA_FUZZ" in os.environ
settings.register_profile("steady", deadline=None, derandomize=not FRESH, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

HERE = Path(__file__).parent
PLAIN = ("deploy", "fuzz", "game", "kernel", "properties", "rulesets", "server", "web")
"""Folders whose tests need no compiled code, except those that ask for the fixture ``compiled_code``."""
LONG = ("web/test_games.py", "web/test_table.py", "web/test_wheel.py", "packaging/test_wheel_library.py")
"""Files with the longest tests. They begin first, so that none of them is left to run alone at the end."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--whole", action="store_true", help="check every screen in every theme and language (make test-all)"
    )


def pytest_configure(config: pytest.Config) -> None:
    told = "interrupts: interrupts a program that is at work; left out where programs are measured (tools/coverage)"
    config.addinivalue_line("markers", told)


def place(item: pytest.Item) -> str:
    """The file of a test below this folder."""
    return item.path.relative_to(HERE).as_posix()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: LONG.index(place(item)) if place(item) in LONG else len(LONG))


def pytest_runtest_setup(item: pytest.Item) -> None:
    if not place(item).startswith(tuple(f"{folder}/" for folder in PLAIN)):
        wait_for_compiled_code()


@pytest.fixture(scope="session")
def compiled_code() -> None:
    """Wait until everything is compiled, so that no test compiles the same once more."""
    wait_for_compiled_code()
