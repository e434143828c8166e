"""The software bill of materials of a wheel, as CycloneDX JSON: what it contains, and what it needs.

``python tools/bill_of_materials.py`` prints it. It has no time of day, so that the same sources give the same bytes.
"""

import base64
import json
import re
import sys
import tomllib
import uuid
from pathlib import Path
from typing import Any
from urllib.parse import quote

NAME = "cartagena.cdx.json"
BUNDLED = "src/cartagena/server/static/bundled.json"
LOCKED = "requirements/serve.txt"
GROUP = "cartagena:group"


def python_parts(root: Path) -> list[dict[str, Any]]:
    """The Python packages that the server needs, in the versions that are tested and that the container installs."""
    found = re.findall(r"^([\w.-]+)(?:\[.*?\])?==([\w.!+]+)", (root / LOCKED).read_text("utf-8"), re.MULTILINE)
    return [part("pypi", name.lower().replace("_", "-"), version, "locked") for name, version in sorted(found)]


def npm_parts(root: Path) -> list[dict[str, Any]]:
    """The npm packages whose code is part of the built browser table."""
    listed = json.loads((root / BUNDLED).read_text("utf-8"))
    return [
        {
            **part("npm", item["name"], item["version"], "bundled"),
            "licenses": [licence(item["licence"])],
            "hashes": [{"alg": "SHA-512", "content": base64.b64decode(item["integrity"].partition("-")[2]).hex()}],
        }
        for item in listed
    ]


def part(kind: str, name: str, version: str, group: str) -> dict[str, Any]:
    """One component. Its group says whether the wheel contains it or needs it."""
    address = f"pkg:{kind}/{quote(name)}@{version}"
    return {
        "type": "library",
        "bom-ref": address,
        "name": name,
        "version": version,
        "purl": address,
        "properties": [{"name": GROUP, "value": group}],
    }


def licence(text: str) -> dict[str, Any]:
    """A licence by its SPDX name, or several in an expression."""
    return {"expression": text} if " " in text else {"license": {"id": text}}


def bill(root: Path) -> dict[str, Any]:
    """The whole document."""
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    own = part("pypi", project["name"], project["version"], "bundled")
    own |= {"type": "application", "description": project["description"]}
    own["licenses"] = [licence(project["license"])]
    parts = [*npm_parts(root), *python_parts(root)]
    inside = json.dumps([own, parts], sort_keys=True)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, inside)}",
        "version": 1,
        "metadata": {"component": own},
        "components": parts,
        "dependencies": [{"ref": own["bom-ref"], "dependsOn": sorted(item["bom-ref"] for item in parts)}],
    }


def write(root: Path, folder: Path) -> Path:
    """Write the document into a folder. Returns its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / NAME
    path.write_text(json.dumps(bill(root), indent=1) + "\n", "utf-8")
    return path


if __name__ == "__main__":
    json.dump(bill(Path(__file__).parents[1]), sys.stdout, indent=1)
    sys.stdout.write("\n")
