"""Self-play by search: games in which every decision is searched, and what is learned from.

Each decision gives several samples: the position itself, and positions after some of its moves. A sample has the value
that the search found for it (q) and later the winner of the game (z). The positions are those of the game itself, with
all hands: a player evaluates positions in which it has dealt the hidden cards by itself, so the network must judge
positions with known hands, and what it learned from them tells a player nothing about the hands in its own game.
"""

import random
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from cartagena.backends.portable.toolkit import deal_card
from cartagena.game import Game, Position
from cartagena.kernel.chance import due
from cartagena.kernel.layout import MAX_LEGAL, MAX_SEATS, OVER, WORDS
from cartagena.kernel.legal import chooser, legal, winner
from cartagena.kernel.step import step
from cartagena.kernel.view import view
from cartagena.players.compiled.ismcts import Basis, run
from cartagena.players.compiled.selfplay import node_of
from cartagena.players.compiled.tree import NODE_LIMIT, NODES, Tree, emptied, new_tree
from cartagena.players.ismcts import CAPTAIN, Style
from cartagena.players.weights import weights_for
from cartagena.rulesets import RuleSet

from .gradients import Array

MOST_DECISIONS: Final = 1200
"""Decisions after which a game is broken off."""
ROOM: Final = 3
"""Room of a tree as a multiple of the nodes of a search, because the actions of a turn share it."""
FRESH: Final = 4
"""One node in this many, or more, is searched anew, even where the tree knows the view well."""
SETTLED: Final = 100
"""Nodes between two checks whether the winner is proved."""
EARLY: Final = 30
"""Decisions at the start of a game that are varied more often."""
VARIED: Final = 0.15, 0.03
"""The chance that a move is drawn by its visits instead of the most visited one: early, and later."""
SIBLINGS: Final = 3
"""Positions after a move that are kept of each decision."""
LEAST_VISITS: Final = 8
"""Visits that a move needs so that the position after it is kept."""


@dataclass(frozen=True)
class SearchedPlay:
    """How games are played: by which weights (``tuned``, ``hand`` or a file), with how many nodes a decision."""

    rules: RuleSet
    seats: int
    weights: str
    nodes: int
    seed: int
    style: Style = CAPTAIN

    def opening(self, number: int) -> Position:
        """The opening position of a game."""
        return Game.new(self.rules, seats=self.seats, seed=f"train-{self.seed}-{number}").position

    @cached_property
    def basis(self) -> Basis:
        """What the search is based on."""
        position = self.opening(0)
        table: Any = np.array(position.table, np.int64)
        return Basis(table, weights_for(position, self.weights), self.style.settings(self.seats))


@dataclass
class SearchedSamples:
    """Samples in arrays of equal length.

    ``q`` and ``winner`` are by seat; ``played`` is true for positions of the game itself. ``game`` is its number.
    """

    states: Array
    q: Array
    winner: Array
    played: Array
    game: Array

    def __len__(self) -> int:
        return len(self.winner)

    @classmethod
    def joined(cls, parts: "list[SearchedSamples]") -> "SearchedSamples":
        """All samples of several sets."""
        names = ("states", "q", "winner", "played", "game")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def chosen(self, rows: Array) -> "SearchedSamples":
        """Some of the samples."""
        return SearchedSamples(self.states[rows], self.q[rows], self.winner[rows], self.played[rows], self.game[rows])

    def target(self, share: float) -> Array:
        """What is learned: ``share`` of the result and the rest of q for played positions, q for the others."""
        won = np.zeros_like(self.q)
        won[np.arange(len(self)), self.winner] = 1.0
        part = np.where(self.played, share, 0.0)[:, None].astype(np.float32)
        return part * won + (1 - part) * self.q


class SearchedGame:
    """One game, played by search from its opening."""

    def __init__(self, play: SearchedPlay, number: int, tree: Tree | None = None) -> None:
        self.play, self.number = play, number
        self.tree = tree or new_tree(ROOM * play.nodes)
        self.random = random.Random(f"{play.seed}-{number}")
        opening = play.opening(number)
        self.table, self.state = opening.table, list(opening.words)
        self.seat = -1
        self.decisions = 0
        self.states: list[list[int]] = []
        self.values: list[Array] = []
        self.played: list[bool] = []

    def finish(self) -> SearchedSamples | None:
        """Play the game. Returns its samples, or None for a game without a winner."""
        moves = [0] * MAX_LEGAL
        while self.state[OVER] == 0 and self.decisions < MOST_DECISIONS:
            if due(self.state):
                deal_card(self.table, self.state, self.random.getrandbits(64))
                continue
            size = legal(self.table, self.state, moves)
            self.decisions += 1
            step(self.table, self.state, moves[0] if size == 1 else self.decide(size))
        won = winner(self.state)
        if won < 0:
            return None
        size = len(self.states)
        return SearchedSamples(
            np.array(self.states, np.int64).reshape(size, WORDS),
            np.array(self.values, np.float32).reshape(size, self.play.seats),
            np.full(size, won, np.int8),
            np.array(self.played, np.bool_),
            np.full(size, self.number, np.int32),
        )

    def decide(self, size: int) -> int:
        """Search, keep samples, and choose one of ``size`` moves."""
        node = self.search()
        tree: Any = self.tree
        last = int(tree.first[node]) + 1
        edges = np.arange(last - size, last)  # a node of the searching seat gets all of its moves at once
        rank = tree.tries[edges] + 1e-3 * tree.guess[edges]
        sure = tree.sure[edges]
        rank[sure > 0] = -1.0
        rank[sure == self.seat + 1] = 1e9
        best = int(rank.argmax())
        early = VARIED[0] if self.decisions < EARLY else VARIED[1]
        if not tree.proof[node] and self.random.random() < early:
            best = self.random.choices(range(size), weights=(tree.tries[edges] + 1e-9).tolist())[0]
        self.keep(self.state, self.value_of(node), True)
        self.keep_siblings(edges, int(edges[best]))
        return int(tree.action[edges[best]])

    def search(self) -> int:
        """Search the present decision. Returns its node."""
        play, seat = self.play, chooser(self.state)
        seen = [0] * WORDS
        view(self.table, self.state, seat, seen)
        root = np.array(seen, np.int64)
        used = self.tree.numbers[NODES] * 2 > self.tree.numbers[NODE_LIMIT]
        if seat != self.seat or used:
            self.tree = emptied(self.tree, ROOM * play.nodes)
        self.seat = seat
        node = int(node_of(play.basis.rules, self.tree, root, seat))
        known = int(self.tree.visits[node]) if node >= 0 else 0
        left = play.nodes - min(known, play.nodes - play.nodes // FRESH)
        seed = self.random.getrandbits(32)
        while left > 0 and not (node >= 0 and self.tree.proof[node]):
            size = min(left, SETTLED)
            run(play.basis, self.tree, root, seat, seed, size)
            left -= size
            node = node if node >= 0 else int(node_of(play.basis.rules, self.tree, root, seat))
        return node

    def value_of(self, node: int) -> Array:
        """The value of a node to every seat."""
        seats = self.play.seats
        if self.tree.proof[node]:
            return np.asarray(np.eye(seats)[self.tree.proof[node] - 1])
        total = np.asarray(self.tree.total)[node * MAX_SEATS : node * MAX_SEATS + seats]
        whole = float(total.sum())
        return total / whole if whole > 0 else np.full(seats, 1 / seats)

    def keep_siblings(self, edges: Array, best: int) -> None:
        """Keep the positions after some of the moves."""
        tree: Any = self.tree
        two = self.play.seats == 2
        good = (tree.tries[edges] >= LEAST_VISITS) & (tree.sure[edges] == 0) & (two | (tree.child[edges] >= 0))
        able = edges[good].tolist()
        for edge in self.random.sample(able, min(SIBLINGS, len(able))):
            after = list(self.state)
            step(self.table, after, int(tree.action[edge]))
            if after[OVER] == 0:
                self.keep(after, self.value_after(edge), edge == best)

    def value_after(self, edge: int) -> Array:
        """The value of the position after a move to every seat."""
        child = int(self.tree.child[edge])
        if child >= 0 and self.tree.visits[child]:
            return self.value_of(child)
        value = np.full(2, 1 - self.tree.gain[edge] / self.tree.tries[edge])
        value[self.seat] = 1 - value[self.seat]
        return value

    def keep(self, state: list[int], value: Array, played: bool) -> None:
        self.states.append(list(state))
        self.values.append(value)
        self.played.append(played)


def play_searched(play: SearchedPlay, first: int, last: int) -> SearchedSamples | None:
    """Play the games ``first`` to ``last`` - 1. Returns the samples of those that had a winner, None if none had."""
    tree = new_tree(ROOM * play.nodes)
    found = []
    for number in range(first, last):
        game = SearchedGame(play, number, emptied(tree, ROOM * play.nodes))
        samples = game.finish()
        if samples is not None and len(samples):
            found.append(samples)
    return SearchedSamples.joined(found) if found else None
