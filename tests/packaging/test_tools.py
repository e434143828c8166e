"""The tools behind the first minute: progress while something is installed, and the tests of one room."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.wheel import ROOT
from tools import coverage_table
from tools.test_quick import FIRST, TESTS, chosen, files_of, room_of

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


def test_every_room_has_tests_and_every_changed_file_its_room() -> None:
    rooms = {path.parent.name for path in (ROOT / "src/cartagena").glob("*/__init__.py")}
    assert rooms <= set(TESTS)
    assert all(files_of([room]) for room in rooms)
    assert room_of("src/cartagena/server/app.py") == room_of("tests/server/test_live.py") == "server"
    assert (room_of("web/src/App.svelte"), room_of("LICENSE")) == ("web", "")


def test_the_slowest_files_are_left_out_where_time_is_short() -> None:
    seconds = {"slow": 100.0, "quick": 1.0, "middle": 5.0}
    assert chosen(["slow", "quick", "middle"], seconds, 60) == ["quick", "middle"]
    assert chosen(["slow"], seconds, 60) == ["slow"]
    assert all((ROOT / name).is_file() for name in FIRST)
    assert chosen(["quick", FIRST[0]], {FIRST[0]: 59.5, "quick": 1.0}, 60) == [FIRST[0]], "it covers more"


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
