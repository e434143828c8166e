"""One state, from Python: for those who step games one by one and cannot wait for plain Python."""

from typing import Any

from cartagena.backends.cpu.compiler import entry, pointer

from ...kernel import legal as moves
from ...kernel import step as play
from ...kernel import view as sight

count_rule = moves.count
legal_rule = moves.legal
nth_rule = moves.nth
step_rule = play.step
view_rule = sight.view


@entry
def count(table: Any, state: Any) -> int:
    """The number of legal moves."""
    return count_rule(pointer(table, 0), pointer(state, 0))


@entry
def legal(table: Any, state: Any, out: Any) -> int:
    """Write the legal moves into ``out``, ascending; how many there are."""
    return legal_rule(pointer(table, 0), pointer(state, 0), pointer(out, 0))


@entry
def nth(table: Any, state: Any, number: int) -> int:
    """The legal move with that number."""
    return nth_rule(pointer(table, 0), pointer(state, 0), number)


@entry
def step(table: Any, state: Any, action: int) -> None:
    """Play a legal action on the state, in place."""
    step_rule(pointer(table, 0), pointer(state, 0), action)


@entry
def view(table: Any, state: Any, seat: int, out: Any) -> None:
    """Write what a seat may see."""
    view_rule(pointer(table, 0), pointer(state, 0), seat, pointer(out, 0))
