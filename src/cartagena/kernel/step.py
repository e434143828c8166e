"""Playing a move. ``step`` expects a legal one; ``reasons.reason`` tells whether it is."""

from .cards import unit
from .chance import deal, draw
from .intrinsics import RuleTable, Words, rule
from .layout import (
    CAPTAIN,
    CARD_BITS,
    CARD_SLOTS,
    DEADLOCK,
    DEAL,
    DISCARD,
    DROP,
    DROPPER,
    END,
    FREEBOOTER,
    HAND,
    HIGH,
    OVER,
    PASSES,
    PUSH,
    RETREAT,
    SAIL,
    SEAT,
    SEAT_BITS,
    SEAT_SLOTS,
    SEAT_WORDS,
    SLOOP,
    T_BOAT,
    T_DRAW,
    T_GOAL,
    T_HOLD,
    T_LIMIT,
    T_NEST,
    T_SEATS,
    TURN,
    USED,
)
from .legal import count_actions
from .moves import (
    advance_target,
    crossing_is_free,
    hand_size,
    has_won,
    is_becalmed,
    is_captain,
    may_sail,
    next_seat,
    push_target,
    retreat_target,
    sign_of,
)
from .track import shift


@rule
def spend(state: Words) -> None:
    """Count one action. The captain's free crossing lapses with the first."""
    state[USED] += 1
    state[CAPTAIN] = 0


@rule
def finish(state: Words, result: int) -> None:
    """End the game and clear the turn."""
    state[OVER] = result
    state[TURN] = 0
    state[USED] = 0
    state[PASSES] = 0
    state[CAPTAIN] = 0


@rule
def discard(state: Words, seat: int, card: int) -> None:
    """Move a card from the seat's hand to the discard pile."""
    one = unit(card)
    state[SEAT + seat * SEAT_WORDS + HAND] -= one
    state[DISCARD] += one


@rule
def call_drops(rules: RuleTable, state: Words, seat: int) -> None:
    """Find the next seat that must drop cards, clockwise from this one until the mover is reached again."""
    while True:
        if hand_size(state, seat) > rules[T_LIMIT]:
            state[DROPPER] = seat + 1
            return
        seat = next_seat(rules, seat)
        if seat == state[TURN]:
            state[DROPPER] = 0
            return


@rule
def advance(rules: RuleTable, state: Words, place: int, card: int) -> None:
    """Play a card and move the pirate. The last pirate home wins at once, before a freebooter takes effect."""
    seat = state[TURN]
    target = advance_target(rules, state, place, sign_of(card))
    shift(rules, state, seat, place, target)
    discard(state, seat, card)
    spend(state)
    if target == rules[T_GOAL] and has_won(rules, state, seat):
        finish(state, seat + 1)
    elif card >= FREEBOOTER:
        call_drops(rules, state, seat)


@rule
def crowd(state: Words, field: int) -> int:
    """How many cards a field with one or two pirates gives."""
    return 1 + ((state[HIGH] >> field) & 1)


@rule
def haul(rules: RuleTable, state: Words, target: int) -> int:
    """How many cards a push to that place gives: as many as pirates stand there, or two at the sloop."""
    if target == rules[T_BOAT]:
        return 2
    return crowd(state, target)


@rule
def fetch(rules: RuleTable, state: Words, number: int) -> None:
    """Draw that many cards for the mover. A rule set may fix the number, and how many cards a hand may hold.

    The two draws are written apart: the compiler knows that the games of the package draw one or two cards.
    """
    if rules[T_HOLD]:
        if rules[T_DRAW]:
            number = rules[T_DRAW]
        number = min(number, rules[T_HOLD] - hand_size(state, state[TURN]))
        if number > 0:
            draw(rules, state, number)
        return
    draw(rules, state, number)


@rule
def retreat(rules: RuleTable, state: Words, place: int) -> None:
    """Move a pirate back to the nearest field with one or two others and draw as many cards."""
    seat = state[TURN]
    target = retreat_target(state, place)
    number = crowd(state, target)
    shift(rules, state, seat, place, target)
    spend(state)
    fetch(rules, state, number)


@rule
def push(rules: RuleTable, state: Words, victim: int, place: int) -> None:
    """Move another seat's pirate forward to one or two others for as many cards, or aboard for two."""
    target = push_target(rules, state, place)
    number = haul(rules, state, target)
    shift(rules, state, victim, place, target)
    spend(state)
    fetch(rules, state, number)


@rule
def sail(state: Words) -> None:
    """Move the sloop to the other island. A captain's crossing is free and ends a run of forced passes."""
    state[SLOOP] = 3 - state[SLOOP]
    if crossing_is_free(state):
        state[CAPTAIN] = 0
        state[PASSES] = 0
    else:
        state[USED] += 1


@rule
def start_turn(rules: RuleTable, state: Words) -> None:
    """Start a turn. Whether the seat is captain and may sail is decided only now."""
    seat = state[TURN]
    state[USED] = 0
    state[CAPTAIN] = 0
    if rules[T_NEST] and may_sail(rules, state, seat) and is_captain(rules, state, seat):
        state[CAPTAIN] = 1


@rule
def pass_turn(rules: RuleTable, state: Words) -> None:
    """Start the next seat's turn. After a forced pass of every seat in a row, the game ends without a winner.

    Records of games that were played before the ruling ``is_becalmed`` go on after it: each end of a turn but a
    record's last is replayed by this function alone.
    """
    forced = 0
    if state[USED] == 0 and crossing_is_free(state) == 0 and count_actions(rules, state) == 0:
        forced = 1
    state[PASSES] = (state[PASSES] + 1) * forced
    if state[PASSES] == rules[T_SEATS]:
        finish(state, DEADLOCK)
        return
    state[TURN] = next_seat(rules, state[TURN])
    start_turn(rules, state)


@rule
def end_turn(rules: RuleTable, state: Words) -> None:
    """End the turn. A becalmed game ends with it, without a winner, as after a deadlock."""
    pass_turn(rules, state)
    if is_becalmed(rules, state):
        finish(state, DEADLOCK)


@rule
def drop(rules: RuleTable, state: Words, card: int) -> None:
    """Discard a card of a seat with too many. A freebooter dropped in this way has no effect."""
    seat = state[DROPPER] - 1
    discard(state, seat, card)
    call_drops(rules, state, seat)


@rule
def step(rules: RuleTable, state: Words, action: int) -> None:
    """Play a legal action on the state, in place."""
    if action < RETREAT:
        advance(rules, state, action >> CARD_BITS, action & (CARD_SLOTS - 1))
    elif action < PUSH:
        retreat(rules, state, action - RETREAT)
    elif action < SAIL:
        push(rules, state, (action - PUSH) >> SEAT_BITS, (action - PUSH) & (SEAT_SLOTS - 1))
    elif action == SAIL:
        sail(state)
    elif action == END:
        end_turn(rules, state)
    elif action < DEAL:
        drop(rules, state, action - DROP)
    else:
        deal(rules, state, action - DEAL)
