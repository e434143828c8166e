"""Web push: the example of RFC 8291, what a browser reads, and what a push service checks."""

import base64
import json
import os

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from cartagena.server.notify import push
from cartagena.server.notify.outbound import Forbidden
from cartagena.server.notify.push import CURVE, Signer, Subscription, decoded, encoded, encrypt, point

ENDPOINT = "https://push.example.net/send/abc"
BROWSER_KEY = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"


def private(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(decoded(text), "big"), CURVE)


def test_the_example_of_the_standard() -> None:
    to = Subscription.parse(ENDPOINT, BROWSER_KEY, SECRET)
    own = private("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
    salt = decoded("DGv6ra1nlYgDCS1FRnbzlw")
    sent = encrypt(to, b"When I grow up, I want to be a watermelon", own, salt)
    assert encoded(sent) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95b"
        "Qpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_every_message_has_keys_of_its_own() -> None:
    to = Subscription.parse(ENDPOINT, BROWSER_KEY, SECRET)
    assert encrypt(to, b"x") != encrypt(to, b"x")


def test_a_message_fits_in_one_record() -> None:
    to = Subscription.parse(ENDPOINT, BROWSER_KEY, SECRET)
    assert len(encrypt(to, b"x" * push.LARGEST)) == push.RECORD
    with pytest.raises(ValueError, match="at most"):
        encrypt(to, b"x" * (push.LARGEST + 1))


@pytest.mark.parametrize(
    ("key", "secret"),
    [
        ("", SECRET),
        (BROWSER_KEY, ""),
        (BROWSER_KEY[:-4], SECRET),
        ("é", SECRET),
        (encoded(b"\4" + os.urandom(64)), SECRET),  # no point of the curve
        (BROWSER_KEY, encoded(b"x" * 17)),
        (encoded(bytes(65)), SECRET),
    ],
    ids=["no key", "no secret", "short key", "no ASCII", "no point", "long secret", "zeros"],
)
def test_keys_that_are_none_are_refused(key: str, secret: str) -> None:
    with pytest.raises(Forbidden):
        Subscription.parse(ENDPOINT, key, secret)


def test_a_push_service_can_check_who_signed() -> None:
    signer = Signer(Signer.new_key(), "mailto:host@example.org")
    head, key = signer.authorization(ENDPOINT, 1_000_000.0).removeprefix("vapid t=").split(", k=")
    text, signature = head.rsplit(".", 1)
    raw = decoded(signature)
    public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decoded(key))
    whole = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public.verify(whole, text.encode(), ec.ECDSA(hashes.SHA256()))
    claims = json.loads(decoded(text.split(".")[1]))
    assert claims == {"aud": "https://push.example.net", "exp": 1_043_200, "sub": "mailto:host@example.org"}
    assert point(signer.key.public_key()) == decoded(signer.public)


def test_text_of_bytes_is_that_of_addresses() -> None:
    data = bytes(range(256))
    assert decoded(encoded(data)) == data
    assert encoded(data) == base64.urlsafe_b64encode(data).decode().rstrip("=")
