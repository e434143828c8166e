"""What only Linux or POSIX systems have is guarded, and ``make play`` has a twin for machines without make."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.wheel import ROOT
from tools import play

LINUX_ONLY = re.compile(
    r"\bfcntl\b|\bos\.(fork|wait|nice|getuid|killpg|sched_getaffinity|O_DIRECTORY)\b|\bSIGKILL\b|\bpthread_sigmask\b"
    r"|\bimport resource\b|/proc/|/dev/|\"fork\"|\badd_signal_handler\b"
)
GUARD = re.compile(r"sys\.platform|hasattr\(os|ImportError|NotImplementedError|get_all_start_methods|if HAS_LOCKS")
NEAR = 12


def test_what_only_some_systems_have_is_guarded() -> None:
    """A guard stands in the same function, or some lines above."""
    bare = []
    for path in sorted((ROOT / "src" / "cartagena").rglob("*.py")):
        lines = path.read_text("utf-8").splitlines()
        name = path.relative_to(ROOT / "src" / "cartagena").as_posix()
        for number, line in enumerate(lines):
            code = line.partition("  #")[0]
            if LINUX_ONLY.search(code) and '"""' not in code:
                around = lines[max(0, number - NEAR) : number + 3]
                if not any(GUARD.search(each) for each in around):
                    bare.append(f"{name}:{number + 1}: {line.strip()}")
    assert bare == []


@pytest.mark.interrupts
def test_an_interrupt_ends_the_twin_of_make_play_without_a_traceback(tmp_path: Path) -> None:
    """In a folder where the first step waits until it is interrupted, as the server does."""
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools/play.py", tmp_path / "tools/play.py")
    (tmp_path / "tools/programs").write_text("echo waiting\nexec sleep 600\n")
    twin = [sys.executable, "-m", "tools.play"]
    with subprocess.Popen(twin, cwd=tmp_path, stdout=-1, stderr=-1, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"waiting\n"
        os.killpg(process.pid, signal.SIGINT)
        assert (process.wait(), process.stderr.read()) == (130, b"")


def test_the_twin_of_make_play_sets_up_with_the_python_that_runs_it(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    shutil.copy(ROOT / "tools/play.py", tmp_path / "tools/play.py")
    (tmp_path / "tools/programs").write_text('echo "$PYTHON"\nexit 7\n')
    bare = {name: value for name, value in os.environ.items() if name != "PYTHON"}
    for given, python in (({}, sys.executable), ({"PYTHON": "python9"}, "python9")):
        twin = subprocess.run(
            [sys.executable, "-m", "tools.play"],
            cwd=tmp_path,
            env=bare | given,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (twin.returncode, twin.stdout, twin.stderr) == (7, f"{python}\n", "")


def test_the_twin_of_make_play_takes_the_same_steps() -> None:
    recipe = re.search(r"^play:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert recipe is not None
    steps = [line.strip().lstrip("@") for line in recipe[1].splitlines()]
    assert steps == [*(" ".join(step) for step in play.STEPS), "tools/play $(ARGS)"]
