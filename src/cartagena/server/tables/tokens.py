"""Tokens and invitations: words of 192 random bits. Only their hashes are kept, and compared in constant time."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from typing import Final

from ..storage.rows import Key

TOKEN_BYTES: Final = 24
ID_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH: Final = 12


def new_token() -> str:
    """A word nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_table_id() -> str:
    """A table's public name: short enough to read out, too long to stumble upon."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def digest(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def find(keys: Iterable[Key], token: str, kind: str) -> Key | None:
    """The key that a token opens. Every key is compared, so the time tells nothing."""
    wanted = digest(token)
    found = None
    for key in keys:
        if hmac.compare_digest(key.digest, wanted) and key.kind == kind and not key.revoked:
            found = key
    return found
