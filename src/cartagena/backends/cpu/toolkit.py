"""``portable.toolkit`` and ``portable.generator`` compiled, for modules that are not loaded by ``loader``."""

from typing import TYPE_CHECKING

from .loader import compiled

if TYPE_CHECKING:
    from cartagena.backends.portable import generator, toolkit
    from cartagena.backends.portable.intrinsics import Numbers, Word, word
else:
    generator = compiled.load("backends.portable.generator")
    toolkit = compiled.load("backends.portable.toolkit")
    from .intrinsics import Numbers, Word, word

__all__ = [
    "FIRST",
    "GOLDEN",
    "SECOND",
    "Numbers",
    "Word",
    "apply",
    "below",
    "copy",
    "deal_card",
    "deal_hidden",
    "draw_card",
    "exp",
    "list_moves",
    "mix",
    "word",
]  # fmt: skip

FIRST, GOLDEN, SECOND, mix = generator.FIRST, generator.GOLDEN, generator.SECOND, generator.mix
apply, list_moves, copy = toolkit.apply, toolkit.list_moves, toolkit.copy
below, draw_card = toolkit.below, toolkit.draw_card
deal_card, deal_hidden = toolkit.deal_card, toolkit.deal_hidden
exp = toolkit.exp
