"""The verb ``review``: report, JSON, page and annotated record, and one sentence for everything that cannot be done."""

import json
import resource
from pathlib import Path

import pytest
from tests.cli import helpers

from cartagena import Game, Record


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the record of a short finished game."""
    game = Game.new("tortuga-en", seats=2, seed=4, pirates=1, pieces=1)
    while not game.is_over:
        game.play(game.legal_moves[0])
    path = tmp_path_factory.mktemp("records") / "game.record"
    path.write_text(str(game.record()), "utf-8")
    return path


def review(*arguments: str) -> str:
    """The output of a review that succeeds."""
    done = helpers.called("review", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def refused(*arguments: str) -> str:
    """The one sentence of a review that is refused."""
    return helpers.refused(helpers.called("review", *arguments))


def test_a_game_is_reviewed_as_text_json_page_and_record(finished: Path, tmp_path: Path) -> None:
    html, judged = tmp_path / "review.html", tmp_path / "judged.record"
    files = ["--html", str(html), "--annotate", str(judged)]
    data = json.loads(review(str(finished), "--nodes", "20", "--json", *files))
    assert [seat["result"] for seat in data["seats"]] in ([1.0, 0.0], [0.0, 1.0])
    assert html.read_text("utf-8").startswith("<!doctype html>")
    assert Record.read(judged).moves[0].evaluation == pytest.approx(data["decisions"][0]["after"], abs=1e-4)
    said = review(str(judged), "--nodes", "20")
    assert "Win chance from the opening to the end" in said
    assert "standard output" in refused(str(finished), "--html", "-")
    assert str(html) in refused(str(finished), "--html", str(html))
    review(str(finished), "--nodes", "20", "--html", str(html), "--force")


def test_a_game_is_reviewed_from_the_view_of_one_seat(finished: Path) -> None:
    data = json.loads(review(str(finished), "--nodes", "20", "--seat", "2", "--json"))
    assert data["seat"] == 2
    assert {each["seat"] for each in [*data["decisions"], *data["seats"]]} == {2}
    assert "its seats are 1 to 2" in refused(str(finished), "--seat", "3")


def test_a_full_disk_leaves_the_file_that_was_there(finished: Path, tmp_path: Path) -> None:
    html, before = tmp_path / "review.html", resource.getrlimit(resource.RLIMIT_FSIZE)
    html.write_text("my older review", "utf-8")
    resource.setrlimit(resource.RLIMIT_FSIZE, (500, before[1]))
    try:
        done = helpers.called("review", str(finished), "--nodes", "20", "--html", str(html), "--force")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "cannot be written" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["review.html"]
    assert html.read_text("utf-8") == "my older review"


def test_what_cannot_be_reviewed_is_said_in_one_sentence(finished: Path, tmp_path: Path) -> None:
    running, broken = tmp_path / "running.record", tmp_path / "broken.record"
    running.write_text(str(Game.new("jamaica-en", seats=2, seed=1).record()), "utf-8")
    broken.write_text(finished.read_text("utf-8")[:-30] + " 99:Q", "utf-8")
    assert "is not over" in refused(str(running))
    assert "broken.record" in refused(str(broken))
    assert "missing" in refused(str(tmp_path / "missing"))
    assert "cannot be used" in refused(str(finished), "--journal", str(tmp_path))
