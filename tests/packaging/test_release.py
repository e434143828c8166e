"""A release: dated and versioned files, a commit and a tag; or one sentence for each thing that stands in its way."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.wheel import ROOT
from tools import release

import cartagena

FILES = (*release.VERSIONED, "CHANGELOG.md", "tools/release.py")
CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n- Sails.\n\n## [0.1.0] - 2026-01-01\n\n- Oars.\n"
MAKEFILE = "check test-all dist:\n\t@echo $@ >>made.txt\n"
"""Stands for checks, tests and builds, which take most of an hour; they have tests of their own."""
URLS = '\n[project.urls]\nRepository = "https://example.org"\n'
IDENTITY = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "EMAIL": ""}


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A repository that is ready for a release, with the files of this one that a release changes."""
    folder = tmp_path / "clone"
    for name in FILES:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    (folder / "pyproject.toml").write_text(without_urls() + URLS, "utf-8")
    (folder / "CHANGELOG.md").write_text(CHANGELOG, "utf-8")
    (folder / "Makefile").write_text(MAKEFILE, "utf-8")
    (folder / ".gitignore").write_text("made.txt\n", "utf-8")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "user.name", "A")
    git(folder, "config", "user.email", "a@example.org")
    commit(folder)
    return folder


def without_urls() -> str:
    return re.sub(r"\n\[project\.urls\][^\[]*", "\n", (ROOT / "pyproject.toml").read_text("utf-8"))


def commit(folder: Path) -> None:
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "All")


def made(folder: Path, *words: str) -> tuple[int, list[str]]:
    """The status of the tool, and the sentences that it says on standard error."""
    command = [sys.executable, "tools/release.py", *words]
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True, env=os.environ | IDENTITY)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stderr.splitlines()


def test_it_sets_every_version_and_dates_the_changelog() -> None:
    for name, pattern in release.VERSIONED.items():
        text = (ROOT / name).read_text("utf-8")
        assert release.with_version(text, pattern, "9.8.7").count("9.8.7") == 1
        assert cartagena.__version__ not in release.with_version(text, pattern, "9.8.7"), "it is said once"
    if "dev" in cartagena.__version__:  # a released version also stands in the changelog
        assert set(release.shown("git", "grep", "-lF", cartagena.__version__).split()) == set(release.VERSIONED)
    changelog = release.dated((ROOT / "CHANGELOG.md").read_text("utf-8"), "9.8.7", "2030-01-02")
    assert "## [Unreleased]\n\n## [9.8.7] - 2030-01-02\n" in changelog
    assert release.news(changelog) == ""


def test_it_is_one_commit_with_a_tag(clone: Path) -> None:
    assert made(clone, "9.8.7") == (0, [])
    assert (clone / "made.txt").read_text() == "check\ntest-all\ndist\n"
    assert git(clone, "log", "-1", "--format=%s") == "Release 9.8.7"
    assert git(clone, "describe", "--exact-match") == "v9.8.7"
    assert git(clone, "status", "--porcelain") == ""
    changed = git(clone, "show", "--name-only", "--format=").splitlines()
    assert set(changed) == {*release.VERSIONED, "CHANGELOG.md"}
    assert made(clone, "9.8.7") == (
        1,
        [
            "CHANGELOG.md has a section 9.8.7 already.",
            "CHANGELOG.md has nothing under [Unreleased]; what would be released?",
            "There is a tag v9.8.7 already.",
        ],
    )


def test_what_stands_in_its_way_is_said_in_one_sentence_each(clone: Path) -> None:
    assert made(clone) == (1, ["Say which version it is: make release VERSION=0.2.0"])
    assert made(clone, "next") == (1, ["next is not a version such as 0.2.0 or 0.2.0rc1."])
    before = cartagena.__version__
    assert made(clone, "0.0.9") == (1, [f"0.0.9 comes before {before}, the version of pyproject.toml."])
    (clone / "notes.txt").touch()
    git(clone, "config", "--unset", "user.name")
    git(clone, "config", "user.useConfigOnly", "true")
    git(clone, "checkout", "-q", "-b", "sails")
    (clone / "pyproject.toml").write_text(without_urls(), "utf-8")
    sentences = [
        "pyproject.toml has no [project.urls]: name the repository and the documentation first.",
        "The branch is sails; a release is made on main.",
        "There are changes that are not committed.",
        "Git does not know who commits: set user.name and user.email with git config.",
    ]
    assert made(clone, "9.8.7") == (1, sentences)
    shutil.rmtree(clone / ".git")
    assert made(clone, "9.8.7")[1][-1] == "This folder is not a git repository; a release is made in a clone."


@pytest.mark.interrupts
def test_a_failure_and_an_interrupt_leave_every_file_as_it_was(clone: Path) -> None:
    (clone / "Makefile").write_text("check:\n\t@true\ntest-all:\n\t@false\n")
    commit(clone)
    status, said = made(clone, "9.8.7")
    assert (status, said[-1]) == (
        1,
        "make test-all failed, so there is no release; versions and changelog are as before.",
    )
    assert git(clone, "status", "--porcelain") == ""
    (clone / "Makefile").write_text("check:\n\t@echo waiting; sleep 600\n")
    commit(clone)
    command = [sys.executable, "tools/release.py", "9.8.7"]
    alone = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # make tells its folder
    with subprocess.Popen(command, cwd=clone, stdout=-1, stderr=-1, start_new_session=True, env=alone) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"waiting\n"
        assert git(clone, "status", "--porcelain") != ""
        os.killpg(process.pid, signal.SIGINT)
        assert (process.wait(), process.stderr.read().splitlines()[-1]) == (130, b"Interrupted; there is no release.")
    assert git(clone, "status", "--porcelain") == ""
    assert git(clone, "tag") == ""
