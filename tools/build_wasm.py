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
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "src/cartagena/data"
CODE, DATA = OUT / "cartagena.wasm", OUT / "cartagena.json"
SOURCES = ("kernel", "rulesets", "backends", "players/compiled", "players/data")
FILES = ("players/browser_data.py", "players/weights.py", "players/ismcts.py", "game/reasons.py")
TOOLS = ("numba", "llvmlite")


def sources() -> Iterator[Path]:
    """The files that the result comes from, in a fixed order."""
    package = ROOT / "src/cartagena"
    for folder in SOURCES:
        yield from sorted(path for path in (package / folder).rglob("*") if path.suffix in {".py", ".toml", ".json"})
    yield from (package / name for name in FILES)
    yield Path(__file__)


def digest() -> str:
    """A short hash of all sources and of the versions of the compilers."""
    found = hashlib.sha256(" ".join(f"{tool} {version(tool)}" for tool in TOOLS).encode())
    for path in sources():
        found.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:16]


def is_built(wanted: str) -> bool:
    """True where the built files come from these sources."""
    try:
        built = json.loads(DATA.read_text(encoding="utf-8"))
        return built["build"] == wanted and built["sha256"] == hashlib.sha256(CODE.read_bytes()).hexdigest()
    except (OSError, ValueError, KeyError, TypeError):
        return False


def replace(path: Path, content: bytes) -> None:
    """Write a file completely or not at all."""
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_bytes(content)
    part.replace(path)


def build(wanted: str) -> str:
    """Compile, link and write both files. Returns the hash of the code."""
    gc.disable()  # the compiler makes many objects that live until its end
    from cartagena.backends.wasm import exports as rules
    from cartagena.backends.wasm.compiler import object_of
    from cartagena.backends.wasm.linker import linked
    from cartagena.players.browser_data import browser_data
    from cartagena.players.compiled import exports as players

    functions = (*rules.EXPORTS, *players.EXPORTS)
    code = linked(object_of(functions), [function.__name__ for function in functions])
    found = hashlib.sha256(code).hexdigest()
    data = {"build": wanted, "sha256": found, **browser_data()}
    OUT.mkdir(exist_ok=True)
    replace(CODE, code)
    replace(DATA, (json.dumps(data, separators=(",", ":")) + "\n").encode())
    sizes = [len(gzip.compress(path.read_bytes(), 9, mtime=0)) // 1024 for path in (CODE, DATA)]
    print(f"cartagena.wasm: {len(code)} bytes, {sizes[0]} KB compressed (data: {sizes[1]} KB), sha256 {found}")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args()
    wanted = digest()
    if is_built(wanted):
        return 0
    if chosen.check:
        print("The engine for browsers is missing or stale: run `make wasm`.", file=sys.stderr)
        return 1
    build(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
