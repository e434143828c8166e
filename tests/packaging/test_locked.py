"""The pinned packages: every set is complete, and installing one takes what it names, whatever was released since."""

import base64
import hashlib
import json
import re
import subprocess
import sys
import venv
import zipfile
from importlib.metadata import distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from tests.wheel import ROOT, run
from tools import environment, hashes, locked

KNOWN: dict[str, list[str]] = json.loads(locked.KNOWN.read_text("utf-8"))
PLACES = list(locked.environments())


def test_what_every_pinned_package_requires_is_written_down() -> None:
    assert sorted(KNOWN) == sorted(locked.all_pins())
    assert "://" not in locked.KNOWN.read_text("utf-8")


def test_it_agrees_with_the_packages_that_are_installed_here() -> None:
    found = {f"{canonicalize_name(one.name)}=={one.version}": one.requires or [] for one in distributions()}
    here = {name: lines for name, lines in found.items() if name in KNOWN}
    assert len(here) > 100
    assert locked.thinned(KNOWN | here) == KNOWN


@pytest.mark.parametrize("name", locked.EXTRAS)
def test_everything_that_a_set_requires_is_pinned_in_it(name: str) -> None:
    pins, roots = locked.read(name), locked.roots(name)
    for place in PLACES:
        met = list(locked.needed(KNOWN, pins, roots, place))
        assert len(met) > len(roots)
        assert [f"{asker}: {item} ({place})" for asker, item, pin in met if pin is None] == []


def test_a_missing_pin_and_a_wrong_version_are_found() -> None:
    def unmet(lines: list[str], place: dict[str, str]) -> set[str]:
        pins = [locked.Pin(Requirement(line), line) for line in lines]
        return {f"{asker} {item}" for asker, item, pin in locked.needed(known, pins, roots, place) if pin is None}

    roots = [Requirement("top[more]>=1")]
    known = {
        "top==1.0": ["low", "extra>=2; extra == 'more'", "mac; sys_platform == 'darwin'", "other; extra == 'less'"],
        "low==1.0": [],
        "extra==1.0": [],
    }
    linux, mac = (next(place for place in PLACES if place["sys_platform"] == name) for name in ("linux", "darwin"))
    assert unmet(["top==1.0", "extra==1.0"], linux) == {'top==1.0 extra>=2; extra == "more"', "top==1.0 low"}
    assert 'top==1.0 mac; sys_platform == "darwin"' in unmet(["top==1.0", "low==1.0"], mac)
    assert "top==1.0 low" in unmet(["top==1.0", "low==1.0 ; sys_platform == 'win32'"], linux)


@pytest.mark.parametrize(
    ("file", "useful"),
    [
        ("numpy-2.5.0.tar.gz", True),
        ("click-8.3.0-py3-none-any.whl", True),
        ("six-1.17.0-py2.py3-none-any.whl", True),
        ("numpy-2.5.0-cp311-cp311-manylinux_2_27_aarch64.manylinux_2_28_aarch64.whl", True),
        ("cryptography-46.0.0-cp38-abi3-manylinux2014_x86_64.manylinux_2_17_x86_64.whl", True),
        ("numpy-2.5.0-cp314-cp314-macosx_14_0_arm64.whl", True),
        ("numpy-2.5.0-cp310-cp310-manylinux_2_28_x86_64.whl", False),
        ("numpy-2.5.0-cp314-cp314t-manylinux_2_28_x86_64.whl", False),
        ("numpy-2.5.0-cp312-cp312-musllinux_1_2_x86_64.whl", False),
        ("numpy-2.5.0-cp312-cp312-win32.whl", False),
        ("numpy-2.5.0-pp311-pypy311_pp73-manylinux_2_28_x86_64.whl", False),
    ],
)
def test_hashes_of_files_for_other_systems_and_pythons_go(file: str, useful: bool) -> None:
    assert hashes.is_useful(file) == useful
    line = "some==1 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb"
    assert hashes.thinned(line, {"aa": "some-1.tar.gz", "bb": file}).endswith("bb" if useful else "aa")


def wheel(folder: Path, name: str, version: str, *lines: str) -> str:
    """Write a wheel with nothing but metadata into an index. Returns the line that pins it."""
    info = f"{name}-{version}.dist-info"
    metadata = "\n".join(["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *lines, ""])
    about = "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files = {f"{name}.py": f"version = '{version}'\n", f"{info}/METADATA": metadata, f"{info}/WHEEL": about}
    listed = [f"{path},sha256={digest(text)},{len(text)}" for path, text in files.items()]
    place = folder / name
    place.mkdir(parents=True, exist_ok=True)
    path = place / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as file:
        for inside, text in {**files, f"{info}/RECORD": "\n".join([*listed, f"{info}/RECORD,,", ""])}.items():
            file.writestr(inside, text)
    (place / "index.html").write_text("".join(f"<a href='{one.name}'>{one.name}</a>" for one in place.glob("*.whl")))
    return f"{name}=={version} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


def digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index in which every pinned package has newer releases, and one requires another with an extra."""
    folder = tmp_path_factory.mktemp("index")
    pins = [
        wheel(folder, "plugin", "1.0", "Requires-Dist: measure[files]>=1.0"),
        wheel(folder, "measure", "1.0", "Provides-Extra: files", "Requires-Dist: reader; extra == 'files'"),
        wheel(folder, "reader", "1.0"),
    ]
    (folder / "locked.txt").write_text("".join(pins))
    for name in ("plugin", "measure", "reader"):
        wheel(folder, name, "1.1", "Provides-Extra: files", "Requires-Dist: novelty")
    wheel(folder, "novelty", "1.0")
    return folder


@pytest.fixture(scope="module", params=["bundled", "pinned"])
def pip(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The pip that comes with this Python, or the newest one that is pinned, for an empty environment."""
    folder = tmp_path_factory.mktemp("env")
    bundled = request.param == "bundled"
    if bundled:
        environment.make(folder)
    else:
        venv.create(folder, symlinks=True)
    python = str(folder / "bin/python")
    return [python, "-m", "pip"] if bundled else [sys.executable, "-m", "pip", "--python", python]


def install(index: Path, pip: list[str], *command: str) -> "subprocess.CompletedProcess[str]":
    options = ["install", "--isolated", "--no-input", "--no-cache-dir", "--index-url", index.as_uri()]
    return subprocess.run([*command, *pip, *options], capture_output=True, text=True, check=False)


def test_the_pinned_pip_is_newer_than_the_bundled_one_of_python_3_11() -> None:
    [pin] = [pin for pin in locked.read("dev") if pin.name == "pip"]
    assert re.search(rf"^pip {re.escape(pin.version)} ", run(sys.executable, "-m", "pip", "--version"))
    assert int(pin.version.split(".")[0]) > 23


def test_locked_packages_are_installed_as_pinned_or_refused(index: Path, pip: list[str], tmp_path: Path) -> None:
    pins, changed = index / "locked.txt", tmp_path / "changed.txt"
    changed.write_text(re.sub(r"sha256:\w{8}", "sha256:" + 8 * "0", pins.read_text()))
    refused = install(index, pip, str(ROOT / "tools/install-locked"), str(changed))
    assert (refused.returncode != 0, "DO NOT MATCH THE HASHES" in refused.stderr) == (True, True)

    done = install(index, pip, str(ROOT / "tools/install-locked"), str(pins))
    assert done.returncode == 0, done.stdout + done.stderr
    listed = run(*pip, "list", "--format", "freeze", "--disable-pip-version-check").split()
    assert {"plugin==1.0", "measure==1.0", "reader==1.0"} <= set(listed)
    assert not any(line.startswith("novelty") for line in listed)
    run(*pip, "check")
