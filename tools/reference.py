"""Write ``docs/reference/``, one page per public module, from the docstrings; ``--check`` only lists stale pages."""

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "reference"
MODULES = (
    "cartagena",
    "cartagena.rulesets",
    "cartagena.game",
    "cartagena.game.fair_deal",
    "cartagena.backends",
    "cartagena.players",
    "cartagena.jobs",
    "cartagena.arena",
    "cartagena.study",
    "cartagena.rl",
    "cartagena.rl.pettingzoo",
    "cartagena.rl.gymnasium",
    "cartagena.rl.vector",
    "cartagena.rl.opponents",
    "cartagena.rl.wrappers",
    "cartagena.rl.openspiel",
    "cartagena.rl.exploitability",
    "cartagena.rl.dataset",
    "cartagena.rl.spaces.actions",
    "cartagena.rl.spaces.observation",
)
KERNEL = ("from_kernel", "state", "table", "with_words", "words")
"""Members for those who work with the kernel itself; the pages leave them out."""
INDEX = """# Reference

The public modules, written from their docstrings by `python tools/reference.py`. Most programs need only the names of
`cartagena` itself.

| module | contents |
| --- | --- |
"""


def markdown(text: str) -> str:
    """A docstring as Markdown: examples and indented lines become code blocks."""
    parts = []
    for block in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        if block.lstrip().startswith(">>>"):
            parts.append(f"```pycon\n{inspect.cleandoc(block)}\n```")
        elif match := re.fullmatch(r"(?:(.*?)\n)?( *>>> .*)", block, re.DOTALL):
            parts.append(f"{match[1]}\n\n```pycon\n{inspect.cleandoc(match[2])}\n```")
        elif section := re.match(r"(Args|Raises|Returns):\n", block):
            rest = block[section.end() :]
            parts.append(f"Returns: {inspect.cleandoc(rest)}" if section[1] == "Returns" else listed(section[1], rest))
        else:
            parts.append(block.replace("``", "`"))
    return "\n\n".join(parts)


def listed(title: str, text: str) -> str:
    """The lines of ``Args`` or ``Raises`` as a list."""
    items = re.split(r"\n(?=\w+:)", inspect.cleandoc(text))
    told = (" ".join(item.split()).replace("``", "`").partition(": ") for item in items)
    head = "Arguments" if title == "Args" else title
    return f"{head}:\n\n" + "\n".join(f"- `{name}`: {about}" for name, _, about in told)


def called(name: str, thing: Any) -> str:
    """The line that shows how something is called."""
    return f"```text\n{name}{signature(thing)}\n```"


def signature(thing: Any) -> str:
    """The parameters and the result of a callable, with the last part of every type's name."""
    try:
        text = str(inspect.signature(thing))
    except ValueError:  # a type that is written in C and does not tell
        return "(…)"
    text = re.sub(r"<(?:[^<>]|<lambda>)+ at 0x[0-9a-f]+>|<factory>", "…", text)
    text = re.sub(r"(: |-> )'([\w. |\[\],]+)'", r"\1\2", text)
    text = re.sub(r"\['(\w+)'\]", r"[\1]", text)
    text = re.sub(r"\*<class '([\w.]+)'>", r"\1", text)
    text = re.sub(r"\((self|cls)(, )?", "(", text)
    parts = re.split(r"('[^']*')", text)  # texts in quotes, such as defaults, stay whole
    return "".join(
        part if part[:1] == "'" else re.sub(r"\b(?:[A-Za-z_]\w*\.)+(?=[A-Za-z_])", "", part) for part in parts
    )


def constant(module: ModuleType, name: str) -> str:
    """The docstring behind the assignment of a name, in the module or where the module imports it from."""
    body = ast.parse(inspect.getsource(module)).body
    for node, after in pairwise(body):
        target = getattr(node, "target", None) or next(iter(getattr(node, "targets", [])), None)
        is_told = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        if isinstance(target, ast.Name) and target.id == name and is_told:
            return str(after.value.value)
    for node in body:
        if isinstance(node, ast.ImportFrom) and any(alias.name == name for alias in node.names):
            package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
            return constant(import_module("." * node.level + (node.module or ""), package), name)
    return ""


def members(thing: type) -> Iterator[str]:
    """The documented public fields, properties and methods of a class, those that it inherits from ours included."""
    seen: set[str] = set()
    for base in thing.__mro__:
        if base.__module__.partition(".")[0] != "cartagena":
            continue
        for name, told in own_members(base):
            if name not in seen and name not in KERNEL:
                seen.add(name)
                yield told


def own_members(thing: type) -> Iterator[tuple[str, str]]:
    """What a class defines itself, by name."""
    for name, about in fields(thing):
        yield name, f"#### `{name}`\n\n{markdown(about)}"
    for name, member in vars(thing).items():
        if name.startswith("_") or not getattr(member, "__doc__", None):
            continue
        if isinstance(member, property | cached_property):
            yield name, f"#### `{name}`\n\n{markdown(member.__doc__ or '')}"
        elif inspect.isroutine(member):
            function = getattr(member, "__func__", member)
            yield name, f"#### `{name}()`\n\n{called(name, function)}\n\n{markdown(member.__doc__ or '')}"


def fields(thing: type) -> Iterator[tuple[str, str]]:
    """The public fields of a class that have a docstring behind them."""
    try:
        body = next(iter(ast.parse(inspect.cleandoc("\n" + inspect.getsource(thing))).body))
    except OSError:  # errors are shown under another module's name
        return
    for node, after in pairwise(getattr(body, "body", [])):
        target = node.target if isinstance(node, ast.AnnAssign) else None
        is_told = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
        if is_told and isinstance(target, ast.Name) and not target.id.startswith("_"):
            yield target.id, str(after.value.value)


def entry(module: ModuleType, name: str) -> str:
    """One public name with its documentation."""
    thing = getattr(module, name)
    if inspect.isclass(thing) and thing.__name__ != name:
        return f"### `{name}`\n\nThe same as `{thing.__name__}`."
    if inspect.isclass(thing):
        is_made = not issubclass(thing, Exception) and not getattr(thing, "_is_protocol", False)
        head = [f"### class `{name}`", *([called(name, thing)] if is_made else [])]
        return "\n\n".join([*head, markdown(thing.__doc__ or ""), *members(thing)])
    if inspect.isroutine(thing):
        return f"### `{name}()`\n\n{called(name, thing)}\n\n{markdown(thing.__doc__ or '')}"
    return f"### `{name}`\n\n{markdown(explanation(module, name))}".rstrip()


def explanation(module: ModuleType, name: str) -> str:
    """The docstring of a public name: of the thing itself, or behind the assignment of a constant."""
    thing = getattr(module, name)
    if inspect.isclass(thing) or inspect.isroutine(thing):
        return thing.__doc__ or ""
    return constant(module, name)


def public(module: ModuleType) -> list[str]:
    """The public names of a module: its ``__all__``, else the documented classes and functions it defines."""
    own = [name for name, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__]
    documented = [name for name in own if getattr(getattr(module, name), "__doc__", None) and name[0] != "_"]
    names = sorted(getattr(module, "__all__", documented), key=str.lower)
    return [name for name in names if not name.startswith("__") and not inspect.ismodule(getattr(module, name))]


def page(module: ModuleType) -> str:
    """The page of one module. Names that the root exports are documented on the root's page."""
    root = import_module("cartagena")
    names = public(module)
    there = [] if module is root else [name for name in names if name in root.__all__]
    parts = [f"# {module.__name__}", markdown(module.__doc__ or "")]
    if there:
        parts.append("Documented under [cartagena](cartagena.md): " + ", ".join(f"`{name}`" for name in there) + ".")
    parts += [entry(module, name) for name in names if name not in there]
    return "\n\n".join(parts) + "\n"


def first_line(module: ModuleType) -> str:
    """The first line of a module's docstring, as Markdown."""
    return (module.__doc__ or "").strip().splitlines()[0].replace("``", "`")


def pages() -> dict[str, str]:
    """All pages, by file name."""
    modules = [import_module(name) for name in MODULES]
    found = {f"{module.__name__}.md": page(module) for module in modules}
    rows = [f"| [{m.__name__}]({m.__name__}.md) | {first_line(m)} |\n" for m in modules]
    return {"index.md": INDEX + "".join(rows), **found}


def stale() -> list[str]:
    """The names of pages that are missing, out of date or left over."""
    wanted = pages()
    there = {path.name: path.read_text("utf-8") for path in FOLDER.glob("*.md")}
    return sorted(name for name in wanted.keys() | there.keys() if wanted.get(name) != there.get(name))


def main() -> int:
    """Write the pages, or list the stale ones."""
    names = stale()
    if "--check" in sys.argv[1:]:
        for name in names:
            sys.stderr.write(f"docs/reference/{name} is not current: run python tools/reference.py\n")
        return 1 if names else 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = pages()
    for name in names:
        if name in wanted:
            (FOLDER / name).write_text(wanted[name], "utf-8")
        else:
            (FOLDER / name).unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
