"""Compile the environments ahead of time. Importing this module adds them to ``cartagena warmup``."""

from cartagena.backends.warmup import also

from .tables import Settings, Tables


def warm_environments() -> None:
    """Compile the vector engine of the environments, which all games and numbers of seats share."""
    tables = Tables(Settings.of("jamaica-en", 2))
    tables.start()
    tables.step(tables.sample())
    tables.look(0)
    tables.afterstates()


also("environments", warm_environments)
