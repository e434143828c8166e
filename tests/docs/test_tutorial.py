"""The tutorial runs from its first block to its last, in one folder, as a reader would do it."""

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.docs.booklets import ROOT

PAGE = ROOT / "docs/tutorial.md"
BLOCK = re.compile(r'^```(\w+)(?: title="([\w.]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
DOCTEST = "import doctest, sys; sys.exit(doctest.testfile('blocks.txt', module_relative=False).failed)"


def test_every_block_runs(tmp_path: Path) -> None:
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    for _, title, body in blocks:
        if title:
            (tmp_path / title).write_text(body, encoding="utf-8")
    python = [body for kind, title, body in blocks if kind == "python" and not title]
    assert len(python) >= 6
    (tmp_path / "blocks.txt").write_text("\n".join(python), encoding="utf-8")
    run(tmp_path, sys.executable, "-c", DOCTEST)
    console = [body for kind, _, body in blocks if kind == "console"]
    assert console
    for body in console:
        command, _, expected = body.removeprefix("$ ").partition("\n")
        assert run(tmp_path, "bash", "-c", command) == expected


def run(folder: Path, *command: str) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    known = os.environ | {"PATH": path, "PYTHONPATH": str(folder)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=known)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_extras_that_are_named_exist() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for page in [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/play/*.md"), ROOT / "README.md"]:
        for extras in re.findall(r"cartagena\[([\w,]+)\]", page.read_text(encoding="utf-8")):
            assert all(re.search(rf"^{extra} = ", project, re.MULTILINE) for extra in extras.split(",")), page
