"""The package compiled for this processor, with a policy and a kind of episode compiled in."""

from cartagena.backends.loader import EPISODE, PackageCopy, compiled_copy, once
from cartagena.backends.policies import UNIFORM

from . import intrinsics


@once
def compiled_with(policy: str = UNIFORM, episode: str = EPISODE) -> PackageCopy:
    """Return the copy that has this policy and this kind of episode."""
    return compiled_copy("cartagena.backends._compiled", intrinsics, policy, episode)


compiled = compiled_with()
