"""What a seat remembers of a game, and drawing a whole game again that it would remember the same way.

A memory is made of public facts and of the seat's own cards only; the drawing reads nothing else, so it cannot make
use of cards that the seat has not seen. Every deal of a drawn game is possible and explains all that was seen: a card
was in a hand before it was played, a seat that was forced to pass held nothing it could have played, and a stock that
was turned over held what the discard pile had shown.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from cartagena.kernel import layout as at
from cartagena.kernel.cards import tally

UNSEEN: Final = -1
"""The card of a deal that the seat did not see."""

ATTEMPTS: Final = 400
SWAPS_PER_CARD: Final = 2


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened, as far as a seat knows it. Cards are kernel numbers, seats from 0.

    ``seat`` acted or was dealt to (-1: the row). ``deal`` says it was chance; ``action`` is then a card. ``lost`` is
    what the seat put on the discard pile (-1: nothing). ``gained`` are cards that ``taker`` took from the open row.
    ``fresh`` is the discard pile that became the stock before this deal (0: none did). ``barred`` are cards that the
    seat cannot have held now.
    """

    action: int
    seat: int
    deal: bool = False
    lost: int = -1
    taker: int = -1
    gained: tuple[int, ...] = ()
    fresh: int = 0
    barred: frozenset[int] = frozenset()


@dataclass(slots=True)
class Slot:
    """A hidden deal: when, to whom, from which stock; and the card that is drawn for it."""

    time: int
    seat: int
    stock: int
    card: int = UNSEEN


@dataclass(slots=True)
class Riddle:
    """What is to be explained: hidden deals, what their stocks held, and what each seat showed when."""

    slots: list[Slot] = field(default_factory=list)
    stocks: list[Counter[int]] = field(default_factory=list)
    facts: dict[int, list[tuple[int, Event]]] = field(default_factory=dict)


def cards_of(word: int) -> Counter[int]:
    """A card word as a multiset."""
    return Counter({card: tally(word, card) for card in range(at.CARDS) if tally(word, card)})


def read(deck: int, events: Sequence[Event]) -> Riddle:
    """What a memory leaves open."""
    riddle = Riddle(stocks=[cards_of(deck)])
    for time, event in enumerate(events):
        if event.fresh:
            riddle.stocks.append(cards_of(event.fresh))
        if event.deal and event.action == UNSEEN:
            riddle.slots.append(Slot(time, event.seat, len(riddle.stocks) - 1))
        elif event.deal:
            riddle.stocks[-1][event.action] -= 1
    hidden = {slot.seat for slot in riddle.slots}
    for time, event in enumerate(events):
        if event.deal and event.action == UNSEEN:
            continue
        for seat in hidden & {event.seat, event.taker}:
            riddle.facts.setdefault(seat, []).append((time, event))
    return riddle


def gains(event: Event, seat: int) -> tuple[int, ...]:
    """The cards that a seat openly got: dealt in sight, or taken from the row."""
    dealt = (event.action,) if event.deal and event.seat == seat else ()
    return dealt + (event.gained if event.taker == seat else ())


# --- is it explained?


def timeline(riddle: Riddle, seat: int) -> Iterator[tuple[int, Event | Slot]]:
    """What the seat got and did, in order."""
    own: list[tuple[int, Event | Slot]] = [(slot.time, slot) for slot in riddle.slots if slot.seat == seat]
    return iter(sorted([*own, *riddle.facts.get(seat, [])], key=lambda item: item[0]))


def explains(riddle: Riddle, seat: int) -> bool:
    """Whether the cards drawn for a seat agree with all it showed."""
    hand: Counter[int] = Counter()
    for _, item in timeline(riddle, seat):
        if isinstance(item, Slot):
            hand[item.card] += 1
            continue
        hand.update(gains(item, seat))
        if any(hand[card] for card in item.barred):
            return False
        if item.lost >= 0:
            hand[item.lost] -= 1
            if hand[item.lost] < 0:
                return False
    return True


# --- a first explanation


def shown_cards(riddle: Riddle) -> list[tuple[int, int, int]]:
    """All plays and drops that a hidden deal must explain: time, seat, card. Cards taken openly explain first."""
    needed = []
    for seat, facts in riddle.facts.items():
        known: Counter[int] = Counter()
        for time, event in facts:
            known.update(gains(event, seat))
            if event.lost >= 0 and known[event.lost] > 0:
                known[event.lost] -= 1
            elif event.lost >= 0:
                needed.append((time, seat, event.lost))
    return sorted(needed)


def barred_cards(riddle: Riddle, slot: Slot, until: int) -> set[int]:
    """The cards that cannot lie in a slot from its deal until then, because the seat was forced to pass."""
    facts = riddle.facts.get(slot.seat, [])
    return {card for time, event in facts if slot.time < time < until for card in event.barred}


def place_shown(riddle: Riddle, rng: Random) -> bool:
    """Give every card that was shown to an earlier hidden deal of its seat; False where no place is left."""
    for time, seat, card in shown_cards(riddle):
        fitting = [
            slot
            for slot in riddle.slots
            if slot.seat == seat
            and slot.time < time
            and slot.card == UNSEEN
            and riddle.stocks[slot.stock][card] > 0
            and card not in barred_cards(riddle, slot, time)
        ]
        if not fitting:
            return False
        chosen = rng.choice(fitting)
        chosen.card = card
        riddle.stocks[chosen.stock][card] -= 1
    return True


def place_rest(riddle: Riddle, rng: Random) -> bool:
    """Draw the cards that nobody has seen, those of seats that were forced to pass first."""
    end = 1 << 60
    empty = [(barred_cards(riddle, slot, end), slot) for slot in riddle.slots if slot.card == UNSEEN]
    rng.shuffle(empty)
    empty.sort(key=lambda item: -len(item[0]))
    for barred, slot in empty:
        pool = riddle.stocks[slot.stock]
        cards = [card for card in pool.elements() if card not in barred]
        if not cards:
            return False
        slot.card = rng.choice(cards)
        pool[slot.card] -= 1
    return True


# --- any explanation as likely as any other


def swap_about(riddle: Riddle, rng: Random) -> None:
    """Exchange cards of one stock between hidden deals and what is left of it, wherever all stays explained.

    From the first explanation this walks to any other; each is as likely in the long run.
    """
    for _ in range(SWAPS_PER_CARD * len(riddle.slots)):
        slot = rng.choice(riddle.slots)
        others: list[Slot | int] = [other for other in riddle.slots if other.stock == slot.stock]
        others += list(riddle.stocks[slot.stock].elements())
        swap(riddle, slot, rng.choice(others))


def swap(riddle: Riddle, slot: Slot, other: Slot | int) -> None:
    """One exchange, taken back where it explains less."""
    mine = slot.card
    if isinstance(other, int):
        slot.card = other
        if not explains(riddle, slot.seat):
            slot.card = mine
            return
        riddle.stocks[slot.stock][other] -= 1
        riddle.stocks[slot.stock][mine] += 1
    elif other.card != mine:
        slot.card, other.card = other.card, mine
        if not (explains(riddle, slot.seat) and explains(riddle, other.seat)):
            slot.card, other.card = mine, slot.card


def draw_deals(deck: int, events: Sequence[Event], rng: Random) -> list[int]:
    """A card for every deal of the memory, in order: those seen as they were, those unseen drawn anew."""
    for _ in range(ATTEMPTS):
        riddle = read(deck, events)
        if place_shown(riddle, rng) and place_rest(riddle, rng):
            swap_about(riddle, rng)
            drawn = {slot.time: slot.card for slot in riddle.slots}
            return [drawn.get(time, event.action) for time, event in enumerate(events) if event.deal]
    raise RuntimeError("no deal was found that explains what was seen")
