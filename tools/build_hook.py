"""Refuse to build without the browser table and its engine, which git does not hold; write the bill of materials."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.append(str(Path(__file__).parent))
import bill_of_materials

PAGE = "src/cartagena/server/static/index.html"
INSTEAD = "run `make dist`, then `pip install dist/*.whl`"
ENGINE = "src/cartagena/data/cartagena.wasm"


class BrowserTable(BuildHookInterface[Any]):
    """Looks for the built browser table. Editable installations do without it."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """End the build with a sentence where the browser table is missing. A wheel gets its bill of materials."""
        if version == "editable":
            return
        if not Path(self.root, PAGE).is_file() or not Path(self.root, bill_of_materials.BUNDLED).is_file():
            raise SystemExit(f"The browser table is not built: {INSTEAD}; `pip install -e .` does without.")
        if not Path(self.root, ENGINE).is_file():
            raise SystemExit(f"The engine for browsers is not built: {INSTEAD}.")
        if self.target_name == "wheel":
            written = bill_of_materials.write(Path(self.root), Path(self.root, "build"))
            build_data["sbom_files"].append(str(written.relative_to(self.root)))
