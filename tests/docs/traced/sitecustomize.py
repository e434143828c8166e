"""Records which files of the package run, for ``test_journeys``. Python loads it at start where its folder is named.

A file runs when one of its functions is called: what happens while modules are loaded does not count. Machine code has
no calls that could be seen, so a function that uses compiled functions counts as one that calls them, and these as
functions that call those they use.

``JOURNEY_FILES`` names the file to which the paths are appended. With ``JOURNEY_FROM`` recording begins when a function
of one of these files is called, else with ``begin``.
"""

import inspect
import os
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

PACKAGE = f"{os.sep}src{os.sep}cartagena{os.sep}"


class Recorder:
    """The files that have run since ``begin``, relative to the package."""

    def __init__(self, starts: tuple[str, ...] = (), out: str = "") -> None:
        self.starts = starts
        self.out = out
        self.on = False
        self.seen: set[CodeType] = set()
        self.returned: set[CodeType] = set()
        self.files: set[str] = set()

    def begin(self) -> None:
        self.seen.clear()
        self.returned.clear()
        self.files.clear()
        self.on = True

    def end(self) -> None:
        self.on = False

    def install(self) -> None:
        """Watch this thread and those that are started from now on."""
        threading.setprofile(self.watch)
        sys.setprofile(self.watch)

    def watch(self, frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event not in ("call", "return") or PACKAGE not in code.co_filename:
            return
        if not code.co_flags & inspect.CO_OPTIMIZED:  # the body of a module or a class
            return
        if not self.on and self.starts and code.co_filename.endswith(self.starts):
            self.begin()
        if not self.on:
            return
        if code not in self.seen:
            self.note(code, frame.f_globals)
        if event == "return" and code not in self.returned:
            self.returned.add(code)
            self.note_all(map(source_of, frame.f_locals.values()))

    def note(self, code: CodeType, names: dict[str, Any]) -> None:
        """Note a function and the compiled ones that it uses."""
        self.seen.add(code)
        path = code.co_filename.rpartition(PACKAGE)[2]
        if path and path not in self.files:
            self.files.add(path)
            if self.out:
                with Path(self.out).open("a", encoding="utf-8") as file:
                    file.write(path + "\n")
        self.note_all(list(compiled_in(code, names)))

    def note_all(self, functions: Iterable[FunctionType | None]) -> None:
        for function in functions:
            if function is not None and function.__code__ not in self.seen:
                self.note(function.__code__, function.__globals__)


def source_of(value: object) -> FunctionType | None:
    """The function that a compiled one, or an intrinsic of the compiler, was made from."""
    source = getattr(value, "py_func", None) or getattr(value, "_defn", None)
    return source if isinstance(source, FunctionType) else None


def compiled_in(code: CodeType, names: dict[str, Any]) -> Iterator[FunctionType | None]:
    """The compiled functions that a function names, also those of modules that it names."""
    modules = [each for name in code.co_names if isinstance(each := names.get(name), ModuleType)]
    for name in code.co_names:
        yield source_of(names.get(name))
        yield from (source_of(getattr(module, name, None)) for module in modules)


if "JOURNEY_FILES" in os.environ:
    Recorder(tuple(os.environ["JOURNEY_FROM"].split(",")), os.environ["JOURNEY_FILES"]).install()
