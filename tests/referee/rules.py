"""A second, slow reading of the rules, only for comparison with the engine.

Rules are written once in this project, in the kernel. This module is the one deliberate exception: a referee that was
written from the booklets, the rulings and the notation alone, with lists, dictionaries and words, and that imports
nothing of the project. Where the two disagree, one of them is wrong. Nothing but comparisons may use it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace

SIGNS = {"jamaica": "BDHKPS", "tortuga": "BDHKPS", "hispaniola": "BDHKPS", "nest": "CDGMPST"}
HIDDEN_HANDS = ("jamaica", "hispaniola", "nest")
OPEN_ROW = ("tortuga", "hispaniola")
ROW_LENGTH = 12
HAND_LIMIT = 7
FULL_FIELD = 3
BERTHS = 3

Hand = Counter[str]


@dataclass(frozen=True)
class Rules:
    """What the first word says."""

    word: str
    game: str
    may_pass: bool
    may_return: bool
    captain_needs_crew: bool
    actions: int
    copies: int

    @property
    def nest(self) -> bool:
        return self.game == "nest"


def read_rules(word: str) -> Rules:
    name, options = re.match(r"([a-z]+-[a-z]+)(.*)$", word).groups()  # type: ignore[union-attr]
    game, edition = name.split("-")
    rules = Rules(word, game, edition == "de", True, True, 3, 15 if game == "nest" else 17)
    for sign, option, number in re.findall(r"([+-])([a-z]+)(\d*)", options):
        on = sign == "+"
        match option:
            case "pass":
                rules = replace(rules, may_pass=on)
            case "return":
                rules = replace(rules, may_return=on)
            case "crew":
                rules = replace(rules, captain_needs_crew=on)
            case "actions":
                rules = replace(rules, actions=int(number))
            case "cards":
                rules = replace(rules, copies=int(number))
            case _:
                raise ValueError(option)
    return rules


@dataclass
class Table:
    """Everything that lies on the table. A hidden set of cards is its size, an int."""

    rules: Rules
    board: str
    signs: dict[str, str]
    islands: list[list[str]]
    pirates: list[list[str]]
    hands: list[Hand | int]
    row: list[str]
    stock: Hand | int
    discard: Hand
    sloop: int
    seat: int = 0
    used: int = 0
    captain: bool = False
    passes: int = 0
    row_due: int = 0
    owed: int = 0
    dropper: int | None = None
    result: int | None = None
    track: list[str] = field(default_factory=list)


# --- reading and writing -----------------------------------------------------------------------------------------


def read_cards(word: str) -> Hand | int:
    if word.startswith("?"):
        return int(word[1:])
    cards: Hand = Counter()
    if word != "-":
        for card, count in re.findall(r"([A-Z]!?)(\d*)", word):
            cards[card] += int(count or 1)
    return cards


def write_cards(cards: Hand | int) -> str:
    if isinstance(cards, int):
        return f"?{cards}" if cards else "-"
    words = [card + (str(n) if n > 1 else "") for card, n in sorted(cards.items()) if n]
    return "".join(words) or "-"


def read(text: str) -> Table:
    word = text.split(" ")
    rules = read_rules(word[0])
    signs: dict[str, str] = {}
    islands: list[list[str]] = []
    for island in word[1].split("|"):
        islands.append([])
        for letter in island.replace("/", ""):
            name = str(len(signs) + 1)
            signs[name] = letter
            islands[-1].append(name)
    stock, discard = read_cards(word[5]), read_cards(word[6])
    assert isinstance(discard, Counter)
    table = Table(
        rules=rules,
        board=word[1],
        signs=signs,
        islands=islands,
        pirates=[seat.split(",") for seat in word[2].split("/")],
        hands=[read_cards(seat) for seat in word[3].split("/")],
        row=[] if word[4] == "-" else list(word[4]),
        stock=stock,
        discard=discard,
        sloop=0 if word[7] == "-" else int(word[7]),
    )
    table.track = ["s", *islands[0], "b", *(islands[1] if rules.nest else []), *(["n"] if rules.nest else [])]
    read_turn(table, word[8])
    return table


def read_turn(table: Table, word: str) -> None:
    if word.startswith("="):
        table.result = int(word[1:])
        return
    shape = r"(\d)\.(\d)(c?)(?:p(\d+))?(?:r(\d+))?(?:\+(\d+))?(?:!(\d))?$"
    seat, used, captain, passes, due, owed, dropper = re.match(shape, word).groups()  # type: ignore[union-attr]
    table.seat, table.used, table.captain = int(seat) - 1, int(used), bool(captain)
    table.passes, table.row_due, table.owed = int(passes or 0), int(due or 0), int(owed or 0)
    table.dropper = int(dropper) - 1 if dropper else None


def write(table: Table) -> str:
    pirates = "/".join(",".join(sorted(places, key=table.track.index)) for places in table.pirates)
    return " ".join(
        [
            table.rules.word,
            table.board,
            pirates,
            "/".join(write_cards(hand) for hand in table.hands),
            "".join(table.row) or "-",
            write_cards(table.stock),
            write_cards(table.discard),
            str(table.sloop) if table.sloop else "-",
            write_turn(table),
        ]
    )


def write_turn(table: Table) -> str:
    if table.result is not None:
        return f"={table.result}"
    word = f"{table.seat + 1}.{table.used}"
    word += "c" if table.captain else ""
    word += f"p{table.passes}" if table.passes else ""
    word += f"r{table.row_due}" if table.row_due else ""
    word += f"+{table.owed}" if table.owed else ""
    word += f"!{table.dropper + 1}" if table.dropper is not None else ""
    return word


def copy(table: Table) -> Table:
    return replace(
        table,
        pirates=[list(places) for places in table.pirates],
        hands=[hand if isinstance(hand, int) else Counter(hand) for hand in table.hands],
        row=list(table.row),
        stock=table.stock if isinstance(table.stock, int) else Counter(table.stock),
        discard=Counter(table.discard),
    )


def view(table: Table, seat: int) -> Table:
    """What the seat (from 0) may know."""
    seen = copy(table)
    if table.rules.game in HIDDEN_HANDS:
        seen.hands = [hand if i == seat else size(hand) for i, hand in enumerate(seen.hands)]
    seen.stock = size(seen.stock)
    return seen


# --- small questions ---------------------------------------------------------------------------------------------


def size(cards: Hand | int) -> int:
    return cards if isinstance(cards, int) else sum(cards.values())


def standing(table: Table, place: str) -> int:
    """How many pirates, of whatever colour, stand on a field."""
    return sum(places.count(place) for places in table.pirates)


def home(table: Table) -> str:
    return "n" if table.rules.nest else "b"


def island_of(table: Table, place: str) -> int:
    """1 or 2: where a pirate walks; aboard counts as the second island, from where it goes on."""
    return 1 if place == "s" or place in table.islands[0] else 2


def ahead(table: Table, place: str) -> list[str]:
    """The fields in front of a pirate, nearest first, on the island it walks on."""
    fields = table.islands[island_of(table, place) - 1]
    return fields[fields.index(place) + 1 :] if place in fields else list(fields)


def behind(table: Table, place: str) -> list[str]:
    """The fields behind a pirate in the tunnel, nearest first."""
    fields = table.islands[0]
    return list(reversed(fields[: fields.index(place)] if place in fields else fields))


def aboard(table: Table, seat: int) -> int:
    return table.pirates[seat].count("b")


def room_aboard(table: Table, seat: int) -> bool:
    """May a pirate of this colour step into the sloop now? In the tunnel always."""
    return not table.rules.nest or (table.sloop == 1 and aboard(table, seat) < BERTHS)


def may_move_at_all(table: Table, place: str) -> bool:
    """A pirate aboard walks on only where the sloop lies at the second island; one in the nest never."""
    if place == home(table):
        return False
    return place != "b" or table.sloop == 2


def may_sail(table: Table) -> bool:
    own = table.pirates[table.seat]
    if table.sloop == 1:
        return "b" in own
    return table.sloop == 2 and any(place == "s" or place in table.islands[0] for place in own)


def is_captain(table: Table) -> bool:
    mine = aboard(table, table.seat)
    most = max(aboard(table, seat) for seat in range(len(table.pirates)))
    return mine == most and (mine > 0 or not table.rules.captain_needs_crew)


def advance_target(table: Table, place: str, sign: str) -> str | None:
    if not may_move_at_all(table, place):
        return None
    for name in ahead(table, place):
        if table.signs[name] == sign and standing(table, name) == 0:
            return name
    if table.rules.nest and island_of(table, place) == 2:
        return "n"
    return "b" if room_aboard(table, table.seat) else None


def retreat_target(table: Table, place: str) -> str | None:
    if place == "s" or (place == "b" and not table.rules.may_return):
        return None
    for name in behind(table, place):
        if 0 < standing(table, name) < FULL_FIELD:
            return name
    return None


def push_target(table: Table, seat: int, place: str) -> str | None:
    if not may_move_at_all(table, place):
        return None
    for name in ahead(table, place):
        if 0 < standing(table, name) < FULL_FIELD:
            return name
    if island_of(table, place) == 2:
        return None
    return "b" if room_aboard(table, seat) else None


# --- which moves are legal ---------------------------------------------------------------------------------------


def legal(table: Table) -> set[str]:
    if table.result is not None:
        return set()
    if table.dropper is not None:
        return {f"drop:{card}" for card in kinds(table.hands[table.dropper])}
    if table.row_due or table.owed:
        return {f"+{card}" for card in kinds(table.stock if size(table.stock) else table.discard)}
    moves = actions(table) if table.used < table.rules.actions else set()
    crossing = {"sail"} if table.captain else set()
    if table.used or table.rules.may_pass or not moves:
        return moves | crossing | {"end"}
    return moves | crossing


def kinds(cards: Hand | int) -> list[str]:
    assert isinstance(cards, Counter), "what is hidden cannot be listed"
    return [card for card, n in cards.items() if n]


def actions(table: Table) -> set[str]:
    """The moves that are one of the turn's actions."""
    own = set(table.pirates[table.seat])
    moves = {
        f"{place}:{card}"
        for place in own
        for card in kinds(table.hands[table.seat])
        if advance_target(table, place, card[0]) is not None
    }
    if not table.rules.nest:
        return moves | {f"{place}<" for place in own if retreat_target(table, place) is not None}
    for seat, places in enumerate(table.pirates):
        if seat != table.seat:
            moves |= {f"{seat + 1}@{place}" for place in places if push_target(table, seat, place) is not None}
    # A crossing that is free for the captain is not an action; the same word is, for everybody else.
    return moves | ({"sail"} if may_sail(table) and not table.captain else set())


# --- what a move does --------------------------------------------------------------------------------------------


def apply(before: Table, move: str) -> Table:
    assert move in legal(before), move
    table = copy(before)
    if move == "end":
        end_turn(table, forced=before.used == 0 and legal(before) == {"end"})
    elif move == "sail":
        sail(table)
    elif move.startswith("drop:"):
        drop(table, move[5:])
    elif move.startswith("+"):
        deal(table, move[1:])
    elif move.endswith("<"):
        place = move[:-1]
        walk_to_company(table, table.seat, place, retreat_target(table, place))
    elif "@" in move:
        seat, place = move.split("@")
        walk_to_company(table, int(seat) - 1, place, push_target(table, int(seat) - 1, place))
    else:
        place, card = move.split(":")
        play_card(table, place, card)
    return table


def act(table: Table) -> None:
    table.used += 1
    table.captain = False


def shift(table: Table, seat: int, place: str, target: str | None) -> None:
    assert target is not None
    table.pirates[seat].remove(place)
    table.pirates[seat].append(target)


def take(cards: Hand | int, card: str) -> None:
    assert isinstance(cards, Counter)
    assert cards[card] > 0
    cards[card] -= 1


def play_card(table: Table, place: str, card: str) -> None:
    act(table)
    target = advance_target(table, place, card[0])
    take(table.hands[table.seat], card)
    table.discard[card] += 1
    shift(table, table.seat, place, target)
    if set(table.pirates[table.seat]) == {home(table)}:
        table.result = table.seat + 1
    elif card.endswith("!"):
        call_next_dropper(table, table.seat)


def call_next_dropper(table: Table, first: int) -> None:
    """Clockwise from `first`, up to the seat before the active player, who was asked first of all."""
    table.dropper = None
    seats = len(table.hands)
    for step in range(seats):
        seat = (table.seat + step) % seats
        already_asked = step < (first - table.seat) % seats
        if not already_asked and size(table.hands[seat]) > HAND_LIMIT:
            table.dropper = seat
            return


def drop(table: Table, card: str) -> None:
    assert table.dropper is not None
    take(table.hands[table.dropper], card)
    table.discard[card] += 1
    call_next_dropper(table, table.dropper)


def walk_to_company(table: Table, seat: int, place: str, target: str | None) -> None:
    """A retreat or a push: cards for those who stand there already, always two in the sloop."""
    act(table)
    assert target is not None
    table.owed = 2 if target == "b" else standing(table, target)
    shift(table, seat, place, target)
    hand_out(table)


def hand_out(table: Table) -> None:
    """Everything about owed cards that needs no chance."""
    piles_empty = size(table.stock) + size(table.discard) == 0
    if table.rules.game in OPEN_ROW:
        if piles_empty:
            table.row_due = 0
        while table.owed and table.row and not table.row_due:
            card = table.row.pop(0)
            hand = table.hands[table.seat]
            if isinstance(hand, int):
                table.hands[table.seat] = hand + 1
            else:
                hand[card] += 1
            table.owed -= 1
            if not table.row and not piles_empty:
                table.row_due = ROW_LENGTH
        if table.owed and not table.row and not table.row_due and not piles_empty:
            table.row_due = ROW_LENGTH
    if piles_empty:
        table.owed = 0


def deal(table: Table, card: str) -> None:
    if size(table.stock) == 0:
        table.stock, table.discard = table.discard, Counter()
    take(table.stock, card)
    if table.row_due:
        table.row.append(card)
        table.row_due -= 1
    else:
        hand = table.hands[table.seat]
        assert isinstance(hand, Counter)
        hand[card] += 1
        table.owed -= 1
    hand_out(table)


def sail(table: Table) -> None:
    if table.captain:
        table.captain = False
        table.passes = 0
    else:
        act(table)
    table.sloop = 3 - table.sloop


def end_turn(table: Table, *, forced: bool) -> None:
    table.passes = table.passes + 1 if forced else 0
    seats = len(table.pirates)
    if table.passes == seats:
        table.result = 0
        return
    table.seat = (table.seat + 1) % seats
    table.used = 0
    table.captain = table.rules.nest and is_captain(table) and may_sail(table)
    if becalmed(table):
        table.seat, table.captain, table.passes, table.result = 0, False, 0, 0


def becalmed(table: Table) -> bool:
    """True if no seat has a card and no pirate could be pushed with the sloop at either island."""
    if not table.rules.nest or any(size(hand) for hand in table.hands):
        return False
    shores = [replace(table, sloop=shore) for shore in (1, 2)]
    return not any(
        push_target(shore, seat, place)
        for shore in shores
        for seat, places in enumerate(table.pirates)
        for place in places
    )


def perft(table: Table, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(perft(apply(table, move), depth - 1) for move in legal(table))
