"""How moves are chosen in rollouts, by name.

A policy is a module with one rule, ``choose(table, state, key)``, written like the kernel: relative imports, functions
and numbers only (``common/policy.py`` is the shortest one). Every backend loads it again for itself.
"""

from cartagena.errors import BackendError

UNIFORM = "uniform"
_modules = {UNIFORM: "backends.portable.policy"}


def register(name: str, module: str) -> None:
    """Make the module ``cartagena.<module>`` known as a policy."""
    if not name.isidentifier():
        raise BackendError(f"a policy's name is a word of letters and digits, not {name!r}.")
    _modules[name] = module


def module_of(name: str) -> str:
    """Where a policy lives, as a name within ``cartagena``."""
    if name not in _modules:
        raise BackendError(f"{name!r} is no policy; there are {', '.join(sorted(_modules))}.")
    return _modules[name]
