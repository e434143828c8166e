"""What the generator needs of the machine under it: words of 64 bits without a sign. Plain Python has no such bound."""

from typing import Final, TypeAlias

Word: TypeAlias = int
"""A whole number from 0 to 2**64 - 1."""

word: Final = int
"""Makes a constant such a word."""

number: Final = int
"""Makes a word below 2**63 an ordinary whole number."""
