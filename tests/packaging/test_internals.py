"""Parts of other packages that are not public: used in one module each, bounded, and missed with one sentence."""

import ast
import re
import subprocess
import sys
import tomllib

import pytest
from packaging.requirements import Requirement
from tests.wheel import ROOT

from cartagena.server.http.uvicorn_internals import HTTP, SOCKET

SOURCES = ROOT / "src/cartagena"
MODULES = {"uvicorn": "server/http/uvicorn_internals.py", "numba": "backends/numba_internals.py"}
PRIVATE = re.compile(r"^ *(?:from|import) (uvicorn\.protocols|numba\.core|\w+(?:\.\w+)*\._\w+)", re.MULTILINE)
REMOVED = [
    ("uvicorn", "uvicorn.protocols.http.httptools_impl", "STATUS_LINE"),
    ("uvicorn", "uvicorn.protocols.http.httptools_impl:HttpToolsProtocol", "_start_asgi_task"),
    ("uvicorn", "uvicorn.protocols.websockets.websockets_sansio_impl:WebSocketsSansIOProtocol", "handle_ping"),
    ("numba", "numba.core.codegen:CPUCodeLibrary", "_optimize_functions"),
    ("numba", "numba.core.caching", "_CacheLocator"),
    ("numba", "numba.core.options:DefaultOptions", "_nrt"),
]


def test_they_are_imported_in_one_module_for_each_package() -> None:
    found = {
        (path.relative_to(SOURCES).as_posix(), name.partition(".")[0])
        for path in SOURCES.rglob("*.py")
        for name in PRIVATE.findall(path.read_text("utf-8"))
    }
    assert found == {(path, package) for package, path in MODULES.items()}


def test_their_packages_have_an_upper_bound() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [*project["dependencies"], *project["optional-dependencies"]["server"]]
    bounded = {item.name for item in map(Requirement, lines) if any(one.operator == "<" for one in item.specifier)}
    assert set(MODULES) <= bounded


@pytest.mark.parametrize(("package", "owner", "name"), REMOVED)
def test_a_version_without_one_is_refused_with_a_sentence(package: str, owner: str, name: str) -> None:
    module = "cartagena." + MODULES[package].removesuffix(".py").replace("/", ".")
    program = f"""
import pkgutil
delattr(pkgutil.resolve_name({owner!r}), {name!r})
from cartagena.errors import CartagenaError
try:
    import {module}
except CartagenaError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    part = rf"\S*{owner.rpartition(':')[2]}[.:]{name}\b"
    told = rf"{package} [\d.]+ has no {part}.*, which this version of Cartagena uses: install {package}[<>=]"
    assert (done.returncode, done.stderr) == (0, "")
    assert re.match(told, done.stdout), done.stdout


@pytest.mark.parametrize(
    ("kind", "listed"),
    [("HttpProtocol", HTTP), ("FrameProtocol", SOCKET)],
)
def test_everything_that_is_used_of_uvicorn_is_checked(kind: str, listed: tuple[str, ...]) -> None:
    tree = ast.parse((SOURCES / "server/http/connection.py").read_text("utf-8"))
    [found] = [node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == kind]
    own = {
        node.target.id for node in found.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    own |= {
        target.id
        for node in found.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    methods = {node.name for node in found.body if isinstance(node, ast.FunctionDef)}
    attributes = [node for node in ast.walk(found) if isinstance(node, ast.Attribute)]
    used = {node.attr for node in attributes if isinstance(node.value, ast.Name) and node.value.id == "self"}
    inherited = {
        node.attr for node in attributes if isinstance(node.value, ast.Call) and ast.unparse(node.value) == "super()"
    }
    [start] = [node for node in found.body if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
    set_here = {
        ast.unparse(node).removeprefix("self.")
        for node in ast.walk(start)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    needed = (used - methods - own - set_here) | inherited - {"__init__"}
    assert needed <= set(listed)
