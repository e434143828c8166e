"""Compiled loops over many states, each with one function of the kernel in its body; all are called alike."""

from collections.abc import Callable
from typing import Any, Final

from bench.versus.readings import named

WORDS: Final = named("cartagena.kernel.layout:WORDS")
CPU: Final = "cartagena.backends.cpu"
Loop = Callable[..., int]
entry: Callable[[Loop], Loop]
entry, part, pointer = (named(f"{CPU}:{name}", f"{CPU}.compiler:{name}") for name in ("entry", "part", "pointer"))
kernel = named(f"{CPU}:kernel")
chooser, count, nth, legal = kernel.legal.chooser, kernel.legal.count, kernel.legal.nth, kernel.legal.legal
reason, step, view = kernel.reasons.reason, kernel.step.step, kernel.view.view


@entry
def nothing(_table: Any, _states: Any, actions: Any, _out: Any, last: int) -> int:
    found = 0
    for number in range(last):
        found += actions[number]
    return found


@entry
def copies(_table: Any, states: Any, actions: Any, out: Any, last: int) -> int:
    words, room = pointer(states, 0), pointer(out, 0)
    found = 0
    for number in range(last):
        state = part(words, number * WORDS)
        for word in range(WORDS):
            room[word] = state[word]
        found += actions[number] + room[0]
    return found


@entry
def choosers(_table: Any, states: Any, actions: Any, _out: Any, last: int) -> int:
    words = pointer(states, 0)
    found = 0
    for number in range(last):
        found += actions[number] + chooser(part(words, number * WORDS))
    return found


@entry
def counts(table: Any, states: Any, actions: Any, _out: Any, last: int) -> int:
    rules, words = pointer(table, 0), pointer(states, 0)
    found = 0
    for number in range(last):
        found += actions[number] + count(rules, part(words, number * WORDS))
    return found


@entry
def nths(table: Any, states: Any, actions: Any, _out: Any, last: int) -> int:
    rules, words = pointer(table, 0), pointer(states, 0)
    found = 0
    for number in range(last):
        found += actions[number] + nth(rules, part(words, number * WORDS), 0)
    return found


@entry
def lists(table: Any, states: Any, actions: Any, out: Any, last: int) -> int:
    rules, words, room = pointer(table, 0), pointer(states, 0), pointer(out, 0)
    found = 0
    for number in range(last):
        found += actions[number] + legal(rules, part(words, number * WORDS), room)
    return found


@entry
def reasons(table: Any, states: Any, actions: Any, _out: Any, last: int) -> int:
    rules, words = pointer(table, 0), pointer(states, 0)
    found = 0
    for number in range(last):
        found += actions[number] + reason(rules, part(words, number * WORDS), actions[number])
    return found


@entry
def steps(table: Any, states: Any, actions: Any, out: Any, last: int) -> int:
    """Copy and step, because a step changes its state."""
    rules, words, room = pointer(table, 0), pointer(states, 0), pointer(out, 0)
    found = 0
    for number in range(last):
        state = part(words, number * WORDS)
        for word in range(WORDS):
            room[word] = state[word]
        step(rules, room, actions[number])
        found += actions[number] + room[0]
    return found


@entry
def views(table: Any, states: Any, actions: Any, out: Any, last: int) -> int:
    rules, words, room = pointer(table, 0), pointer(states, 0), pointer(out, 0)
    found = 0
    for number in range(last):
        view(rules, part(words, number * WORDS), 0, room)
        found += actions[number] + room[0]
    return found


LOOPS: Final[dict[str, tuple[Loop, Loop]]] = {
    "copy of a state": (copies, nothing),
    "chooser": (choosers, nothing),
    "count": (counts, nothing),
    "nth": (nths, nothing),
    "legal": (lists, nothing),
    "reason": (reasons, nothing),
    "step": (steps, copies),
    "view": (views, nothing),
}
"""What is measured, and the loop whose cost is taken off."""
