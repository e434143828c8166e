"""Settings of the process that all tests run in."""

import gc
import os
import signal
from pathlib import Path

# Before NumPy is imported: test processes share the cores, and waiting BLAS threads would keep them busy.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import pytest
from hypothesis import HealthCheck, settings

from tests import forks
from tests.warmup import wait_for_compiled_code

# A shell starts background jobs with SIGINT ignored, and their children inherit that. The tests send SIGINT to programs
# they start, so it must have its default effect.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Where lines are measured, every program starts as the tool that measures expects it.
forks.allowed = "COVERAGE_RCFILE" not in os.environ

# The same examples in every run, but others in every round of `make fuzz`; no failure because the machine is slow.
FRESH = "CARTAGENA_FUZZ" in os.environ
settings.register_profile("steady", deadline=None, derandomize=not FRESH, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

HERE = Path(__file__).parent
PLAIN = ("deploy", "fuzz", "game", "kernel", "properties", "rulesets", "server", "web")
"""Folders whose tests need no compiled code, except those that ask for the fixture ``compiled_code``."""
LONG = (
    "web/test_games.py", "packaging/test_wheel_library.py", "jobs/test_ray.py", "server/test_cluster.py",
    "web/test_wheel.py", "docs/test_site.py", "server/test_faults.py",
    "web/test_offline.py", "server/test_cluster_setup.py", "packaging/test_locked.py", "web/test_review.py",
)  # fmt: skip
"""Files with the longest tests. They begin first, so that none of them is left to run alone at the end."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--whole", action="store_true", help="whole games, every theme, language and size (make test-all)")


def pytest_configure(config: pytest.Config) -> None:
    told = "interrupts: interrupts a program that is at work; left out where programs are measured (tools/coverage)"
    config.addinivalue_line("markers", told)
    config.addinivalue_line("markers", "whole: one more case of a kind that is tested anyway; left out without --whole")


def place(item: pytest.Item) -> str:
    """The file of a test below this folder."""
    return item.path.relative_to(HERE).as_posix()


def long_ones_first(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """The tests in an order in which each process begins with files of long ones.

    pytest-xdist cuts the list into as many equal pieces as there are processes; a process that is done early takes from
    the ends of the other pieces.
    """
    pieces: list[list[pytest.Item]] = [[] for _ in range(processes)]
    for item in sorted((one for one in items if place(one) in LONG), key=lambda one: LONG.index(place(one))):
        pieces[LONG.index(place(item)) % processes].append(item)
    others = [item for item in items if place(item) not in LONG]
    for number, piece in enumerate(pieces):
        size = max(0, len(items) * (number + 1) // processes - len(items) * number // processes - len(piece))
        piece.extend(others[:size])
        del others[:size]
    return [item for piece in [*pieces, others] for item in piece]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    extra = [] if config.getoption("whole") else [item for item in items if item.get_closest_marker("whole")]
    if extra:
        config.hook.pytest_deselected(items=extra)
        items[:] = [item for item in items if item not in set(extra)]
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    items[:] = long_ones_first(items, processes)


def pytest_sessionstart() -> None:
    """Collect no garbage while tests are loaded.

    Half a million objects are made meanwhile, and most of them stay: looking through them again and again would take as
    long as making them.
    """
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    if not place(item).startswith(tuple(f"{folder}/" for folder in PLAIN)):
        wait_for_compiled_code()


@pytest.fixture(scope="session")
def compiled_code() -> None:
    """Wait until everything is compiled, so that no test compiles the same once more."""
    wait_for_compiled_code()
