"""Make a virtual environment with pip: ``environment.py FOLDER``.

Python's own pip is unpacked from its wheel, which is nearly all that installing it does: ``venv`` takes seconds for it.
"""

import ensurepip
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path


def wheels() -> list[Path]:
    """Wheels of pip: Python's own, or that of the system's packages."""
    system = sysconfig.get_config_var("WHEEL_PKG_DIR")
    folders = [Path(ensurepip.__file__).parent / "_bundled", *([Path(system)] if system else [])]
    return [path for folder in folders for path in folder.glob("pip-*.whl")]


def make(folder: Path) -> None:
    """Make the environment. Without a wheel of pip ``venv`` installs pip in its own way."""
    found = wheels()
    venv.create(folder, symlinks=True, with_pip=not found)
    if found:
        with zipfile.ZipFile(found[0]) as pip:
            pip.extractall(sysconfig.get_path("purelib", "venv", {"base": str(folder)}))


if __name__ == "__main__":
    make(Path(sys.argv[1]).absolute())
