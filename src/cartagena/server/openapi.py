"""The OpenAPI description of the server: ``python -m cartagena.server.openapi > openapi.json``."""

import json
import sys
from typing import Any, Final

from pydantic import TypeAdapter

from .app import create_app
from .protocol.requests import PROTOCOL, Command, Hello
from .protocol.responses import Ack, Rejected, Update
from .settings import Settings

SOCKET: Final[dict[str, tuple[str, Any]]] = {
    "first": ("Hello", Hello),
    "commands": ("Command", Command),
    "updates": ("Update", Update),
    "acknowledged": ("Ack", Ack),
    "rejected": ("Rejected", Rejected),
}


def api_schema() -> dict[str, Any]:
    """The HTTP interface with its models, and the messages of the socket under ``x-socket``."""
    description = create_app(Settings()).openapi()
    schemas = description["components"]["schemas"]
    reference = "#/components/schemas/{model}"
    description["x-protocol"] = PROTOCOL
    socket = description["x-socket"] = {"address": "/api/tables/{table}/live"}
    for role, (name, model) in SOCKET.items():
        schema = TypeAdapter(model).json_schema(ref_template=reference)
        schemas |= schema.pop("$defs", {})
        schemas[name] = schema
        socket[role] = {"$ref": reference.format(model=name)}
    return description


if __name__ == "__main__":
    json.dump(api_schema(), sys.stdout, separators=(",", ":"), ensure_ascii=False)
    sys.stdout.write("\n")
