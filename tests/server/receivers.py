"""Receivers of messages for the tests: a push service that decrypts what arrives, a webhook, a mail server."""

import json
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import trustme
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from cartagena.server.notify import mail, outbound
from cartagena.server.notify.push import CURVE, derived, encoded, point

from .rig import PATIENCE, held_port


class Arrived(NamedTuple):
    """A request that arrived."""

    path: str
    headers: dict[str, str]
    body: bytes


class Receiver:
    """An https server on this machine that remembers what arrives. ``answers`` are the statuses it gives by path.

    It answers while ``answering`` is set.
    """

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        authority = trustme.CA()
        authority.cert_pem.write_to_path(str(folder / "authority.pem"))
        monkeypatch.setenv("SSL_CERT_FILE", str(folder / "authority.pem"))
        monkeypatch.setattr(outbound, "SECONDS", PATIENCE)  # a busy machine is not a service that does not answer
        outbound.secure.cache_clear()
        self.arrived: list[Arrived] = []
        self.answers: dict[str, list[int]] = {}
        self.news = threading.Condition()
        self.answering = threading.Event()
        self.answering.set()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                with receiver.news:
                    found = Arrived(self.path, {key.lower(): value for key, value in self.headers.items()}, body)
                    receiver.arrived.append(found)
                    receiver.news.notify_all()
                    waiting = receiver.answers.get(self.path, [])
                    status = waiting.pop(0) if waiting else 201
                receiver.answering.wait(PATIENCE)
                self.send_response(status)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert("localhost").configure_cert(context)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"https://localhost:{self.server.server_port}"

    def wait_for(self, number: int, path: str) -> list[Arrived]:
        """What has arrived at a path once there is so much."""
        with self.news:
            assert self.news.wait_for(lambda: len(self.at(path)) >= number, PATIENCE), self.arrived
            return self.at(path)

    def at(self, path: str) -> list[Arrived]:
        return [each for each in self.arrived if each.path == path]


@contextmanager
def receiving(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    receiver = Receiver(folder, monkeypatch)
    thread = threading.Thread(target=receiver.server.serve_forever)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.server.shutdown()
        receiver.server.server_close()
        thread.join()
        outbound.secure.cache_clear()


class Browser:
    """A browser with a push subscription. It reads what only it can read."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.key = ec.generate_private_key(CURVE)
        self.secret = b"0123456789abcdef"

    @property
    def subscription(self) -> dict[str, str]:
        public = encoded(point(self.key.public_key()))
        return {"endpoint": self.endpoint, "p256dh": public, "auth": encoded(self.secret)}

    def read(self, body: bytes) -> dict[str, Any]:
        """Decrypt a message as RFC 8291 says."""
        salt, theirs, sealed = body[:16], body[21:86], body[86:]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
        mine = point(self.key.public_key())
        secret = derived(shared, self.secret, b"WebPush: info\0" + mine + theirs, 32)
        key = derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(secret, salt, b"Content-Encoding: nonce\0", 12)
        text = AESGCM(key).decrypt(nonce, sealed, None)
        assert text[-1:] == b"\2"
        found: dict[str, Any] = json.loads(text[:-1])
        return found


class Mailbox:
    """A mail server that takes everything, apart from mail to ``refused``."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.refused: set[str] = set()
        self.news = threading.Condition()

    async def handle_RCPT(  # noqa: N802
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any
    ) -> str:
        if address in self.refused:
            return "550 no such person"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        arrived = message_from_bytes(envelope.content, _class=EmailMessage, policy=policy.default)
        with self.news:
            self.mails.append(arrived)
            self.news.notify_all()
        return "250 OK"

    def wait_for(self, number: int) -> EmailMessage:
        """The mail of that number, from 1."""
        with self.news:
            assert self.news.wait_for(lambda: len(self.mails) >= number, PATIENCE), self.mails
            return self.mails[number - 1]


@contextmanager
def mailbox() -> Iterator[tuple[Mailbox, str]]:
    """A mail server and its address."""
    box = Mailbox()
    with held_port() as held:
        port = held.getsockname()[1]
        controller = Controller(box, hostname="127.0.0.1", port=port, ready_timeout=PATIENCE)
        controller.start()
        try:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(mail, "SECONDS", PATIENCE)
                yield box, f"smtp://127.0.0.1:{port}"
        finally:
            controller.stop()
