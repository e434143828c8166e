"""Machine code on disk: Numba's cache, with ``backends.cache`` choosing the folders.

Code of this package is kept by the content of its sources alone, so that another installation of the same sources finds
it. Code of other files is kept by their paths too.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from cartagena.backends import cache
from cartagena.backends.numba_internals import caching

SOURCES: Final = cache.Stamps(cache.sources(cache.PACKAGE, (*cache.SHARED, *cache.ROOMS)))
"""The sources as they were before the first of them was loaded to be compiled."""


class Locator(caching._SourceFileBackedLocatorMixin, caching._CacheLocator):  # type: ignore[misc]  # noqa: SLF001
    """The folder of a function's code. Every module has its own: a file may be loaded several times, with policies."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = file
        self._lineno = function.__code__.co_firstlineno
        self.folder = cache.folder(function.__module__)
        if self.folder is not None and not Path(file).resolve().is_relative_to(cache.PACKAGE):
            self.folder /= self.get_suitable_cache_subpath(file)

    def get_cache_path(self) -> str:
        return str(self.folder)


class Storage(caching.CompileResultCacheImpl):  # type: ignore[misc]
    """How code is stored: as Numba does it, in the folders above."""

    _locator_classes = (Locator,)


class CodeCache(caching.FunctionCache):  # type: ignore[misc]
    """The compiled code of one function, on disk."""

    _impl_class = Storage

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        return super().load_overload(sig, target_context) if SOURCES.are_current() else None

    def save_overload(self, sig: Any, data: Any) -> None:
        if SOURCES.are_current():
            super().save_overload(sig, data)


def can_keep(function: Callable[..., Any]) -> bool:
    """True for a function that comes from a file, where a folder can be written."""
    return Path(function.__code__.co_filename).is_file() and cache.folder(function.__module__) is not None
