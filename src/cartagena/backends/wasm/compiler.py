"""The compiler for WebAssembly: exported functions become one wasm32 object file, and ``wasm-ld`` makes a module of it.

Numba types and lowers every function once, as for this processor but without optimising it or making machine code. The
modules of all entries are linked into one, which LLVM then optimises for wasm32. So nothing in the result depends on
the processor that builds it, and functions that several entries share are compiled once.

An exported function takes bare pointers and numbers, and its annotations say which: see ``KINDS``. JavaScript passes
pointers as addresses and every number as a double, which holds whole numbers up to 2**53 exactly.
"""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, get_type_hints

import llvmlite.binding as llvm
from numba import njit, types

from cartagena.backends.cpu.compiler import INNER, Signature
from cartagena.backends.numba_internals import only_lowering
from cartagena.errors import BackendError
from cartagena.kernel.intrinsics import RuleTable, Words

from ..portable.intrinsics import Numbers

TRIPLE: Final = "wasm32-unknown-unknown"
FEATURES: Final = "+simd128,+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint,+mutable-globals"
"""What every browser has that the client supports."""
KINDS: Final = {
    RuleTable: types.CPointer(types.int64),
    Words: types.CPointer(types.int64),
    Numbers: types.CPointer(types.float64),
    int: types.int64,
    float: types.float64,
    type(None): types.void,
}
"""The annotations that an exported function may have, and their types."""
HOST_ATTRIBUTES: Final = re.compile(r'"(?:target-cpu|target-features|tune-cpu|probe-stack)"="[^"]*"')
COMMON: Final = re.compile(r"= common (local_unnamed_addr )?global")

Export = Callable[..., object]


def signature_of(function: Export) -> Signature:
    """Numba's signature of an exported function, from its annotations."""
    hints = get_type_hints(function)
    kinds: dict[str, types.Type] = {name: KINDS.get(hint) for name, hint in hints.items()}
    unknown = [name for name, kind in kinds.items() if kind is None]
    if unknown:
        raise BackendError(f"{function.__name__} cannot be exported: {', '.join(unknown)} has another type.")
    result = kinds.pop("return")
    signature: Signature = result(*kinds.values())
    return signature


def lowered(function: Export) -> tuple[llvm.ModuleRef, str]:
    """The LLVM module of a function and of everything that it calls, for this processor, and its name in there."""
    wanted = signature_of(function)
    compiled = njit(wanted, **INNER)(function).overloads[wanted.args]
    return llvm.parse_assembly(compiled.library.get_llvm_str()), compiled.fndesc.mangled_name


def doorway(name: str, inner: str, wanted: Signature) -> str:
    """The LLVM code of the function that JavaScript calls. It traps where the compiled function raises an error."""
    outside = [("ptr" if isinstance(kind, types.CPointer) else "double") for kind in wanted.args]
    takes = ", ".join(f"{kind} %a{number}" for number, kind in enumerate(outside))
    passes = ["ptr %result", "ptr %error"]
    lines = []
    for number, kind in enumerate(wanted.args):
        if kind == types.int64:
            lines.append(f"%w{number} = fptosi double %a{number} to i64")
            passes.append(f"i64 %w{number}")
        else:
            passes.append(f"{outside[number]} %a{number}")
    gives = "void" if wanted.return_type == types.void else "double"
    ends = {
        types.void: ["ret void"],
        types.int64: ["%value = load i64, ptr %result", "%number = sitofp i64 %value to double", "ret double %number"],
        types.float64: ["%number = load double, ptr %result", "ret double %number"],
    }[wanted.return_type]
    declared = ", ".join(part.split()[0] for part in passes)
    return "\n".join(
        (
            f'declare i32 @"{inner}"({declared})',
            f'define {gives} @"{name}"({takes}) {{',
            "%result = alloca i64",
            "%error = alloca ptr",
            *lines,
            f'%status = call i32 @"{inner}"({", ".join(passes)})',
            "%raised = icmp ne i32 %status, 0",
            "br i1 %raised, label %fail, label %done",
            "fail:",
            "call void @llvm.trap()",
            "unreachable",
            "done:",
            *ends,
            "}",
        )
    )


def target_machine() -> llvm.TargetMachine:
    """LLVM's code generator for wasm32."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(TRIPLE)
    return target.create_target_machine(cpu="mvp", features=FEATURES, opt=3, reloc="static", codemodel="default")


def retargeted(text: str, machine: llvm.TargetMachine) -> llvm.ModuleRef:
    """The module of a text that Numba wrote for this processor, for wasm32."""
    text = HOST_ATTRIBUTES.sub("", text)
    text = COMMON.sub("= internal global", text)
    text = re.sub(r"^target datalayout.*$", f'target datalayout = "{machine.target_data}"', text, flags=re.MULTILINE)
    text = re.sub(r"^target triple.*$", f'target triple = "{TRIPLE}"', text, flags=re.MULTILINE)
    return llvm.parse_assembly(text)


def optimised(module: llvm.ModuleRef, machine: llvm.TargetMachine) -> llvm.ModuleRef:
    """The module after all passes that LLVM makes for speed."""
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    module.verify()
    return module


def object_of(exports: Sequence[Export]) -> bytes:
    """The object file with these functions, each under its own name.

    Needs a process of its own, in which nothing was compiled for this processor before.
    """
    machine = target_machine()
    with only_lowering():
        modules, inner = zip(*map(lowered, exports), strict=True)
    whole, *rest = modules
    for module in rest:
        whole.link_in(module)
    text = str(whole)
    if "alwaysinline" not in text:
        raise BackendError("functions were compiled for this processor before; use a new process.")
    whole = retargeted(text, machine)
    doorways = [doorway(each.__name__, name, signature_of(each)) for each, name in zip(exports, inner, strict=True)]
    layout = 'target datalayout = ""\ntarget triple = ""\n'
    whole.link_in(retargeted("\n".join([layout, "declare void @llvm.trap()", *doorways]), machine))
    kept = {function.__name__ for function in exports}
    for function in whole.functions:
        if not function.is_declaration and function.name not in kept:
            function.linkage = "internal"
    return bytes(machine.emit_object(optimised(whole, machine)))


# --- linking


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
    digits = bytearray()
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, value])
