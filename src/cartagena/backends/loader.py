"""Loading the rules again under another name, compiled for another machine.

A copy is a second ``cartagena`` whose modules are loaded from the same files, except those that are replaced: above all
``kernel.intrinsics``, whose ``rule`` is then a compiler. Only modules that import one another by relative names and
hold functions and numbers can be loaded into a copy.
"""

import sys
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Final

from .policies import UNIFORM, module_of

EPISODE: Final = "backends.portable.episode"
"""The module that says what a step of a vector engine does, unless another one is named."""


def folder_of(room: str) -> list[str]:
    """Return where the sources of a package are, without running it."""
    spec = find_spec(room)
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError(f"{room} is not a package")
    return list(spec.submodule_search_locations)


def package(name: str, folder: list[str]) -> ModuleType:
    """Return an empty package whose modules are found in that folder. Its ``__init__`` is not run."""
    found = sys.modules.get(name)
    if found is None:
        found = ModuleType(name)
        found.__path__ = folder
        sys.modules[name] = found
        parent, _, last = name.rpartition(".")
        if parent in sys.modules:
            setattr(sys.modules[parent], last, found)
    return found


class PackageCopy:
    """A second ``cartagena`` under the name ``root``. ``replaced`` maps names within it to other modules."""

    def __init__(self, root: str, replaced: dict[str, ModuleType]) -> None:
        self.root = root
        package(root, [])
        self._parents("kernel.any")
        for name, module in replaced.items():
            self.replace(name, module)

    def replace(self, name: str, module: ModuleType) -> None:
        """Use this module under that name. Modules loaded before keep what they have imported."""
        self._parents(name)
        sys.modules[f"{self.root}.{name}"] = module
        parent, _, last = f"{self.root}.{name}".rpartition(".")
        setattr(sys.modules[parent], last, module)

    def load(self, name: str) -> ModuleType:
        """Return this copy's version of ``cartagena.<name>``, for example ``kernel.step``."""
        self._parents(name)
        return import_module(f"{self.root}.{name}")

    def load_all(self, room: str, names: tuple[str, ...]) -> ModuleType:
        """Return a package with these modules in it."""
        for name in names:
            self.load(f"{room}.{name}")
        return sys.modules[f"{self.root}.{room}"]

    def _parents(self, name: str) -> None:
        parts = name.split(".")
        for size in range(1, len(parts)):
            room = ".".join(parts[:size])
            package(f"{self.root}.{room}", folder_of(f"cartagena.{room}"))


def compiled_copy(root: str, intrinsics: ModuleType, policy: str = UNIFORM, episode: str = EPISODE) -> PackageCopy:
    """Return a copy compiled by a backend's ``intrinsics``, with this policy and this kind of episode."""
    root += f"_{policy}" if policy != UNIFORM else ""
    root += f"_in_{episode.partition('.')[0]}" if episode != EPISODE else ""
    found = PackageCopy(root, {"kernel.intrinsics": intrinsics, "backends.portable.intrinsics": intrinsics})
    for name, module in (("backends.portable.policy", module_of(policy)), (EPISODE, episode)):
        if module != name:
            found.replace(name, found.load(module))
    return found
