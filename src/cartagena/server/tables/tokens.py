"""Tokens and invitations of 192 random bits. Only their hashes are kept, and compared in constant time."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ..storage.rows import Key

TOKEN_BYTES: Final = 24
ID_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
ID_LENGTH: Final = 12


@dataclass(frozen=True, slots=True)
class Requester:
    """The sender of a request: the chairs and seats held (none: a spectator), and whether it is the host."""

    key: int = 0
    chairs: tuple[int, ...] = ()
    seats: tuple[int, ...] = ()
    host: bool = False


SPECTATOR: Final = Requester()


def new_token() -> str:
    """A random token."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def new_table_id() -> str:
    """A table's public name: short enough to read out, too long to guess."""
    return "".join(secrets.choice(ID_LETTERS) for _ in range(ID_LENGTH))


def digest(token: str) -> str:
    """The hash of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def find(keys: Iterable[Key], token: str, kind: str) -> Key | None:
    """The valid key of a token. Every key is compared, so the time reveals nothing."""
    wanted = digest(token)
    found = None
    for key in keys:
        if hmac.compare_digest(key.digest, wanted) and key.kind == kind and not key.revoked:
            found = key
    return found
