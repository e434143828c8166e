# ruff: noqa: PLR0917  (compiled code takes arrays, not objects)
"""The tables of an environment, many at once, compiled for this processor.

All arrays are contiguous: table number i has the words from i * WORDS on in ``states``, and so on. An empty
``observations`` or ``masks`` is not filled. A mask has a byte for each action, or a bit (``packed``). Inside, arrays
are bare pointers, which is several times as fast.
"""

from typing import TYPE_CHECKING, Any

import numba
from numba import types
from numba.extending import intrinsic

from cartagena.backends.cpu import compiled, entry
from cartagena.backends.cpu.compiler import INNER
from cartagena.kernel.layout import ACTIONS, END, WORDS

if TYPE_CHECKING:
    from cartagena.backends.portable import generator, playout, policy
    from cartagena.kernel import legal as moves_of
    from cartagena.kernel import legal_mask as marks
    from cartagena.kernel import step, view

    from . import episode
    from . import observation as sight
else:
    generator = compiled.load("backends.portable.generator")
    playout = compiled.load("backends.portable.playout")
    policy = compiled.load("backends.portable.policy")
    moves_of = compiled.load("kernel.legal")
    marks = compiled.load("kernel.legal_mask")
    step = compiled.load("kernel.step")
    view = compiled.load("kernel.view")
    sight = compiled.load("rl.compiled.observation")
    episode = compiled.load("rl.compiled.episode")

SIZE = sight.SIZE
OBSERVATION_WORDS = SIZE // 8
MASK_WORDS = ACTIONS // 8
MARK_WORDS = marks.MARK_WORDS
MARK_BYTES = MARK_WORDS * marks.MARK_BITS // 8
OBSERVED, MASKED, PACKED = 1, 2, 4  # what is wanted of a look
RUNNING = episode.RUNNING
ENDED = episode.ENDED
CUT = episode.CUT
FORFEIT = episode.FORFEIT
next_key = generator.next_key
deal_due = playout.deal_due
random_choice = policy.choose
count = moves_of.count
legal = moves_of.legal
play = step.step
see = view.view
actor = moves_of.chooser
observe = sight.observe
mark_legal = sight.mark_legal
mark = marks.mark
mark_bits = marks.mark_bits
open_game = episode.open_game
is_choice = episode.is_choice
standing = episode.standing
reward = episode.reward


SECTION = {name: value for name, value in INNER.items() if name != "forceinline"}


def section(function: Any) -> Any:
    """Compile a function that stays one piece of code, however many call it: it keeps the compiler's work small."""
    return numba.njit(**SECTION)(function)


@intrinsic  # type: ignore[untyped-decorator]
def start_of(_: Any, array: Any) -> Any:
    """The first entry of a contiguous array, as a bare pointer."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, given[0]).data

    return types.CPointer(array.dtype)(array), generate


@intrinsic  # type: ignore[untyped-decorator]
def from_entry(_: Any, pointer: Any, _number: Any) -> Any:
    """The same pointer some entries on."""

    def generate(_context: Any, builder: Any, _signature: Any, given: Any) -> Any:
        return builder.gep(given[0], [given[1]])

    return pointer(pointer, types.int64), generate


@intrinsic  # type: ignore[untyped-decorator]
def as_words(_: Any, pointer: Any) -> Any:
    """The same place read as machine words."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.bitcast(given[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.int64)(pointer), generate


@intrinsic  # type: ignore[untyped-decorator]
def as_marks(_: Any, pointer: Any) -> Any:
    """The same place read as words of MARK_BITS marks."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.bitcast(given[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.uint32)(pointer), generate


@section
def clear(words: Any, size: int) -> None:
    """So many words become 0."""
    for word in range(size):
        words[word] = 0


@section
def look(
    table: Any, state: Any, viewer: int, running: int, scratch: Any, observation: Any, mask: Any, wanted: int
) -> None:
    """Write what a viewer observes and can choose; once an episode is over the one choice is ``end``."""
    see(table, state, viewer, scratch)
    if wanted & OBSERVED:
        clear(as_words(observation), OBSERVATION_WORDS)
        observe(table, scratch, viewer, observation, 0)
    if wanted & MASKED:
        clear(as_words(mask), MASK_WORDS)
        if running:
            mark_legal(table, scratch, viewer, from_entry(scratch, WORDS), mask, 0)
        else:
            mask[END] = 1
    if wanted & PACKED:
        clear(as_marks(mask), MARK_WORDS)
        if running:
            mark(table, scratch, as_marks(mask))
        else:
            mark_bits(1, END, as_marks(mask))


@section
def mask_of(masks: Any, number: int, wanted: int) -> Any:
    """Where the mask of a table starts."""
    if wanted & PACKED:
        return from_entry(masks, number * MARK_BYTES)
    return from_entry(masks, number * ACTIONS)


@section
def begin(table: Any, plan: Any, board: Any, state: Any, key: Any) -> Any:
    """A new game; the key of its last draw."""
    return open_game(table, plan, board, state, next_key(key))


@section
def choose(table: Any, state: Any, action: int, key: Any) -> Any:
    """Play a legal action and deal the cards it brings; the key of the last draw."""
    play(table, state, action)
    return deal_due(table, state, key)


@section
def pick_any(table: Any, state: Any, key: Any) -> int:
    """A random legal action."""
    return random_choice(table, state, key)


@section
def others(table: Any, state: Any, keys: Any, turns: Any, stands: Any, number: int, limit: int, learner: int) -> None:
    """Let the other seats choose at random until it is the learner's choice; a learner of -1 plays all seats."""
    while learner >= 0 and stands[number] == RUNNING and actor(state) != learner:
        key = next_key(keys[number])
        action = pick_any(table, state, key)
        keys[number] = choose(table, state, action, key)
        turns[number] += action == END
        stands[number] = standing(state, turns[number], limit)


@section
def new_game(
    table: Any, plan: Any, board: Any, state: Any, keys: Any, turns: Any, stands: Any, number: int, limit: int,
    learner: int,
) -> None:  # fmt: skip
    """A new game at a table, up to the learner's first choice."""
    keys[number] = begin(table, plan, board, state, keys[number])
    turns[number] = 0
    stands[number] = RUNNING
    others(table, state, keys, turns, stands, number, limit, learner)


@entry
def start_tables(
    table: Any, plan: Any, board: Any, states: Any, keys: Any, turns: Any, stands: Any, limit: int, learners: Any,
    viewers: Any, scratch: Any, observations: Any, masks: Any, wanted: int,
) -> None:  # fmt: skip
    """A new game at every table."""
    rules, pieces, fixed = start_of(table), start_of(plan), start_of(board)
    for number in range(stands.size):
        state = from_entry(start_of(states), number * WORDS)
        new_game(
            rules, pieces, fixed, state, start_of(keys), start_of(turns), start_of(stands), number, limit,
            learners[number],
        )  # fmt: skip
        if learners[number] >= 0:
            viewers[number] = learners[number]
        else:
            viewers[number] = actor(state)
        seen = from_entry(start_of(observations), number * SIZE)
        mask = mask_of(start_of(masks), number, wanted)
        look(rules, state, viewers[number], stands[number] == RUNNING, start_of(scratch), seen, mask, wanted)


@entry
def step_tables(
    table: Any, plan: Any, board: Any, states: Any, keys: Any, turns: Any, stands: Any, limit: int, learners: Any,
    viewers: Any, scratch: Any, observations: Any, masks: Any, wanted: int, actions: Any, rewards: Any, gained: Any,
    ended: Any, cut: Any, zero_sum: int,
) -> None:  # fmt: skip
    """One choice at every table; at a table whose game is over a new one begins instead.

    ``rewards`` gets those of all seats, ``gained`` that of the seat that chose, ``ended`` and ``cut`` how it stands.
    """
    rules, pieces, fixed = start_of(table), start_of(plan), start_of(board)
    draws, played, standings = start_of(keys), start_of(turns), start_of(stands)
    chosen, seats_to_see, learning = start_of(actions), start_of(viewers), start_of(learners)
    gains = start_of(rewards)
    seats = rules[0]
    for number in range(stands.size):
        state = from_entry(start_of(states), number * WORDS)
        loser = seats_to_see[number]
        action = chosen[number]
        if standings[number] != RUNNING:
            new_game(rules, pieces, fixed, state, draws, played, standings, number, limit, learning[number])
        elif is_choice(rules, state, action):
            draws[number] = choose(rules, state, action, draws[number])
            played[number] += action == END
            standings[number] = standing(state, played[number], limit)
            if learning[number] >= 0:
                others(rules, state, draws, played, standings, number, limit, learning[number])
        else:
            standings[number] = FORFEIT
        stands_now = standings[number]
        for seat in range(seats):
            gains[number * seats + seat] = reward(rules, state, stands_now, loser, seat, zero_sum)
        gained[number] = gains[number * seats + loser]
        ended[number] = (stands_now == ENDED) | (stands_now == FORFEIT)
        cut[number] = stands_now == CUT
        if standings[number] == RUNNING:
            seats_to_see[number] = actor(state)
        if wanted:
            seen = from_entry(start_of(observations), number * SIZE)
            mask = mask_of(start_of(masks), number, wanted)
            running = standings[number] == RUNNING
            look(rules, state, seats_to_see[number], running, start_of(scratch), seen, mask, wanted)


@entry
def look_at(table: Any, states: Any, stands: Any, viewer: int, scratch: Any, observation: Any, mask: Any) -> None:
    """What one seat of the first table sees and can choose."""
    seen, chosen, running = start_of(observation), start_of(mask), stands[0] == RUNNING
    look(start_of(table), start_of(states), viewer, running, start_of(scratch), seen, chosen, OBSERVED | MASKED)


@entry
def sample_choices(table: Any, states: Any, keys: Any, stands: Any, actions: Any) -> None:
    """A random legal action for every table, ``end`` where the game is over."""
    rules, draws, chosen = start_of(table), start_of(keys), start_of(actions)
    for number in range(stands.size):
        chosen[number] = END
        if stands[number] == RUNNING:
            draws[number] = next_key(draws[number])
            chosen[number] = pick_any(rules, from_entry(start_of(states), number * WORDS), draws[number])


@entry
def count_choices(table: Any, states: Any, stands: Any, firsts: Any) -> None:
    """Where the choices of each table start when all are written one after the other; a finished table has one."""
    rules = start_of(table)
    firsts[0] = 0
    for number in range(stands.size):
        size = 1
        if stands[number] == RUNNING:
            size = count(rules, from_entry(start_of(states), number * WORDS))
        firsts[number + 1] = firsts[number] + size


@section
def look_ahead(table: Any, state: Any, action: int, viewer: int, scratch: Any, observation: Any) -> None:
    """Write what the viewer would observe after an action, before any card is dealt."""
    after = from_entry(scratch, WORDS)
    for word in range(WORDS):
        after[word] = state[word]
    play(table, after, action)
    look(table, after, viewer, 1, scratch, observation, observation, OBSERVED)


@entry
def list_afterstates(
    table: Any, states: Any, stands: Any, viewers: Any, firsts: Any, scratch: Any, moves: Any, actions: Any,
    observations: Any,
) -> None:  # fmt: skip
    """For every choice of every table what the seat to choose would observe after it, before any card is dealt."""
    rules, chosen = start_of(table), start_of(actions)
    for number in range(stands.size):
        state = from_entry(start_of(states), number * WORDS)
        row = firsts[number]
        if stands[number] != RUNNING:
            chosen[row] = END
            seen = from_entry(start_of(observations), row * SIZE)
            look(rules, state, viewers[number], 0, start_of(scratch), seen, seen, OBSERVED)
        else:
            for choice in range(legal(rules, state, start_of(moves))):
                chosen[row + choice] = moves[choice]
                seen = from_entry(start_of(observations), (row + choice) * SIZE)
                look_ahead(rules, state, moves[choice], viewers[number], start_of(scratch), seen)
