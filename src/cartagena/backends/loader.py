"""Loading the rules again under another name, compiled for another machine.

A copy is a second ``cartagena`` whose modules are loaded from the same files, except those that are replaced: above all
``kernel.intrinsics``, whose ``rule`` is then a compiler. Only modules that import one another by relative names and
hold functions and numbers can be loaded into a copy. A file from outside may also name ``cartagena`` itself; such
imports are redirected to the copy.
"""

import ast
import sys
from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Final, ParamSpec, TypeVar

from cartagena.errors import BackendError

from .policies import MODULE, UNIFORM, policy_of

EPISODE: Final = "backends.portable.episode"
"""The module that says what a step of a vector engine does, unless another one is named."""

PACKAGE: Final = Path(__file__).resolve().parent.parent
COMPILED_ROOMS: Final = (
    "kernel", "backends.portable", "backends.cpu", "backends.cuda", "players.compiled", "rl.compiled",
)  # fmt: skip
"""The folders that a copy has as empty packages from the beginning.

An import among its modules would run the ``__init__`` of any other folder; that of ``backends.cpu`` makes copies.
"""

P = ParamSpec("P")
R = TypeVar("R")
_loading = RLock()


def once(make: Callable[P, R]) -> Callable[P, R]:
    """Keep the results of a function, as ``cache`` does, and make each only once also where several threads ask."""
    kept = cache(make)

    @wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> R:
        with _loading:
            return kept(*args, **kwargs)  # type: ignore[arg-type]  # what is given can be hashed

    return made


def folder_of(room: str) -> list[str]:
    """Return where the sources of a room of the package are, without running it."""
    folder = PACKAGE.joinpath(*room.split("."))
    if not folder.is_dir():
        raise ModuleNotFoundError(f"cartagena.{room} is not a package")
    return [str(folder)]


def package(name: str, folder: list[str]) -> ModuleType:
    """Return an empty package whose modules are found in that folder. Its ``__init__`` is not run."""
    with _loading:
        made = sys.modules.get(name)
        if made is None:
            made = ModuleType(name)
            made.__path__ = folder
            sys.modules[name] = made
            parent, _, last = name.rpartition(".")
            if parent in sys.modules:
                setattr(sys.modules[parent], last, made)
        return made


class PackageCopy:
    """A second ``cartagena`` under the name ``root``. ``replaced`` maps names within it to other modules."""

    def __init__(self, root: str, replaced: dict[str, ModuleType]) -> None:
        self.root = root
        package(root, [])
        for room in COMPILED_ROOMS:
            self._parents(f"{room}.any")
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

    def load_text(self, name: str, text: str, path: Path) -> None:
        """Load a module from outside of the package under that name. ``path`` is the file that errors name."""
        self._parents(name)
        module = ModuleType(f"{self.root}.{name}")
        module.__package__, module.__file__ = module.__name__.rpartition(".")[0], str(path)
        sys.modules[module.__name__] = module
        try:
            tree = Redirect(self.root).visit(ast.parse(text, str(path)))
            exec(compile(tree, str(path), "exec"), vars(module))  # noqa: S102  # the user's own code
        except Exception as error:
            raise BackendError(f"{path}: cannot be run: {type(error).__name__}: {error}") from None
        if not callable(getattr(module, "choose", None)):
            raise BackendError(f"{path}: has no function choose(rules, state, key).")
        self.replace(name, module)

    def _parents(self, name: str) -> None:
        parts = name.split(".")
        for size in range(1, len(parts)):
            room = ".".join(parts[:size])
            package(f"{self.root}.{room}", folder_of(room))


class Redirect(ast.NodeTransformer):
    """Let imports from ``cartagena`` lead to the copy under the name ``root``."""

    def __init__(self, root: str) -> None:
        self.root = root

    def renamed(self, name: str) -> str:
        first, _, rest = name.partition(".")
        return (
            f"{self.root}.{rest}" if first == "cartagena" and rest.startswith(("kernel", "backends.portable")) else name
        )

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:  # named by ast
        if node.level == 0 and node.module is not None:
            node.module = self.renamed(node.module)
        return node

    def visit_Import(self, node: ast.Import) -> ast.Import:
        for alias in node.names:
            if alias.asname is not None:
                alias.name = self.renamed(alias.name)
        return node


def with_policy(copy: PackageCopy, name: str) -> PackageCopy:
    """Replace the usual policy of a copy by the one of that name."""
    policy = policy_of(name)
    if policy.path is not None:
        copy.load_text(MODULE, policy.text, policy.path)
    return copy


def compiled_copy(root: str, intrinsics: ModuleType, policy: str = UNIFORM, episode: str = EPISODE) -> PackageCopy:
    """Return a copy compiled by a backend's ``intrinsics``, with this policy and this kind of episode."""
    root += f"_{policy}" if policy != UNIFORM else ""
    root += f"_in_{episode.partition('.')[0]}" if episode != EPISODE else ""
    copy = PackageCopy(root, {"kernel.intrinsics": intrinsics, "backends.portable.intrinsics": intrinsics})
    with_policy(copy, policy)
    if episode != EPISODE:
        copy.replace(EPISODE, copy.load(episode))
    return copy
