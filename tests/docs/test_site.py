"""The documentation site: built without a warning, whole, readable by all people, and alone on the network."""

import functools
import re
import threading
from collections.abc import Iterator
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from tests import wheel
from tests.docs.booklets import ROOT
from tests.web.rig import FLAGS, PATIENCE, chromium

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
SECTIONS = ["Play", "Rules", "Study", "Program", "Research", "Host", "Reference", "Protocols", "Design", "Benchmarks"]
SCREENS = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 390, "height": 844}}
PAGES = {"desktop": ["index.html", "play/de.html"], "phone": ["rules/differences.html"]}
"""Pages that are checked by axe on a screen; before a release all of them on both."""
OTHERS = [
    "tutorial.html",
    "play/index.html",
    "rules/nest.html",
    "review.html",
    "research.html",
    "deploy.html",
    "reference/cartagena.jobs.html",
    "protocols/socket.html",
    "design.html",
    "benchmarks/index.html",
    "changelog.html",
]
"""A page of each other section, shown on a phone, where one is soon too wide; before a release on both screens.

On long pages axe takes many seconds; they are made of the same parts. The first is checked by it before a release.
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` builds it, once for all test processes."""
    return wheel.shared(tmp_path_factory, "docs", lambda folder: wheel.run(str(ROOT / "tools/build-docs"), str(folder)))


class Links(HTMLParser):
    """Collects what a page loads, what it links to and the names of its places."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.linked: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.linked.append(given["href"])
        elif tag == "link" and given.get("rel") not in ("canonical", "next", "prev"):
            self.loaded.append(given["href"])
        elif "src" in given:
            self.loaded.append(given["src"])


def test_every_link_leads_somewhere_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = {path.relative_to(site).as_posix(): Links(path.read_text("utf-8")) for path in site.rglob("*.html")}
    assert len(pages) > 60
    broken, foreign = [], []
    for name, page in pages.items():
        if name.startswith("table/") or name == "404.html":  # addresses of a missing page are not relative to it
            continue
        foreign += [
            (name, target) for target in page.loaded if re.match(r"\w+:|//", target) and not target.startswith("data:")
        ]
        for target in {*page.linked, *page.loaded}:
            path, place = urldefrag(unquote(urljoin(f"http://site/{name}", target)))
            if not path.startswith("http://site/"):
                continue
            there = path.removeprefix("http://site/") or "index.html"
            if not (site / there).exists() or (place and there in pages and place not in pages[there].places):
                broken.append((name, target))
    assert foreign == []
    assert broken == []
    styles = [text for path in site.rglob("*.css") for text in re.findall(r"url\(([^)]*)\)", path.read_text("utf-8"))]
    assert [text for text in styles if re.match(r"['\"]?(?:https?:|//)", text)] == []


def test_every_section_edition_and_measurement_has_its_page(site: Path) -> None:
    start = (site / "index.html").read_text("utf-8")
    assert [name for name in SECTIONS if not re.search(rf"<a [^>]*>\s*{name}\s*</a>", start)] == []
    assert not re.search(r"<a [^>]*>\s*More\s*</a>", start), "a page of docs/ is in no section of mkdocs.yml"
    assert 'href="benchmarks/learn.html"' in (site / "research.html").read_text("utf-8")
    from cartagena.rulesets import names

    assert [name for name in names() if not (site / f"rules/editions/{name}.svg").is_file()] == []
    assert {path.stem for path in (ROOT / "bench/results").glob("*.md")} <= {
        p.stem for p in (site / "benchmarks").iterdir()
    }


def test_every_measurement_says_how_to_repeat_it(site: Path) -> None:
    listed = (site / "benchmarks/index.html").read_text("utf-8")
    rows = dict(re.findall(r'<td><a href="([\w-]+)\.html">.*?</td>\s*<td>(?:<code>(.*?)</code>)?</td>', listed))
    assert set(rows) == {path.stem for path in (ROOT / "bench/results").glob("*.md")}
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for name, command in rows.items():
        program, *words = command.split() or [""]
        if program == "make":
            assert words[0] in targets, name
        else:
            assert program == "python", name
            script = f"{words[1].replace('.', '/')}.py" if words[0] == "-m" else words[0]
            assert (ROOT / script).exists() or (ROOT / script.removesuffix(".py")).is_dir(), name


def test_the_page_on_the_socket_has_every_message_of_the_server(site: Path) -> None:
    source = (ROOT / "src/cartagena/server/http/websocket.py").read_text("utf-8")
    sent = set(re.findall(r'"type": ?"(\w+)"', source))
    assert {"ack", "heartbeat", "pong", "rejected", "setup"} <= sent
    page = (site / "protocols/socket.html").read_text("utf-8").partition('id="what-the-server-sends"')[2]
    assert set(re.findall(r"<td><code>(\w+)</code></td>", page)) == sent | {"update"}


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The site at an address of this machine."""
    handler = functools.partial(Quiet, directory=str(site))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=chromium(), args=FLAGS, timeout=PATIENCE)
        yield found
        found.close()


@pytest.mark.parametrize("screen", SCREENS)
def test_the_site_in_a_browser(browser: Browser, address: str, screen: str, request: pytest.FixtureRequest) -> None:
    whole = request.config.getoption("whole")
    checked = [*(name for names in PAGES.values() for name in names), OTHERS[0]] if whole else PAGES[screen]
    others = [name for name in OTHERS if name not in checked] if whole or screen == "phone" else []
    context = browser.new_context(viewport=SCREENS[screen])  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE)
    page, troubles = context.new_page(), []
    page.on("console", lambda message: troubles.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on(
        "request",
        lambda request: (
            troubles.append(request.url) if not request.url.startswith((address, "data:", "blob:")) else None
        ),
    )
    found = {}
    for name in [*checked, *others]:
        page.goto(address + name)
        serious = faults(page) if name in checked else []
        wide = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
        found[name] = [*serious, *([f"{wide} pixels too wide"] if wide > 0 else [])]
    assert {name: wrong for name, wrong in found.items() if wrong} == {}
    if whole or screen == "phone":  # the index of the whole site takes seconds to load
        search(page)
    assert troubles == []
    context.close()


def test_the_search_also_works_where_a_page_is_opened_as_a_file(browser: Browser, site: Path) -> None:
    page, troubles = browser.new_page(), []
    page.set_default_timeout(PATIENCE)
    page.on("console", lambda message: troubles.append(message.text) if message.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("request", lambda request: troubles.append(request.url) if request.url.startswith("http") else None)
    page.goto((site / "rules/jamaica.html").as_uri())
    search(page)
    assert troubles == []
    page.close()


def faults(page: Page) -> list[str]:
    """What axe finds serious or critical on a page."""
    page.add_script_tag(path=AXE)
    found: list[str] = page.evaluate(
        "async () => (await axe.run(document, {resultTypes: ['violations'], preload: false})).violations"
        ".filter(v => ['serious', 'critical'].includes(v.impact))"
        ".map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html).join(' '))"
    )
    return found


def search(page: Page) -> None:
    """Find the page about freebooters by typing."""
    page.keyboard.press("/")
    page.wait_for_function("() => document.activeElement?.matches('input.md-search__input')")
    page.keyboard.type("freebooter")
    page.wait_for_selector(".md-search-result__item a[href*='nest.html']", state="attached")
