"""Writes the OpenAPI description: ``python -m cartagena.server.protocol.openapi > openapi.json``."""

import json
import sys
from typing import Any

from pydantic import TypeAdapter

from ..app import create_app
from ..http.websocket import Command, Hello
from ..settings import Settings
from .responses import Ack, Rejected, Update


def describe() -> dict[str, Any]:
    """The HTTP interface with its models, and under ``x-socket`` what goes through the socket."""
    found: dict[str, Any] = create_app(Settings()).openapi()
    schemas = found["components"]["schemas"]
    template = "#/components/schemas/{model}"
    models: dict[str, Any] = {"Hello": Hello, "Command": Command, "Update": Update, "Ack": Ack, "Rejected": Rejected}
    for name, kind in models.items():
        schema = TypeAdapter(kind).json_schema(ref_template=template)
        schemas |= schema.pop("$defs", {})
        schemas[name] = schema
    names = {
        "first": "Hello",
        "commands": "Command",
        "updates": "Update",
        "acknowledged": "Ack",
        "rejected": "Rejected",
    }
    found["x-socket"] = {
        "address": "/api/tables/{table}/live",
        **{key: {"$ref": template.format(model=name)} for key, name in names.items()},
    }
    return found


if __name__ == "__main__":
    json.dump(describe(), sys.stdout, indent=1, ensure_ascii=False)
    sys.stdout.write("\n")
