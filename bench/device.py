"""What both device scripts share: facts about the machine, the hand-over to other libraries, writing a report."""

import json
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

if not hasattr(np, "row_stack"):  # removed in NumPy 2.5, still used by some releases of numba-cuda
    np.row_stack = np.vstack  # type: ignore[attr-defined]

LIBRARIES = ("torch", "cupy", "jax")


def say(*parts: object) -> None:
    print(*parts, flush=True)


def machine_facts() -> dict[str, Any]:
    import numba
    import numba_cuda
    from numba import cuda

    device = cuda.get_current_device()
    name = device.name.decode() if isinstance(device.name, bytes) else str(device.name)
    facts = {"device": name, "multiprocessors": device.MULTIPROCESSOR_COUNT, "python": platform.python_version()}
    facts |= {"numpy": np.__version__, "numba": numba.__version__, "numba_cuda": numba_cuda.__version__}
    return facts | {"date": time.strftime("%Y-%m-%d", time.gmtime())}


def hand_over(taken: Callable[[str], bool]) -> dict[str, str]:
    """Return whether other libraries take our arrays without a copy."""
    found = {}
    for name in LIBRARIES:
        try:
            found[name] = "without a copy" if taken(name) else "COPIED"
        except Exception as error:  # each library is tried separately; its error is the result
            found[name] = f"{type(error).__name__}: {str(error)[:200]}"
        say("hand over to", name, found[name])
    return found


def handed(found: dict[str, Any]) -> list[str]:
    return ["", "Hand-over: " + "; ".join(f"{key}: {value}" for key, value in found["hand_over"].items()), ""]


def kept(folder: Path, name: str, found: dict[str, Any], lines: list[str]) -> str:
    """Write the report beside the figures and return it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(found, indent=1) + "\n")
    (folder / f"{name}.md").write_text("\n".join(lines))
    return "\n".join(lines)
