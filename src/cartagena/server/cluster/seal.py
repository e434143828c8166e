"""Encryption of what the servers of a database tell each other: other readers of Redis, such as bot workers, see none.

The key is kept in the database. What is sealed is encrypted and cannot be changed on the way (AES-GCM).
"""

import base64
import binascii
import hashlib
import json
import os
from typing import Any, Final

NONCE: Final = 12


class Seal:
    """Seals values that JSON can hold, and names that only have to be the same at all servers."""

    def __init__(self, key: str) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        self.key = bytes.fromhex(key)
        self.cipher = AESGCM(self.key)

    def close(self, value: object) -> str:
        """The value as a text that tells nothing but its length."""
        nonce = os.urandom(NONCE)
        return base64.b64encode(nonce + self.cipher.encrypt(nonce, json.dumps(value).encode(), None)).decode()

    def open(self, text: str) -> Any:
        """The value of a sealed text. Raises ValueError for one of another key."""
        from cryptography.exceptions import InvalidTag

        try:
            data = base64.b64decode(text, validate=True)
            return json.loads(self.cipher.decrypt(data[:NONCE], data[NONCE:], None))
        except (InvalidTag, binascii.Error) as error:
            raise ValueError("sealed with another key") from error

    def name(self, text: str) -> str:
        """A name that stands for a text."""
        return hashlib.blake2b(text.encode(), key=self.key, digest_size=16).hexdigest()
