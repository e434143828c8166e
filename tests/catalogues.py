"""The messages of the browser table, read from its catalogues in whatever way a formatter has laid them out."""

import ast
import re
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "web/src/i18n"
TOKEN = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | (?P<text>'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*" | `(?:[^`\\]|\\.)*`) | [\w$]+ | \S""",
    re.DOTALL | re.VERBOSE,
)


def value_of(text: str) -> str:
    """The characters that a literal stands for."""
    return str(ast.literal_eval(f'"""{text[1:-1]}"""' if text[0] == "`" else text))


def messages(language: str, part: str = "*") -> dict[str, str]:
    """All messages of a language by their keys, or those of one of its files."""
    found: dict[str, str] = {}
    for path in sorted((FOLDER / language).glob(f"{part}.ts")):
        tokens = [token for token in TOKEN.finditer(path.read_text("utf-8")) if not token[0].startswith(("//", "/*"))]
        for key, colon, text in zip(tokens, tokens[1:], tokens[2:], strict=False):
            if colon[0] == ":" and text["text"]:
                found[value_of(key[0]) if key["text"] else key[0]] = value_of(text["text"])
    return found
