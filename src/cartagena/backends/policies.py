"""The policies by which rollouts choose moves, by name.

A policy is a module with one rule, ``choose(table, state, key)``, written like the kernel: relative imports, functions
and numbers only (see ``portable/policy.py``). Every backend loads it again.
"""

from cartagena.errors import BackendError

UNIFORM = "uniform"
_modules = {UNIFORM: "backends.portable.policy"}


def register(name: str, module: str) -> None:
    """Register the module ``cartagena.<module>`` as a policy."""
    if not name.isidentifier():
        raise BackendError(f"a policy's name consists of letters and digits, not {name!r}.")
    _modules[name] = module


def module_of(name: str) -> str:
    """Return the module of a policy, as a name within ``cartagena``."""
    if name not in _modules:
        raise BackendError(f"{name!r} is not a policy; there are {', '.join(sorted(_modules))}.")
    return _modules[name]
