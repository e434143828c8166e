"""What is named by its file travels with its content: rule sets with sizes and seats, weights with their hash."""

import json
from pathlib import Path

import pytest

from cartagena import Game, Position, rule_set
from cartagena.arena import Contest, Fixture, merge, play_match, read, run
from cartagena.arena.train_config import TrainConfig, TrainProgress
from cartagena.arena.tune import TuneConfig, tune
from cartagena.cli import run as cartagena
from cartagena.players import PlayerError, load_code

SMALL = 'base = "tortuga-en"\npirates = 2\npieces = 1\nseats = 3\n'


def small(folder: Path, text: str = SMALL) -> str:
    path = folder / "small.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_contest_is_played_with_the_seats_and_sizes_of_its_file(tmp_path: Path) -> None:
    contest = Contest(("sailor", "deckhand", "random"), small(tmp_path), games=3)
    assert {len(fixture.seats) for fixture in contest.fixtures()} == {3}
    fixture = next(contest.fixtures())
    Path(small(tmp_path)).unlink()
    assert Game.new(fixture.rules, seats=3, seed=1).opening.pirates == 2, "the content travels, not the name"


def test_results_carry_the_hash_of_the_rule_set_and_another_one_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    run(Contest(("sailor", "random"), small(tmp_path), games=2, seats=2), out, processes=1)
    head, _ = read(out)
    assert head["rules-hash"] == rule_set(small(tmp_path)).digest
    assert head["rules-content"] == {"base": "tortuga-en", "pieces": 1, "pirates": 2, "seats": 3}
    before = out.read_text()
    changed = Contest(("sailor", "random"), small(tmp_path, SMALL.replace("pirates = 2", "pirates = 3")), 2, 4)
    with pytest.raises(PlayerError, match=r"small\.toml has changed since"):
        run(changed, out, processes=1)
    assert out.read_text() == before


def test_the_command_plays_at_as_many_seats_as_the_file_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["arena", "sailor", "random", "deckhand", "--rules", small(tmp_path), "--games", "3", "--processes", "1"]
    assert cartagena([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seats"] == 3


def test_a_match_takes_a_rule_set_itself() -> None:
    rules = rule_set("tortuga-en", pirates=1, pieces=1)
    match = play_match(["sailor", "random"], rules, games=2)
    assert match.contest.head()["rules-content"] == {"base": "tortuga-en", "pieces": 1, "pirates": 1}
    assert isinstance(next(match.contest.fixtures()), Fixture)


def test_tuning_that_was_broken_off_does_not_go_on_with_another_content(tmp_path: Path) -> None:
    rules, out = small(tmp_path, 'base = "tortuga-en"\npirates = 2\n'), tmp_path / "weights.json"
    tune(TuneConfig(rules, generations=1, games=100), out)
    told = json.loads(out.read_text())
    assert told["rules-hash"] == rule_set(rules).digest
    small(tmp_path, 'base = "tortuga-en"\npirates = 3\n')
    with pytest.raises(PlayerError, match=r"small\.toml has changed since this tuning"):
        tune(TuneConfig(rules, generations=1, games=100), out)


def test_a_record_says_how_its_opening_was_dealt(tmp_path: Path) -> None:
    game = Game.new(small(tmp_path, 'base = "jamaica-en+actions2"\npirates = 2\ndeal = 3\nstyle = "random"\n'), seed=4)
    tags = game.record().tags
    assert (tags["Rules"], tags["Pirates"], tags["Deal"], tags["Style"]) == ("jamaica-en+actions2", "2", "3", "random")
    again = Game.new(tags["Rules"], seed=tags["Seed"], pirates=2, deal=3, style="random")
    assert again.opening == Position(str(game.opening))
    assert "Pirates" not in Game.new("jamaica-en", seed=4).record().tags


# --- files of players

BOT = """
class Mate:
    def __init__(self, net=""):
        self.net = net

    def decide(self, view, limit=None):
        return view.legal_moves[0]
"""


def test_results_carry_the_hash_of_a_players_file_and_another_content_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    load_code(tmp_path / "bot.py")
    net, first, second = tmp_path / "net.json", tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    net.write_text("{}")
    names = (f"mate:net={net}@10n", "random")
    rules = rule_set("tortuga-en", pirates=1, pieces=1)
    run(Contest(names, rules, games=2), first, processes=1)
    assert read(first)[0]["files"] == {str(net): "44136fa355b3678a"}
    before = first.read_text()
    net.write_text("[]")
    with pytest.raises(PlayerError, match=r"net\.json has changed since"):
        run(Contest(names, rules, games=4), first, processes=1)
    assert first.read_text() == before
    run(Contest(names, rules, games=2), second, processes=1)
    with pytest.raises(PlayerError, match=r"second\.jsonl: was played with another version of .*net\.json"):
        merge([first, second])
    [board] = merge([second])
    assert board.head["files"] == read(second)[0]["files"]


def test_results_of_a_changed_file_of_code_are_not_continued_or_merged(tmp_path: Path) -> None:
    code, first, second = tmp_path / "bot.py", tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    code.write_text(BOT)
    rules = rule_set("tortuga-en", pirates=1, pieces=1)

    def contest(games: int) -> Contest:
        return Contest(("mate", "random"), rules, games=games, code=(str(code),))

    run(contest(2), first, processes=1)
    run(contest(4), first, processes=1)
    before = first.read_text()
    code.write_text(BOT.replace("legal_moves[0]", "legal_moves[-1]"))
    with pytest.raises(PlayerError, match=r"bot\.py has changed since"):
        run(contest(6), first, processes=1)
    assert first.read_text() == before
    run(contest(2), second, processes=1)
    with pytest.raises(PlayerError, match=r"second\.jsonl: was played with another version of .*bot\.py"):
        merge([first, second])
    head, *results = before.splitlines()
    older = {key: value for key, value in json.loads(head).items() if key != "files"}
    first.write_text("\n".join([json.dumps(older), *results, ""]))
    assert len(run(contest(4), first, processes=1)) == 4, "a file of results from before code was hashed goes on"


def test_the_weights_of_a_captain_are_a_file_and_those_of_the_package_are_not(tmp_path: Path) -> None:
    weights = tmp_path / "weights.json"
    weights.write_text('{"linear": {}}')
    assert list(Contest((f"captain:weights={weights}@0.1s", "random")).head()["files"]) == [str(weights)]
    assert "files" not in Contest(("captain:weights=2026-11", "gunner")).head()


def test_learning_that_was_broken_off_does_not_go_on_from_another_start(tmp_path: Path) -> None:
    start, out = tmp_path / "start.json", tmp_path / "weights.json"
    start.write_text('{"linear": {}}')
    config = TuneConfig("tortuga-en", generations=1, games=100, start=str(start))
    tune(config, out)
    training = TrainConfig("tortuga-en", start=str(start))
    TrainProgress.read(training, tmp_path).write(tmp_path)
    start.write_text('{"linear": {"cards": 1}}')
    with pytest.raises(PlayerError, match=r"start\.json has changed since this tuning"):
        tune(config, out)
    with pytest.raises(PlayerError, match=r"start\.json has changed since this training"):
        TrainProgress.read(training, tmp_path)
