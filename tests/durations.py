"""A pytest plugin that keeps how long each test file takes (``-p tests.durations``) in ``.pytest_cache``."""

from collections import defaultdict

import pytest

KEY = "cartagena/durations"


class Durations:
    """Adds up the seconds of each file, set-up included, and keeps them when the run ends."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid.partition("::")[0]] += report.duration

    def pytest_sessionfinish(self) -> None:
        if self.config.cache is not None and self.seconds:
            known = self.config.cache.get(KEY, {})
            found = {name: round(seconds, 1) for name, seconds in self.seconds.items()}
            self.config.cache.set(KEY, {**known, **found})


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # the process that hears of all tests
        config.pluginmanager.register(Durations(config), "cartagena-durations")
