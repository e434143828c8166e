"""Make a release: ``python tools/release.py 0.2.0`` checks, sets versions and dates, tests, builds, commits and tags.

Nothing leaves this machine. ``docs/releasing.md`` tells what happens after that.
"""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
UNRELEASED = "## [Unreleased]\n"
BRANCH = "main"
INTERRUPTED = 130
VERSION = re.compile(r"\d+\.\d+\.\d+(rc\d+)?")
VERSIONED = {
    "pyproject.toml": r'^version = "(.*)"$',
    "src/cartagena/__init__.py": r'^__version__ = "(.*)"$',
    "CITATION.cff": r"^version: (.*)$",
    "docs/protocol.md": r'"name":"cartagena","version":"(.*?)"',
    "web/openapi.json": r'"version":"(.*?)"},"paths"',
}
"""The files that say the version, and where."""


class Failed(Exception):
    """A command ended with an error. The message is its first words."""


def with_version(text: str, pattern: str, version: str) -> str:
    """The text of a file with another version."""
    found = re.search(pattern, text, re.MULTILINE)
    if found is None:
        raise SystemExit(f"No line like {pattern} says the version.")
    return text[: found.start(1)] + version + text[found.end(1) :]


def dated(changelog: str, version: str, day: str) -> str:
    """The changelog with what is unreleased under the version and its day, and an empty section above it."""
    head, mark, rest = changelog.partition(UNRELEASED)
    return f"{head}{mark}\n## [{version}] - {day}\n{rest}"


def news(changelog: str) -> str:
    """What the changelog has under the heading of what is not released yet."""
    return re.split(r"^## ", changelog.partition(UNRELEASED)[2], maxsplit=1, flags=re.MULTILINE)[0].strip()


def dated_files(version: str, day: str) -> dict[str, str]:
    """The new texts of all files that say the version or the day, by name."""
    texts = {name: (ROOT / name).read_text("utf-8") for name in (*VERSIONED, "CHANGELOG.md")}
    changed = {name: with_version(texts[name], pattern, version) for name, pattern in VERSIONED.items()}
    return {**changed, "CHANGELOG.md": dated(texts["CHANGELOG.md"], version, day)}


def objections(version: str) -> list[str]:
    """Why there can be no release now."""
    if not version:
        return ["Say which version it is: make release VERSION=0.2.0"]
    if not VERSION.fullmatch(version):
        return [f"{version} is not a version such as 0.2.0 or 0.2.0rc1."]
    said = []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    if "urls" not in project:
        said.append("pyproject.toml has no [project.urls]: name the repository and the documentation first.")
    if Version(version) < Version(project["version"]):
        said.append(f"{version} comes before {project['version']}, the version of pyproject.toml.")
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    if f"## [{version}]" in changelog:
        said.append(f"CHANGELOG.md has a section {version} already.")
    if not news(changelog):
        said.append("CHANGELOG.md has nothing under [Unreleased]; what would be released?")
    return said + objections_of_git(version)


def objections_of_git(version: str) -> list[str]:
    """Why the repository cannot take a release now."""
    if not shown("git", "rev-parse", "--git-dir"):
        return ["This folder is not a git repository; a release is made in a clone."]
    said = []
    branch = shown("git", "symbolic-ref", "--quiet", "--short", "HEAD")
    if branch != BRANCH:
        said.append(f"The branch is {branch or 'none'}; a release is made on {BRANCH}.")
    if shown("git", "status", "--porcelain"):
        said.append("There are changes that are not committed.")
    if shown("git", "tag", "--list", f"v{version}"):
        said.append(f"There is a tag v{version} already.")
    if not shown("git", "var", "GIT_COMMITTER_IDENT"):
        said.append("Git does not know who commits: set user.name and user.email with git config.")
    return said


def shown(*words: str) -> str:
    """What a command prints; nothing if it fails."""
    done = subprocess.run(words, cwd=ROOT, check=False, capture_output=True, text=True)  # noqa: S603
    return "" if done.returncode else done.stdout.strip()


def carry_out(*words: str) -> None:
    """Run a command. Raises Failed if it ends with an error."""
    if subprocess.call(words, cwd=ROOT):  # noqa: S603
        raise Failed(" ".join(words[:2]))


@contextmanager
def written(texts: dict[str, str]) -> Iterator[None]:
    """Write files of the repository. They become what they were if what follows fails or is interrupted."""
    try:
        for name, text in texts.items():
            (ROOT / name).write_text(text, "utf-8")
        yield
    except BaseException:
        subprocess.run(["git", "checkout", "--quiet", "--", *texts], cwd=ROOT, check=True)  # noqa: S603, S607
        raise


def release(version: str) -> None:
    """Set the versions and the day, test, build, commit and tag. Raises Failed; the files are then as they were."""
    with written(dated_files(version, datetime.now(UTC).date().isoformat())):
        for target in ("check", "test-all", "dist"):
            carry_out("make", target)
        carry_out("git", "commit", "--quiet", "--all", "--message", f"Release {version}")
    carry_out("git", "tag", "--annotate", f"v{version}", "--message", version)


def main() -> int:
    """Make the release, or say why that cannot be."""
    version = sys.argv[1] if len(sys.argv) == 2 else ""
    if said := objections(version):
        sys.stderr.write("".join(f"{line}\n" for line in said))
        return 1
    try:
        release(version)
    except Failed as failure:
        state = (
            "the commit is made, the tag is not"
            if str(failure) == "git tag"
            else "versions and changelog are as before"
        )
        sys.stderr.write(f"{failure} failed, so there is no release; {state}.\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted; there is no release.\n")
        return INTERRUPTED
    sys.stdout.write(f"v{version} is built in dist/ and tagged. docs/releasing.md tells how it is published.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
