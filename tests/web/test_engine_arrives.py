"""`make play` serves the page before the engine for browsers is built; the open page takes the engine up by itself."""

import hashlib
import re
import shutil
from pathlib import Path

from .conftest import Opener
from .rig import STATIC, Served

ENGINE = re.compile(r"new URL\(([`'\"])[^`'\"]*\.wasm\1,\s*import\.meta\.url\)\.href")
"""The address of the engine in a built script. A build without the engine has an empty text there."""
LATER = ("index.html", "service-worker.js")
"""Files that ``tools/build-web`` replaces last, each with its compressed forms."""


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def without_engine(folder: Path) -> None:
    """Copy the built page as it would be without the engine: other scripts, which have other names."""
    shutil.copytree(STATIC, folder, ignore=shutil.ignore_patterns("*.br", "*.gz"))
    scripts = list((folder / "assets").glob("*.js"))
    names = {path.name: f"{path.stem}-0.js" for path in scripts}
    every = re.compile("|".join(map(re.escape, names)))
    hashes, addresses = {}, 0
    for path in [*scripts, *(folder / name for name in LATER)]:
        before = digest(path)
        text, count = ENGINE.subn("''", every.sub(lambda name: names[name[0]], path.read_text("utf-8")))
        path.write_text(text, "utf-8")
        hashes[before] = digest(path)
        addresses += count
    assert addresses == 1
    for path in scripts:
        path.rename(path.with_name(names[path.name]))
    worker = folder / "service-worker.js"
    text = re.sub(r"^.*\.wasm.*\n", "", worker.read_text("utf-8"), flags=re.MULTILINE)
    text = re.sub("|".join(hashes), lambda found: hashes[found[0]], text)
    worker.write_text(re.sub(r"const BUILD = '\w+'", "const BUILD = 'first'", text), "utf-8")
    for path in (folder / "assets").glob("*.wasm"):
        path.unlink()


def with_engine(folder: Path) -> None:
    """Put the files of the whole build there, in the order in which ``tools/build-web`` puts them."""
    for path in sorted(STATIC.rglob("*"), key=lambda path: path.name.startswith(LATER)):
        if path.is_file():
            shutil.copy(path, folder / path.relative_to(STATIC))


def test_a_page_opened_before_the_engine_is_built_takes_it_up(visits: Opener, tmp_path: Path) -> None:
    folder = tmp_path / "static"
    without_engine(folder)
    own = Served(tmp_path, STATIC=str(folder))
    visit = visits(own, service_workers="allow")
    visit.window.clock.install()
    page = visit.go("analysis")
    page.wait_for_selector("[data-served]")  # the server does the work
    visit.go("").wait_for_selector("[data-play=jamaica]:enabled")
    page.clock.fast_forward(1_000)  # the page is there before its worker
    page.wait_for_function("() => navigator.serviceWorker.controller")
    with_engine(folder)
    page.clock.fast_forward(10_000)  # a page without the engine looks for it so often
    page.wait_for_function("() => ![...document.scripts].some(({src}) => src.endsWith('-0.js'))")
    page = visit.go("analysis")
    page.wait_for_selector("[data-live=going], [data-live=done]")
    assert page.locator("[data-served]").count() == 0
    visit.context.close()
    own.kill()
