"""What a seat remembers of a game, and drawing the hidden deals again so that the seat would remember the same.

A memory consists of public facts and of the seat's own cards. The drawing reads nothing else, so that it cannot use
cards that the seat has not seen. Every drawn deal is possible and agrees with all that was seen: a card was in a hand
before it was played, a seat that was forced to pass held no card that it could have played, and a stock that was turned
over held what the discard pile had shown.
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
class Remembered:
    """One action or deal, as far as a seat knows it. Cards are kernel numbers, seats count from 0.

    ``seat`` acted or was dealt to (-1: the row). For a deal, ``deal`` is set and ``action`` is a card. ``lost`` is the
    card that the seat discarded (-1: none). ``gained`` are cards that ``taker`` took from the open row. ``fresh`` is
    the discard pile that became the stock before this deal (0: none did). ``barred`` are cards that the seat cannot
    have held at that time.
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
class HiddenDeal:
    """A deal that was not seen: its time, its seat, its stock, and the card that is drawn for it."""

    time: int
    seat: int
    stock: int
    card: int = UNSEEN


@dataclass(slots=True)
class Unknowns:
    """What a drawing must agree with: the hidden deals, what their stocks held, and what each seat showed when."""

    deals: list[HiddenDeal] = field(default_factory=list)
    stocks: list[Counter[int]] = field(default_factory=list)
    facts: dict[int, list[tuple[int, Remembered]]] = field(default_factory=dict)


def cards_of(word: int) -> Counter[int]:
    """Return the cards of a card word as a multiset."""
    return Counter({card: tally(word, card) for card in range(at.CARDS) if tally(word, card)})


def unknowns_of(deck: int, events: Sequence[Remembered]) -> Unknowns:
    """Return what a memory leaves open."""
    unknowns = Unknowns(stocks=[cards_of(deck)])
    for time, event in enumerate(events):
        if event.fresh:
            unknowns.stocks.append(cards_of(event.fresh))
        if event.deal and event.action == UNSEEN:
            unknowns.deals.append(HiddenDeal(time, event.seat, len(unknowns.stocks) - 1))
        elif event.deal:
            unknowns.stocks[-1][event.action] -= 1
    hidden = {deal.seat for deal in unknowns.deals}
    for time, event in enumerate(events):
        if event.deal and event.action == UNSEEN:
            continue
        for seat in hidden & {event.seat, event.taker}:
            unknowns.facts.setdefault(seat, []).append((time, event))
    return unknowns


def gains(event: Remembered, seat: int) -> tuple[int, ...]:
    """Return the cards that a seat got in sight of all: dealt openly, or taken from the row."""
    dealt = (event.action,) if event.deal and event.seat == seat else ()
    return dealt + (event.gained if event.taker == seat else ())


# --- does a drawing agree with the memory?


def timeline(unknowns: Unknowns, seat: int) -> Iterator[tuple[int, Remembered | HiddenDeal]]:
    """Iterate over what the seat got and did, in order."""
    own: list[tuple[int, Remembered | HiddenDeal]] = [(deal.time, deal) for deal in unknowns.deals if deal.seat == seat]
    return iter(sorted([*own, *unknowns.facts.get(seat, [])], key=lambda item: item[0]))


def agrees(unknowns: Unknowns, seat: int) -> bool:
    """Whether the cards drawn for a seat agree with everything that it showed."""
    hand: Counter[int] = Counter()
    for _, item in timeline(unknowns, seat):
        if isinstance(item, HiddenDeal):
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


# --- a first drawing


def shown_cards(unknowns: Unknowns) -> list[tuple[int, int, int]]:
    """Return the plays and drops of cards from hidden deals: time, seat, card. Cards got in sight are used first."""
    needed = []
    for seat, facts in unknowns.facts.items():
        known: Counter[int] = Counter()
        for time, event in facts:
            known.update(gains(event, seat))
            if event.lost >= 0 and known[event.lost] > 0:
                known[event.lost] -= 1
            elif event.lost >= 0:
                needed.append((time, seat, event.lost))
    return sorted(needed)


def barred_cards(unknowns: Unknowns, deal: HiddenDeal, until: int) -> set[int]:
    """Return the cards that a hidden deal cannot have brought, because the seat was forced to pass before that time."""
    facts = unknowns.facts.get(deal.seat, [])
    return {card for time, event in facts if deal.time < time < until for card in event.barred}


def place_shown(unknowns: Unknowns, rng: Random) -> bool:
    """Assign every card that was shown to an earlier hidden deal of its seat. Returns False if no deal is left."""
    for time, seat, card in shown_cards(unknowns):
        fitting = [
            deal
            for deal in unknowns.deals
            if deal.seat == seat
            and deal.time < time
            and deal.card == UNSEEN
            and unknowns.stocks[deal.stock][card] > 0
            and card not in barred_cards(unknowns, deal, time)
        ]
        if not fitting:
            return False
        chosen = rng.choice(fitting)
        chosen.card = card
        unknowns.stocks[chosen.stock][card] -= 1
    return True


def place_rest(unknowns: Unknowns, rng: Random) -> bool:
    """Draw the cards that were never shown, those of seats that were forced to pass first."""
    end = 1 << 60
    empty = [(barred_cards(unknowns, deal, end), deal) for deal in unknowns.deals if deal.card == UNSEEN]
    rng.shuffle(empty)
    empty.sort(key=lambda item: -len(item[0]))
    for barred, deal in empty:
        pool = unknowns.stocks[deal.stock]
        cards = [card for card in pool.elements() if card not in barred]
        if not cards:
            return False
        deal.card = rng.choice(cards)
        pool[deal.card] -= 1
    return True


# --- all drawings equally likely


def shuffle_hidden(unknowns: Unknowns, rng: Random) -> None:
    """Exchange cards of one stock between hidden deals and the rest of the stock, if everything still agrees.

    This is a random walk over all drawings that agree with the memory; in the long run all are equally likely.
    """
    for _ in range(SWAPS_PER_CARD * len(unknowns.deals)):
        deal = rng.choice(unknowns.deals)
        others: list[HiddenDeal | int] = [other for other in unknowns.deals if other.stock == deal.stock]
        others += list(unknowns.stocks[deal.stock].elements())
        swap(unknowns, deal, rng.choice(others))


def swap(unknowns: Unknowns, deal: HiddenDeal, other: HiddenDeal | int) -> None:
    """Exchange two cards, and undo it if the drawing no longer agrees."""
    mine = deal.card
    if isinstance(other, int):
        deal.card = other
        if not agrees(unknowns, deal.seat):
            deal.card = mine
            return
        unknowns.stocks[deal.stock][other] -= 1
        unknowns.stocks[deal.stock][mine] += 1
    elif other.card != mine:
        deal.card, other.card = other.card, mine
        if not (agrees(unknowns, deal.seat) and agrees(unknowns, other.seat)):
            deal.card, other.card = mine, deal.card


def draw_deals(deck: int, events: Sequence[Remembered], rng: Random) -> list[int]:
    """Return a card for every deal of the memory, in order: seen cards as they were, unseen ones drawn anew."""
    for _ in range(ATTEMPTS):
        unknowns = unknowns_of(deck, events)
        if place_shown(unknowns, rng) and place_rest(unknowns, rng):
            shuffle_hidden(unknowns, rng)
            drawn = {deal.time: deal.card for deal in unknowns.deals}
            return [drawn.get(time, event.action) for time, event in enumerate(events) if event.deal]
    raise RuntimeError("no deal was found that agrees with what was seen")
