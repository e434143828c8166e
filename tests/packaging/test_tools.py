"""The tools behind the first minute: what is missing, progress while something is installed, and the quick tests."""

import ensurepip
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.wheel import ROOT
from tools import coverage_table, environment

PACKAGE = re.compile(r"""(?:from|import|import\(|@import) ?['"]((?:@[\w.-]+/)?[a-z][\w.-]*)(?=[/'"])""")
"""The npm package that a source imports; ``node:`` and ``virtual:`` are none."""
PROGRAM = "import pathlib, time; print('Collecting numpy==2.0'); pathlib.Path('a.part').touch(); time.sleep(0.6)"


def progress(folder: Path, program: str) -> tuple[int, str]:
    command = [
        sys.executable,
        str(ROOT / "tools/progress.py"),
        "--what",
        "Installing",
        "--total",
        "3",
        "--count",
        "*.part",
    ]
    words = [*command, "--names", r"^Collecting (\S+)", "log", sys.executable, "-c", program]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder)
    return done.returncode, done.stderr


def test_a_silent_program_is_followed_and_its_status_kept(tmp_path: Path) -> None:
    status, told = progress(tmp_path, PROGRAM)
    assert (status, told.startswith("Installing: "), ": done after" in told) == (0, True, True)
    assert (tmp_path / "log").read_text() == "Collecting numpy==2.0\n"
    status, told = progress(tmp_path, "import sys; sys.exit(7)")
    assert (status, ": failed after" in told) == (7, True)


def test_a_program_of_known_length_is_followed_by_the_clock(tmp_path: Path) -> None:
    words = [str(ROOT / "tools/progress.py"), "--what", "Building", "--about", "60", str(tmp_path / "log"), "true"]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert re.fullmatch(r"(Building: \d+ of about 60 s \.\.\.\n)*Building: done after \d+ s\.\n", done.stderr)


def test_the_quick_tests_are_those_of_inner_rooms() -> None:
    [listed] = re.findall(r"^INNER := (.*)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert {"tests/kernel", "tests/rulesets", "tests/game", "tests/properties"} <= set(listed.split())
    assert all((ROOT / name).exists() for name in listed.split())


def programs(folder: Path, *present: str) -> tuple[int, list[str]]:
    """What ``tools/programs test`` tells an ordinary user on a machine with these programs only, and its status."""
    folder.mkdir()
    for name in ("sh", "dirname"):
        (folder / name).symlink_to(str(shutil.which(name)))
    for name in ("id", *present):
        (folder / name).write_text("#!/bin/sh\necho 1000\n")
        (folder / name).chmod(0o755)
    words, environment = [str(ROOT / "tools/programs"), "test"], {"PATH": str(folder), "PYTHON": sys.executable}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    return done.returncode, done.stderr.splitlines()


def test_an_ordinary_user_is_told_one_command_that_installs_what_is_missing(tmp_path: Path) -> None:
    status, [told] = programs(tmp_path / "bare")
    assert status == 1
    assert re.search(r"sudo apt-get install chromium-headless-shell .*\bcaddy\b", told)
    found = ("google-chrome", "nginx", "caddy", "haproxy", "redis-server", "wasm-ld")
    assert programs(tmp_path / "whole", *found) == (0, [])


def test_a_package_with_too_few_covered_lines_fails_and_its_lines_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def file(lines: int, missing: list[int]) -> dict[str, object]:
        numbers = {"num_statements": lines, "covered_lines": lines - len(missing)}
        return {"summary": numbers, "missing_lines": missing}

    report = tmp_path / "report.json"
    monkeypatch.setattr(sys, "argv", ["coverage_table.py", str(report)])
    files = {"src/cartagena/jobs/local.py": file(10, [7]), "src/cartagena/cli/verbs/play.py": file(10, [])}
    report.write_text(json.dumps({"files": files}))
    assert coverage_table.main() == 0
    assert "| cli/verbs | 10 | 10 | 100.0 |\n| jobs | 10 | 9 | 90.0 |" in capsys.readouterr().out
    report.write_text(json.dumps({"files": files | {"src/cartagena/jobs/far.py": file(2, [3, 4])}}))
    assert coverage_table.main() == 1
    assert "jobs/far.py: 3, 4" in capsys.readouterr().err


def test_the_packages_that_build_the_table_are_those_that_playing_installs() -> None:
    known = json.loads((ROOT / "web/package.json").read_text("utf-8"))
    files = [*(ROOT / "web").glob("*.ts"), *(ROOT / "web").glob("*.js"), *(ROOT / "web/plugins").iterdir()]
    building = {path for path in files if path.name not in {"vitest.config.ts", "eslint.config.js", "rooms.js"}}
    sources = {path for path in (ROOT / "web/src").rglob("*") if path.suffix in {".ts", ".js", ".svelte", ".css"}}
    used = {name for path in building | sources for name in PACKAGE.findall(path.read_text("utf-8"))}
    assert used == set(known["dependencies"])


def test_an_environment_has_the_pip_of_its_python_without_installing_it(tmp_path: Path) -> None:
    environment.make(tmp_path / ".venv")
    told = subprocess.run(
        [str(tmp_path / ".venv/bin/python"), "-m", "pip", "--version"], capture_output=True, text=True, check=True
    ).stdout
    assert told.startswith(f"pip {ensurepip.version()} from {tmp_path.resolve()}")
    assert " -m venv " in (tmp_path / ".venv/pyvenv.cfg").read_text(), "which the set-up looks for"
