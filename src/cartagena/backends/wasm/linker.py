"""The linker: an object file becomes a WebAssembly module, by ``wasm-ld`` of the LLVM project."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from cartagena.errors import BackendError

STACK: Final = 1 << 17
"""Bytes of the stack. It lies below all data, so that an overflow traps."""
SECTION: Final = b"cartagena"
"""The name of the module's section that says from which build it comes."""


def linker() -> str | None:
    """The path of ``wasm-ld``, or None where there is none."""
    return shutil.which("wasm-ld")


def linked(code: bytes, names: Iterable[str]) -> bytes:
    """The module with the functions of an object file. It exports them, its memory and where free memory begins."""
    program = linker()
    if program is None:
        raise BackendError("wasm-ld is missing: install the package lld (on Debian: apt-get install lld).")
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "cartagena.o"), Path(folder, "cartagena.wasm")
        source.write_bytes(code)
        wanted = [f"--export={name}" for name in (*names, "__heap_base")]
        options = ["--no-entry", "--gc-sections", "--stack-first", "--strip-all", "-O2", f"-zstack-size={STACK}"]
        command = [program, *options, *wanted, "-o", str(target), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # our own arguments
        if done.returncode != 0:
            raise BackendError(f"wasm-ld failed: {done.stderr.strip()[:500]}")
        return target.read_bytes()


def stamped(module: bytes, build: str) -> bytes:
    """The module with the name of its build in a section of its own, which loaders compare with their data."""
    content = number(len(SECTION)) + SECTION + build.encode()
    return module + b"\0" + number(len(content)) + content


def number(value: int) -> bytes:
    """A whole number as WebAssembly writes it: seven bits a byte, the lowest first."""
    found = bytearray()
    while value > 0x7F:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])
