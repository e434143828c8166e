"""What the first visit of the start page costs, as it comes over the wire."""

import pytest
from playwright.sync_api import Browser

from .rig import Served
from .wire import first_visit

KB = 1024


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_a_first_visit_stays_within_its_budget(browser: Browser, served: Served, locale: str) -> None:
    visit = first_visit(browser, served.address, locale)
    assert visit.page <= 220 * KB
    if locale == "en-GB":
        assert visit.script <= 60 * KB
