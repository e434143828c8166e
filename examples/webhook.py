"""A receiver of webhooks: prints what a table tells, once, after checking who sent it (docs/hosting.md).

``python examples/webhook.py SECRET`` beside the files ``cert.pem`` and ``key.pem`` listens at https://localhost:8443/.
"""

import hashlib
import hmac
import json
import ssl
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer

SECRET = sys.argv[1]
seen: set[str] = set()


def is_genuine(header: str, body: bytes) -> bool:
    """Whether the table's server has signed the body."""
    parts = dict(part.partition("=")[::2] for part in header.split(","))
    signed = hmac.new(SECRET.encode(), parts.get("t", "").encode() + b"." + body, hashlib.sha256)
    return hmac.compare_digest(signed.hexdigest().encode(), parts.get("v1", "").encode())


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        genuine = is_genuine(self.headers.get("Cartagena-Signature", ""), body)
        cause = self.headers.get("Idempotency-Key", "")
        if genuine and cause not in seen:  # a message that was sent twice is told once
            seen.add(cause)
            told = json.loads(body)
            print(f"{told['kind']} at table {told['table']}, chairs {told['chairs']}", flush=True)
        self.send_response(204 if genuine else 400)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Print nothing else."""


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain("cert.pem", "key.pem")
server = HTTPServer(("127.0.0.1", 8443), Receiver)
server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
