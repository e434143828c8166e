"""Make a release: ``python tools/release.py 0.2.0`` checks, sets versions and dates, tests, builds, commits and tags.

Nothing leaves this machine. ``docs/releasing.md`` tells what happens after that.
"""

import re
import subprocess
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = re.compile(r"\d+\.\d+\.\d+(rc\d+)?")
VERSIONED = {
    "pyproject.toml": r'^version = "(.*)"$',
    "src/cartagena/__init__.py": r'^__version__ = "(.*)"$',
    "CITATION.cff": r"^version: (.*)$",
    "docs/protocol.md": r'"name":"cartagena","version":"(.*?)"',
    "web/openapi.json": r'"version":"(.*?)"},"paths"',
}
"""The files that say the version, and where."""


def with_version(text: str, pattern: str, version: str) -> str:
    """The text of a file with another version."""
    found = re.search(pattern, text, re.MULTILINE)
    if found is None:
        raise SystemExit(f"No line like {pattern} says the version.")
    return text[: found.start(1)] + version + text[found.end(1) :]


def dated(changelog: str, version: str, day: str) -> str:
    """The changelog with what is unreleased under the version and its day, and an empty section above it."""
    head, mark, rest = changelog.partition("## [Unreleased]\n")
    if not mark or not re.match(r"\s*(?!## )\S", rest):
        raise SystemExit("CHANGELOG.md has nothing under [Unreleased]; what would be released?")
    return f"{head}{mark}\n## [{version}] - {day}\n{rest}"


def dated_files(version: str, day: str) -> dict[str, str]:
    """The new texts of all files that say the version or the day, by name."""
    texts = {name: (ROOT / name).read_text("utf-8") for name in (*VERSIONED, "CHANGELOG.md")}
    changed = {name: with_version(texts[name], pattern, version) for name, pattern in VERSIONED.items()}
    return {**changed, "CHANGELOG.md": dated(texts["CHANGELOG.md"], version, day)}


def objections(version: str) -> list[str]:
    """Why there can be no release now."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    said = []
    if not VERSION.fullmatch(version):
        said.append(f"{version} is not a version such as 0.2.0 or 0.2.0rc1.")
    if "urls" not in project:
        said.append("pyproject.toml has no [project.urls]: name the repository and the documentation first.")
    if shown("git", "status", "--porcelain"):
        said.append("There are changes that are not committed.")
    if shown("git", "tag", "--list", f"v{version}"):
        said.append(f"There is a tag v{version} already.")
    return said


def shown(*words: str) -> str:
    """What a command prints."""
    return subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()  # noqa: S603


def main() -> int:
    """Make the release, or say why that cannot be."""
    version = sys.argv[1] if len(sys.argv) == 2 else ""
    if said := objections(version):
        sys.stderr.write("".join(f"{line}\n" for line in said))
        return 1
    changed = dated_files(version, datetime.now(UTC).date().isoformat())
    for name, text in changed.items():
        (ROOT / name).write_text(text, "utf-8")
    for target in ("check", "test-all", "dist"):
        if subprocess.call(["make", target], cwd=ROOT):  # noqa: S603, S607
            subprocess.run(["git", "checkout", "--quiet", "--", *changed], cwd=ROOT, check=True)  # noqa: S603, S607
            sys.stderr.write(f"make {target} failed; the versions and the changelog are as they were.\n")
            return 1
    subprocess.run(["git", "commit", "--all", "--message", f"Release {version}"], cwd=ROOT, check=True)  # noqa: S603, S607
    subprocess.run(["git", "tag", "--annotate", f"v{version}", "--message", version], cwd=ROOT, check=True)  # noqa: S603, S607
    sys.stdout.write(f"v{version} is built in dist/ and tagged. docs/releasing.md tells how it is published.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
