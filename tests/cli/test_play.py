"""The terminal game: whole games through a pipe and a pseudo-terminal, mistakes, and hidden hands."""

import os
import pty
import random
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TypeAlias

import pytest
from tests.catalogues import messages
from tests.cli.helpers import PATIENCE, PROGRAM, cartagena, refused

from cartagena import Game, Move, Position, Record
from cartagena.cli.terminal.colours import paint
from cartagena.cli.terminal.play import Leave, TerminalGame
from cartagena.cli.terminal.screen import WIPE, Terminal
from cartagena.cli.terminal.words import LANGUAGES, Words
from cartagena.game.notation.cards import format_cards, parse_cards
from cartagena.game.reasons import SENTENCES
from cartagena.game.render.captions import ENGLISH
from cartagena.game.render.text import draw_text
from cartagena.kernel.cards import tally, unit

PROMPT = r"((one|turn|\))> |leave\): |leave without: )"  # not the mark of the seat to move, where a read may end too
Opener: TypeAlias = Callable[..., AbstractContextManager["Keyboard"]]


class Keyboard:
    """A running game: reads the screen up to the next prompt, and types."""

    def __init__(self, process: subprocess.Popen[bytes], screen: int, keys: int, line_end: str) -> None:
        self.process, self.screen, self.keys = process, screen, keys
        self.prompt = re.compile(f"{PROMPT}{line_end}$")
        self.everything = ""

    def read(self) -> str:
        """Read up to the next prompt or the end."""
        said, raw = "", b""
        deadline = time.monotonic() + PATIENCE
        while not self.prompt.search(said):
            assert time.monotonic() < deadline, said
            if not select.select([self.screen], [], [], 1)[0]:
                continue
            try:
                chunk = os.read(self.screen, 65536)
            except OSError:  # the other end of the pseudo-terminal is gone
                break
            if not chunk:
                break
            raw += chunk
            said = raw.decode(errors="replace").replace("\r\n", "\n")  # a read may end inside a character or a line end
        self.everything += said
        return said

    def type(self, text: str) -> str:
        """Type a line and read on."""
        os.write(self.keys, text.encode() + b"\n")
        return self.read()


@contextmanager
def by_pipe(*arguments: str) -> Iterator[Keyboard]:
    with subprocess.Popen(
        [*PROGRAM, "play", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        yield Keyboard(process, process.stdout.fileno(), process.stdin.fileno(), "\n")
        process.stdin.close()
        process.wait(PATIENCE)


@contextmanager
def by_terminal(*arguments: str) -> Iterator[Keyboard]:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm"}
    with subprocess.Popen(
        [*PROGRAM, "play", *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        start_new_session=True,
    ) as process:
        os.close(theirs)
        yield Keyboard(process, ours, ours, "")
        process.wait(PATIENCE)
    os.close(ours)


def play_to_the_end(keyboard: Keyboard) -> str:
    """Choose moves by random numbers until the game is over. Returns the last screen."""
    chooser = random.Random(4)
    said = keyboard.read()
    for _ in range(2000):
        if "has won" in said or "is a draw" in said:
            return said
        numbers = re.findall(r"(\d+)\) ", said.rpartition("\n\n")[2])
        said = keyboard.type(chooser.choice(numbers) if "Enter when only" not in said and numbers else "")
    pytest.fail("the game does not end")


@pytest.mark.parametrize("open_keyboard", [by_pipe, by_terminal])
@pytest.mark.parametrize(
    "arguments",
    [
        ("jamaica-en", "--pieces", "1", "--pirates", "1", "--seats", "2"),
        ("tortuga-de", "--pieces", "1", "--pirates", "2", "--seats", "3"),
        ("hispaniola-nl", "--pieces", "1", "--pirates", "1", "--seats", "5"),
        ("nest-nl", "--pirates", "1", "--seats", "2"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_whole_games(open_keyboard: Opener, arguments: tuple[str, ...]) -> None:
    with open_keyboard(*arguments, "--seed", "2") as keyboard:
        play_to_the_end(keyboard)
        goodbye = keyboard.type("")
        assert goodbye.endswith("Fair winds!\n")
    assert keyboard.process.returncode == 0
    assert "Traceback" not in keyboard.everything


def test_the_screen_is_wiped_before_the_next_one_looks() -> None:
    with by_terminal("jamaica-en", "--seed", "2") as keyboard:
        assert WIPE in keyboard.read()
        assert "Blue's turn" in keyboard.type("")
        keyboard.type("1")
        after = keyboard.type("end")
        assert WIPE in after
        assert "cards:" not in after.partition(WIPE)[2]
        shown = keyboard.type("")
        assert "Red's turn" in shown
        assert re.search(r"Blue +\d+ cards, hidden", shown)
        keyboard.type("quit")
        keyboard.type("")


def test_open_hands_are_not_covered() -> None:
    with by_pipe("tortuga-en", "--seed", "2") as keyboard:
        assert "Enter when only" not in keyboard.read()
        keyboard.type("1")
        assert "Enter when only" not in keyboard.type("end")


@pytest.mark.parametrize("open_keyboard", [by_pipe, by_terminal])
def test_the_end_of_the_input_ends_the_game_politely(open_keyboard: Opener) -> None:
    with open_keyboard("tortuga-en") as keyboard:
        keyboard.read()
        if keyboard.process.stdin is None:
            os.write(keyboard.keys, b"\x04")
        else:
            keyboard.process.stdin.close()
        assert keyboard.read().endswith("The game is not finished. Fair winds!\n")
    assert keyboard.process.returncode == 0


@pytest.mark.interrupts
def test_an_interrupt_ends_the_game_politely() -> None:
    with by_pipe("tortuga-en") as keyboard:
        keyboard.read()
        keyboard.process.send_signal(signal.SIGINT)
        assert keyboard.read().endswith("The game is not finished. Fair winds!\n")
    assert keyboard.process.returncode == 130


def test_bad_input_is_one_sentence_and_changes_nothing() -> None:
    with by_pipe("tortuga-en", "--seed", "7") as keyboard:
        first = keyboard.read()
        for typed in ("0", "99", "9" * 3000, "hello", "s:K", "end", "", "+D", "undo", "save", "é\x1b[2J", "s:D s:D"):
            said = keyboard.type(typed)
            assert said.count("\n") == 2, said
            assert "\x1b" not in said
        os.write(keyboard.keys, b"\xff\xfe\x00\n")
        assert keyboard.read().count("\n") == 2
        assert keyboard.type("board").strip() in first


def test_help_undo_save_and_resume(tmp_path: Path) -> None:
    kept = tmp_path / "tonight.txt"
    with by_pipe("tortuga-en", "--seed", "7") as keyboard:
        first = keyboard.read()
        assert Words().help in keyboard.type("help")
        keyboard.type("s:D")
        assert keyboard.type("undo").strip() in first
        keyboard.type("s:D")
        assert "Saved" in keyboard.type(f"save {kept}")
        keyboard.type("end")
        assert "no move of this turn" in keyboard.type("undo")
        assert "file to save the game in" in keyboard.type("quit")
        assert "exists already" in keyboard.type(str(tmp_path))
        keyboard.type(str(kept))
    record = Record.read(kept)
    assert [str(entry.move) for entry in record.moves] == ["s:D", "end"]
    with by_pipe("--resume", str(kept)) as keyboard:
        assert "Red's turn" in keyboard.read()
        assert "Fair winds" in keyboard.type("quit")


def test_a_game_waiting_for_a_card_goes_on(tmp_path: Path) -> None:
    waiting = tmp_path / "waiting.txt"
    waiting.write_text("jamaica-en SPBKDH 3,3/s,s H/HS2 - B16D16H15K17P17S15 BD - 1.3+1\n")
    with by_pipe("--resume", str(waiting)) as keyboard:
        keyboard.read()
        assert "Blue    2 cards" in keyboard.type("")


def test_a_view_cannot_be_played(tmp_path: Path) -> None:
    view = tmp_path / "view.txt"
    view.write_text(f"{Game.new('jamaica-en', seed=1).view(2)}\n")
    assert "hidden" in refused_after_title(cartagena("play", "--resume", str(view), stdin="\n"))


def refused_after_title(done: subprocess.CompletedProcess[str]) -> str:
    return refused(subprocess.CompletedProcess(done.args, done.returncode, "", done.stderr))


# --- at a table in this process


class Script(Terminal):
    """A terminal that types a script and records what is printed."""

    def __init__(self, *typed: str) -> None:
        super().__init__()
        self.typed = list(typed)
        self.told: list[str] = []

    def say(self, text: str = "") -> None:
        self.told.append(text)

    def ask(self, prompt: str) -> str:
        self.told.append(prompt)
        if not self.typed:
            raise EOFError
        return self.typed.pop(0)

    def wipe(self) -> None:
        self.told.append(WIPE)


def sit(game: Game, script: Script, **players: Callable[[Position], Move | str]) -> Script:
    """Play a script; seats given as ``seat2`` are computer players."""
    choosers = {int(name.removeprefix("seat")): chooser for name, chooser in players.items()}
    with pytest.raises((EOFError, Leave)):
        TerminalGame(game, script, choosers).run()
    return script


def first_move(view: Position) -> Move:
    return view.legal_moves[0]


def test_seats_that_play_by_themselves() -> None:
    views: list[Position] = []

    def remember(view: Position) -> Move:
        views.append(view)
        return view.legal_moves[-1]

    game = Game.new("jamaica-en", seats=3, seed=4)
    script = sit(game, Script("1", "end", "board"), seat2=remember, seat3=first_move)
    assert views
    assert all(view.is_view and view.turn == 2 and view == view.view(2) for view in views)
    assert WIPE not in script.told, "one person alone need not be covered"
    assert any("Since you last looked:\n  red: " in text for text in script.told)


def test_news_hides_cards_drawn_unseen() -> None:
    game = Game("jamaica-en SPBKDH 3,5/s,s H/HS2 - B16D16H15K17P17S15 BD - 1.2", seed=1)
    script = sit(game, Script("", "5<", "end", "", "1", "end", "", "board"))
    news = [text for text in script.told if "Since you last looked" in text]
    assert any("blue: 5< +? end" in text for text in news)


def test_undo_stays_inside_the_own_turn() -> None:
    game = Game("jamaica-en SPBKDH 3,5/s,s H/HS2 - B16D16H15K17P17S15 BD - 1.2", seed=1)
    script = sit(game, Script("", "undo", "5<", "undo"))
    assert script.told.count("There is no move of this turn to take back.") == 1
    assert game.moves == ()


def test_a_dropping_seat_is_asked_covered() -> None:
    game = Game(
        "nest-nl STMDCPG/DCGMPST|GPDCMTS/TPMCGSD/PSGDCTM s,s/s,s C!D/C2D2G2M2 - "
        "C12D11D!G12G!M12M!P14P!S14S!T14T! - 1 1.0",
        seed=1,
    )
    script = sit(game, Script("", "s:C!", "", "drop:C", "", "undo"))
    assert "red, too many cards, discard one> " in script.told
    assert "It is red's turn." in script.told
    assert script.told.count(WIPE) == 3
    assert script.told[-2] == "There is no move of this turn to take back."


def others_shuffled(position: Position, seat: int, seed: int) -> Position:
    """The same view for one seat, with the cards it cannot see elsewhere."""
    words = str(position).split(" ")
    hands = words[3].split("/")
    known = [parse_cards(position.rules, text, "test") for text in (*hands, words[5])]
    hidden = [number for number in range(len(known)) if number != seat - 1]
    cards = [card for number in hidden for card in range(14) for _ in range(tally(known[number], card))]
    random.Random(seed).shuffle(cards)
    for number in hidden:
        size = sum(tally(known[number], card) for card in range(14))
        known[number] = sum(unit(card) for card in cards[:size])
        del cards[:size]
    texts = [format_cards(position.rules, word) for word in known]
    words[3], words[5] = "/".join(texts[:-1]), texts[-1]
    return Position.parse(" ".join(words))


@pytest.mark.parametrize("rules", ["jamaica-en", "hispaniola-en", "nest-nl"])
def test_what_a_seat_reads_does_not_depend_on_what_it_may_not_know(rules: str) -> None:
    chooser = random.Random(8)
    different = 0
    for number in range(12):
        game = Game.new(rules, seats=2 + number % 4, seed=number)
        for _ in range(30 + number * 10):
            if not game.is_over:
                game.play(chooser.choice(list(game.legal_moves)))
        seat = game.turn
        if not seat:
            continue
        other = others_shuffled(game.position, seat, number)
        different += other != game.position
        advance = next((str(move) for move in game.legal_moves if move.kind == "advance"), "help")
        mistakes = [word for word in ("s:B", "b<", "2@3", "+D", "drop:C") if game.position.why_not(word)]
        typed = ("", "board", *mistakes, "sail", advance, "undo", "help")
        ours = sit(Game(game.position, seed=1), Script(*typed)).told
        theirs = sit(Game(other, seed=1), Script(*typed)).told
        assert ours == theirs
    assert different >= 6


def places(text: object) -> set[str]:
    return set(re.findall(r"{(\w+)}", str(text)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text_of_the_terminal_with_the_same_places(language: str) -> None:
    english, words = Words().texts, Words(language)
    assert words.texts.keys() - {"reasons", "board", "signs"} == english.keys()
    assert {key: places(words.texts[key]) for key in english} == {key: places(text) for key, text in english.items()}
    assert {key: places(text) for key, text in words.moves.items()} == {
        key: places(text) for key, text in english["moves"].items()
    }
    assert len(words.texts["colours"]) == 5
    typed = {line.split()[0] for line in english["help"].splitlines() if line.startswith("  ")}
    assert {line.split()[0] for line in words.help.splitlines() if line.startswith("  ")} == typed
    if language != "en":
        assert words.reasons.keys() == SENTENCES.keys()


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_drawn_board_speaks_the_language_in_80_columns(language: str) -> None:
    words = Words(language)
    assert {key: places(text) for key, text in words.board.items() if key in ENGLISH} == {
        key: places(text) for key, text in ENGLISH.items()
    }
    page = messages(language)
    signs = {name.removeprefix("sign."): text for name, text in page.items() if name.startswith("sign.")}
    for rules in ("tortuga-en", "nest-nl"):
        game = Game.new(rules, seats=5, seed=7)
        drawn = draw_text(game.view(1), words.board)
        assert max(map(len, drawn.splitlines())) <= 80
        assert page[f"game.{game.rules.game}"] in drawn
        for name in game.rules.signs:
            assert signs["chest" if name == "treasure chest" else name] in " ".join(drawn.split()), name
        assert not set(drawn.split()) & {
            "stock",
            "discard",
            "hidden",
            "taken",
            "turn",
            "cards",
            "card",
            "field",
            "sign",
        }
        first = words.board["start"]
        assert any(line.startswith(first) and "\x1b[" in line for line in paint(drawn, words.board).splitlines())
    assert Words("fr").amount("days", 0) == "0 jour"


def test_a_game_is_played_in_the_language_that_is_asked_for() -> None:
    typed = "s:S\n!\n0\nundo\n99\nquit\n\n"
    seats = ("--seed", "3", "--seat", "you", "--seat", "deckhand")
    told = cartagena("play", "jamaica-en", *seats, "--language", "fr", stdin=typed).stdout
    for words in ("joueurs", "action 1 sur 3", "vers 3", "Vous n’avez pas cette carte.", "Bon vent", "numérotées"):
        assert words in told, words
    assert "Ce n’est pas une action" in told
    assert "speaks en, de, es, fr, it, nl, sv, not 'pl'" in refused(cartagena("play", "--language", "pl"))
