"""What the wheel and the source distribution contain and declare, and that the same sources give the same bytes."""

import email
import gzip
import hashlib
import json
import re
import tomllib
import zipfile
from email.message import Message
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]
from tests import wheel
from tests.wheel import ROOT

import cartagena

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
STATIC = "cartagena/server/static"
LARGE = ("cluster", "gpu", "train")
"""Extras of some gigabytes each."""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution."""
    return wheel.built(tmp_path_factory)


def read(path: Path, pattern: str) -> str:
    """The text of the one file of the wheel whose name matches."""
    with zipfile.ZipFile(path) as file:
        [name] = [name for name in file.namelist() if re.fullmatch(pattern, name)]
        return file.read(name).decode("utf-8")


def metadata(path: Path) -> Message:
    return email.message_from_string(read(path, r"cartagena-[^/]*\.dist-info/METADATA"))


def test_the_tree_and_the_source_distribution_give_the_same_wheel(path: Path, tmp_path: Path) -> None:
    wheel.run(str(ROOT / "deploy/container/build-wheel"), str(tmp_path))
    [again] = tmp_path.glob("*.whl")
    assert hashlib.sha256(again.read_bytes()).hexdigest() == hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_wheel_has_the_table_the_engine_and_no_folder_of_the_machine(path: Path) -> None:
    with zipfile.ZipFile(path) as file:
        names = set(file.namelist())
        inside = b"".join(file.read(name) for name in names if name.endswith((".json", ".txt", ".js", "METADATA")))
    assert {f"{STATIC}/index.html", f"{STATIC}/licences.txt", "cartagena/data/cartagena.wasm"} <= names
    assert [name for name in names if name.split("/")[0].startswith(("tests", "tools", "docs"))] == []
    assert str(ROOT).encode() not in inside


def test_the_wheel_has_the_compressed_forms_of_the_table(path: Path) -> None:
    with zipfile.ZipFile(path) as file:
        static = {name: file.read(name) for name in file.namelist() if name.startswith(f"{STATIC}/")}
    texts = [name for name in static if name.endswith((".js", ".css", ".html", ".json", ".wasm", ".svg"))]
    assert any("/assets/index-" in name for name in texts)
    for name in texts:
        for ending in (".br", ".gz"):
            packed = static.get(name + ending, static[name])
            assert len(packed) < len(static[name]) or len(static[name]) < 200, name + ending
        if f"{name}.gz" in static:
            assert gzip.decompress(static[f"{name}.gz"]) == static[name]


def test_the_metadata_is_complete(path: Path) -> None:
    found = metadata(path)
    assert (found["Name"], found["License-Expression"]) == ("cartagena", "MIT")
    assert found["Summary"] == PROJECT["description"]
    assert found["Description-Content-Type"] == "text/markdown"
    assert {"Programming Language :: Python :: 3.11", "Typing :: Typed"} <= set(found.get_all("Classifier", []))
    assert set(found.get_all("Provides-Extra", [])) == set(PROJECT["optional-dependencies"])
    urls = [f"{name}, {address}" for name, address in PROJECT.get("urls", {}).items()]
    assert found.get_all("Project-URL", []) == urls


def test_version_and_licence_are_the_same_everywhere() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert (cited["cff-version"], cited["type"]) == ("1.2.0", "software")
    assert [cited["version"], cited["license"]] == [PROJECT["version"], PROJECT["license"]]
    assert [author["name"] for author in cited["authors"]] == [author["name"] for author in PROJECT["authors"]]
    assert cartagena.__version__ == PROJECT["version"]


def test_the_extra_all_has_every_extra_but_the_large_ones() -> None:
    [line] = PROJECT["optional-dependencies"]["all"]
    named = re.fullmatch(r"cartagena\[(.*)\]", line)
    assert named
    assert set(named[1].split(",")) == set(PROJECT["optional-dependencies"]) - {"all", *LARGE}


def test_the_server_needs_no_research_library() -> None:
    locked = (ROOT / "requirements/serve.txt").read_text("utf-8")
    needed = {
        re.sub(r"[-_.]+", "-", name).lower() for name in re.findall(r"^([\w.-]+)(?:\[.*?\])?==", locked, re.MULTILINE)
    }
    extras = PROJECT["optional-dependencies"]
    research = [line for name in ("rl", "study", *LARGE) for line in extras[name]]
    names = {re.sub(r"[-_.]+", "-", re.split(r"[\[>;]", line)[0]).lower() for line in research}
    assert "fastapi" in needed
    assert needed & names == set()


def test_the_bill_of_materials_lists_what_is_inside_and_what_is_needed(path: Path) -> None:
    bill = json.loads(read(path, r"cartagena-[^/]*\.dist-info/sboms/cartagena\.cdx\.json"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["purl"] == f"pkg:pypi/cartagena@{PROJECT['version']}"
    parts = {
        part["purl"].partition("@")[0].removeprefix("pkg:") for part in bill["components"] if "%40" not in part["purl"]
    }
    needed = {
        re.split(r"[>\[;]", line)[0] for line in [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["server"]]
    }
    assert {f"pypi/{name}" for name in needed} <= parts
    assert {"npm/svelte", "npm/uqr"} <= parts
    references = [part["bom-ref"] for part in bill["components"]]
    assert len(set(references)) == len(references)


def test_every_part_of_the_table_has_its_licence_in_one_file(path: Path) -> None:
    text = read(path, f"{STATIC}/licences\\.txt")
    parts = json.loads(read(path, f"{STATIC}/bundled\\.json"))
    assert any("fontsource" in part["name"] for part in parts)
    for part in parts:
        title = f"\n{part['name']} {part['version']} ({part['licence']})\n"
        assert re.search(re.escape(title) + r"\n.{100}", text, re.DOTALL), part["name"]
    assert "Permission is hereby granted" in text
