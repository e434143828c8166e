"""Do a rival's moves tell its hand, and does a search win more by dealing the hands that they make likely?

    python -m bench.hands tell jamaica-en --games 40
    python -m bench.hands match nest-nl --nodes 800 --deals 300 --results hands-nest.jsonl

A hand that a rival may have is weighed by the rival's last turn: exp(sum of what each action gave away / ``SCALE``),
where an action gives away what its position is worth less than that of the best action with that hand, looked at by
the admiral's network alone. Cards that were drawn meanwhile are chosen at random. ``tell`` compares the true hand with
eight hands dealt from what the next seat sees. ``match`` plays two admirals for two seats, each deal from both: both
deal ``CANDIDATES`` hands and search ``NODES_A_DEAL`` nodes with each; one draws among them by weight, the other
draws each alike. It goes on where the file of results ends.
"""

import argparse
import json
import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cartagena import Game, Limit, Position
from cartagena.arena.ratings import Share
from cartagena.jobs import cores, executor
from cartagena.kernel import cards, chance, layout
from cartagena.kernel.legal import chooser
from cartagena.kernel.view import view as view_of
from cartagena.players.compiled.constants import FRESH
from cartagena.players.compiled.ismcts import run
from cartagena.players.compiled.tree import emptied, new_tree
from cartagena.players.ismcts import ADMIRAL, Basis, Forest, Searcher, SearchRun, capacity_for
from cartagena.players.model import limit_or
from cartagena.players.weights import NETWORK, weights_for

SCALE = 0.1
CANDIDATES = 32
NODES_A_DEAL = 4
FAKES = 8
MOST_MOVES = 2000
CARDS = 2 * layout.FREEBOOTER


@dataclass
class Step:
    """An action of a rival: the state before it, and how many cards came after it."""

    words: tuple[int, ...]
    action: int
    drawn: int = 0


def hand_at(seat: int) -> int:
    return layout.SEAT + seat * layout.SEAT_WORDS + layout.HAND


def listed(word: int) -> list[int]:
    """The cards of a card word, one by one."""
    return [card for card in range(CARDS) for _ in range(cards.tally(word, card))]


def card_of(action: int) -> int:
    """The card that an action plays or drops, or -1."""
    if action < layout.RETREAT:
        return action % layout.CARD_SLOTS
    return action - layout.DROP if layout.DROP <= action < layout.DROP + CARDS else -1


class Ear:
    """What one game's rivals did last, and how likely that makes a hand. ``SCALE`` is its only setting."""

    def __init__(self, start: Position, seed: int = 0) -> None:
        self.table = start.table
        rules = np.array(start.table, np.int64)
        weights = weights_for(start.view(start.turn), NETWORK)
        self.basis = Basis(rules, weights, ADMIRAL.settings(start.seats, start.rules.hidden_hands))
        self.turns: dict[int, list[Step]] = {}
        self.tree = new_tree(4)
        self.draw = random.Random(seed)

    def hear(self, before: Position, action: int, after: Position) -> None:
        """Note an action that was played, with the cards that were dealt behind it."""
        seat = chooser(before.words)
        steps = self.turns.setdefault(seat, [])
        if steps and steps[-1].action == layout.END:
            steps.clear()
        sizes = [cards.total(each.words[hand_at(seat)]) for each in (before, after)]
        steps.append(Step(before.words, action, sizes[1] - sizes[0] + (card_of(action) >= 0)))

    def given_away(self, words: Sequence[int], seat: int, action: int) -> float:
        """How much less an action is worth than the best one, to a seat in a complete state; infinite if illegal."""
        seen = [0] * layout.WORDS
        view_of(self.table, list(words), seat, seen)
        tree = self.tree = emptied(self.tree, 4)
        run(self.basis, tree, np.array(seen, np.int64), seat, 7, 1)
        edge, own, top = int(tree.first[0]), -math.inf, -math.inf
        while edge >= 0:
            top = max(top, float(tree.guess[edge]))
            own = float(tree.guess[edge]) if tree.action[edge] == action else own
            edge = int(tree.next[edge])
        return top - own

    def weight(self, seat: int, hand: Sequence[int]) -> float:
        """The likelihood of the seat's last turn with that hand now, up to a factor; 1 where nothing is known."""
        held, lost = list(hand), 0.0
        for step in reversed(self.turns.get(seat, [])):
            for _ in range(min(step.drawn, len(held))):
                held.pop(self.draw.randrange(len(held)))
            if card_of(step.action) >= 0:
                held.append(card_of(step.action))
            if len(held) != cards.total(step.words[hand_at(seat)]):
                return 1.0
            words = list(step.words)
            words[hand_at(seat)] = sum(cards.unit(card) for card in held)
            lost += self.given_away(words, seat, step.action)
        return math.exp(-lost / SCALE)


class Listener(Searcher):
    """An admiral for two seats that searches hands of its own drawing: by what its rival did, or each alike."""

    def __init__(self, ear: Ear | None, seed: int) -> None:
        super().__init__(ADMIRAL, seed)
        self.ear = ear
        self.draw = random.Random(seed)
        self.hands: list[tuple[list[int], float]] = []
        self.new_turn = True

    def search(self, view: Position, limit: Limit | None, forest: Forest) -> SearchRun:
        limit = limit_or(limit, self.style.limit)
        wanted = limit.nodes or 0
        scope = (self.game, view.rules.name, view.board, view.table, view.turn)
        forest.prepare(scope, 1, capacity_for(limit, 1))
        job = SearchRun(self, view, forest.trees)
        tree = forest.trees[0]
        left = wanted - min(job.known(tree), wanted - wanted // FRESH)
        deals = self.deals(view, math.ceil(left / NODES_A_DEAL))
        for number, words in enumerate(deals):
            size = min(NODES_A_DEAL, left - number * NODES_A_DEAL)
            run(job.basis, tree, np.array(words, np.int64), job.observer, self.seed, size)
        return job

    def deals(self, view: Position, number: int) -> list[list[int]]:
        """Complete states of a view, drawn by weight among the candidates that are still possible."""
        rival = 2 - view.turn
        size = (view.words[layout.HIDDEN] >> (rival * layout.HIDDEN_BITS)) & 0xFF
        pool = listed(chance.unseen(view.table, list(view.words)))
        kept = [] if self.new_turn else [each for each in self.hands if len(each[0]) == size and fits(each[0], pool)]
        while len(kept) < CANDIDATES:
            hand = self.draw.sample(pool, size)
            kept.append((hand, self.ear.weight(rival, hand) if self.ear else 1.0))
        self.hands, self.new_turn = kept, False
        weights = [each[1] for each in kept]
        chosen = self.draw.choices(kept, weights if sum(weights) > 0 else None, k=number)
        return [completed(view, rival, hand, pool) for hand, _ in chosen]


def fits(hand: Sequence[int], pool: Sequence[int]) -> bool:
    return all(hand.count(card) <= pool.count(card) for card in set(hand))


def completed(view: Position, rival: int, hand: Sequence[int], pool: Sequence[int]) -> list[int]:
    """The view with that hand, and the other unseen cards in the stock."""
    words = list(view.words)
    words[hand_at(rival)] += sum(cards.unit(card) for card in hand)
    if words[layout.HIDDEN] >> layout.HIDDEN_STOCK:
        words[layout.STOCK] = sum(map(cards.unit, pool)) - sum(map(cards.unit, hand))
    words[layout.HIDDEN] = 0
    return words


def play(rules: str, seed: str, nodes: int, listening: int | None, told: list[float] | None = None) -> int:
    """Play a game for two. Returns the winner, or 0. ``told`` is given the shares of the true hands."""
    game = Game.new(rules, seats=2, seed=seed)
    ear = Ear(game.position, 1)
    players = [Listener(ear if seat == listening else None, seat) for seat in (1, 2)]
    draw, moves, before = random.Random(seed), 0, 0
    while not game.is_over and moves < MOST_MOVES:
        position, seat = game.position, game.turn
        if seat != before:
            players[seat - 1].new_turn = True
            if told is not None and len(ear.turns.get(2 - seat, [])) > 1:
                told.append(share_of_truth(ear, position, draw))
        move = players[seat - 1].decide(game.view(seat), Limit(nodes=nodes))
        action = position.action(move)
        game.play(move)
        ear.hear(position, action, game.position)
        moves, before = moves + 1, seat
    outcome = game.outcome()
    return (outcome.winner or 0) if outcome else 0


def share_of_truth(ear: Ear, position: Position, draw: random.Random) -> float:
    """The probability of the rival's true hand against ``FAKES`` dealt ones, as a multiple of an equal one."""
    rival = 2 - position.turn
    true = listed(position.words[hand_at(rival)])
    pool = listed(chance.unseen(position.table, list(position.view(position.turn).words)))
    weights = [ear.weight(rival, true), *(ear.weight(rival, draw.sample(pool, len(true))) for _ in range(FAKES))]
    return (FAKES + 1) * weights[0] / sum(weights)


def tell(rules: str, games: int, nodes: int) -> None:
    told: list[float] = []
    for number in range(games):
        play(rules, f"hands-tell-{number}", nodes, None, told)
        logs, some = np.log(told), math.sqrt(len(told))
        print(
            f"{number + 1} games, {len(told)} turns: {np.mean(told):.3f} ± {np.std(told) / some:.3f} times,"
            f" log {np.mean(logs):+.3f} ± {np.std(logs) / some:.3f}",
            flush=True,
        )


def played(task: list[Any]) -> list[Any]:
    """One game of the match: its task and the winner."""
    rules, nodes, deal, seat = task
    return [*task, play(rules, f"hands-{deal}", nodes, seat)]


def match(given: argparse.Namespace) -> None:
    """Play what the file of results lacks, until --seconds are over, and print the share of the side that weighs."""
    rows = [json.loads(line) for line in given.results.read_text().splitlines()] if given.results.exists() else []
    end = time.monotonic() + given.seconds
    wanted = [[given.rules, given.nodes, deal, seat] for deal in range(given.deals) for seat in (1, 2)]
    known = {tuple(row[:4]) for row in rows}
    tasks = (task for task in wanted if tuple(task) not in known)
    with executor("local", given.workers) as place, given.results.open("a") as file:
        for row in place.map(played, tasks, lambda: time.monotonic() >= end):
            rows.append(row)
            print(json.dumps(row), file=file, flush=True)
            mine = [each for each in rows if each[:2] == [given.rules, given.nodes]]
            won = Share(sum(each[3] == each[4] for each in mine), sum(each[4] > 0 for each in mine))
            print(f"{len(mine)} games: {won}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["tell", "match"])
    parser.add_argument("rules")
    parser.add_argument("--nodes", type=int, default=800)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--workers", type=int, default=cores(), help="games at a time")
    parser.add_argument("--results", type=Path, default=Path("hands.jsonl"))
    given = parser.parse_args()
    if given.what == "tell":
        tell(given.rules, given.games, given.nodes)
    else:
        match(given)


if __name__ == "__main__":
    main()
