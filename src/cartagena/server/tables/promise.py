"""The promise of a table: the commitment to its deal, published before any person adds randomness."""

from cartagena.game.fair_deal import SIZES, Terms, commitment
from cartagena.rulesets import by_name

from .state import Table


def table_terms(table: Table) -> Terms:
    """What the commitment of a table binds besides its secret."""
    setup = table.setup
    sizes = tuple(getattr(setup, key) for key in SIZES.values())
    return Terms(table.id, by_name(setup.rules).name, table.seats, setup.style, sizes, setup.lots)


def table_commitment(table: Table) -> str:
    """The commitment to the deal; that of a table of version 0.1.0 binds the secret only."""
    return commitment(table.secret, table_terms(table) if table.setup.promise == 2 else None)
