"""Keep the hashes of ``requirements/`` whose files can be installed where we run, and drop all others.

An index holds wheels for many systems and Pythons that we support nowhere; without their hashes the files of pins are
half as long. ``tools/lock`` runs this after the files are compiled. A package whose files the index does not tell
keeps all of its hashes.
"""

import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from urllib.error import URLError
from urllib.parse import unquote
from urllib.request import Request, urlopen

from packaging.tags import Tag
from packaging.utils import InvalidWheelFilename, parse_wheel_filename
from tools.locked import EXTRAS, FOLDER, Pin, all_pins

INDEX = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple").rstrip("/")
LINK = re.compile(r'href="[^"#]*/([^"#/]+)#sha256=([0-9a-f]{64})"')
PYTHONS = re.compile(r"py3\d*|cp3(11|12|13|14)")
PLATFORMS = re.compile(r"any|(many)?linux.*_(x86_64|aarch64)|macosx_.*|win_amd64")


def suits(tag: Tag) -> bool:
    """Whether a wheel of that tag can be installed on a system and Python that the pins are made for."""
    stable = tag.abi == "abi3" and tag.interpreter.startswith("cp3")
    free = tag.abi.endswith("t") and tag.abi.startswith("cp3")
    python = stable or PYTHONS.fullmatch(tag.interpreter) is not None
    return python and not free and PLATFORMS.fullmatch(tag.platform) is not None


def is_useful(file: str) -> bool:
    """Whether a file of an index is a source archive or a wheel for us."""
    try:
        tags = parse_wheel_filename(file)[3]
    except InvalidWheelFilename:
        return not file.endswith(".whl")
    return any(map(suits, tags))


def files(pin: Pin) -> dict[str, str]:
    """The files that the index holds of a package, by hash; nothing where it does not answer."""
    request = Request(f"{INDEX}/{pin.name}/", headers={"Accept": "text/html"})  # noqa: S310
    try:
        with urlopen(request, timeout=60) as answer:  # noqa: S310
            return {digest: unquote(file) for file, digest in LINK.findall(answer.read().decode())}
    except (URLError, TimeoutError):
        sys.stderr.write(f"The index does not tell the files of {pin.name}: all of its hashes stay.\n")
        return {}


def thinned(lines: str, known: dict[str, str]) -> str:
    """The lines of a pin without the hashes of files that are of no use to us."""
    head, *hashes = lines.split(" \\\n")
    kept = [line for line in hashes if is_useful(known.get(line.rpartition(":")[2], ""))]
    return " \\\n".join([head, *(kept or hashes)])


def main() -> int:
    """Write the files of pins again."""
    pins = list(all_pins().values())
    with ThreadPoolExecutor(8) as pool:
        known = dict(zip((pin.lines for pin in pins), pool.map(files, pins), strict=True))
    for name in EXTRAS:
        path = FOLDER / f"{name}.txt"
        text = path.read_text("utf-8")
        for lines, found in known.items():
            text = text.replace(lines, thinned(lines, found))
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
