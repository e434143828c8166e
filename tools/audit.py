"""Compare every locked package with published advisories: Python's in ``requirements/``, npm's in ``web/``.

The advisories come from the OSV database (https://osv.dev). A package that could not be checked counts as not audited,
which is a failure unless ``--allow-unaudited`` is given.
"""

import argparse
import http.client
import json
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SOURCE = "https://api.osv.dev/v1/querybatch"
BATCH = 500
SECONDS = 30


class Package(NamedTuple):
    """One version of a package, as the database names it."""

    ecosystem: str
    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.ecosystem} {self.name} {self.version}"


def locked(root: Path) -> list[Package]:
    """All packages of the lock files, each version once."""
    return sorted({*python_packages(root), *npm_packages(root)})


def python_packages(root: Path) -> Iterator[Package]:
    for path in root.glob("requirements/*.txt"):
        for name, version in re.findall(r"^([\w.-]+)(?:\[.*?\])?==([\w.!+]+)", path.read_text("utf-8"), re.MULTILINE):
            yield Package("PyPI", re.sub(r"[-_.]+", "-", name).lower(), version)


def npm_packages(root: Path) -> Iterator[Package]:
    for place, item in json.loads((root / "web/package-lock.json").read_text("utf-8"))["packages"].items():
        if place:
            yield Package("npm", item.get("name") or place.rpartition("node_modules/")[2], item["version"])


def advisories(packages: list[Package], source: str) -> dict[Package, list[str]]:
    """The advisories of each package that the source answered for. What is missing was not checked."""
    found: dict[Package, list[str]] = {}
    for start in range(0, len(packages), BATCH):
        part = packages[start : start + BATCH]
        answer = ask(
            [{"package": {"ecosystem": p.ecosystem, "name": p.name}, "version": p.version} for p in part], source
        )
        for package, result in zip(part, answer, strict=False):
            if isinstance(result, dict):
                found[package] = [str(item["id"]) for item in result.get("vulns", [])]
    return found


def ask(queries: list[dict[str, Any]], source: str) -> list[Any]:
    """The answers to a list of queries. Without a usable answer the list is empty, and the reason is printed."""
    request = urllib.request.Request(  # noqa: S310
        source, json.dumps({"queries": queries}).encode(), {"Content-Type": "application/json"}
    )
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as response:  # noqa: S310
            results = json.load(response)["results"]
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError) as error:
        reason = error.reason if isinstance(error, urllib.error.URLError) else error
        sys.stderr.write(f"No advisories from {source}: {reason}\n")
        return []
    return results if isinstance(results, list) and len(results) == len(queries) else []


def report(packages: list[Package], found: dict[Package, list[str]]) -> tuple[int, int]:
    """Print what was found. Returns the number of packages with advisories, and of those not audited."""
    affected = [package for package in packages if found.get(package)]
    unaudited = [package for package in packages if package not in found]
    for package in affected:
        print(f"{package}: {', '.join(found[package])}")
    for package in unaudited:
        print(f"{package}: not audited")
    clean = len(packages) - len(affected) - len(unaudited)
    print(f"{len(packages)} packages: {clean} clean, {len(affected)} with advisories, {len(unaudited)} not audited.")
    return len(affected), len(unaudited)


def main() -> int:
    """Audit the lock files. Returns 0 only if every package was checked and none has an advisory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", default=SOURCE, help="where to ask, an address with OSV's batch query")
    parser.add_argument(
        "--allow-unaudited", action="store_true", help="packages that could not be checked are no failure"
    )
    given = parser.parse_args()
    packages = locked(ROOT)
    affected, unaudited = report(packages, advisories(packages, given.source))
    return 1 if affected or (unaudited and not given.allow_unaudited) else 0


if __name__ == "__main__":
    sys.exit(main())
