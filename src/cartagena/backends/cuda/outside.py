"""Modules of other rooms compiled for CUDA devices from the same source.

They import ``cartagena.backends.cpu``, whose marks and functions are the processor's. A copy of them gets the device's
under the same names.
"""

from types import ModuleType
from typing import Final

from cartagena.backends.cpu import MODULES
from cartagena.backends.loader import RULES, PackageCopy, once

from . import compiled_with, intrinsics, pointers, vectors

ROOMS: Final = (*RULES, "backends.cpu")
"""The rooms whose names lead to the copy."""


@once
def device_copy() -> PackageCopy:
    """Return the copy of the package for devices, with the names of ``backends.cpu`` in it."""
    copy = compiled_with()
    cpu = ModuleType(f"{copy.root}.backends.cpu")
    generator, toolkit = (copy.load(f"backends.portable.{name}") for name in ("generator", "toolkit"))
    for source in (generator, toolkit, pointers, intrinsics):
        vars(cpu).update((name, value) for name, value in vars(source).items() if not name.startswith("_"))
    vars(cpu).update(compiled=copy, kernel=copy.load_all("kernel", MODULES), Numbers=object)
    copy.replace("backends.cpu", cpu)
    for name, module in (("compiler", pointers), ("vectors", vectors), ("intrinsics", intrinsics)):
        copy.replace(f"backends.cpu.{name}", module)
    return copy


@once
def compiled_module(name: str, *needed: str) -> ModuleType:
    """Return a module compiled for devices. ``needed`` are the modules beside it that it imports, in their order."""
    copy = device_copy()
    room = name.rpartition(".")[0]
    for each in needed:
        copy.load_redirected(f"{room}.{each}", ROOMS)
    return copy.load_redirected(name, ROOMS)
