"""The same games on the plain and on the compiled kernel, compared state by state."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from cartagena.backends.cpu import compiled, entry, kernel, part, pointer, rule
from cartagena.backends.openings import Start, start_of
from cartagena.backends.portable import deal, generator, playout, policy
from cartagena.backends.portable import trace as hashing
from cartagena.backends.rollouts import CAP
from cartagena.backends.wasm.exports import trace as exported_trace
from cartagena.kernel import layout as at
from cartagena.kernel.chance import due
from cartagena.kernel.step import step
from cartagena.rulesets import names

ROOM = 60_000
"""The most states of one game: more than any game has before it is cut."""

chance_there = compiled.load("backends.portable.playout").chance
choose_there = compiled.load("backends.portable.policy").choose
set_up_there = compiled.load("backends.portable.deal").set_up
key_there = compiled.load("backends.portable.generator").key_of
next_there = compiled.load("backends.portable.generator").next_key
due_there, step_there = kernel.chance.due, kernel.step.step
WORDS, OVER, END = at.WORDS, at.OVER, at.END


@entry
def trace(table: Any, plan: Any, opening: Any, seed: Any, game: Any, cap: int, rows: Any) -> int:
    """Play one game, keep every state, and return their number."""
    rules = pointer(table, 0)
    state = pointer(rows, 0)
    key = set_up_there(rules, pointer(plan, 0), pointer(opening, 0), state, key_there(seed, game))
    number = 1
    turns = 0
    while state[OVER] == 0 and turns < cap:
        after = part(state, WORDS)
        for word in range(WORDS):
            after[word] = state[word]
        key = next_there(key)
        action = END
        if due_there(state):
            action = chance_there(rules, state, key)
        else:
            action = choose_there(rules, state, key)
            if action == END:
                turns += 1
        step_there(rules, after, action)
        state = after
        number += 1
    return number


trace_there = rule(exported_trace)


@entry
def trace_games(table: Any, plan: Any, opening: Any, games: Any, state: Any, seen: Any, sums: Any) -> int:
    """Hash some games, as the export of the same source does in WebAssembly, and return the number of their states."""
    rules, words = pointer(table, 0), pointer(opening, 0)
    return trace_there(
        rules, pointer(plan, 0), words, pointer(games, 0), pointer(state, 0), pointer(seen, 0), pointer(sums, 0)
    )


def traced(start: Start, seed: int, first: int, last: int, cap: int) -> tuple[list[str], int]:
    """The hashes of some games on this processor, and the number of their states."""
    table, plan, opening = (np.array(each, np.int64) for each in (start.rules, start.plan, start.words))
    games, sums = np.array([seed, first, last, cap], np.int64), np.zeros(last - first, np.int64)
    state, seen = np.zeros(at.WORDS, np.int64), np.zeros(at.MAX_LEGAL, np.int64)
    states = trace_games(table, plan, opening, games, state, seen, sums)
    return [f"{number:x}" for number in sums.view(np.uint64).tolist()], int(states)


def plain_trace(start: Start, seed: int, game: int, cap: int) -> tuple[int, int]:
    """The number of states of a game in plain Python, and their hash."""
    words, sums = [0] * at.WORDS, [0]
    key = deal.set_up(start.rules, start.plan, start.words, words, generator.key_of(seed, game))
    states = hashing.trace(start.rules, words, [0] * at.MAX_LEGAL, key, cap, sums)
    return states, sums[0]


def plain_states(start: Start, seed: int, game: int, cap: int) -> Iterator[list[int]]:
    """Iterate over the states of one game in plain Python, always in the same list."""
    words = [0] * at.WORDS
    key = deal.set_up(start.rules, start.plan, start.words, words, generator.key_of(seed, game))
    turns = 0
    yield words
    while words[at.OVER] == 0 and turns < cap:
        key = generator.next_key(key)
        if due(words):
            action = playout.chance(start.rules, words, key)
        else:
            action = policy.choose(start.rules, words, key)
            turns += action == at.END
        step(start.rules, words, action)
        yield words


@dataclass(frozen=True)
class Case:
    """A rule table and the rule sets that share it."""

    names: tuple[str, ...]
    seats: int
    start: Start

    def __str__(self) -> str:
        return f"{'='.join(self.names)}-{self.seats}"


@cache
def cases() -> tuple[Case, ...]:
    """Return all games and editions with 2 to 5 seats."""
    found: dict[Start, list[str]] = {}
    for seats in range(2, 6):
        for name in names():
            found.setdefault(start_of(name, seats), []).append(name)
    return tuple(Case(tuple(which), start.seats, start) for start, which in found.items())


def compare(case: Case, seed: int, games: range) -> int:
    """Play the games both ways and return the number of equal states. Raises AssertionError at the first difference."""
    table, plan, opening = (np.array(x, np.int64) for x in (case.start.rules, case.start.plan, case.start.words))
    rows = np.zeros((ROOM, at.WORDS), np.int64)
    total = 0
    for game in games:
        number = trace(table, plan, opening, np.uint64(seed), np.uint64(game), CAP, rows)
        theirs = rows[:number].tolist()
        seen = 0
        for ours in plain_states(case.start, seed, game, CAP):
            assert seen < number, f"{case}: game {game} of seed {seed} goes on in plain Python"
            assert ours == theirs[seen], f"{case}: game {game} of seed {seed} differs at state {seen}"
            seen += 1
        assert seen == number, f"{case}: game {game} of seed {seed} goes on in compiled code"
        total += number
    return total
