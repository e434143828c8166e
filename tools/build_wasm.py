"""Build the engine for browsers into src/cartagena/data: cartagena.wasm, and cartagena.json with tables and weights.

Quick when nothing changed. ``--check`` builds nothing and fails where the built files are missing or stale.
"""

import argparse
import gc
import gzip
import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "src/cartagena/data"
CODE, DATA = OUT / "cartagena.wasm", OUT / "cartagena.json"
COMPILED = ("kernel", "backends/portable", "backends/cpu", "backends/wasm", "players/compiled")
SOURCES = (*COMPILED, "rulesets", "players/data")
FILES = (
    "backends/openings.py",
    "game/reasons.py",
    *(
        f"players/{name}.py"
        for name in ("browser_data", "explain", "ismcts", "networks", "registry", "repetition", "weights")
    ),
)
KINDS = {".py", ".toml", ".json", ".network"}
TOOLS = ("numba", "llvmlite")


def sources(folders: Sequence[str], names: Sequence[str] = ()) -> Iterator[Path]:
    """The files of these folders and these files, in a fixed order, and this one."""
    package = ROOT / "src/cartagena"
    for folder in folders:
        yield from sorted(path for path in (package / folder).rglob("*") if path.suffix in KINDS)
    yield from (package / name for name in names)
    yield Path(__file__)


def digest(files: Iterable[Path]) -> str:
    """A short hash of files and of the versions of the compilers."""
    found = hashlib.sha256(" ".join(f"{tool} {version(tool)}" for tool in TOOLS).encode())
    for path in files:
        found.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:16]


def built() -> tuple[str, str]:
    """The digests of the sources that the built code and data come from; empty where one is missing or damaged."""
    try:
        data = json.loads(DATA.read_text(encoding="utf-8"))
        is_whole = data["sha256"] == hashlib.sha256(CODE.read_bytes()).hexdigest()
        return (data["code"], data["build"]) if is_whole else ("", "")
    except (OSError, ValueError, KeyError, TypeError):
        return "", ""


def replace(path: Path, content: bytes) -> None:
    """Write a file completely or not at all."""
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_bytes(content)
    part.replace(path)


def compiled(wanted: str) -> bytes:
    """Compile and link all exports, with the digest of their sources inside."""
    from cartagena.backends.wasm import exports as rules
    from cartagena.backends.wasm.compiler import linked, object_of, stamped
    from cartagena.players.compiled import exports as players

    functions = (*rules.EXPORTS, *players.EXPORTS)
    return stamped(linked(object_of(functions), [function.__name__ for function in functions]), wanted)


def build(code_digest: str, whole_digest: str) -> None:
    """Write the code where its sources have changed, and the data."""
    gc.disable()  # the compiler makes many objects that live until its end
    code = CODE.read_bytes() if built()[0] == code_digest else compiled(code_digest)
    from cartagena.players.browser_data import browser_data

    found = hashlib.sha256(code).hexdigest()
    data = {"build": whole_digest, "code": code_digest, "sha256": found, **browser_data()}
    OUT.mkdir(exist_ok=True)
    replace(CODE, code)
    replace(DATA, (json.dumps(data, separators=(",", ":")) + "\n").encode())
    sizes = [len(gzip.compress(path.read_bytes(), 9, mtime=0)) // 1024 for path in (CODE, DATA)]
    print(f"cartagena.wasm: {len(code)} bytes, {sizes[0]} KB compressed (data: {sizes[1]} KB), sha256 {found}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args()
    wanted = digest(sources(COMPILED)), digest(sources(SOURCES, FILES))
    if built() == wanted:
        return 0
    if chosen.check:
        print("The engine for browsers is missing or stale: run `make wasm`.", file=sys.stderr)
        return 1
    build(*wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
