"""Rule sets: the games, their editions and options as data, compiled to the kernel's numbers."""

from cartagena.errors import RuleSetError

from .compile import compile_table
from .model import MAX_PIECES, MAX_SEATS, MIN_SEATS, RuleSet, check_deal
from .names import by_name, from_data, from_file, from_toml, load, names, rule_set, rule_sets, vary
from .toml_files import GAMES, editions

__all__ = [
    "GAMES",
    "MAX_PIECES",
    "MAX_SEATS",
    "MIN_SEATS",
    "RuleSet",
    "RuleSetError",
    "by_name",
    "check_deal",
    "compile_table",
    "editions",
    "from_data",
    "from_file",
    "from_toml",
    "load",
    "names",
    "rule_set",
    "rule_sets",
    "vary",
]
