"""Refuse to build a distribution without the browser table and its engine, which git does not hold."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PAGE = "src/cartagena/server/static/index.html"
ENGINE = "src/cartagena/data/cartagena.wasm"


class BrowserTable(BuildHookInterface[Any]):
    """Looks for the built browser table. Editable installations do without it."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """End the build with a sentence where the browser table is missing."""
        if version != "editable" and not Path(self.root, PAGE).is_file():
            raise SystemExit("The browser table is not built: run `make web` first, then build again.")
        if version != "editable" and not Path(self.root, ENGINE).is_file():
            raise SystemExit("The engine for browsers is not built: run `make wasm` first, then build again.")
