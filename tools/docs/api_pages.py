"""The pages of the server's interface, made from its OpenAPI description and the schema of the socket's messages."""

import json
from pathlib import Path
from typing import Any

Schema = dict[str, Any]


def pages(path: Path) -> dict[str, str]:
    """The pages by path."""
    found: Schema = json.loads(path.read_text("utf-8"))
    return {
        "protocols/http.md": requests_page(found),
        "protocols/socket.md": socket_page(found),
        "protocols/objects.md": objects_page(found),
    }


def requests_page(api: Schema) -> str:
    """Every request with its fields and answers."""
    lines = [
        "# HTTP requests",
        "",
        (
            f"Version {api['x-protocol']} of the interface, made from its OpenAPI description, which a server has at "
            "`/api/openapi.json`. [The server](../server-api.md) explains how the requests belong together."
        ),
    ]
    for address, verbs in api["paths"].items():
        for verb, request in verbs.items():
            lines += [
                "",
                f"## `{verb.upper()} {address}`",
                "",
                one_line(request.get("description") or request["summary"]),
            ]
            lines += parameters(request.get("parameters", []))
            if body := request.get("requestBody"):
                lines += ["", f"Body: {kind(body['content']['application/json']['schema'])}"]
            lines += answers(request["responses"])
    return "\n".join(lines) + "\n"


def parameters(given: list[Schema]) -> list[str]:
    if not given:
        return []
    rows = [
        f"| `{item['name']}` | {item['in']} | {kind(item['schema'])} | {one_line(item.get('description', ''))} |"
        for item in given
    ]
    return ["", "| parameter | where | type | meaning |", "| --- | --- | --- | --- |", *rows]


def answers(given: Schema) -> list[str]:
    rows = []
    for status, answer in given.items():
        content = answer.get("content", {}).get("application/json", {}).get("schema")
        rows.append(f"| {status} | {one_line(answer['description'])} | {kind(content) if content else ''} |")
    return ["", "| status | meaning | answer |", "| --- | --- | --- |", *rows]


def socket_page(api: Schema) -> str:
    """Every message of the socket."""
    socket, schemas = api["x-socket"], api["components"]["schemas"]
    commands = schemas["Command"]["discriminator"]["mapping"]
    rows = [f"| `{name}` | {kind({'$ref': target})} |" for name, target in sorted(commands.items())]
    setup = kind({"$ref": "#/components/schemas/TableSetup"})
    answers = [
        f"| `setup` | `setup`: {setup}; the first message to a client that named no `after` |",
        f"| `update` | {kind(socket['updates'])} |",
        f"| `ack` | {kind(socket['acknowledged'])} |",
        f"| `rejected` | {kind(socket['rejected'])} |",
        "| `pong` | `n`: the number of the `ping` |",
        "| `heartbeat` | no other key; sent when there is nothing else |",
    ]
    return "\n".join(
        [
            "# Socket messages",
            "",
            (
                f"The socket of a table is at `{socket['address']}`. Its first message is {kind(socket['first'])}; "
                "[live updates](../server-api.md#live-updates) explains the rest."
            ),
            "",
            "## What a client sends",
            "",
            "| `type` | message |",
            "| --- | --- |",
            *rows,
            "",
            "## What the server sends",
            "",
            "| `type` | message |",
            "| --- | --- |",
            *answers,
            "",
        ]
    )


def objects_page(api: Schema) -> str:
    """Every object of the interface with its fields."""
    lines = ["# Objects", "", "The objects of requests, answers and messages, with their fields."]
    for name, schema in sorted(api["components"]["schemas"].items()):
        lines += ["", f"## {name}", "", one_line(schema.get("description", ""))]
        if fields := schema.get("properties"):
            required = set(schema.get("required", ()))
            lines += ["", "| field | type | required | meaning |", "| --- | --- | --- | --- |"]
            lines += [field(key, value, key in required) for key, value in fields.items()]
        else:
            lines += ["", kind(schema)]
        for example in schema.get("examples", ()):
            lines += ["", "```json", json.dumps(example, ensure_ascii=False), "```"]
    return "\n".join(lines) + "\n"


def field(name: str, schema: Schema, required: bool) -> str:
    about = one_line(schema.get("description", ""))
    return f"| `{name}` | {kind(schema)} | {'yes' if required else ''} | {about} |"


def kind(schema: Schema) -> str:
    """A type in words, with links to objects."""
    if target := schema.get("$ref"):
        name = target.rpartition("/")[2]
        return f"[{name}](objects.md#{name.lower()})"
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(kind(part) for part in schema[several]))
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {kind(schema.get('items', {}))}"
    return str(schema.get("type", "any")) + limits(schema)


def limits(schema: Schema) -> str:
    """The bounds of a number or a text, in brackets."""
    least, most = schema.get("minimum", schema.get("minLength")), schema.get("maximum", schema.get("maxLength"))
    if least is None and most is None:
        return ""
    return f" ({'' if least is None else f'{least:g}'} to {'' if most is None else f'{most:g}'})"


def one_line(text: str) -> str:
    """A description that fits into a cell of a table."""
    return " ".join(text.replace("``", "`").replace("|", "\\|").split())
