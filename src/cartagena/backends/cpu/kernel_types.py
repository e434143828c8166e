"""``cpu.kernel`` as type checkers see it: the kernel's own modules."""

from cartagena.kernel import cards, chance, layout, legal, moves, reasons, step, track, validate, view

__all__ = ["cards", "chance", "layout", "legal", "moves", "reasons", "step", "track", "validate", "view"]
