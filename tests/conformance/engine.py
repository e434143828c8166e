"""Questions for the browser's engine as a whole, its typed layer included, under Node and in Chromium."""

import json
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route, sync_playwright
from tests.conformance.tracing import Case
from tests.conformance.wasm import CODE, ROOT, texts
from tests.web.rig import FLAGS, PATIENCE, chromium

HERE = Path(__file__).parent
DATA = CODE.with_suffix(".json")
NETWORKS = sorted((ROOT / "src/cartagena/players/data").glob("*.network"))
PAGE = """<!doctype html><script type="module">
import * as api from './index.js';
import { answers } from './questions.mjs';
const bytes = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
const json = async (path) => (await fetch(path)).json();
const networks = Object.fromEntries(await Promise.all(NETWORKS.map(async (file) => [file, await bytes(file)])));
const [code, data] = [await bytes('cartagena.wasm'), await json('cartagena.json')];
window.built = { api, code, data };
window.ask = (questions) => answers(api, code, data, networks, questions);
</script>"""

Answers = list[Any]


def traces(case: Case, seed: int, first: int, last: int, cap: int) -> dict[str, Any]:
    """The question for the hashes of some games."""
    start = {"table": texts(case.start.rules), "plan": texts(case.start.plan), "opening": texts(case.start.words)}
    return {"kind": "traces", **start, "games": texts([seed, first, last, cap])}


@cache
def bundle() -> Path:
    """The folder with the typed layer as JavaScript, which lasts as long as this process."""
    folder = tempfile.TemporaryDirectory()
    bundle.kept = folder  # type: ignore[attr-defined]
    command = [str(ROOT / "tools/node"), "web", "engine", folder.name]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    return Path(folder.name)


def ask_node(questions: list[dict[str, Any]]) -> Answers:
    """The engine's answers under Node."""
    with tempfile.TemporaryDirectory() as folder:
        asked, told = Path(folder, "questions.json"), Path(folder, "answers.json")
        asked.write_text(json.dumps(questions), encoding="utf-8")
        files = [bundle() / "index.js", CODE, DATA, asked, told, *NETWORKS]
        command = [str(ROOT / "tools/node"), "web", "ask-engine", *map(str, files)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
        assert done.returncode == 0, done.stdout + done.stderr
        found: Answers = json.loads(told.read_text(encoding="utf-8"))
        return found


def serve(route: Route) -> None:
    """Answer a request of the page from the files of this checkout."""
    name = route.request.url.rpartition("/")[2]
    places = [HERE / name, CODE.parent / name, NETWORKS[0].parent / name, bundle() / name]
    found = next((path for path in places if name and path.is_file()), None)
    kinds = {".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm"}
    if name == "":
        page = PAGE.replace("NETWORKS", json.dumps([path.name for path in NETWORKS]))
        route.fulfill(body=page, content_type="text/html")
    elif found is None:
        route.fulfill(status=404)
    else:
        route.fulfill(body=found.read_bytes(), content_type=kinds.get(found.suffix, "application/octet-stream"))


@contextmanager
def engine_page() -> Iterator[Page]:
    """A page in Chromium with the engine; no server is needed."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS, timeout=PATIENCE)
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.route("**/*", serve)
        page.goto("http://localhost/")
        page.wait_for_function("() => Boolean(window.ask)")
        yield page
        browser.close()


def ask_chromium(questions: list[dict[str, Any]]) -> Answers:
    """The engine's answers in Chromium, asked in a thread of its own because other tests may hold a browser."""

    def ask() -> Answers:
        with engine_page() as page:
            return [page.evaluate("async (question) => (await ask([question]))[0]", each) for each in questions]

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(ask).result()
