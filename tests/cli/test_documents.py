"""The examples in the documents do what the documents say."""

import doctest
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.helpers import PATIENCE, converse

ROOT = Path(__file__).parents[2]
DOCUMENTS = ["README.md", "CONTRIBUTING.md", "docs/command-line.md", "docs/designers.md", "docs/protocol.md"]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(document: str, language: str) -> list[str]:
    """The code blocks of a document in one language."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return [body for name, body in BLOCK.findall(text) if name == language]


def examples(language: str) -> list[tuple[str, str]]:
    return [(document, body) for document in DOCUMENTS for body in blocks(document, language)]


def test_the_documents_have_examples() -> None:
    assert [len(examples(language)) for language in ("python", "console")] == [1, 10]
    assert len(examples("jsonl")) >= 8


@pytest.mark.parametrize(("document", "body"), examples("python"))
def test_python(document: str, body: str) -> None:
    test = doctest.DocTestParser().get_doctest(body, {}, document, document, 0)
    results = doctest.DocTestRunner(optionflags=doctest.FAIL_FAST).run(test)
    assert results.attempted >= 7
    assert results.failed == 0


@pytest.mark.parametrize(("document", "body"), examples("console"))
def test_commands(document: str, body: str, tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for example in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, expected = example.partition("\n")
        done = subprocess.run(
            ["bash", "-c", command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PATH": path},
            cwd=tmp_path,
            timeout=PATIENCE,
            check=False,
        )
        assert done.stdout.decode() == expected, command


@pytest.mark.parametrize(("document", "body"), examples("jsonl"))
def test_conversations(document: str, body: str) -> None:
    lines = body.splitlines()
    assert [line[:2] for line in lines] == ["> ", "< "] * (len(lines) // 2)
    answers = converse(*(line[2:].encode() for line in lines[::2]))
    assert answers == [json.loads(line[2:]) for line in lines[1::2]]


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)", text):
        if not target.startswith("https://"):
            assert (ROOT / document).parent.joinpath(target).exists(), target
