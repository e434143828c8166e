"""The server as the container has it: the scripts of ``deploy/container`` run by another user, without a container."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest

from tests import wheel
from tests.wheel import ROOT

USER = 8017
"""The user of the image. It has no entry in the list of users, as in the image."""
SCRIPTS = ROOT / "deploy/container"


def as_root() -> bool:
    return os.getuid() == 0


def command(*words: str | Path) -> list[str]:
    """A command line that runs as a user without privileges, also where the tests run as root."""
    dropped = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--no-new-privs", "--inh-caps=-all"]
    return [*(dropped if as_root() else []), *map(str, words)]


@cache
def interpreter() -> str:
    """A Python that the user of the image can start; this one may lie in a folder that only root can read."""
    own = Path(sys.base_prefix) / "bin/python3"
    code = "import sys, venv, pip; sys.exit(sys.version_info < (3, 11))"
    for python in (str(own), "/usr/bin/python3", "/usr/local/bin/python3"):
        started = command("sh", "-c", 'exec "$0" -c "$1"', python, code)  # setpriv itself could still read it
        tried = subprocess.run(started, capture_output=True, check=False, cwd="/")
        if tried.returncode == 0:
            return python
    raise AssertionError("No Python 3.11 with venv and pip was found that other users can start.")


class Image:
    """The folders of an image: its prefix, and an empty home."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.prefix = folder / "prefix"
        self.home = folder / "home"

    @property
    def python(self) -> Path:
        return self.prefix / "bin/python"

    def environment(self, **settings: str) -> dict[str, str]:
        """Nothing of this process but where packages come from."""
        kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        return {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(self.home), "LANG": "C.UTF-8", **kept, **settings}

    def install(self, built: Path) -> None:
        """Run the script of the image, as a user without privileges, with an empty home."""
        self.home.mkdir(parents=True)
        (self.folder / "wheel").mkdir()
        shutil.copy(built, self.folder / "wheel")
        shutil.copytree(SCRIPTS, self.folder / "deploy/container")
        shutil.copytree(ROOT / "requirements", self.folder / "requirements")
        (self.folder / "tools").mkdir()
        shutil.copy(ROOT / "tools/install-locked", self.folder / "tools")
        chosen = {"PYTHON": interpreter(), "PIP_NO_COMPILE": "0"}  # to pip this means: do not compile
        mine = Path.home() / ".config/pip/pip.conf"
        if mine.is_file():
            chosen["PIP_CONFIG_FILE"] = str(shutil.copy(mine, self.folder / "pip.conf"))
        for path in (self.folder, *self.folder.rglob("*")):
            path.chmod(path.stat().st_mode | (0o755 if path.is_dir() else 0o444))
            if as_root():
                os.chown(path, USER, USER)
        script = self.folder / "deploy/container/install"
        done = subprocess.run(
            command(script, self.prefix, self.folder / "wheel"),
            env=self.environment(**chosen), capture_output=True, text=True, check=False, cwd=self.folder,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        self.compile()

    def compile(self) -> None:
        """Write the bytecode of what a server imports, as a real installation has it.

        The scripts of the image write none, so that every start would compile the same sources again.
        """
        code = "import cartagena.cli.verbs.serve, cartagena.cli.verbs.bots, cartagena.server.run, alembic.command"
        done = subprocess.run(
            command(self.python, "-c", code),
            env=self.environment(),
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
        )
        assert done.returncode == 0, done.stderr


def installed(factory: pytest.TempPathFactory) -> Image:
    """The installed image. The first test process of a run installs it, the others wait for it.

    It lies below the temporary folder itself: other users cannot read the folders of pytest.
    """
    built = wheel.built(factory)
    name = hashlib.sha256(str(ROOT).encode()).hexdigest()[:12]
    image = Image(Path(tempfile.gettempdir()) / f"cartagena-image-{os.getuid()}-{name}")
    with (built.parent / "image-lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = built.parent / "image-installed"
        if not done.exists():
            shutil.rmtree(image.folder, ignore_errors=True)
            image.folder.mkdir()
            image.install(built)
            done.touch()
    return image
