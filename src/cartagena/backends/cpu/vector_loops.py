"""Many games on processors: the loops over them.

``record`` holds the addresses of the arrays of ``Games`` and its numbers, in order: one array instead of many, because
every array that Python hands over takes time.
"""

from cartagena.backends.arrays import IntArray
from cartagena.backends.cpu.compiler import (
    entry,
    float32s,
    int64s,
    part,
    pointer,
    stack_words,
    uint8s,
    uint32s,
    uint64s,
)

from ...kernel.intrinsics import RuleTable, Words, rule
from ...kernel.layout import ACTIONS, MAX_LEGAL, WORDS
from ...kernel.legal_mask import MARK_BITS, MARK_WORDS, mark, mark_bits
from ..portable.episode import IDLE, WIDTH, advance, may_choose, see
from ..portable.games import Games
from ..portable.intrinsics import block, state_of
from ..portable.toolkit import list_moves
from ..portable.vector import check, open_game, sample, show

OBSERVED, MASKED, PACKED = 1, 2, 4  # what ``write_wanted`` writes
PACKED_SIZE = MARK_WORDS * MARK_BITS // 8
SPACE = WORDS + MAX_LEGAL


@rule
def games_at(record: IntArray) -> Games:
    """The games of a record as pointers."""
    at = pointer(record, 0)
    return Games(
        int64s(at[0]), int64s(at[1]), int64s(at[2]), int64s(at[3]), uint64s(at[4]), int64s(at[5]), int64s(at[6]),
        int64s(at[7]), int64s(at[8]), int64s(at[9]), float32s(at[10]), float32s(at[11]), uint8s(at[12]), uint8s(at[13]),
        uint8s(at[14]), uint8s(at[15]), at[16], at[17],
    )  # fmt: skip


@block
def clear(words: Words, size: int) -> None:
    """Set the first ``size`` words to 0."""
    for word in range(size):
        words[word] = 0


@block
def observe(rules: RuleTable, state: Words, viewer: int, working: Words, out: Words) -> None:
    """Write the observation of a viewer."""
    clear(int64s(out), WIDTH // 8)
    see(rules, state, viewer, working, out, 0)


@block
def write_mask(rules: RuleTable, state: Words, open_: bool, moves: Words, mask: Words) -> None:
    """Write a mask with a byte for each action."""
    clear(int64s(mask), ACTIONS // 8)
    if open_:
        for index in range(list_moves(rules, state, moves)):
            mask[moves[index]] = 1
    elif IDLE >= 0:
        mask[IDLE] = 1


@block
def pack_mask(rules: RuleTable, state: Words, open_: bool, mask: Words) -> None:
    """Write a mask with a bit for each action."""
    clear(mask, MARK_WORDS)
    if open_:
        mark(rules, state, mask)
    elif IDLE >= 0:
        mark_bits(1, IDLE, mask)


@rule
def write_wanted(games: Games, number: int, wanted: int, working: Words) -> None:
    """Write what is wanted of an observation and a mask."""
    state = state_of(games.states, number)
    if wanted & OBSERVED:
        observe(games.rules, state, games.viewers[number], working, part(games.observations, number * WIDTH))
    if wanted & MASKED:
        mask = part(games.masks, number * ACTIONS)
        write_mask(games.rules, state, may_choose(games, number), part(working, WORDS), mask)
    if wanted & PACKED:
        mask = part(games.masks, number * PACKED_SIZE)
        pack_mask(games.rules, state, may_choose(games, number), uint32s(mask))


@entry
def step_all(record: IntArray, actions: IntArray, wanted: int, first: int, last: int) -> None:
    """Advance every game by an action and write what is wanted of it."""
    games = games_at(record)
    chosen = pointer(actions, 0)
    working = stack_words(SPACE)
    for number in range(first, last):
        advance(games, number, chosen[number])
        if wanted:
            write_wanted(games, number, wanted, working)


@entry
def observe_all(record: IntArray, wanted: int, first: int, last: int) -> None:
    """Write what is wanted of all games."""
    games = games_at(record)
    working = stack_words(SPACE)
    for number in range(first, last):
        write_wanted(games, number, wanted, working)


@entry
def open_all(record: IntArray, numbers: IntArray, seed: int, first: int, last: int) -> None:
    """Start the games that have a number."""
    games = games_at(record)
    for number in range(first, last):
        open_game(games, number, numbers, seed)


@entry
def sample_all(record: IntArray, actions: IntArray, first: int, last: int) -> None:
    """Choose an action for every game by the policy."""
    games = games_at(record)
    for number in range(first, last):
        sample(games, number, actions)


@entry
def check_all(record: IntArray, actions: IntArray, first: int, last: int) -> None:
    """Set ``ended`` where an action is not legal."""
    games = games_at(record)
    for number in range(first, last):
        check(games, number, actions)


@entry
def view_all(record: IntArray, seats: IntArray, views: IntArray, first: int, last: int) -> None:
    """Write what a seat of each game may see."""
    games = games_at(record)
    out = pointer(views, 0)
    for number in range(first, last):
        show(games, number, seats, out)
