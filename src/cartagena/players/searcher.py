"""The searching players: information-set tree search in several trees at once, and what they say about it."""

import math
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from cartagena.game import Move, Position
from cartagena.kernel.layout import MAX_LEGAL, MAX_SEATS

from .core.search import SETTINGS, moves_at, run
from .core.tree import DEEPEST, NODES, Tree, clear, new_tree
from .model import Analysis, Limit, check_view
from .weights import weights_for

CHUNK: Final = 48
"""Iterations between two looks at the clock."""
MARGIN: Final = 0.004
"""Seconds kept back for what comes after the search."""
MOST_NODES: Final = 1 << 16
"""The most nodes a tree ever has room for."""
FRESH: Final = 4
"""However much is known already, at least one in so many of the wanted nodes is searched anew."""


@dataclass(frozen=True)
class Style:
    """How a searching player searches."""

    name: str
    limit: Limit
    trees: int = 4
    explore: float = 0.4
    heat: float = 0.05
    trust: float = 1.0
    mix: float = 0.0
    weights: str = "tuned"

    def settings(self) -> Any:
        numbers = np.zeros(SETTINGS)
        numbers[:] = (self.explore, self.heat, self.trust, self.mix)
        return numbers


@dataclass
class Root:
    """What all trees together know of one view."""

    counts: dict[int, int] = field(default_factory=dict)
    gains: dict[int, float] = field(default_factory=dict)
    total: Any = None
    visits: int = 0

    def best(self) -> int:
        """The move tried most; of those the one that brought most."""
        return max(self.counts, key=lambda action: (self.counts[action], self.mean(action), -action))

    def mean(self, action: int) -> float:
        return self.gains[action] / self.counts[action] if self.counts[action] else 0.0


class Searcher:
    """A player that searches; ``style`` says how."""

    def __init__(self, style: Style, seed: int = 0) -> None:
        self.style = style
        self.name = style.name
        self.seed = seed
        self.trees: list[Tree] = []
        self.room = 0
        self.settings = style.settings()
        self._place: tuple[object, ...] = ()
        self._stop = False

    # --- the two questions

    def decide(self, view: Position, limit: Limit | None = None) -> Move:
        check_view(view)
        actions = view.legal_actions()
        if len(actions) == 1:
            return view.move(actions[0])
        root = self.search(view, limit or self.style.limit)
        return view.move(root.best())

    def stop(self) -> None:
        """End the search that is going on, if any, and answer with what is known."""
        self._stop = True

    # --- searching

    def search(self, view: Position, limit: Limit) -> Root:
        """Search from a view within a limit."""
        deadline = time.perf_counter() + limit.time - MARGIN if limit.time is not None else math.inf
        self._stop = False
        job = Job(self, view)
        self.prepare(view, limit)
        wanted = math.ceil(limit.nodes / len(self.trees)) if limit.nodes is not None else 0
        with_threads(len(self.trees), lambda number: job.grow(number, wanted, deadline))
        return job.gather()

    def prepare(self, view: Position, limit: Limit) -> None:
        """Make room, and forget what belongs to another table or seat, or where the room is used up."""
        nodes = room_for(limit, self.style.trees)
        place = (view.rules.name, view.board, view.table, view.turn)
        if nodes > self.room:
            self.trees = [new_tree(nodes) for _ in range(self.style.trees)]
            self.room = nodes
        elif place != self._place or any(tree.numbers[NODES] * 2 > self.room for tree in self.trees):
            for tree in self.trees:
                clear(tree)
        self._place = place

    @property
    def stopped(self) -> bool:
        return self._stop


class Job:
    """One search: the view as numbers, and the work of each tree."""

    def __init__(self, searcher: Searcher, view: Position) -> None:
        self.searcher = searcher
        self.table = np.array(view.table, np.int64)
        self.root = np.array(view.words, np.int64)
        self.observer = view.turn - 1
        self.weights = weights_for(view, searcher.style.weights)

    def grow(self, number: int, wanted: int, deadline: float) -> None:
        """Run one tree until it has what is wanted or the time is over."""
        tree = self.searcher.trees[number]
        seed = (self.searcher.seed * 64 + number) & 0xFFFFFFFF
        left = wanted - min(self.known(tree), wanted - wanted // FRESH)
        while not self.searcher.stopped:
            size = CHUNK if wanted == 0 else min(CHUNK, left)
            if size <= 0 or time.perf_counter() >= deadline:
                return
            run(self.table, tree, self.weights, self.searcher.settings, self.root, self.observer, seed, size)
            left -= size

    def known(self, tree: Tree) -> int:
        """How often the tree has been at this view before."""
        found = self.look(tree)
        return 0 if found is None else found[3]

    def look(self, tree: Tree) -> tuple[Any, Any, Any, int, Any] | None:
        actions, counts = np.zeros(MAX_LEGAL, np.int64), np.zeros(MAX_LEGAL, np.int64)
        gains, total = np.zeros(MAX_LEGAL), np.zeros(MAX_SEATS + 1)
        size = moves_at(self.table, tree, self.root, self.observer, actions, counts, gains, total)
        if size < 0:
            return None
        return actions[:size], counts[:size], gains[:size], int(total[MAX_SEATS]), total[:MAX_SEATS]

    def gather(self) -> Root:
        """What all trees know together."""
        root = Root(total=np.zeros(MAX_SEATS))
        for tree in self.searcher.trees:
            found = self.look(tree)
            if found is None:
                continue
            for action, count, gain in zip(*found[:3], strict=True):
                root.counts[int(action)] = root.counts.get(int(action), 0) + int(count)
                root.gains[int(action)] = root.gains.get(int(action), 0.0) + (float(gain) if count else 0.0)
            root.visits += found[3]
            root.total += found[4]
        return root

    def deepest(self) -> int:
        return max(int(tree.numbers[DEEPEST]) for tree in self.searcher.trees)


def room_for(limit: Limit, trees: int) -> int:
    """Nodes a tree needs room for: three times what a limit can bring, so that most of a turn fits."""
    wanted = limit.nodes if limit.nodes is not None else int((limit.time or 1.0) * 150_000)
    return min(MOST_NODES, max(2048, 3 * wanted // trees))


_pool: dict[int, ThreadPoolExecutor] = {}


def with_threads(number: int, work: Any) -> None:
    """Do the work for each number, in as many threads as there are cores for."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if number == 1 or cores == 1:
        for each in range(number):
            work(each)
        return
    pool = _pool.setdefault(os.getpid(), ThreadPoolExecutor(max_workers=cores, thread_name_prefix="search"))
    for task in [pool.submit(work, each) for each in range(number)]:
        task.result()


CAPTAIN: Final = Style("captain", Limit(nodes=20_000))
QUARTERMASTER: Final = Style("quartermaster", Limit(nodes=2_000))


def captain(seed: int = 0) -> Searcher:
    """The strongest player."""
    return Searcher(CAPTAIN, seed)


def quartermaster(seed: int = 0) -> Searcher:
    """Searches as the captain does, but briefly."""
    return Searcher(QUARTERMASTER, seed)


__all__ = ["CAPTAIN", "QUARTERMASTER", "Analysis", "Searcher", "Style", "captain", "quartermaster"]
