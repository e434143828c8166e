"""The policies by which rollouts choose moves, by name.

A policy is a module with one rule, ``choose(table, state, key)``, that holds functions and numbers only and imports
nothing but ``cartagena.kernel`` and ``cartagena.backends.portable`` (see ``portable/policy.py``). Every backend loads
it again, so that its imports lead to the backend's own copy of the rules.
"""

import hashlib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Final

from cartagena.errors import BackendError, shown

UNIFORM: Final = "uniform"
PLACE: Final = "backends.portable.policy"
"""The module that a policy takes the place of."""


@dataclass(frozen=True)
class Policy:
    """A policy: the file it is read from, and a key that is another one where the content is another one."""

    key: str
    path: Path | None = None


_policies = {UNIFORM: Policy(UNIFORM)}


def register(name: str, module: str | Path | ModuleType) -> None:
    """Add a policy for rollouts.

    Args:
        name: letters, digits and ``_``.
        module: a module, its name, or the path of a Python file. It has one function, ``choose(table, state, key)``,
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
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BackendError(f"{path}: cannot be read: {error.strerror or 'it is not a file'}.") from None
    key = f"{name}_{hashlib.sha256(content).hexdigest()[:10]}"
    _policies[name] = _policies[key] = Policy(key, path)


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
