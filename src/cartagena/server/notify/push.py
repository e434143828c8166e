"""Web push: messages encrypted for one browser (RFC 8291) and signed with the server's own key (VAPID, RFC 8292)."""

import base64
import json
import os
import struct
import time
from collections.abc import Mapping
from functools import cached_property
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from .outbound import Forbidden

CURVE: Final = ec.SECP256R1()
KEY_BYTES: Final = 65
SECRET_BYTES: Final = 16
SALT_BYTES: Final = 16
RECORD: Final = 4096
"""The size of an encrypted record: every message fits in one."""
LARGEST: Final = RECORD - 86 - 17
"""Bytes of a message: a record without its header, the mark of its end and the seal."""
HOURS: Final = 12
"""Hours that a signature is valid; push services accept 24."""


class Subscription(NamedTuple):
    """A browser that wants messages: where they are sent, its public key, and its secret."""

    endpoint: str
    key: bytes
    secret: bytes

    @classmethod
    def parse(cls, endpoint: str, p256dh: str, auth: str) -> "Subscription":
        """A subscription as a browser describes it. Raises Forbidden if its keys are none."""
        try:
            key, secret = decoded(p256dh), decoded(auth)
            ec.EllipticCurvePublicKey.from_encoded_point(CURVE, key)
        except (ValueError, InvalidKey):
            raise Forbidden("The keys of this subscription cannot be read.") from None
        if len(key) != KEY_BYTES or len(secret) != SECRET_BYTES:
            raise Forbidden("The keys of this subscription cannot be read.")
        return cls(endpoint, key, secret)


def encoded(data: bytes) -> str:
    """Bytes as text for addresses and headers."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """The bytes of such a text. Raises ValueError."""
    if not text.isascii():
        raise ValueError("not ASCII")
    return base64.b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), altchars=b"-_", validate=True)


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    """A public key as its 65 bytes."""
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def derived(secret: bytes, salt: bytes, info: bytes, size: int) -> bytes:
    """Bytes that follow from a secret for one purpose."""
    return HKDF(hashes.SHA256(), size, salt, info).derive(secret)


def encrypt(
    to: Subscription, message: bytes, own: ec.EllipticCurvePrivateKey | None = None, salt: bytes | None = None
) -> bytes:
    """Encrypt a message so that only the subscribed browser can read it. A test gives the key and the salt."""
    if len(message) > LARGEST:
        raise ValueError(f"a message has at most {LARGEST} bytes, not {len(message)}.")
    own = own or ec.generate_private_key(CURVE)
    salt = salt or os.urandom(SALT_BYTES)
    mine = point(own.public_key())
    shared = own.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, to.key))
    secret = derived(shared, to.secret, b"WebPush: info\0" + to.key + mine, 32)
    key = derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    head = salt + struct.pack("!IB", RECORD, len(mine)) + mine
    return head + AESGCM(key).encrypt(nonce, message + b"\2", None)


class Signer:
    """The server's own key, by which a push service knows whose messages they are."""

    def __init__(self, pem: bytes, contact: str) -> None:
        key = serialization.load_pem_private_key(pem, None)
        if not isinstance(key, ec.EllipticCurvePrivateKey):
            raise TypeError("the key of web push must be one of the curve P-256.")
        self.key, self.contact = key, contact

    @staticmethod
    def new_key() -> bytes:
        """A new private key, as it is stored."""
        return ec.generate_private_key(CURVE).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )

    @cached_property
    def public(self) -> str:
        """The public key, as browsers ask for it when they subscribe."""
        return encoded(point(self.key.public_key()))

    def authorization(self, endpoint: str, now: float) -> str:
        """The header that signs messages to the service of an endpoint."""
        parts = urlsplit(endpoint)
        head = {"typ": "JWT", "alg": "ES256"}
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": int(now) + HOURS * 3600, "sub": self.contact}
        text = ".".join(encoded(json.dumps(part, separators=(",", ":")).encode()) for part in (head, claims))
        r, s = decode_dss_signature(self.key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
        signature = encoded(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return f"vapid t={text}.{signature}, k={self.public}"

    @staticmethod
    def check(endpoint: str, p256dh: str, auth: str) -> None:
        """Raise Forbidden if a subscription has no keys that can be used."""
        Subscription.parse(endpoint, p256dh, auth)

    @staticmethod
    def sealed(endpoint: str, p256dh: str, auth: str, message: bytes) -> bytes:
        """A message that only the browser of a subscription can read. The subscription was checked before."""
        return encrypt(Subscription(endpoint, decoded(p256dh), decoded(auth)), message)

    def headers(self, endpoint: str, topic: str, lasts: int, *, urgent: bool) -> Mapping[str, str]:
        """The headers of a message: the seconds that it is worth sending, and the topic, which a later one replaces."""
        return {
            "Authorization": self.authorization(endpoint, time.time()),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(lasts),
            "Topic": topic,
            "Urgency": "high" if urgent else "normal",
        }
