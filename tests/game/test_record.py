"""Records: text and JSON, comments and evaluations, files, and what is refused."""

import contextlib
import json
import resource
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cartagena import CartagenaError, Entry, Game, IllegalMove, Move, NotationError, Position, Record
from cartagena.cli import inputs
from cartagena.players.files import save

OPENING = "jamaica-en BPHSDK s,s/s,s B2/DK - B15D16H17K16P17S17 - - 1.0"


def game() -> Game:
    played = Game.new("jamaica-en", seats=2, seed=7, pieces=2)
    for _ in range(30):
        if not played.is_over:
            played.play(played.legal_moves[0])
    return played


def test_a_game_becomes_a_record_and_a_game_again() -> None:
    played = game()
    record = played.record()
    again = Game.from_record(Record.parse(str(record)))
    assert again.moves == played.moves
    assert again.position == played.position
    assert again.tags["Seed"] == "7"
    assert Record.parse(json.dumps(record.to_json())) == record
    assert list(record.positions())[-1] == played.position


def test_the_text_has_tags_the_opening_and_a_line_for_each_turn() -> None:
    moves = [Move.parse(word) for word in ("s:B", "s:B", "end", "s:D", "end")]
    record = Record(Position.parse(OPENING), moves, tags={"Seat1": 'Anne "the shark" Bonny', "Result": "lie"})
    assert str(record) == (
        '[Rules "jamaica-en"]\n[Seat1 "Anne \\"the shark\\" Bonny"]\n[Result "*"]\n\n'
        f"{OPENING}\n\n1. s:B s:B end\n2. s:D end\n"
    )
    assert Record.parse(str(record)) == record
    assert [len(turn) for turn in record.turns()] == [3, 2]


@pytest.mark.parametrize(
    "comment",
    [
        "good",
        "a } and a { and a \\",
        "two\nlines\r\n",
        " spaces ",
        "[%eval 0.5] only looks like one",
        "[%eval x]",
        "signs \x0b \x0c \x1c \x85 \u2028 that split lines elsewhere",
        "1. end",
    ],
)
@pytest.mark.parametrize("values", [(), (0.5,), (1e-7, -3.0, 1e22, 0.1 + 0.2)])
def test_comments_and_evaluations_are_kept(comment: str, values: tuple[float, ...]) -> None:
    entries = [Entry(Move.parse("s:B"), comment, values), Entry(Move.parse("end"))]
    record = Record(Position.parse(OPENING), entries, tags={"Event": comment})
    assert Record.parse(str(record)) == record
    assert Record.parse(json.dumps(record.to_json())) == record


def test_comments_after_a_move_are_joined_and_the_last_evaluation_counts() -> None:
    record = Record.parse(f"{OPENING}\ns:B {{[%eval 0.1] first}} {{second}} {{[%eval 0.2]}}")
    assert record.moves[0] == Entry(Move.parse("s:B"), "first second", (0.2,))


def test_a_redundant_option_in_the_rules_tag_is_read_and_dropped() -> None:
    record = Record.parse(f'[Rules "jamaica-en-pass"]\n{OPENING}')
    assert record.tags["Rules"] == "jamaica-en"


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_any_line_ending_and_a_byte_order_mark_are_read(ending: str) -> None:
    text = f'\ufeff[Rules "jamaica-en"]\n\n{OPENING}\n\n1. s:B {{one}}\nend\n'.replace("\n", ending)
    assert [str(entry.move) for entry in Record.parse(text).moves] == ["s:B", "end"]
    assert Record.parse("\ufeff" + json.dumps({"opening": OPENING})).moves == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "a record has an opening position after its tags"),
        ('[Rules "jamaica-en"]', "a record has an opening position after its tags"),
        ("[Rules jamaica-en]\n" + OPENING, r"\[Rules jamaica-en\] is not a tag like"),
        ('[Rules "tortuga-en"]\n' + OPENING, "the tag Rules says tortuga-en, the opening jamaica-en"),
        ('[Rules "x"]\n' + OPENING, "the tag Rules says x, the opening jamaica-en"),
        ('[Result "2"]\n' + OPENING, r"the tag Result says 2, the moves \*"),
        (OPENING + "\n{first}", "'first' is a comment with no move before it"),
        (OPENING + "\ns:B {open", "'{open' is neither a move nor a comment"),
        (OPENING + "\ns:B }", "neither a move nor a comment"),
        (OPENING + "\nfly", "'fly' is not a move"),
        (OPENING + "\ns:B {[%eval 1e999]}", "an eval is a list of finite numbers"),
        ("nonsense", "a position has nine words"),
        ("{", "the record is not valid JSON"),
        ("{" * 100000, "the record is not valid JSON"),
        ('{"opening": 3}', "an object with tags, opening and moves"),
        (json.dumps({"opening": OPENING, "tags": []}), "tags must be an object of texts"),
        (json.dumps({"opening": OPENING, "tags": {"a b": "c"}}), "a tag's name is letters, digits and _"),
        (json.dumps({"opening": OPENING, "moves": {}}), "moves must be a list"),
        (json.dumps({"opening": OPENING, "moves": ["s:B"]}), "each move is an object"),
        (json.dumps({"opening": OPENING, "moves": [{"move": "s:B", "comment": 1}]}), "a comment is a text"),
        (json.dumps({"opening": OPENING, "moves": [{"move": "s:B", "eval": [True]}]}), "finite numbers"),
        (json.dumps({"opening": OPENING, "moves": [{"move": "s:B", "eval": [float("inf")]}]}), "finite numbers"),
        (json.dumps({"opening": OPENING, "moves": [{"move": "s:B", "eval": [float("nan")]}]}), "finite numbers"),
        (json.dumps({"opening": OPENING, "moves": [{"move": "s:B", "eval": [10**400]}]}), "finite numbers"),
        ("x" * 4_000_001, "a record has at most 4000000 characters"),
    ],
)
def test_text_that_is_not_a_record_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(CartagenaError, match=sentence):
        Record.parse(text)


def test_an_illegal_move_is_named_with_its_number() -> None:
    with pytest.raises(IllegalMove, match="move 2, s:K: blue holds no card K") as caught:
        Record.parse(f"{OPENING}\ns:B s:K end")
    assert caught.value.reason == "card-not-held"


def test_an_evaluation_is_finite() -> None:
    with pytest.raises(NotationError, match="finite"):
        Entry(Move.parse("end"), evaluation=(float("nan"),))


@pytest.mark.parametrize("name", ["game.txt", "game.json"])
def test_a_record_is_written_to_a_file_and_read_again(tmp_path: Path, name: str) -> None:
    record = game().record()
    record.write(tmp_path / name)
    assert Record.read(tmp_path / name) == record


def test_unreadable_and_unwritable_files_raise_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CartagenaError, match="cannot be read: No such file"):
        Record.read(tmp_path / "none")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(NotationError, match="is not UTF-8 text"):
        Record.read(tmp_path / "bytes")
    with pytest.raises(CartagenaError, match="cannot be written"):
        game().record().write(tmp_path / "no" / "such" / "folder")
    lone = Record(Position.parse(OPENING), [Entry(Move.parse("s:B"), "\ud800")])
    with pytest.raises(CartagenaError, match="characters that are not text"):
        lone.write(tmp_path / "lone.txt")
    assert not (tmp_path / "lone.txt").exists()
    for name in ("", "a\0b", None, 3, b"game.txt"):
        for use in (Record.read, game().record().write):
            with pytest.raises(CartagenaError, match="a file name is text"):
                use(name)  # type: ignore[arg-type]


def test_the_length_of_a_record_is_counted_in_characters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def piped(name: str) -> str:
        with (tmp_path / name).open(encoding="utf-8") as file:
            monkeypatch.setattr("sys.stdin", file)
            return inputs.read_stdin()

    long = Record(OPENING, ["s:B", "end"], {"Event": "ä" * 2_100_000})
    long.write(tmp_path / "long.txt")
    assert Record.read(tmp_path / "long.txt") == long, "read to its end, although it has more bytes"
    assert Record.parse(piped("long.txt")) == long
    (tmp_path / "longer.txt").write_text("a" + "ä" * 4_000_000, "utf-8")
    with pytest.raises(NotationError, match="a record has at most 4000000 characters"):
        Record.read(tmp_path / "longer.txt")
    with pytest.raises(NotationError, match="standard input has more than 4000000 characters"):
        piped("longer.txt")


def test_a_full_disk_leaves_the_record_that_was_there(tmp_path: Path) -> None:
    file, (soft, hard) = tmp_path / "tonight.txt", resource.getrlimit(resource.RLIMIT_FSIZE)
    early = Game.new("jamaica-en", seats=2, seed=7).record()
    early.write(file)
    file.chmod(0o640)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(str(early)), hard))
    try:
        with pytest.raises(CartagenaError, match=r"tonight\.txt: cannot be written: File too large"):
            game().record().write(file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [path.name for path in tmp_path.iterdir()] == ["tonight.txt"]
    assert Record.read(file) == early
    game().record().write(file)
    assert Record.read(file) == game().record()
    assert file.stat().st_mode & 0o777 == 0o640


def test_two_writers_of_one_file_do_not_mix(tmp_path: Path) -> None:
    records = [Game.new("jamaica-en", seats=2, seed=seed).record() for seed in range(4)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: save(tmp_path / "one.txt", str(records[number % 4]).encode()), range(200)))
    assert Record.read(tmp_path / "one.txt") in records
    assert [path.name for path in tmp_path.iterdir()] == ["one.txt"]


@pytest.mark.parametrize(
    "text",
    [
        "\n" * 1_400_000,
        '[A "b"]\n' * 200_000,
        OPENING + "\ns:B " + "{a}" * 600_000,
        OPENING + "\n" + "1. " * 600_000,
        OPENING + "\n" + "s:B " * 400_000,
        OPENING + "\ns:B {" + "\\" * 1_400_000,
    ],
    ids=["empty lines", "tags", "comments", "turn numbers", "moves", "backslashes"],
)
def test_a_record_of_two_million_characters_is_read_in_linear_time(text: str) -> None:
    start = time.process_time()
    with contextlib.suppress(CartagenaError):
        Record.parse(text)
    assert time.process_time() - start < 60  # quadratic reading would take hours


def test_a_game_from_a_record_keeps_comments_and_evaluations() -> None:
    entries = [Entry("s:B", "a quiet start", (0.5, 0.5)), Entry("end", "why?")]
    record = Record(OPENING, entries, {"Event": "Tea", "Seed": "7"})
    assert Game.from_record(record).record() == record


def test_a_file_that_is_no_record_is_not_replaced_unasked(tmp_path: Path) -> None:
    game, file = Game.new("jamaica-en", seed=7), tmp_path / "thesis.txt"
    file.write_text("Chapter 1\n")
    for write in (game.save, game.record().write, lambda path: Record.write_all(path, [game.record()])):
        with pytest.raises(CartagenaError, match=r"thesis.txt: is there already and is no record; overwrite=True"):
            write(file)
    assert file.read_text() == "Chapter 1\n"
    game.save(file, overwrite=True)
    game.play(game.legal_moves[0])
    game.save(file)  # a record may be replaced
    assert Game.load(file) == game


@pytest.mark.parametrize("name", ["games.txt", "games.json"])
def test_a_file_holds_several_records(tmp_path: Path, name: str) -> None:
    games = [Game.new(rules, seed=rules) for rules in ("jamaica-en", "tortuga-en", "nest-nl")]
    for game in games:
        game.tags["Event"] = 'a [b] {c} \\ " d'
        game.play(game.legal_moves[0])
    records = [game.record() for game in games]
    noted = Record(records[0].opening, [Entry(records[0].moves[0].move, 'two\n[Event "lines"]\n}')], records[0].tags)
    Record.write_all(tmp_path / name, [noted, *records])
    assert Record.read_all(tmp_path / name) == [noted, *records]
    for read in (Record.read, Game.load):
        with pytest.raises(NotationError, match=rf"{name}: holds a list of records; Record.read_all reads it$"):
            read(tmp_path / name)
    records[0].write(tmp_path / "one")
    assert Record.read_all(tmp_path / "one") == [records[0]]
    (tmp_path / "none").write_text("\n")
    assert Record.read_all(tmp_path / "none") == []
