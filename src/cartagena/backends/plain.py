"""The reference backend: the kernel as plain Python, slow and without a compiler."""

from types import ModuleType

from cartagena.kernel import layout as at

from .loader import PackageCopy, once, with_policy
from .openings import Start
from .policies import UNIFORM
from .portable import deal, generator, playout
from .results import LENGTHS, Tally


@once
def playout_with(policy: str) -> ModuleType:
    """Return the module that plays games with this policy."""
    if policy == UNIFORM:
        return playout
    return with_policy(PackageCopy(f"cartagena.backends._plain_{policy}", {}), policy).load("backends.portable.playout")


def opening(start: Start, seed: int, game: int) -> tuple[list[int], int]:
    """Return the words that a game starts from and its key."""
    words = [0] * at.WORDS
    key = deal.set_up(start.table, start.plan, start.words, words, generator.key_of(seed, game))
    return words, key


def rollout(start: Start, seed: int, first: int, last: int, cap: int, policy: str = UNIFORM) -> Tally:
    """Play the games ``first`` to ``last`` - 1 of a seed."""
    play = playout_with(policy).play
    tally = Tally.empty()
    for game in range(first, last):
        words, key = opening(start, seed, game)
        made = play(start.table, words, key, cap)
        tally.ends[words[at.OVER]] += 1
        tally.lengths[min(made, LENGTHS - 1)] += 1
        tally.actions += made
    return tally
