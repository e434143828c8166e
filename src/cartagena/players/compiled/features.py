"""The features of a seat: what a good player looks at, as numbers of about 0 to 1.

The kernel says where a card would take a pirate and which pirates can fetch cards; the features only count.
Hands are taken as known: the searching players deal hidden ones first.
"""

from typing import Final

from cartagena.backends.cpu import Numbers, block, kernel, rule
from cartagena.backends.cpu.intrinsics import lowest, popcount
from cartagena.kernel import layout
from cartagena.kernel.cards import FEET
from cartagena.kernel.intrinsics import RuleTable, Words

from .jumps import cards_of, jump, movers_of

NAMES: Final = (
    "one",
    "at-start",
    "band-1",
    "band-2",
    "band-3",
    "band-4",
    "band-5",
    "band-6",
    "home",
    "progress",
    "last",
    "last-but-one",
    "cards",
    "three-cards",
    "variety",
    "reach-any",
    "reach-last",
    "reach-held",
    "reach-best",
    "finishing-cards",
    "pairs-to-draw",
    "singles-to-draw",
    "pair-cost",
    "single-cost",
    "to-move",
    "actions-left",
    "moves-next",
    "nearly-done",
    "cards-needed",
    "cards-missing",
    "best-rival",
    "rival-cards",
    "sloop-away",
    "aboard",
    "captain",
    "too-many-cards",
    "waiting",
    "sloop-room",
)
"""The features in their order. A change of names, order or meaning needs a new ``FEATURE_SET``."""
(
    ONE, AT_START, BAND_1, BAND_2, BAND_3, BAND_4, BAND_5, BAND_6, HOME, PROGRESS, LAST, LAST_BUT_ONE, CARDS,
    THREE_CARDS, VARIETY, REACH_ANY, REACH_LAST, REACH_HELD, REACH_BEST, FINISHING_CARDS, PAIRS_TO_DRAW,
    SINGLES_TO_DRAW, PAIR_COST, SINGLE_COST, TO_MOVE, ACTIONS_LEFT, MOVES_NEXT, NEARLY_DONE, CARDS_NEEDED,
    CARDS_MISSING, BEST_RIVAL, RIVAL_CARDS, SLOOP_AWAY, ABOARD, CAPTAIN, TOO_MANY_CARDS, WAITING, SLOOP_ROOM,
) = range(len(NAMES))  # fmt: skip
FEATURE_SET: Final = 1
"""The number of this list of features, which files of weights name."""
SIZE: Final = len(NAMES)

moves, step, track = kernel.moves, kernel.step, kernel.track


@rule
def band_of(rules: RuleTable, place: int) -> int:
    """The stretch of the track of a place: 0 the start, 1 to 6, 7 the goal; in the nest 3 is the sloop."""
    goal = rules[layout.T_GOAL]
    if place == 0:
        return 0
    if place == goal:
        return 7
    if rules[layout.T_NEST] == 0:
        return 1 + (place - 1) * 6 // (goal - 1)
    boat = rules[layout.T_BOAT]
    if place < boat:
        return 1 + (place - 1) * 2 // (boat - 1)
    if place == boat:
        return 3
    return 4 + (place - boat - 1) * 3 // (goal - boat - 1)


@rule
def stand(rules: RuleTable, state: Words, seat: int, out: Numbers) -> None:
    """The places of the pirates: by stretches, on average, and of the last two."""
    goal = rules[layout.T_GOAL]
    each = 1.0 / rules[layout.T_PIRATES]
    places = track.places_of(state, seat)
    total = 0
    pirates = 0
    while places:
        place = lowest(places)
        places &= places - 1
        number = track.number_at(state, seat, place)
        out[AT_START + band_of(rules, place)] += number * each
        total += number * place
        if pirates == 0:
            out[LAST] = place / goal
            out[LAST_BUT_ONE] = place / goal
            pirates = number
        elif pirates == 1:
            out[LAST_BUT_ONE] = place / goal
            pirates = 2
    out[PROGRESS] = total * each / goal


@rule
def reach(rules: RuleTable, state: Words, seat: int, out: Numbers) -> None:
    """Fields that cards would take the pirates along chains of occupied signs: any card, and those held."""
    goal = rules[layout.T_GOAL]
    signs = rules[layout.T_SIGNS]
    hand = moves.hand_of(state, seat)
    movers = movers_of(rules, state, seat)
    if movers == 0:
        return
    bound = moves.bound_movers(rules, state, seat)
    last = lowest(movers)
    any_card = 0
    any_last = 0
    held_sum = 0
    held_best = 0
    finishing = 0
    for sign in range(signs):
        number = cards_of(hand, sign)
        best = 0
        ends = 0
        rest = movers
        while rest:
            place = lowest(rest)
            rest &= rest - 1
            length = jump(rules, state, place, sign, bound)
            any_card += length
            if place == last:
                any_last += length
            best = max(best, length)
            if place + length == goal:
                ends += 1
        if number:
            held_sum += best
            held_best = max(held_best, best)
            finishing += min(number, ends)
    out[REACH_ANY] = any_card / (popcount(movers) * signs * 12.0)
    out[REACH_LAST] = any_last / (signs * 12.0)
    out[REACH_HELD] = held_sum / (signs * 12.0)
    out[REACH_BEST] = held_best / 24.0
    out[FINISHING_CARDS] = min(finishing, 4) / 4.0


@rule
def fetch(rules: RuleTable, state: Words, target: int, loss: float, out: Numbers) -> None:
    """Count one way to fetch cards, two or one."""
    if step.haul(rules, state, target) == 2:
        out[PAIRS_TO_DRAW] += 0.25
        out[PAIR_COST] = min(out[PAIR_COST], loss)
    else:
        out[SINGLES_TO_DRAW] += 0.25
        out[SINGLE_COST] = min(out[SINGLE_COST], loss)


@rule
def draws(rules: RuleTable, state: Words, seat: int, out: Numbers) -> None:
    """Ways to fetch cards, and the cost of the cheapest: fields lost, or in the nest fields given to a rival."""
    out[PAIR_COST] = 1.0
    out[SINGLE_COST] = 1.0
    if rules[layout.T_NEST] == 0:
        places = moves.retreaters(rules, state, seat)
        while places:
            place = lowest(places)
            places &= places - 1
            target = moves.retreat_target(state, place)
            fetch(rules, state, target, (place - target) / 24.0, out)
        return
    for victim in range(rules[layout.T_SEATS]):
        if victim != seat:
            places = moves.pushable(rules, state, victim)
            while places:
                place = lowest(places)
                places &= places - 1
                target = moves.push_target(rules, state, place)
                fetch(rules, state, target, (target - place) / 24.0, out)


@rule
def hold(rules: RuleTable, state: Words, seat: int, out: Numbers) -> None:
    """The hand: cards, kinds, and the cards still missing to bring all pirates home."""
    cards = moves.hand_size(state, seat)
    if state[layout.TURN] == seat:
        cards += state[layout.OWED]
    kinds = kernel.cards.held(moves.hand_of(state, seat))
    variety = popcount(kinds & FEET)
    out[CARDS] = cards / 10.0
    out[THREE_CARDS] = min(cards, 3) / 3.0
    out[VARIETY] = variety / 6.0
    left = (1.0 - out[PROGRESS]) * rules[layout.T_PIRATES]
    needed = left * rules[layout.T_GOAL] / max(4.0, 12.0 * out[REACH_ANY])
    out[CARDS_NEEDED] = needed / 20.0
    out[CARDS_MISSING] = max(0.0, needed - cards) / 20.0
    out[NEARLY_DONE] = 1.0 / (1.0 + rules[layout.T_PIRATES] * (1.0 - out[HOME]))
    if rules[layout.T_NEST]:
        out[TOO_MANY_CARDS] = max(0, cards - rules[layout.T_LIMIT]) / 5.0


@rule
def order(rules: RuleTable, state: Words, seat: int, out: Numbers) -> None:
    """The turn: the actions left of it, or how soon it comes."""
    seats = rules[layout.T_SEATS]
    wait = seat - state[layout.TURN]
    if wait < 0:
        wait += seats
    if wait == 0:
        out[TO_MOVE] = 1.0
        out[ACTIONS_LEFT] = (rules[layout.T_ACTIONS] - state[layout.USED]) / rules[layout.T_ACTIONS]
    else:
        out[MOVES_NEXT] = 1.0 - (wait - 1) / (seats - 1)


@rule
def sea(rules: RuleTable, state: Words, seat: int, out: Numbers) -> None:
    """The nest: the sloop's side, the pirates aboard or waiting for it, its room for this colour, the captain."""
    ashore = 0
    places = track.places_of(state, seat) & rules[layout.T_FIRST]
    while places:
        place = lowest(places)
        places &= places - 1
        ashore += track.number_at(state, seat, place)
    aboard = track.number_at(state, seat, rules[layout.T_BOAT])
    out[ABOARD] = aboard / 3.0
    out[CAPTAIN] = moves.is_captain(rules, state, seat)
    out[SLOOP_ROOM] = moves.sloop_takes(rules, state, seat)
    if state[layout.SLOOP] == 2:
        out[SLOOP_AWAY] = 1.0
        out[WAITING] = ashore / rules[layout.T_PIRATES]


@block
def feature_vector(rules: RuleTable, state: Words, seat: int, out: Numbers) -> None:
    """Write the features of a seat, except those of its rivals, which ``compare`` adds."""
    for number in range(SIZE):
        out[number] = 0.0
    out[ONE] = 1.0
    stand(rules, state, seat, out)
    reach(rules, state, seat, out)
    draws(rules, state, seat, out)
    hold(rules, state, seat, out)
    order(rules, state, seat, out)
    if rules[layout.T_NEST]:
        sea(rules, state, seat, out)


@block
def compare(rules: RuleTable, out: Numbers) -> None:
    """Add the progress and cards of the best rival to each seat's features; ``out`` holds ``SIZE`` numbers a seat."""
    seats = rules[layout.T_SEATS]
    for seat in range(seats):
        for rival in range(seats):
            if rival != seat:
                mine = seat * SIZE
                its = rival * SIZE
                out[mine + BEST_RIVAL] = max(out[mine + BEST_RIVAL], out[its + PROGRESS])
                out[mine + RIVAL_CARDS] = max(out[mine + RIVAL_CARDS], out[its + CARDS])
