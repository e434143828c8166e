"""The parts of Numba that are not public, used here and nowhere else: ``pyproject.toml`` bounds its version for them.

The compilers of ``cpu`` and ``wasm`` and the machine code on disk build on these. A version that lacks one is refused
with one sentence before anything is compiled.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pkgutil import resolve_name
from typing import Any, Final

from cartagena.errors import BackendError, lacking

MODULES: Final = ("numba.core.caching", "numba.core.cgutils", "numba.core.codegen")
PARTS: Final = (
    "numba.core.caching:CompileResultCacheImpl._locator_classes",
    "numba.core.caching:FunctionCache._impl_class",
    "numba.core.caching:_CacheLocator.get_suitable_cache_subpath",
    "numba.core.caching:_SourceFileBackedLocatorMixin.from_function",
    "numba.core.cgutils:alloca_once",
    "numba.core.cgutils:for_range",
    "numba.core.cgutils:for_range_slice",
    "numba.core.codegen:CPUCodeLibrary._finalize_final_module",
    "numba.core.codegen:CPUCodeLibrary._optimize_final_module",
    "numba.core.codegen:CPUCodeLibrary._optimize_functions",
    "numba.core.codegen:JITCPUCodegen.set_env",
    "numba.core.dispatcher:_FunctionCompiler.compile",
    "numba.core.options:DefaultOptions._nrt",
    "numba.core.options:DefaultOptions.no_cfunc_wrapper",
    "numba.core.options:DefaultOptions.no_cpython_wrapper",
)
"""What is used of them, or replaced."""


def is_there(path: str) -> bool:
    """Whether a module, or a name in it, can be found."""
    try:
        resolve_name(path)
    except (ImportError, AttributeError):
        return False
    return True


gone = [path for path in (*MODULES, *PARTS) if not is_there(path)]
if gone:
    raise BackendError(lacking("numba", gone))

from numba.core import caching, cgutils  # noqa: E402
from numba.core.codegen import CPUCodeLibrary, JITCPUCodegen  # noqa: E402

__all__ = ["caching", "cgutils", "keep_code", "never_called", "only_lowering"]


def keep_code(compiled: Any, cache: Any) -> None:
    """Let a compiled function keep its machine code in a cache of ours, as ``cache=True`` does in Numba's."""
    if not hasattr(compiled, "_cache"):
        raise BackendError(lacking("numba", ["Dispatcher._cache"]))
    compiled._cache = cache  # noqa: SLF001


def leave(*_given: object) -> None:
    """Do nothing."""


def finalize(library: CPUCodeLibrary) -> None:
    """Call a library finished as it is."""
    library._finalized = True  # noqa: SLF001


LEFT_OUT: Final[Sequence[tuple[type, str, Callable[..., None]]]] = (
    (CPUCodeLibrary, "_optimize_functions", leave),
    (CPUCodeLibrary, "_optimize_final_module", leave),
    (CPUCodeLibrary, "_finalize_final_module", finalize),
    (JITCPUCodegen, "set_env", leave),
)


@contextmanager
def only_lowering() -> Iterator[None]:
    """Let Numba leave modules as it has lowered them. Functions compiled meanwhile cannot be called from Python.

    Numba's lock is held meanwhile: other threads do not compile until this ends.
    """
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in LEFT_OUT]
    try:
        for owner, name, function in LEFT_OUT:
            setattr(owner, name, function)
        yield
    finally:
        for owner, name, function in before:
            setattr(owner, name, function)


def never_called(compiled: Any) -> None:
    """Optimise a function that Python never calls only where it is called: in the code of the entry above it."""
    if not hasattr(compiled, "_compiler"):
        raise BackendError(lacking("numba", ["Dispatcher._compiler"]))
    compiler = compiled._compiler  # noqa: SLF001
    compile_whole = compiler.compile

    def compile_part(*given: object) -> object:
        with only_lowering():
            return compile_whole(*given)

    compiler.compile = compile_part
