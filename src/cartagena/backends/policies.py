"""The policies by which rollouts choose moves, by name.

A policy is a module with one rule, ``choose(rules, state, key)``, that holds functions and numbers only and imports
nothing but ``cartagena.kernel`` and ``cartagena.backends.portable`` (see ``portable/policy.py``). Every backend loads
it again, so that its imports lead to the backend's own copy of the rules. Its text is read once, when it is registered:
compiled code lies on disk under a key of that text and of nothing else outside of the package.
"""

import ast
import hashlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Final

from cartagena.errors import BackendError, shown

UNIFORM: Final = "uniform"
MODULE: Final = "backends.portable.policy"
"""The module that a policy replaces."""


COVERED: Final = frozenset({"cartagena", "llvmlite", "numba", "numpy"}) | sys.stdlib_module_names
"""Packages that a policy may import: the name of the folder of compiled code depends on them."""


@dataclass(frozen=True)
class Policy:
    """A policy: its text, the file that errors name, and a key that is a hash of the text."""

    key: str
    text: str = ""
    path: Path | None = None


_policies = {UNIFORM: Policy(UNIFORM)}


def register(name: str, module: str | Path | ModuleType) -> None:
    """Add a policy for rollouts.

    Args:
        name: letters, digits and ``_``.
        module: a module, its name, or the path of a Python file. It has one function, ``choose(rules, state, key)``,
            marked ``@rule``.

    >>> from cartagena.backends import register, rollouts
    >>> register("any", "cartagena.backends.portable.policy")
    >>> rollouts("tortuga-en", games=2, policy="any", backend="plain", cap=30).games
    2
    """
    if not isinstance(name, str) or not name.isidentifier():
        raise BackendError(f"a policy's name consists of letters and digits, not {shown(name)}.")
    if name == UNIFORM:
        raise BackendError(f"there is already a policy {name}.")
    path = file_of(module)
    text = text_of(path)
    key = f"{name}_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    _policies[name] = _policies[key] = Policy(key, text, path)


def text_of(path: Path) -> str:
    """Read a policy. Raises BackendError if it cannot be read, or imports what its key does not depend on."""
    try:
        text = path.read_bytes().decode()
        tree = ast.parse(text)
    except OSError as error:
        raise BackendError(f"{path}: cannot be read: {error.strerror or 'it is not a file'}.") from None
    except (SyntaxError, ValueError) as error:
        raise BackendError(f"{path}: cannot be run: {type(error).__name__}: {error}") from None
    for name in imported(tree):
        if name.partition(".")[0] not in COVERED:
            raise BackendError(
                f"{path}: imports {name[:60]}; a policy imports only cartagena and the standard library."
            )
    return text


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield the modules that a source imports by absolute names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module is not None:
            yield node.module


def file_of(module: str | Path | ModuleType) -> Path:
    """The file of a module."""
    if isinstance(module, Path) or (isinstance(module, str) and module.endswith(".py")):
        return Path(module)
    name = module.__name__ if isinstance(module, ModuleType) else module
    origin = getattr(module, "__file__", None)
    try:
        spec = None if origin else find_spec(name)
    except (ImportError, ValueError):
        spec = None
    origin = origin or (spec.origin if spec is not None else None)
    if origin is None:
        raise BackendError(f"there is no module {name[:60]} with a policy.")
    return Path(origin)


def policy_of(name: str) -> Policy:
    """The policy of that name or key. Raises BackendError."""
    if not isinstance(name, str) or name not in _policies:
        known = sorted(each for each, policy in _policies.items() if each == UNIFORM or each != policy.key)
        raise BackendError(f"{shown(name)} is not a policy; there are {', '.join(known)}.")
    return _policies[name]
