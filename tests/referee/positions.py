"""Random positions of every game, edition, option and size, as text; the engine has no part in making them."""

from __future__ import annotations

import random
from collections import Counter

from tests.referee import rules as referee

EDITIONS = {"jamaica": "en de nl sv", "tortuga": "en de nl sv", "hispaniola": "en de nl sv", "nest": "nl"}


def rule_set_word(rng: random.Random, game: str | None = None) -> str:
    """A rule set in its canonical spelling, usually with an option or two."""
    game = game or rng.choice([*EDITIONS, "nest"])  # the nest has the most rules
    edition = rng.choice(EDITIONS[game].split())
    word = f"{game}-{edition}"
    if rng.random() < 0.25:
        word += "-pass" if edition == "de" else "+pass"
    if rng.random() < 0.25:
        word += "-crew" if game == "nest" else "-return"
    if rng.random() < 0.3:
        word += f"+actions{rng.choice([1, 2, 4, 5])}"
    if rng.random() < 0.5:
        usual = 15 if game == "nest" else 17
        word += f"+cards{rng.choice([n for n in (2, 2, 2, 3, 4, 6, 10, 14, 16, 19, 20) if n != usual])}"
    return word


def deck_of(rules: referee.Rules) -> list[str]:
    signs = referee.SIGNS[rules.game]
    if rules.nest:
        return [sign for sign in signs for _ in range(rules.copies - 1)] + [sign + "!" for sign in signs]
    return [sign for sign in signs for _ in range(rules.copies)]


def random_board(rng: random.Random, rules: referee.Rules) -> str:
    signs = list(referee.SIGNS[rules.game])
    pieces = ["".join(rng.sample(signs, len(signs))) for _ in range(5 if rules.nest else rng.randint(1, 8))]
    return "/".join(pieces[:2]) + "|" + "/".join(pieces[2:]) if rules.nest else "/".join(pieces)


def random_places(rng: random.Random, track: list[str], nest: bool, seats: int, pirates: int) -> list[list[str]]:
    """Pirates anywhere there is room: spread out, crowded together, or far ahead."""
    home, standing = track[-1], Counter[str]()
    favourites = rng.sample(track, min(len(track), rng.randint(1, 6))) if rng.random() < 0.6 else track
    if nest and rng.random() < 0.5:
        favourites = [*favourites, "b"]
    ahead = rng.random() < 0.3
    places: list[list[str]] = []
    for _ in range(seats):
        own: list[str] = []
        while len(own) < pirates:
            place = rng.choice(favourites if rng.random() < 0.7 else track)
            if ahead and rng.random() < 0.5:
                place = home if rng.random() < 0.6 else rng.choice(track[-8:])
            if place.isdigit() and standing[place] == referee.FULL_FIELD:
                continue
            if nest and place == "b" and own.count("b") == referee.BERTHS:
                continue
            if place == home and own.count(home) == pirates - 1:
                place = "s"
            own.append(place)
            standing[place] += 1
        places.append(own)
    return places


def random_cards(rng: random.Random, table: referee.Table) -> None:
    """The deck spread over hands, row, stock and discard pile, often with one of them empty."""
    deck = deck_of(table.rules)
    rng.shuffle(deck)
    largest = rng.choice([0, 1, 3, 7, 10, 14])
    table.hands = []
    for _ in table.pirates:
        size = min(len(deck), rng.randint(0, largest))
        table.hands.append(Counter(deck[:size]))
        del deck[:size]
    if table.rules.game in referee.OPEN_ROW:
        size = min(len(deck), rng.choice([0, 1, 1, 2, 2, 3, rng.randint(0, 12), 12]))
        table.row, deck = deck[:size], deck[size:]
    match rng.randrange(6):
        case 0:  # the stock is empty
            table.stock, table.discard = Counter(), Counter(deck)
        case 1:  # nothing was played yet
            table.stock, table.discard = Counter(deck), Counter()
        case 2:  # no card is left at all: the hands hold the rest
            table.stock, table.discard = Counter(), Counter()
            rng.choice([hand for hand in table.hands if isinstance(hand, Counter)]).update(deck)
        case 3:  # the stock is almost empty
            cut = min(len(deck), rng.randint(0, 3))
            table.stock, table.discard = Counter(deck[:cut]), Counter(deck[cut:])
        case _:
            cut = rng.randint(0, len(deck))
            table.stock, table.discard = Counter(deck[:cut]), Counter(deck[cut:])


def random_turn(rng: random.Random, table: referee.Table) -> None:
    """Whose turn it is, and perhaps something that is due first."""
    seats = len(table.pirates)
    table.seat = rng.randrange(seats)
    table.used = rng.choice([0, 0, 0, rng.randint(0, table.rules.actions)])
    table.passes = rng.choice([0, 0, 0, rng.randrange(seats), seats - 1])
    if table.used == 0:
        could = table.rules.nest and referee.is_captain(table) and referee.may_sail(table)
        table.captain = could and rng.random() < 0.7
        return
    left = referee.size(table.stock) + referee.size(table.discard)
    if left and rng.random() < 0.4:
        if table.rules.game in referee.OPEN_ROW:
            table.row_due = referee.ROW_LENGTH - len(table.row)
            table.owed = rng.randint(0, 2) if table.row_due else 0
        else:
            table.owed = rng.randint(1, 2)
    elif table.rules.nest and rng.random() < 0.6:
        referee.call_next_dropper(table, table.seat)


def random_position(rng: random.Random, game: str | None = None) -> str:
    """A position that a game could show, as its nine words."""
    word = rule_set_word(rng, game)
    rules = referee.read_rules(word)
    board = random_board(rng, rules)
    seats, pirates = rng.randint(2, 5), rng.choice([1, 2, 3, 6, 6, 6, 8])
    sloop = str(rng.randint(1, 2)) if rules.nest else "-"
    table = referee.read(f"{word} {board} s/s -/- - - - {sloop} 1.0")
    table.pirates = random_places(rng, table.track, rules.nest, seats, pirates)
    random_cards(rng, table)
    if rules.nest and rng.random() < 0.05:
        becalm(rng, table)
    random_turn(rng, table)
    return referee.write(table)


def becalm(rng: random.Random, table: referee.Table) -> None:
    """Empty all hands and put nearly all pirates where none can be pushed: at the start with a full sloop, or home."""
    table.stock, table.discard = Counter(deck_of(table.rules)), Counter()
    table.hands = [Counter() for _ in table.pirates]
    crew = len(table.pirates[0])
    for own in table.pirates:
        ashore = rng.randint(1, crew - referee.BERTHS) if crew > referee.BERTHS else 0
        aboard = min(referee.BERTHS, crew - 1) if ashore else rng.randint(1, min(referee.BERTHS, crew))
        own[:] = ["s"] * ashore + ["b"] * aboard + ["n"] * (crew - ashore - aboard)
    if rng.random() < 0.5:
        table.pirates[0][0] = rng.choice([place for place in table.track if place.isdigit()])


def random_opening(rng: random.Random, game: str | None = None) -> str:
    """Everybody at the start, with a deal of 0 to 12 as far as the deck goes."""
    word = rule_set_word(rng, game)
    rules = referee.read_rules(word)
    deck = deck_of(rules)
    rng.shuffle(deck)
    seats, pirates = rng.randint(2, 5), rng.choice([1, 2, 3, 6, 6, 6, 8])
    deal = min(rng.choice([0, 1, 2, 6, 7, 12]), len(deck) // seats)
    hands = [Counter(deck[seat * deal : (seat + 1) * deal]) for seat in range(seats)]
    rest = deck[seats * deal :]
    row = rest[: referee.ROW_LENGTH] if rules.game in referee.OPEN_ROW else []
    return " ".join(
        [
            word,
            random_board(rng, rules),
            "/".join(",".join("s" * pirates) for _ in range(seats)),
            "/".join(referee.write_cards(hand) for hand in hands),
            "".join(row) or "-",
            referee.write_cards(Counter(rest[len(row) :])),
            "-",
            "1" if rules.nest else "-",
            "1.0",
        ]
    )
