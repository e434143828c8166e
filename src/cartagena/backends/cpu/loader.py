"""The package compiled for this processor: a copy for each policy, because a policy is compiled into its games."""

from functools import cache

from cartagena.backends.loader import PackageCopy, compiled_copy
from cartagena.backends.policies import UNIFORM

from . import intrinsics


@cache
def compiled_with(policy: str) -> PackageCopy:
    """Return the copy in which games are played with this policy."""
    return compiled_copy("cartagena.backends._compiled", intrinsics, policy)


compiled = compiled_with(UNIFORM)
