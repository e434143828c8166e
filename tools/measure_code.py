#!/usr/bin/env python3
"""Measure the size of the code, one row for each package: ``python tools/measure_code.py [--against DIR] [--twins]``.

A line of code is a line that is not blank and holds more than a comment or a docstring; every string that stands alone
as a statement counts as a docstring. The length of a function is its number of lines of code, from ``def`` on. ``Any``
is counted wherever the name is used, except in imports. Of the browser table's sources, functions are not measured.
``--twins`` counts the code that exists in Python and TypeScript, as the README of ``web/src/engine`` lists it.
"""

import argparse
import ast
import io
import json
import re
import sys
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).resolve().parents[1]
PACKAGE: Final = Path("src/cartagena")
WEB: Final = Path("web/src")
LONG_FILE: Final = 400
MANY_PARAMETERS: Final = 7
LAYOUT: Final = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING,
    tokenize.ENDMARKER,
}  # fmt: skip
WEB_COMMENTS: Final = re.compile(
    r"""(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|/\*.*?\*/|<!--.*?-->|(?<!:)//[^\n]*""",
    re.DOTALL,
)
TWIN: Final = re.compile(r"((?:`\w+`(?:, | and )?)+ of )?`([./\w]+\.ts)`")
WEB_ANY: Final = re.compile(r"(?:[:<,|(\[]|\bas)\s*any\b")
COUNTS: Final = ("files", "code", "function_lines", "parameters", "many_parameters", "any", "long_files")
TITLES: Final = ("files", "code", "longest function", "most parameters", f"> {MANY_PARAMETERS}", "Any",
                 f"> {LONG_FILE} lines")  # fmt: skip
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class Row:
    """The figures of one package."""

    files: int = 0
    code: int = 0
    function: str = ""
    function_lines: int = 0
    widest: str = ""
    parameters: int = 0
    many_parameters: int = 0
    any: int = 0
    long_files: int = 0
    long_names: list[str] = field(default_factory=list)

    def add(self, other: "Row") -> None:
        """Take in the figures of one more file or package."""
        for name in ("files", "code", "many_parameters", "any", "long_files", "long_names"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        if other.function_lines > self.function_lines:
            self.function, self.function_lines = other.function, other.function_lines
        if other.parameters > self.parameters:
            self.widest, self.parameters = other.widest, other.parameters


def docstring_lines(tree: ast.AST) -> set[int]:
    """Return the lines of all strings that stand alone as statements."""
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            found.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return found


def python_code_lines(text: str, tree: ast.AST) -> set[int]:
    """Return the numbers of the lines that hold code."""
    documented, lines = docstring_lines(tree), text.splitlines()
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        is_docstring = token.type == tokenize.STRING and token.start[0] in documented
        if token.type not in LAYOUT and not is_docstring:
            found.update(range(token.start[0], token.end[0] + 1))
    return {number for number in found if lines[number - 1].strip()}


def functions(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, Function]]:
    """Yield every function with its dotted name, those inside classes and functions included."""
    for node in ast.iter_child_nodes(tree):
        name = inside
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{inside}.{node.name}".lstrip(".")
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield name, node
        yield from functions(node, name)


def parameter_count(function: Function) -> int:
    """Count the parameters, without ``self`` and ``cls``."""
    given = function.args
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    first = bool(named) and named[0].arg in ("self", "cls")
    return len(named) - first + (given.vararg is not None) + (given.kwarg is not None)


def any_count(tree: ast.AST) -> int:
    """Count the uses of the name ``Any``."""
    names = sum(isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(tree))
    return names + sum(isinstance(node, ast.Attribute) and node.attr == "Any" for node in ast.walk(tree))


def measure_python(path: Path, name: str) -> Row:
    """Measure one Python file."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    lines = python_code_lines(text, tree)
    row = Row(files=1, code=len(lines), any=any_count(tree))
    for title, function in functions(tree):
        end = function.end_lineno or function.lineno
        length = len(lines.intersection(range(function.lineno, end + 1)))
        width = parameter_count(function)
        where = f"{title} ({name})"
        row.add(Row(function=where, function_lines=length, widest=where, parameters=width,
                    many_parameters=int(width > MANY_PARAMETERS)))  # fmt: skip
    return with_length(row, text, name)


def web_code_lines(text: str) -> list[str]:
    """Return the lines of a TypeScript or Svelte file that hold code, without comments."""
    bare = WEB_COMMENTS.sub(lambda found: found["string"] or "", text)
    return [line for line in bare.splitlines() if line.strip()]


def measure_web(path: Path, name: str) -> Row:
    """Measure one TypeScript or Svelte file."""
    text = path.read_text(encoding="utf-8")
    lines = web_code_lines(text)
    uses = len(WEB_ANY.findall("\n".join(lines)))
    return with_length(Row(files=1, code=len(lines), any=uses), text, name)


def part_length(lines: Sequence[str], name: str) -> int:
    """Count the lines of a function, class, method or constant. Raises ValueError where there is none of that name."""
    start = re.compile(rf"( *)(?:(?:export|private|static|async|get|function|class|const) )*{name}\b.*")
    for first, line in enumerate(lines):
        found = start.fullmatch(line)
        if found and re.search(rf"{name}(?:\(|<| =| \{{|:)", line):
            rest = (at for at in range(first, len(lines)) if re.match(found[1] + r"(?:\}|\S.*;$)", lines[at]))
            return next(rest) - first + 1
    raise ValueError(f"there is no {name}")


def twins(repo: Path) -> dict[str, int]:
    """Count the lines of code that exist twice, file by file: whole files, or the parts that the list names."""
    folder = repo / WEB / "engine"
    listed = (folder / "README.md").read_text(encoding="utf-8").partition("## What exists twice")[2]
    cells = (line.split("|")[1] for line in listed.splitlines() if line.startswith("| `"))
    counts: dict[str, int] = {}
    for names, file in (found.groups() for cell in cells for found in TWIN.finditer(cell)):
        lines = web_code_lines((folder / file).read_text(encoding="utf-8"))
        parts = re.findall(r"`(\w+)`", names or "")
        counts[file] = sum(part_length(lines, part) for part in parts) if parts else len(lines)
    return counts


def with_length(row: Row, text: str, name: str) -> Row:
    """Note in the row whether the file is too long; here all lines count."""
    length = len(text.splitlines())
    if length > LONG_FILE:
        row.long_files, row.long_names = 1, [f"{name} ({length})"]
    return row


def measure(repo: Path) -> dict[str, Row]:
    """Measure a checkout: a row for each package, one for the browser table and one for everything."""
    rows: dict[str, Row] = {}
    for path in sorted((repo / PACKAGE).rglob("*.py")):
        name = path.relative_to(repo / PACKAGE)
        package = name.parts[0] if len(name.parts) > 1 else "(top)"
        rows.setdefault(package, Row()).add(measure_python(path, name.as_posix()))
    for path in sorted((repo / WEB).rglob("*")):
        if path.suffix in (".ts", ".svelte") and path.name != "schema.d.ts":  # that one is generated
            rows.setdefault("web/src", Row()).add(measure_web(path, path.relative_to(repo).as_posix()))
    total = Row()
    for row in rows.values():
        total.add(row)
    return {**rows, "total": total}


def table(lines: list[list[str]]) -> str:
    """Lay out cells in columns."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
                     for line in lines)  # fmt: skip


def page(rows: dict[str, Row]) -> str:
    """Write the figures of one checkout."""
    lines = [["package", *TITLES]]
    for name, row in rows.items():
        longest = f"{row.function_lines} {row.function}" if row.function else "-"
        widest = f"{row.parameters} {row.widest}" if row.widest else "-"
        counts = map(str, (row.many_parameters, row.any, row.long_files))
        lines.append([name, str(row.files), str(row.code), longest, widest, *counts])
    long_files = [f"over {LONG_FILE} lines: {name}" for name in rows["total"].long_names]
    return "\n".join([table(lines), *long_files])


def comparison(before: dict[str, Row], after: dict[str, Row]) -> str:
    """Write before, after and difference of every figure."""
    lines = [["package", "figure", "before", "after", "difference"]]
    for name in [*(name for name in {**before, **after} if name != "total"), "total"]:
        old, new = before.get(name, Row()), after.get(name, Row())
        for figure, title in zip(COUNTS, TITLES, strict=True):
            first, second = getattr(old, figure), getattr(new, figure)
            if first or second:
                lines.append([name, title, str(first), str(second), f"{second - first:+d}"])
    return table(lines)


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repo", type=Path, default=HERE, help="the checkout to measure (default: this one)")
    parser.add_argument("--against", type=Path, help="an earlier checkout to compare with")
    parser.add_argument("--twins", action="store_true", help="count what exists in Python and TypeScript instead")
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    options = parser.parse_args()
    for repo in filter(None, (options.repo, options.against)):
        if not (repo / PACKAGE).is_dir():
            parser.error(f"{repo} has no {PACKAGE}")
    if options.twins:
        counts = twins(options.repo)
        print(table([[str(count), file] for file, count in {**counts, "together": sum(counts.values())}.items()]))
        return 0
    after = measure(options.repo)
    before = measure(options.against) if options.against else None
    if options.json:
        found = {"before": before, "after": after} if before else {"after": after}
        print(json.dumps({side: {name: asdict(row) for name, row in rows.items()} for side, rows in found.items()}))
    else:
        print(comparison(before, after) if before else page(after))
    return 0


if __name__ == "__main__":
    sys.exit(main())
