"""Tokens and invitations of 192 random bits. Only their hashes are kept, and compared in constant time."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ..protocol.errors import Refused
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

    def must_hold(self, seat: int | None) -> None:
        """Refuse a seat that is named and not held."""
        if seat is not None and seat not in self.seats:
            raise Refused("not-allowed", f"Seat {seat} is not yours.")

    def must_be_seated(self) -> None:
        """Refuse a spectator."""
        if not self.seats:
            raise Refused("not-seated", "Only seated players can do that.")


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
    match = None
    for key in keys:
        if hmac.compare_digest(key.digest, wanted) and key.kind == kind and not key.revoked:
            match = key
    return match


def no_seat() -> Refused:
    return Refused("not-seated", "That token holds no seat at this table.")


def seat_key(keys: Iterable[Key], token: str) -> Key:
    """The valid key of a token that holds seats. Refused if there is none."""
    key = find(keys, token, "seat")
    if key is None:
        raise no_seat()
    return key
