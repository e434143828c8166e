"""The backend for browsers: small functions are compiled and linked, and its exports do what the kernel does."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = """
import os, sys
from pathlib import Path
from cartagena.backends.wasm import exports
from cartagena.backends.wasm.compiler import object_of, signature_of
from cartagena.backends.wasm.compiler import linked, stamped
from cartagena.errors import BackendError

def odd(word: str) -> int:
    return 1

def said(work):
    try:
        work()
    except BackendError as error:
        print(str(error).splitlines()[0][:60])

said(lambda: signature_of(odd))
said(lambda: linked(b"no code", []))
module = linked(object_of((exports.chooser, exports.step)), ["chooser", "step"])
Path(sys.argv[1]).write_bytes(stamped(module, "tried" * 40))
os.environ["PATH"] = ""
said(lambda: linked(b"", []))
"""


def run(*words: str, **environment: str) -> str:
    command = [sys.executable, *words]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_functions_are_compiled_and_linked_and_what_cannot_be_is_told(tmp_path: Path) -> None:
    """Runs in a new process, because nothing may be compiled for this processor before."""
    told = run("-c", PROGRAM, str(tmp_path / "small.wasm")).splitlines()
    assert told[0] == "odd cannot be exported: word has another type."
    assert told[1].startswith("wasm-ld failed: ")
    assert told[2].startswith("wasm-ld is missing: install the package lld")
    module = (tmp_path / "small.wasm").read_bytes()
    assert module.startswith(b"\0asm")
    assert all(word in module for word in (b"chooser", b"step", b"memory", b"cartagenatriedtried"))


def test_the_exports_do_what_the_kernel_does() -> None:
    assert int(run("-m", "tests.backends.wasm_exports", NUMBA_DISABLE_JIT="1")) > 100
