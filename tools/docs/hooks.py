"""What the documentation site has besides ``docs/``: generated pages, pictures of positions, and files of the root."""

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

sys.path.append(str(Path(__file__).parent))
import api_pages
import rules_pages
import spaces_page

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "bench/results"
FROM_ROOT = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security-policy.md",
    "LICENSE": "licence.md",
}
"""Files of the root and the pages they become."""
TABLE = ROOT / "src/cartagena/server/static/service-worker.js"
"""There where the browser table is built; it is then part of the site."""
TABLE_LINK = '<a href="table/index.html">The table</a>, alone or at one device, without a server'
LANGUAGES = {f"play/{code}.md": code for code in ("de", "es", "fr", "it", "nl", "sv")}
RESULT = re.compile(r"(?<!\[)`bench/results/([\w-]+\.md)`")
"""A page of measurements that is named in a text."""
FENCE = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)


def on_config(config: Any) -> Any:
    """Put the generated pages where the navigation names their group."""
    groups = {
        "EDITIONS": [f"rules/editions/{name}.md" for name in rules_pages.names()],
        "REFERENCE": reference_pages(),
        "BENCHMARKS": ["benchmarks/index.md", *(f"benchmarks/{path.name}" for path in results())],
    }
    config.nav = placed(config.nav, groups)
    listed = set(re.findall(r"[\w./-]+\.md", str(config.nav)))
    others = [path.relative_to(ROOT / "docs").as_posix() for path in sorted((ROOT / "docs").rglob("*.md"))]
    if missing := [name for name in others if name not in listed]:
        config.nav.append({"More": missing})
    return config


def placed(item: Any, groups: dict[str, list[str]]) -> Any:
    """The navigation with every group's name replaced by its pages."""
    if isinstance(item, list):
        return [placed(part, groups) for part in item]
    if isinstance(item, dict):
        return {name: placed(part, groups) for name, part in item.items()}
    return groups.get(item, item)


def reference_pages() -> list[str]:
    found = sorted(path.name for path in (ROOT / "docs/reference").glob("*.md"))
    return ["reference/index.md", *(f"reference/{name}" for name in found if name != "index.md")]


def results() -> list[Path]:
    return sorted(RESULTS.glob("*.md"))


def benchmarks() -> str:
    """The page that lists all measurements, with how to repeat each."""
    rows = []
    for path in results():
        text = path.read_text("utf-8")
        command = re.search(r"`((?:python|make|cartagena|\.venv)[^`]*)`", text)
        title = text.splitlines()[0].removeprefix("# ")
        rows.append(f"| [{title}]({path.name}) | {f'`{command[1]}`' if command else ''} |")
    head = "# Benchmarks\n\nThe tables that are kept in `bench/results/`, and the commands that repeat them.\n"
    return f"{head}\n| measurement | repeat it with |\n| --- | --- |\n" + "\n".join(rows) + "\n"


def on_files(files: Files, config: Any) -> Files:
    """Add what is generated."""
    made: dict[str, str] = {"benchmarks/index.md": benchmarks(), "research/spaces.md": spaces_page.page()}
    shown = [*results(), *sorted(RESULTS.glob("*.svg"))]
    made |= {f"benchmarks/{path.name}": path.read_text("utf-8") for path in shown}
    made |= {page: root_page(name) for name, page in FROM_ROOT.items()}
    made |= rules_pages.pages() | api_pages.pages(ROOT / "web/openapi.json")
    made["images/icon.svg"] = (ROOT / "web/public/icon.svg").read_text("utf-8")
    for file in list(files):
        if file.src_uri.startswith("rules/") and file.src_uri.endswith(".md"):
            made |= rules_pages.figures(file.content_string)
    for name, content in made.items():
        files.append(File.generated(config, name, content=content))
    return files


def root_page(name: str) -> str:
    """A file of the root as a page: its links lead to pages of the site."""
    text = (ROOT / name).read_text("utf-8")
    text = re.sub(r"\]\(docs/", "](", text)
    for other, page in FROM_ROOT.items():
        text = text.replace(f"]({other})", f"]({page})")
    return text if name.endswith(".md") else f"# Licence\n\n{text}"


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Draw the positions of the rules pages, and say which language a page has."""
    name = page.file.src_uri
    parts = FENCE.split(markdown)
    text = "".join(part if part.startswith("```") else with_links(with_room_for_lists(part), name) for part in parts)
    for other, target in FROM_ROOT.items():
        text = text.replace(f"](../{other})", f"]({target})")
    if name.startswith("rules/") and "/editions/" not in name:
        text = rules_pages.with_figures(text)
    if name == "index.md" and TABLE.is_file():
        text = text.replace("| know the rules |", f"| play right here | {TABLE_LINK} |\n| know the rules |")
    if language := LANGUAGES.get(name):
        text = f'<div lang="{language}" markdown="1">\n\n{text}\n\n</div>\n'
    return text


def on_post_page(output: str, **_: Any) -> str:
    """Give the theme's search dialog the name that screen readers need."""
    return output.replace(
        'data-md-component="search" role="dialog"', 'data-md-component="search" role="dialog" aria-label="Search"'
    )


def on_post_build(config: Any) -> None:
    """Write the search index once more as a script: a page that is opened as a file can load nothing else."""
    folder = Path(config.site_dir, "search")
    index = (folder / "search_index.json").read_text("utf-8")
    (folder / "search_index.js").write_text(f"var __index = {index}\n", "utf-8")


def with_links(text: str, name: str) -> str:
    """Let names of measurements lead to their pages."""

    def link(found: re.Match[str]) -> str:
        target = posixpath.relpath(f"benchmarks/{found[1]}", posixpath.dirname(name) or ".")
        return f"[{found[0]}]({target})" if (RESULTS / found[1]).is_file() else found[0]

    return RESULT.sub(link, text)


def with_room_for_lists(text: str) -> str:
    """Put an empty line before a list that follows a paragraph, which Markdown for Python needs."""
    return re.sub(r"^((?![-*|#>\s]|\d+\. ).+)\n((?:[-*]|\d+\.) )", r"\1\n\n\2", text, flags=re.MULTILINE)
