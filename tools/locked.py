"""The pinned packages of ``requirements/`` and what each of them requires.

``python tools/locked.py`` writes ``requirements/dependencies.json``: the requirements of every pinned package that
apply anywhere we run, as their metadata says. ``tools/lock`` runs it after the files are compiled. The metadata comes
from pip's own index; the file names none. ``--extras SET`` prints the options for uv that name the extras of a set.
"""

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "requirements"
KNOWN = FOLDER / "dependencies.json"
EXTRAS = {
    "serve": ("server", "postgres", "redis"),
    "play": ("server", "postgres", "redis"),
    "dev": ("server", "postgres", "redis", "rl", "study", "cluster"),
    "bench": ("rl",),
}
"""The extras of this package that each set is compiled for."""
PYTHONS = ("3.11.0", "3.11.7", "3.12.3", "3.13.2", "3.14.0")
SYSTEMS = {
    "linux": ("posix", "Linux", ("x86_64", "aarch64")),
    "darwin": ("posix", "Darwin", ("x86_64", "arm64")),
    "win32": ("nt", "Windows", ("AMD64",)),
}
"""What markers call each system: ``os_name``, ``platform_system`` and the values of ``platform_machine``."""
WHEELS = ("manylinux_2_28_x86_64", "manylinux_2_27_x86_64", "macosx_14_0_arm64", "win_amd64")
"""Platforms whose wheels are read where this machine can install none, and pip's options for them."""
ELSEWHERE = ("--target", "unused", "--only-binary", ":all:", "--python-version", "3.14", "--ignore-requires-python")
Environment = dict[str, str]
Wanted = tuple[str, str]
"""The name of a package and one of its extras, or nothing for the package itself."""


class Pin(NamedTuple):
    """One pinned version of a package, and the lines that pin it."""

    requirement: Requirement
    lines: str

    @property
    def name(self) -> str:
        return canonicalize_name(self.requirement.name)

    @property
    def version(self) -> str:
        return str(self.requirement.specifier).removeprefix("==")

    def __str__(self) -> str:
        return f"{self.name}=={self.version}"


@cache
def parsed(line: str) -> Requirement:
    """A requirement, read once."""
    return Requirement(line)


def environments() -> Iterator[Environment]:
    """The marker values of every system and Python that the pinned sets are made for."""
    for (system, (os_name, platform, machines)), python in product(SYSTEMS.items(), PYTHONS):
        for machine in machines:
            yield {
                "implementation_name": "cpython",
                "implementation_version": python,
                "os_name": os_name,
                "platform_machine": machine,
                "platform_python_implementation": "CPython",
                "platform_release": "",
                "platform_system": platform,
                "platform_version": "",
                "python_full_version": python,
                "python_version": python.rpartition(".")[0],
                "sys_platform": system,
            }


def read(name: str) -> list[Pin]:
    """The pins of a file of ``requirements/``, with those of the file it includes."""
    text = (FOLDER / f"{name}.txt").read_text("utf-8")
    pins = [pin for included in re.findall(r"^-r (\w+)\.txt$", text, re.MULTILINE) for pin in read(included)]
    found = re.findall(r"^\w.*(?:\n .*)*", text, re.MULTILINE)
    return pins + [Pin(parsed(lines.partition("\\\n")[0]), lines) for lines in found]


def roots(name: str) -> list[Requirement]:
    """What a set is compiled from: this package with some extras, and the names of its ``.in`` file."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [
        *project["dependencies"],
        *(line for extra in EXTRAS[name] for line in project["optional-dependencies"][extra]),
    ]
    listed = FOLDER / f"{name}.in"
    if listed.is_file():
        lines += [line for line in listed.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return [parsed(line) for line in lines]


def applies(requirement: Requirement, environment: Environment, extra: str = "") -> bool:
    """Whether a requirement holds there, with an extra of the package that states it."""
    return requirement.marker is None or requirement.marker.evaluate({**environment, "extra": extra})


def wanted(requirements: Iterable[Requirement]) -> set[Wanted]:
    """The packages and extras that some requirements name."""
    return {(canonicalize_name(item.name), extra) for item in requirements for extra in ("", *item.extras)}


def needed(
    known: dict[str, list[str]], pins: list[Pin], start: list[Requirement], environment: Environment
) -> Iterator[tuple[str, Requirement, Pin | None]]:
    """Every requirement on the way from ``start``: who states it, and the pin that satisfies it, if there is one."""
    here = {pin.name: pin for pin in pins if applies(pin.requirement, environment)}
    queue = [("", item) for item in start if applies(item, environment)]
    seen: set[Wanted] = set()
    while queue:
        asker, item = queue.pop()
        pin = here.get(canonicalize_name(item.name))
        fits = pin is not None and item.specifier.contains(pin.version, prereleases=True)
        yield asker, item, pin if fits else None
        if pin is None:
            continue
        for name, extra in wanted([item]) - seen:
            seen.add((name, extra))
            stated = map(parsed, known[str(pin)])
            queue += [(str(pin), one) for one in stated if applies(one, environment, extra)]


def relevant(lines: Iterable[str], extras: set[str]) -> list[str]:
    """The requirements that apply in some environment, with none or some of these extras."""
    places = list(environments())
    found = {str(parsed(line)) for line in lines}
    return sorted(
        line
        for line in found
        if any(applies(parsed(line), where, extra) for where in places for extra in ("", *extras))
    )


def thinned(stated: dict[str, list[str]]) -> dict[str, list[str]]:
    """The requirements of all packages without those of extras that nothing asks for."""
    asked = set().union(*(wanted(roots(name)) for name in EXTRAS))
    while True:
        kept = {
            pin: relevant(lines, {extra for name, extra in asked if name == pin.partition("==")[0] and extra})
            for pin, lines in stated.items()
        }
        found = asked | wanted(parsed(line) for lines in kept.values() for line in lines)
        if found == asked:
            return kept
        asked = found


def all_pins() -> dict[str, Pin]:
    return {str(pin): pin for name in EXTRAS for pin in read(name)}


def stated(pins: list[Pin], *options: str) -> dict[str, list[str]]:
    """What the metadata of some packages says, as pip finds it with some options; nothing where there is no wheel."""
    with tempfile.TemporaryDirectory() as folder:
        listed, report = Path(folder, "pins.txt"), Path(folder, "report.json")
        listed.write_text("".join(re.sub(r" ;.*?(?= \\)", "", pin.lines) + "\n" for pin in pins), "utf-8")
        command = [
            sys.executable, "-m", "pip", "install", "-q", "--dry-run", "--ignore-installed", "--no-deps",
            "--require-hashes", "--disable-pip-version-check", "--report", str(report), "-r", str(listed), *options,
        ]  # fmt: skip
        subprocess.run(command, check=False, stderr=subprocess.DEVNULL)  # noqa: S603
        found: list[Any] = json.loads(report.read_text("utf-8"))["install"] if report.is_file() else []
    metadata = [item["metadata"] for item in found]
    return {f"{canonicalize_name(item['name'])}=={item['version']}": item.get("requires_dist", []) for item in metadata}


def main() -> int:
    """Write the requirements of every pinned package. Returns 1 if the metadata of one was not found."""
    if sys.argv[1:2] == ["--extras"]:
        print(*(f"--extra {extra}" for extra in EXTRAS[sys.argv[2]]))
        return 0
    pins = all_pins()
    here = [pin for pin in pins.values() if pin.requirement.marker is None or pin.requirement.marker.evaluate()]
    found = stated(list({pin.name: pin for pin in here}.values()))
    for name, platform in product(pins, WHEELS):
        if name not in found:
            found |= stated([pins[name]], *ELSEWHERE, "--platform", platform)
    missing = [name for name in pins if name not in found]
    if missing:
        sys.stderr.write(f"The metadata of {', '.join(missing)} was not found.\n")
        return 1
    kept = thinned(found)
    lines = [f"{json.dumps(name)}: {json.dumps(kept[name])}" for name in sorted(kept)]
    KNOWN.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
