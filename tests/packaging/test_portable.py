"""What only Linux or POSIX systems have is guarded; releases are made of dated and versioned files."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.wheel import ROOT
from tools import play, release

import cartagena

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


def test_the_twin_of_make_play_takes_the_same_steps() -> None:
    recipe = re.search(r"^play:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert recipe is not None
    steps = [line.strip().lstrip("@") for line in recipe[1].splitlines()]
    assert steps == [*(" ".join(step) for step in play.STEPS), "tools/play $(ARGS)"]


def test_a_release_sets_every_version_and_dates_the_changelog() -> None:
    for name, pattern in release.VERSIONED.items():
        text = (ROOT / name).read_text("utf-8")
        assert release.with_version(text, pattern, "9.8.7").count("9.8.7") == 1
        assert cartagena.__version__ not in release.with_version(text, pattern, "9.8.7"), "it is said once"
    if "dev" in cartagena.__version__:  # a released version also stands in the changelog
        assert set(release.shown("git", "grep", "-lF", cartagena.__version__).split()) == set(release.VERSIONED)
    changelog = release.dated((ROOT / "CHANGELOG.md").read_text("utf-8"), "9.8.7", "2030-01-02")
    assert "## [Unreleased]\n\n## [9.8.7] - 2030-01-02\n" in changelog
    with pytest.raises(SystemExit, match="nothing under"):
        release.dated(changelog, "9.8.8", "2030-01-03")


def test_a_release_that_cannot_be_is_refused() -> None:
    assert release.objections("next")[0] == "next is not a version such as 0.2.0 or 0.2.0rc1."


def test_a_release_without_news_changes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*release.VERSIONED, "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    with (tmp_path / "pyproject.toml").open("a", encoding="utf-8") as project:
        project.write('\n[project.urls]\nRepository = "https://example.org"\n')
    (tmp_path / "CHANGELOG.md").write_text("## [Unreleased]\n\n## [0.1.0] - 2026-01-01\n", "utf-8")
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "All"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["release.py", "9.8.7"])
    with pytest.raises(SystemExit, match="nothing under"):
        release.main()
    assert release.shown("git", "status", "--porcelain") == ""
