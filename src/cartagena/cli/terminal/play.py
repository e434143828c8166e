"""The terminal game: people take turns at one keyboard, and hidden hands stay hidden."""

from collections.abc import Callable, Mapping
from pathlib import Path

from cartagena.game import CartagenaError, Game, Move, Position
from cartagena.game.render.text import draw_text

from .colours import paint
from .screen import Terminal
from .wording import numbered
from .words import Words, capital

Chooser = Callable[[Position], Move | str]
"""A computer player: it is shown its view and chooses a move."""


class Leave(Exception):
    """The players leave the game."""


def prompt(position: Position, seat: int, words: Words) -> str:
    """What a seat is asked that must choose."""
    name, actions = words.colour(seat), position.rules.actions
    if position.active != seat:
        return words("drop_prompt", name=name)
    if position.used == actions:
        return words("spent_prompt", name=name)
    return words("prompt", name=name, n=position.used + 1, all=actions)


def read_move(position: Position, typed: str, words: Words) -> Move:
    """A legal move by its number or notation. Enter means the only one. Raises CartagenaError otherwise."""
    moves = position.legal_moves
    if not typed:
        if len(moves) == 1:
            return moves[0]
        raise CartagenaError(words("type_move"))
    if typed.isascii() and typed.isdigit():
        number = int(typed[:9])
        if not 1 <= number <= len(moves):
            raise CartagenaError(words("numbers", n=len(moves)))
        return moves[number - 1]
    move = Move.parse(typed)
    error = position.why_not(move)
    if error is not None:
        raise error
    return move


class TerminalGame:
    """One game at one keyboard. The seats in ``choosers`` are computer players."""

    def __init__(
        self,
        game: Game,
        terminal: Terminal,
        choosers: Mapping[int, Chooser] | None = None,
        words: Words | None = None,
    ) -> None:
        self.game = game
        self.terminal = terminal
        self.words = words or Words()
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
            move = self.command(seat, self.terminal.ask(prompt(self.game.position, seat, self.words)))
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
            self.terminal.say(self.words("becalmed" if self.game.position.is_becalmed else "deadlock"))
        else:
            self.terminal.say(capital(self.words("won", name=self.words.colour(outcome.winner))))
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
        name = self.words.colour(seat)
        self.terminal.say(capital(self.words("turn", name=name)))
        while True:
            typed = self.terminal.ask(self.words("uncover", name=name))
            if not typed:
                break
            if typed.lower() == "quit":
                self.quit()
            self.terminal.say(self.words.help if typed.lower() == "help" else self.words("uncover_only"))
        self.watching = seat

    def show(self, seat: int) -> None:
        """Show the board as the seat may see it, the moves since it last looked, and the legal moves."""
        news = self.news(seat)
        self.looked[seat] = len(self.game.moves)
        view = self.game.view(seat)
        told = [f"{self.words('news')}\n{news}"] if news else []
        parts = [paint(draw_text(view, self.words.board), self.words.board), *told, numbered(view, self.words)]
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
                lines.append(f"  {self.words.colour(chooser)}: {seen}")
            speaker = chooser
        return "\n".join(lines)

    def report(self, dealt: list[Move]) -> None:
        """Show the cards that were dealt."""
        if dealt:
            self.terminal.say(self.words("dealt", cards=" ".join(str(move)[1:] for move in dealt)))

    # --- commands

    def command(self, seat: int, typed: str) -> Move | None:
        """Carry out a typed command, or return the typed move. A mistake is answered with one sentence."""
        word, _, rest = typed.partition(" ")
        commands: dict[str, Callable[[], None]] = {
            "undo": lambda: self.undo(seat),
            "board": lambda: self.show(seat),
            "help": lambda: self.terminal.say(self.words.help),
            "save": lambda: self.save(rest.strip()),
            "quit": self.quit,
        }
        try:
            if word.lower() in commands:
                commands[word.lower()]()
                return None
            return read_move(self.game.position, typed, self.words)
        except CartagenaError as error:
            self.terminal.say(self.words.refusal(error))
            return None

    def undo(self, seat: int) -> None:
        """Take back the seat's last choice of this turn."""
        history = list(self.game.history())
        while history and history[-1][1].is_chance:
            history.pop()
        if not history or history[-1][1].kind == "end" or history[-1][0].turn != seat:
            raise CartagenaError(self.words("no_undo"))
        self.game.undo()
        self.looked[seat] = min(self.looked[seat], len(self.game.moves))
        self.show(seat)

    def save(self, name: str) -> None:
        """Save the game to a file. A file that this game did not write is not overwritten."""
        if not name:
            raise CartagenaError(self.words("name_file"))
        path = Path(name).expanduser()
        if path not in self.saved_as and path.exists():
            raise CartagenaError(self.words("exists", file=name))
        self.game.record().write(path, overwrite=True)
        self.saved_as.add(path)
        self.saved_moves = len(self.game.moves)
        self.terminal.say(self.words("saved", file=name))

    def quit(self) -> None:
        self.offer_saving()
        raise Leave

    def offer_saving(self) -> None:
        """Ask for a file until the game is saved or the answer is empty."""
        while self.saved_moves != len(self.game.moves):
            name = self.terminal.ask(self.words("ask_file"))
            if not name:
                return
            try:
                self.save(name.removeprefix("save ").strip())
            except CartagenaError as error:
                self.terminal.say(self.words.refusal(error))
