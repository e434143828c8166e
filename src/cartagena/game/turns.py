"""Whole turns: everything that a seat can make of its turn, each different result once."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cartagena.errors import NotationError, has_parts, shown
from cartagena.kernel import layout as at
from cartagena.kernel.intrinsics import RuleTable
from cartagena.kernel.legal import chooser, legal
from cartagena.kernel.step import step

from .move import Move

State = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """The moves of a turn, from where it stands up to its end, or up to the first card that must be dealt or dropped.

    ``is_whole`` is False where the turn goes on after that card. Get turns from ``Position.turns``.

    >>> from cartagena import Game
    >>> game = Game.new("tortuga-en", seats=2, seed=7, actions=1)
    >>> turn = game.position.turns()[0]
    >>> str(turn), turn.is_whole
    ('s:B end', True)
    """

    moves: tuple[Move, ...]
    is_whole: bool = True

    def __str__(self) -> str:
        return " ".join(map(str, self.moves))

    def __iter__(self) -> Iterator[Move]:
        return iter(self.moves)

    def __len__(self) -> int:
        return len(self.moves)


def moves_of(turn: Turn | str | Iterable[Move | str]) -> list[Move | str]:
    """The moves of a turn, of a text with spaces, or of a list. Raises NotationError for anything else."""
    if not has_parts(turn):
        raise NotationError(f"a turn is a list of moves, or a text such as s:B s:D end, not {shown(turn)}", "move")
    return list(turn.split() if isinstance(turn, str) else turn)


def distinct_turns(rules: RuleTable, words: State) -> dict[State, tuple[int, ...]]:
    """The results of all turns from a state, each with the shortest sequence of actions that leads to it.

    A turn goes on while the same seat must choose. States that several orders of actions lead to are looked at once.
    """
    seat = chooser(list(words))
    ends: dict[State, tuple[int, ...]] = {}
    open_: dict[State, tuple[int, ...]] = {words: ()} if seat >= 0 else {}
    seen = set(open_)
    while open_:
        longer: dict[State, tuple[int, ...]] = {}
        for state, path in open_.items():
            for action, after in successors(rules, state):
                if action == at.END or after[at.OVER] or chooser(list(after)) != seat:
                    ends.setdefault(after, (*path, action))
                elif after not in seen:
                    seen.add(after)
                    longer[after] = (*path, action)
        open_ = longer
    return ends


def successors(rules: RuleTable, state: State) -> Iterator[tuple[int, State]]:
    """The legal actions of a state, each with the state it leads to."""
    out = [0] * at.MAX_LEGAL
    for action in out[: legal(rules, list(state), out)]:
        after = list(state)
        step(rules, after, action)
        yield action, tuple(after)
