"""The examples run, and do what they say."""

import doctest
import importlib.util
import re
import tempfile
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest

from cartagena.cli import run
from cartagena.rl import opponents

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("page", ["research", "datasets", "first-lines"])
def test_the_examples_of_the_pages_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    body = "\n".join(re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    results = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest(body, {}, page, None, 0))
    assert results.attempted > 10
    assert results.failed == 0
    assert doctest.testmod(opponents).failed == 0


@pytest.mark.timeout(3600)  # minutes of work on a slow machine
def test_the_learner_starts_from_nothing_and_beats_sailor() -> None:
    """With a third of the steps that the example takes."""
    learner = load("learner")
    network, curve = learner.train(learner.STEPS // 3, seed=1, say=lambda _: None)
    assert learner.match(network, "sailor", games=60, seed=2) > 0.6
    assert curve[0][1] < 0.4
    assert curve[-1][0] > 0.9 * learner.STEPS / 3


def test_the_learner_saves_its_network_enters_the_arena_and_plots(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LEARNER", str(tmp_path / "nothing.npz"))
    learner = load("learner")
    nothing, _ = learner.train(0, seed=1, say=lambda _: None)
    nothing.save(tmp_path / "nothing.npz")
    again = learner.Network.load(tmp_path / "nothing.npz")
    assert all((one == other).all() for one, other in zip(again.parts, nothing.parts, strict=True))
    assert run(["arena", "learner", "sailor", "--code", str(EXAMPLES / "learner.py"), "--games", "4"]) == 0
    assert re.search(r"^learner +-?\d+ +\d+ +0 of 4", capsys.readouterr().out, re.MULTILINE), "before learning it loses"
    learner.plot([(100, 0.1), (200, 0.6)], tmp_path / "curve.svg")
    assert ET.parse(tmp_path / "curve.svg").getroot().tag.endswith("svg")


def test_the_learner_is_short() -> None:
    assert len((EXAMPLES / "learner.py").read_text().splitlines()) < 220


def test_the_openspiel_match_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    example = load("openspiel_match")
    told = []
    for _ in range(2):
        won = example.match("python_cartagena(rules=jamaica-en,seats=2,board=BPHSDK)", games=2, simulations=4)
        told.append(capsys.readouterr().out)
        assert told[-1].count("the searcher in seat") == 2
        assert told[-1].count("got +1.00") == won
    assert told[0] == told[1], "the same seed gives the same games"


@pytest.mark.parametrize("file", ["examples/win_chances.ipynb", "docs/first-study.ipynb"])
def test_a_notebook_plots_its_result(file: str) -> None:
    import nbformat  # here, as every test process would take a while to load it
    from nbclient import NotebookClient
    from traitlets.config import Config

    notebook = nbformat.read(EXAMPLES.parent / file, as_version=4)  # type: ignore[no-untyped-call]
    assert len(notebook.cells) <= 15
    # By sockets in a folder: ports that are free when they are chosen may be taken when the kernel has started.
    with tempfile.TemporaryDirectory() as folder:
        place = Config(ConnectionFileMixin={"transport": "ipc", "ip": f"{folder}/kernel"})
        NotebookClient(notebook, timeout=None, startup_timeout=900, kernel_name="python3", config=place).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert any("image/png" in output.get("data", {}) for output in outputs)
