"""The terminal game: people take turns at one keyboard, and hidden hands stay hidden."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from cartagena.game import CartagenaError, Game, Move, Position
from cartagena.game.seats import colour

from ..sentences import sentence, why_no_winner
from .colours import paint
from .screen import Terminal
from .wording import numbered

Chooser = Callable[[Position], Move | str]
"""A computer player: it is shown its view and chooses a move."""

HELP: Final = """\
Type a move's number or the move itself:
  17:B     play the card B and advance the pirate on 17 (s is the start, b the sloop)
  18<      retreat the pirate on 18 and draw one or two cards
  3@14     the nest: push seat 3's pirate on 14 forward and draw one or two cards
  sail     the nest: move the sloop to the other island
  drop:D   the nest: put a surplus card away
  end      end the turn; Enter is enough if it is the only move
Or one of these words:
  undo     take the last move of this turn back
  board    show the board and the moves again
  save F   save the game to the file F (continue it with: cartagena play --resume F)
  help     show this list
  quit     leave the table"""


class Leave(Exception):
    """The players leave the game."""


class TerminalGame:
    """One game at one keyboard. The seats in ``choosers`` are computer players."""

    def __init__(self, game: Game, terminal: Terminal, choosers: Mapping[int, Chooser] | None = None) -> None:
        self.game = game
        self.terminal = terminal
        self.choosers = dict(choosers or {})
        self.people = [seat for seat in range(1, game.seats + 1) if seat not in self.choosers]
        self.looked = dict.fromkeys(self.people, len(game.moves))
        self.saved_as: set[Path] = set()
        self.saved_moves = len(game.moves)
        self.watching = 0

    # --- the game

    def run(self) -> None:
        """Play until the game is over. Raises Leave, EOFError or KeyboardInterrupt where the players leave before."""
        self.game.deal()
        while not self.game.is_over:
            if self.game.turn in self.choosers:
                self.game.play(self.choosers[self.game.turn](self.game.view(self.game.turn)))
            else:
                self.person(self.game.turn)
        self.finish()

    def person(self, seat: int) -> None:
        """Let a person choose until another seat has to."""
        self.cover(seat)
        self.show(seat)
        while self.game.turn == seat:
            move = self.command(seat, self.terminal.ask(self.prompt(seat)))
            if move is not None:
                dealt = self.game.play(move)[1:]
                ended = str(move) == "end"
                self.report(dealt)
                if self.game.turn == seat and not ended:
                    self.show(seat)
                if ended:
                    return

    def finish(self) -> None:
        """Announce the winner, and offer to save the game."""
        outcome = self.game.outcome()
        self.terminal.say(f"\n{paint(str(self.game))}\n")
        if outcome is None or outcome.winner is None:
            self.terminal.say(why_no_winner(self.game.position))
        else:
            self.terminal.say(f"{colour(outcome.winner - 1).capitalize()} has won!")
        self.offer_saving()

    # --- looking

    @property
    def covers(self) -> bool:
        """True where hands are hidden and several people share the keyboard."""
        return self.game.rules.hidden_hands and len(self.people) > 1

    def cover(self, seat: int) -> None:
        """Hand the keyboard over: where hands are hidden, clear the screen and wait until the right person looks."""
        if not self.covers or seat == self.watching:
            return
        self.watching = 0
        self.terminal.wipe()
        self.terminal.say(f"It is {colour(seat - 1)}'s turn.")
        while True:
            typed = self.terminal.ask(f"Press Enter when only {colour(seat - 1)} is looking (quit to leave): ")
            if not typed:
                break
            if typed.lower() == "quit":
                self.quit()
            self.terminal.say(HELP if typed.lower() == "help" else "Only Enter uncovers the hand.")
        self.watching = seat

    def show(self, seat: int) -> None:
        """Show the board as the seat may see it, the moves since it last looked, and the legal moves."""
        news = self.news(seat)
        self.looked[seat] = len(self.game.moves)
        view = self.game.view(seat)
        parts = [paint(view.text()), *([f"Since you last looked:\n{news}"] if news else []), numbered(view)]
        self.terminal.say("\n" + "\n\n".join(parts))

    def news(self, seat: int) -> str:
        """The others' moves since the seat last looked, as far as it may know them, one line per turn."""
        lines: list[str] = []
        speaker = 0
        for position, move in list(self.game.history())[self.looked[seat] :]:
            chooser = position.turn or position.active
            if chooser == seat:
                speaker = 0
                continue
            seen = str(position.seen(move, seat))
            if chooser == speaker:
                lines[-1] += f" {seen}"
            else:
                lines.append(f"  {colour(chooser - 1)}: {seen}")
            speaker = chooser
        return "\n".join(lines)

    def prompt(self, seat: int) -> str:
        position = self.game.position
        name = colour(seat - 1)
        if position.active != seat:
            return f"{name}, too many cards, drop one> "
        if position.used == self.game.rules.actions:
            return f"{name}, all actions are taken, Enter ends the turn> "
        return f"{name}, action {position.used + 1} of {self.game.rules.actions} (help says more)> "

    def report(self, dealt: list[Move]) -> None:
        """Show the cards that were dealt."""
        if dealt:
            self.terminal.say(f"Dealt: {' '.join(str(move)[1:] for move in dealt)}")

    # --- commands

    def command(self, seat: int, typed: str) -> Move | None:
        """Carry out a typed command, or return the typed move. A mistake is answered with one sentence."""
        word, _, rest = typed.partition(" ")
        commands: dict[str, Callable[[], None]] = {
            "undo": lambda: self.undo(seat),
            "board": lambda: self.show(seat),
            "help": lambda: self.terminal.say(HELP),
            "save": lambda: self.save(rest.strip()),
            "quit": self.quit,
        }
        try:
            if word.lower() in commands:
                commands[word.lower()]()
                return None
            return self.read_move(typed)
        except CartagenaError as error:
            self.terminal.say(sentence(str(error)))
            return None

    def read_move(self, typed: str) -> Move:
        """A legal move by its number or notation. Enter means the only one. Raises CartagenaError otherwise."""
        moves = self.game.legal_moves
        if not typed:
            if len(moves) == 1:
                return moves[0]
            raise CartagenaError("type a move or its number; help says more")
        if typed.isascii() and typed.isdigit():
            number = int(typed[:9])
            if not 1 <= number <= len(moves):
                raise CartagenaError(f"the moves are numbered 1 to {len(moves)}")
            return moves[number - 1]
        move = Move.parse(typed)
        error = self.game.position.why_not(move)
        if error is not None:
            raise error
        return move

    def undo(self, seat: int) -> None:
        """Take back the seat's last choice of this turn."""
        history = list(self.game.history())
        while history and history[-1][1].is_chance:
            history.pop()
        if not history or history[-1][1].kind == "end" or history[-1][0].turn != seat:
            raise CartagenaError("there is no move of this turn to take back")
        self.game.undo()
        self.looked[seat] = min(self.looked[seat], len(self.game.moves))
        self.show(seat)

    def save(self, name: str) -> None:
        """Save the game to a file. A file that this game did not write is not overwritten."""
        if not name:
            raise CartagenaError("name a file to save the game in, for example save tonight.txt")
        path = Path(name).expanduser()
        if path not in self.saved_as and path.exists():
            raise CartagenaError(f"{name} exists already; choose another name")
        self.game.record().write(path, overwrite=True)
        self.saved_as.add(path)
        self.saved_moves = len(self.game.moves)
        self.terminal.say(f"Saved. Continue with: cartagena play --resume {name}")

    def quit(self) -> None:
        self.offer_saving()
        raise Leave

    def offer_saving(self) -> None:
        """Ask for a file until the game is saved or the answer is empty."""
        while self.saved_moves != len(self.game.moves):
            name = self.terminal.ask("Name a file to save the game in, or press Enter to leave without: ")
            if not name:
                return
            try:
                self.save(name.removeprefix("save ").strip())
            except CartagenaError as error:
                self.terminal.say(sentence(str(error)))
