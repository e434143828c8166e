"""What weights or a network are learned for."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cartagena.players.networks import set_name
from cartagena.rulesets import RuleSet, load


@dataclass(frozen=True)
class Scope:
    """A rule set, by its name or file, and numbers of seats."""

    rules: str
    tables: tuple[int, ...] = (2,)

    @cached_property
    def content(self) -> RuleSet:
        """The rule set, read once."""
        return load(self.rules)

    @property
    def name(self) -> str:
        """The name of what is learned."""
        return set_name(self.content.game, max(self.tables))

    @property
    def stem(self) -> str:
        """The name of the folder and the file: that of a rule set's own file, else of what is learned."""
        path = Path(self.rules)
        return set_name(path.stem, max(self.tables)) if path.suffix == ".toml" else self.name
