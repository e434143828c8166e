"""``cartagena site``: write the browser table as a folder for any static host."""

import hashlib
import json
import os
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from cartagena.errors import CartagenaError

MARK: Final = "cartagena-site.json"
"""The list of the files that this command has written, in the folder itself."""
NO_SERVER: Final = ("api/about", b'{"server": false}\n')
"""The page asks here what a server offers; this file answers that there is none."""
LAST: Final = ("index.html", "service-worker.js")
"""Written after all others, so that no visitor gets a page whose files are not there yet."""


def command(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="A folder: new, empty, or written by this command.")],
) -> None:
    """Write the browser table as a folder that works from any path of any static host, and offline after one visit.

    People play there alone and at one device; tables with people elsewhere need a server.
    """
    with as_file(files("cartagena.server") / "static") as built:
        content = read_build(built) | dict([NO_SERVER])
    before = earlier_files(out)
    write_site(out, content, before)
    size = sum(map(len, content.values()))
    typer.echo(f"{len(content)} files, {size / 1e6:.1f} MB, build {digest(content)}: {out}")


def read_build(folder: Path) -> dict[str, bytes]:
    """The files of the browser table by their paths. Raises CartagenaError where a part is missing."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else []
    content = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
    for name in LAST:
        if name not in content:
            raise CartagenaError("the browser table is not built in this copy; run make web first")
    if not any(name.endswith(".wasm") for name in content):
        raise CartagenaError("the browser table was built without the engine; run make wasm and make web first")
    return content


def earlier_files(out: Path) -> list[str]:
    """The files that an earlier call has written. Raises CartagenaError for a folder of another kind."""
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise CartagenaError(f"{out} is not a folder; name a new one")
    if not out.exists() or not any(out.iterdir()):
        return []
    try:
        about: Any = json.loads((out / MARK).read_text(encoding="utf-8"))
        names = about["files"]
    except FileNotFoundError:
        raise CartagenaError(f"{out} has other files in it; name a new or an empty folder") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise CartagenaError(f"{out / MARK} is damaged; remove the folder or name another one") from None
    inside = out.resolve()
    if not isinstance(names, list) or not all(
        isinstance(name, str) and (out / name).resolve().is_relative_to(inside) for name in names
    ):
        raise CartagenaError(f"{out / MARK} is damaged; remove the folder or name another one")
    return names


def write_site(out: Path, content: dict[str, bytes], before: list[str]) -> None:
    """Write all files, the page last, then remove the earlier ones that are not part of this build."""
    names = [*(name for name in content if name not in LAST), *LAST]
    mark = {"build": digest(content), "files": sorted({*names, *before, MARK})}
    write_file(out / MARK, json.dumps(mark, indent=1).encode() + b"\n")
    for name in names:
        write_file(out / name, content[name])
    for name in before:
        if name not in content and name != MARK:
            (out / name).unlink(missing_ok=True)
    mark["files"] = sorted({*names, MARK})
    write_file(out / MARK, json.dumps(mark, indent=1).encode() + b"\n")


def write_file(path: Path, content: bytes) -> None:
    """Write a file completely or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def digest(files: dict[str, bytes]) -> str:
    """A short hash of all files."""
    content = hashlib.sha256()
    for name, text in sorted(files.items()):
        content.update(name.encode() + b"\0" + hashlib.sha256(text).digest())
    return content.hexdigest()[:16]
