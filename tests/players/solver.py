"""Small games solved by brute force, chance included: bounds on what the first seat wins; a deadlock counts half.

Two pieces (the nest has always five), two pirates a seat, three cards of each sign. Where hands are hidden (jamaica,
the nest) the stock is empty, so that the seat to move knows what its rival holds; what is drawn later is taken as open.

``python -m tests.players.solver 120`` writes ``small_games.json.gz``: so many positions of each game with all their
optimal moves.
"""

import gzip
import json
import random
import sys
from itertools import count, islice
from pathlib import Path

from cartagena import Position
from cartagena.game.notation.cards import card_letters
from cartagena.kernel import layout as at
from cartagena.kernel.chance import due, weight
from cartagena.kernel.legal import legal
from cartagena.kernel.step import step
from cartagena.rulesets import load

from .positions import multiset

DATA = Path(__file__).with_name("small_games.json.gz")
CLOSE = 1e-9
TURNS = {
    "tortuga-en+actions1+cards3": 4,
    "tortuga-en+actions2+cards3": 2,
    "jamaica-en+actions1+cards3": 3,
    "jamaica-en+actions2+cards3": 2,
    "nest-nl+actions1+cards3": 3,
    "nest-nl+actions2+cards3": 2,
}
"""Turns that are searched in each game."""
MOST = 6_000
Bounds = tuple[float, float]


class TooMuch(Exception):
    """The position needs more work than allowed."""


class Solver:
    """Bounds on what seat 0 wins; after so many turns that may be anything."""

    def __init__(self, table: tuple[int, ...], most: int) -> None:
        self.table = table
        self.left = most
        self.known: dict[tuple[tuple[int, ...], int], Bounds] = {}

    def bounds(self, words: list[int], turns: int) -> Bounds:
        if words[at.OVER]:
            value = {1: 1.0, at.DEADLOCK: 0.5}.get(words[at.OVER], 0.0)
            return (value, value)
        if turns == 0:
            return (0.0, 1.0)
        key = (tuple(words), turns)
        found = self.known.get(key)
        if found is None:
            self.left -= 1
            if self.left < 0:
                raise TooMuch
            found = self.known[key] = self.chance(words, turns) if due(words) else self.choice(words, turns)
        return found

    def after(self, words: list[int], action: int, turns: int) -> Bounds:
        state = list(words)
        step(self.table, state, action)
        return self.bounds(state, turns - (action == at.END))

    def chance(self, words: list[int], turns: int) -> Bounds:
        low = high = total = 0.0
        for action in actions(self.table, words):
            share = weight(self.table, words, action - at.DEAL)
            one = self.after(words, action, turns)
            low, high, total = low + share * one[0], high + share * one[1], total + share
        return (low / total, high / total)

    def choice(self, words: list[int], turns: int) -> Bounds:
        found = [self.after(words, action, turns) for action in actions(self.table, words)]
        best = max if words[at.TURN] == 0 else min
        return (best(low for low, _ in found), best(high for _, high in found))


def actions(table: tuple[int, ...], words: list[int]) -> list[int]:
    out = [0] * at.MAX_LEGAL
    return out[: legal(table, words, out)]


def optimal(position: Position, turns: int, most: int) -> list[str] | None:
    """The optimal moves, or None if so many turns do not settle them or no move is worse."""
    solver = Solver(position.table, most)
    words = list(position.words)
    sign = 1 if words[at.TURN] == 0 else -1
    found: dict[int, Bounds] = {}
    for action in position.legal_actions():
        low, high = solver.after(words, action, turns)
        found[action] = (low, high) if sign == 1 else (1 - high, 1 - low)
    best = max(low for low, _ in found.values())
    good = [action for action, (low, _) in found.items() if low >= best - CLOSE]
    rest = [action for action in found if action not in good]
    settled = all(found[action][1] <= best + CLOSE for action in good)
    if not rest or not settled or any(found[action][1] > best - 1e-3 for action in rest):
        return None
    return [str(position.move(action)) for action in good]


def solved(position: Position) -> list[str] | None:
    """The optimal moves, or None if that takes too much work."""
    try:
        return optimal(position, TURNS[position.rules.name], MOST)
    except TooMuch:
        return None


def endgame(rules: str, chance: random.Random) -> Position:
    """Two pirates each, one of them home or nearly so, the cards dealt at random."""
    chosen = load(rules)
    cards = [text for text in card_letters(chosen) for _ in range(1 if "!" in text else 3 - chosen.freebooters)]
    chance.shuffle(cards)
    hands = [take(cards, chance.randint(1, 3)) for _ in range(2)]
    row = take(cards, chance.randint(2, 8)) if chosen.row else []
    discard = take(cards, chance.randint(0, len(cards)) if chosen.open_hands else len(cards))
    laid = (islands if chosen.nest else tunnel)(chance)
    words = (rules, *laid, "/".join(map(multiset, hands)), "".join(row) or "-", multiset(cards), multiset(discard))
    return Position.parse(
        " ".join([*words, str(chance.randint(1, 2)) if chosen.nest else "-", f"{chance.randint(1, 2)}.0"])
    )


def tunnel(chance: random.Random) -> tuple[str, str]:
    """A board of two pieces, and the pirates."""
    pieces = chance.sample(["BPHSDK", "DBKPHS", "HKPBSD", "KBSDHP", "PKDHSB", "HDKBPS"], 2)
    return "/".join(pieces), "/".join(f"{chance.randint(5, 11)},{chance.choice(['b', 'b', '12'])}" for _ in range(2))


def islands(chance: random.Random) -> tuple[str, str]:
    """The two islands, and the pirates: one home or nearly so, one perhaps still waiting for the sloop."""
    pieces = chance.sample(["STMDCPG", "DCGMPST", "GPDCMTS", "TPMCGSD", "PSGDCTM"], 5)
    track = [*map(str, range(10, 15)), "b", *map(str, range(15, 36)), "n"]
    pairs = [(chance.choice([*track[:6], *track[-9:-1]]), chance.choice([*track[-3:], "n", "n"])) for _ in range(2)]
    placed = "/".join(",".join(sorted(pair, key=track.index)) for pair in pairs)
    return "/".join(pieces[:2]) + "|" + "/".join(pieces[2:]), placed


def take(cards: list[str], number: int) -> list[str]:
    taken = cards[:number]
    del cards[:number]
    return taken


def main() -> None:
    wanted = int(sys.argv[1])
    found: list[dict[str, object]] = []
    for game in ("tortuga", "jamaica", "nest"):
        chance = random.Random(game)
        rules = [name for name in TURNS if name.startswith(game)]
        solutions = (
            (position, solved(position)) for position in (endgame(chance.choice(rules), chance) for _ in count())
        )
        settled = ((position, good) for position, good in solutions if good)
        found += [{"position": str(position), "best": good} for position, good in islice(settled, wanted)]
    DATA.write_bytes(gzip.compress((json.dumps(found, indent=0) + "\n").encode(), mtime=0))


if __name__ == "__main__":
    main()
