"""Webhooks: what happens at a table as signed JSON, for a program of the host."""

import hashlib
import hmac
import json
from typing import Final

from ..storage.rows import read_chairs
from .outbox import Row

SIGNATURE: Final = "Cartagena-Signature"


def body_of(row: Row) -> bytes:
    """What is sent about a notice. Nothing in it is hidden from anyone at the table."""
    told = {
        "id": row.cause, "kind": row.kind, "table": row.table_id, "chairs": list(read_chairs(row.chairs)),
        "seq": row.number, "at": row.at,
    }  # fmt: skip
    return json.dumps(told, separators=(",", ":")).encode()


def sign(secret: str, body: bytes, at: int) -> str:
    """The signature of a body that is sent at ``at`` seconds since 1970: HMAC-SHA-256 of ``AT.BODY``."""
    mark = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={mark}"


def headers_of(row: Row, secret: str, body: bytes, at: int) -> dict[str, str]:
    """The headers of a request."""
    return {
        "Content-Type": "application/json",
        "User-Agent": "Cartagena",
        "Idempotency-Key": row.cause,
        SIGNATURE: sign(secret, body, at),
    }
