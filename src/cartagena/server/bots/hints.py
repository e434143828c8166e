"""Hints for people, from the view of the asking seat only."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from cartagena.errors import CartagenaError, PlayerError
from cartagena.game import Move, Position

from ..live.live_table import LiveTable
from ..protocol.encoding import move_fields
from ..protocol.errors import Refused
from ..protocol.requests import AskHint
from ..tables import decide
from ..tables.state import Table
from ..tables.tokens import Requester
from .pool import Pool, Question

PER_ADDRESS: Final = 3  # hints of an address at once


def one_hint_only() -> Refused:
    return Refused("too-many", "The computer thinks about a hint for this seat already.", retry_after=2, limit="hints")


def checked_answer(answer: dict[str, object], view: Position, most: int) -> dict[str, object]:
    """An answer with its moves as fields and at most that many turns. Raises PlayerError if a move makes no sense."""
    if answer.get("move") not in view.legal_words():
        raise PlayerError("The answer is not a legal move.")
    turns = answer.get("turns", [])
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in turns):
        raise PlayerError("The turns of the answer cannot be read.")
    read = [{**turn, "moves": read_moves(turn.get("moves"))} for turn in turns[:most]]
    rest = {key: value for key, value in answer.items() if key not in ("id", "turns")}
    return {**rest, "move": read_moves([answer["move"]])[0], **({"turns": read} if "turns" in answer else {})}


def read_moves(words: object) -> list[dict[str, object]]:
    """Moves in notation as fields."""
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise PlayerError("The moves of the answer cannot be read.")
    try:
        return [move_fields(Move.parse(word)) for word in words]
    except CartagenaError as error:
        raise PlayerError(str(error)) from None


class Hints:
    """Answers requests for hints. A hint is an analysis, so the player remembers nothing of it."""

    def __init__(self, pool: Pool, levels: tuple[str, ...]) -> None:
        self.pool = pool
        self.levels = levels
        self.busy: dict[tuple[str, int], str] = {}

    async def ask(self, live: LiveTable, who: Requester, want: AskHint, owner: str) -> dict[str, object]:
        """A move for the seat that must choose, with values, turns and reasons. ``owner`` is the asking address."""
        table = live.table
        seat = decide.seat_for(table, who, want.seat)
        view, level, version = decide.must_play(table).view(seat), self._level(table, seat, want), table.version
        with self.only_one(table.id, seat, owner):
            try:
                async with self.pool.alone(f"hint:{table.id}:{seat}", want.seconds) as alone:
                    if not alone:
                        raise one_hint_only()
                    answer = await self.pool.ask(Question(level, view, want.seconds, owners=(owner,)))
                hint = checked_answer(answer, view, want.turns)
            except PlayerError:
                raise Refused("no-computer", "The computer player gave no answer; try again.") from None
        return {"version": version, "level": level, "answer": hint}

    @contextmanager
    def only_one(self, table_id: str, seat: int, owner: str) -> Iterator[None]:
        """Allow one hint at a time for a seat and few for an address."""
        if (table_id, seat) in self.busy:
            raise one_hint_only()
        if list(self.busy.values()).count(owner) >= PER_ADDRESS:
            sentence = "Too many hints are asked for at once; wait a moment."
            raise Refused("too-many", sentence, retry_after=2, limit="hints")
        self.busy[table_id, seat] = owner
        try:
            yield
        finally:
            del self.busy[table_id, seat]

    def _level(self, table: Table, seat: int, want: AskHint) -> str:
        """The level that answers. Raises Refused if the table, the turn or the level does not allow a hint."""
        if table.persons > 1 and not table.setup.hints:
            raise Refused("off", "Hints are off: the players at this table did not agree to them.")
        if table.chooser != seat:
            raise Refused("not-your-turn", "Hints are given to the seat that must choose.", version=table.version)
        if not self.levels or (want.level is not None and want.level not in self.levels):
            raise Refused("no-computer", f"There are no hints of level {want.level or 'any'} here.")
        return want.level or self.levels[-1]
