"""The searching players: information-set tree search in several trees at once."""

import itertools
import math
import threading
import time
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from cartagena.backends.arrays import FloatArray, IntArray
from cartagena.game import Game, Move, Position
from cartagena.kernel.layout import END, MAX_LEGAL, MAX_SEATS, OVER
from cartagena.kernel.legal import chooser
from cartagena.kernel.step import step

from .compiled.constants import (
    CHUNK,
    FRESH,
    LEAST_NODES,
    MARGIN,
    MOST_LINES,
    MOST_MOVES,
    MOST_NODES,
    MOST_TREES,
    NODES_A_SECOND,
    ROOM_FACTOR,
    SETTLED,
)
from .compiled.ismcts import SETTINGS, Basis, Moves, moves_at, run
from .compiled.tree import DEEPEST, ITERATIONS, NODES, Tree, emptied, new_tree
from .explain import reasons
from .model import Analysis, Limit, Line, check_view, limit_or
from .networks import has_network
from .repetition import RememberingPlayer
from .threads import OneAtATime, thread_budget, with_threads
from .weights import NETWORK, TUNED, checked, weights_for


@dataclass(frozen=True)
class Style:
    """How a searching player searches."""

    name: str
    limit: Limit
    """The limit of a decision where none is given."""
    trees: int = 4
    """Trees that search independently; their visits are added up. See ``trees_for``."""
    explore: float = 0.4
    """Weight of the prior in PUCT: a higher one tries more moves."""
    heat: float = 0.05
    """Temperature of the prior: a higher one gives weaker first guesses a larger share."""
    trust: float = 1.0
    """Visits that a move's first guess counts as."""
    mix: float = 0.0
    """Share of a playout's result in the value of a new node; the rest is the evaluation."""
    weights: str = TUNED
    """Weights of the evaluation: tuned, hand, network, a generation such as 2026-11, or the path of a file."""
    crowd: tuple[float, float, float] | None = None
    """Explore, heat and mix where more than two play, because the evaluation is less sure there."""
    explore_hidden: float | None = None
    """Explore where two play with hidden hands: the cards that are dealt anew each time explore as well."""

    def trees_for(self, limit: Limit) -> int:
        """The trees of a search. Where time alone limits it, there is at least one for each thread, up to four."""
        return self.trees if limit.nodes is not None else max(self.trees, min(MOST_TREES, thread_budget()))

    def settings(self, seats: int = 2, hidden: bool = False) -> FloatArray:
        """The settings of ``compiled.ismcts`` for a number of seats with open or hidden hands."""
        numbers = np.zeros(SETTINGS)
        usual = self.explore_hidden if hidden and self.explore_hidden else self.explore, self.heat, self.mix
        explore, heat, mix = self.crowd if self.crowd and seats > 2 else usual
        numbers[:] = (explore, heat, self.trust, mix)
        return numbers


@dataclass
class Root:
    """The moves from one view with what all trees know of them."""

    observer: int
    counts: dict[int, int] = field(default_factory=dict)
    gains: dict[int, float] = field(default_factory=dict)
    sure: dict[int, int] = field(default_factory=dict)
    total: FloatArray = field(default_factory=lambda: np.zeros(MAX_SEATS + 2))
    visits: int = 0

    def add(self, known: Moves, size: int) -> None:
        """Add what one tree knows of the first ``size`` moves."""
        for number in range(size):
            action = int(known.actions[number])
            self.counts[action] = self.counts.get(action, 0) + int(known.counts[number])
            self.gains[action] = self.gains.get(action, 0.0) + float(known.gains[number])
            self.sure[action] = self.sure.get(action, 0) or int(known.sure[number])
        self.visits += int(known.total[MAX_SEATS])
        self.total = self.total + np.asarray(known.total)

    def ranked(self) -> list[int]:
        """The moves, best first: certain wins, then by visits, and certain losses last."""
        return sorted(self.counts, key=self.rank, reverse=True)

    def rank(self, action: int) -> tuple[int, int, float, int]:
        sure = self.sure[action]
        certain = 0 if not sure else 1 if sure == self.observer + 1 else -1
        return (certain, self.counts[action], self.mean(action), -action)

    def mean(self, action: int) -> float:
        """The mean value of a move to its seat."""
        if self.sure[action]:
            return float(self.sure[action] == self.observer + 1)
        return self.gains[action] / self.counts[action] if self.counts[action] else 0.0

    def value(self, seats: int) -> tuple[float, ...]:
        """The win chance of each seat."""
        whole = float(sum(self.total[:seats]))
        if whole == 0.0:  # no visits
            return (1.0 / seats,) * seats
        return tuple(float(share) / whole for share in self.total[:seats])


class Forest:
    """The trees that search for one seat of a game on a board: their scope."""

    def __init__(self) -> None:
        self.trees: list[Tree] = []
        self.capacity = 0
        self.scope: tuple[object, ...] | None = None

    def prepare(self, scope: tuple[object, ...] | None, number: int, nodes: int) -> None:
        """Have ``number`` trees, each for ``nodes`` nodes.

        Trees of another scope (or none) and half full ones are emptied.
        """
        if len(self.trees) != number:
            self.trees = [new_tree(nodes) for _ in range(number)]
        elif scope is None or scope != self.scope or nodes > self.capacity:
            self.trees = [emptied(tree, nodes) for tree in self.trees]
        elif any(tree.numbers[NODES] * 2 > self.capacity for tree in self.trees):
            self.trees = [emptied(tree, self.capacity) for tree in self.trees]
            return
        else:
            return
        self.scope, self.capacity = scope, nodes


class Searcher(RememberingPlayer):
    """A player that searches as its ``style`` says.

    What was searched is used again by the next move of the same game and seat; analysing has trees of its own.
    """

    def __init__(self, style: Style, seed: int = 0) -> None:
        super().__init__(seed)
        self.style = style
        self.name = style.name
        self.playing = Forest()
        self.analysing = Forest()
        self._stop = False
        self._asked = OneAtATime()

    # --- questions: those of other threads wait for their turn

    def decide(self, view: Position, limit: Limit | None = None) -> Move:
        """Choose a move in the present game and remember it. A single legal move needs no search."""
        check_view(view)
        with self._asked:
            memory = self.memory().of(view)
            actions = view.legal_actions()
            action = actions[0]
            if len(actions) > 1:
                job = self.search(view, limit, self.playing)
                action = memory.best(view, job.gather(job.root).ranked())
            memory.note(view, action)
            return view.move(action)

    def choose(self, view: Position, limit: Limit | None = None) -> Analysis:
        """Choose the move that ``decide`` would play, explain it, and remember it.

        A search for the sake of an explanation, where there is one legal move, leaves the trees of the game alone.
        """
        check_view(view)
        searched = self.game is not None and len(view.legal_actions()) > 1
        with self._asked:
            analysis = self.explain(view, limit, self.playing if searched else self.analysing)
            self.memory().of(view).note(view, view.action(analysis.move))
        return analysis

    def analyse(self, view: Position, limit: Limit | None = None) -> Analysis:
        """Find the best move with values, turns and reasons, without playing it."""
        return self.explain(view, limit, self.analysing)

    def explain(self, view: Position, limit: Limit | None, forest: Forest) -> Analysis:
        """Search, and describe the result."""
        check_view(view)
        with self._asked:
            job = self.search(view, limit, forest)
            root = job.gather(job.root)
            move = view.move(self.memory().of(view).best(view, root.ranked()))
            why = ("only-move",) if len(root.counts) == 1 else reasons(view, move)
            visits = tuple(sorted(root.counts.items()))
            return Analysis(move, root.value(view.seats), lines(view, job, root), why, job.nodes, job.deepest(), visits)

    def stop(self) -> None:
        """End the search that is running or about to begin, and answer with what it knows so far."""
        self._stop = True

    def go_on(self) -> None:
        """Withdraw a stop that came too late for its search."""
        self._stop = False

    @property
    def stopped(self) -> bool:
        return self._stop

    # --- searching

    @property
    def limit(self) -> Limit:
        """The limit of a decision where none is given."""
        return self.style.limit

    def get_ready(self) -> None:
        """Load the compiled search, so that no decision pays for it out of its time."""
        load_search()

    def search(self, view: Position, limit: Limit | None, forest: Forest) -> "SearchRun":
        """Search from a view within a limit. Compiled code is loaded before the clock starts."""
        self.get_ready()
        limit = limit_or(limit, self.style.limit)
        deadline = time.perf_counter() + limit.time - MARGIN if limit.time is not None else math.inf
        scope = (self.game, view.rules.name, view.board, view.table, view.turn)
        trees = self.style.trees_for(limit)
        forest.prepare(None if self.game is None else scope, trees, capacity_for(limit, trees))
        job = SearchRun(self, view, forest.trees)
        wanted = math.ceil(limit.nodes / trees) if limit.nodes is not None else 0
        try:
            with_threads(trees, lambda number: job.grow(number, wanted, deadline))
        finally:
            self.go_on()
        return job


class SearchRun:
    """One search: the view as numbers, and the work of each tree."""

    def __init__(self, searcher: Searcher, view: Position, trees: list[Tree]) -> None:
        self.searcher = searcher
        self.trees = trees
        self.rules: IntArray = np.array(view.table, np.int64)
        self.root = np.array(view.words, np.int64)
        self.observer = view.turn - 1
        style = searcher.style
        tuned = CAPTAIN if style.weights == NETWORK and not has_network(view) else style
        settings = tuned.settings(view.seats, view.rules.hidden_hands)
        self.basis = Basis(self.rules, weights_for(view, style.weights), settings)
        self.before = self.iterations()

    def iterations(self) -> int:
        """Iterations made so far by the trees."""
        return sum(int(tree.numbers[ITERATIONS]) for tree in self.trees)

    @property
    def nodes(self) -> int:
        """Iterations made by this search."""
        return self.iterations() - self.before

    def grow(self, number: int, wanted: int, deadline: float) -> None:
        """Run one tree until it has the wanted visits or the time is over.

        The first tree searches at least one chunk, because there must be an answer; the others only in time.
        """
        if number and time.perf_counter() >= deadline:
            return
        tree = self.trees[number]
        seed = (self.searcher.seed * 64 + number) & 0xFFFFFFFF
        left = wanted - min(self.known(tree), wanted - wanted // FRESH)
        for turn in itertools.count(1):
            size = CHUNK if wanted == 0 else min(CHUNK, max(1, left))
            run(self.basis, tree, self.root, self.observer, seed, size)
            left -= size
            done = (wanted and left <= 0) or time.perf_counter() >= deadline or self.searcher.stopped
            if done or (turn % SETTLED == 0 and self.is_settled(tree)):
                return

    def known(self, tree: Tree) -> int:
        """The tree's visits of this view."""
        _, moves = self.moves_of(tree, self.root)
        return int(moves.total[MAX_SEATS])

    def is_settled(self, tree: Tree) -> bool:
        """True where the tree has proved the winner."""
        _, moves = self.moves_of(tree, self.root)
        return moves.total[MAX_SEATS + 1] > 0

    def moves_of(self, tree: Tree, words: IntArray) -> tuple[int, Moves]:
        """What a tree knows of a view, given as words: the number of its moves, and these; 0 for an unknown view."""
        actions, counts, sure = (np.zeros(MAX_LEGAL, np.int64) for _ in range(3))
        moves = Moves(actions, counts, np.zeros(MAX_LEGAL), sure, np.zeros(MAX_SEATS + 2))
        return max(0, moves_at(self.rules, tree, words, self.observer, moves)), moves

    def gather(self, words: IntArray) -> Root:
        """What all trees together know of a view."""
        root = Root(self.observer)
        for tree in self.trees:
            size, moves = self.moves_of(tree, words)
            root.add(moves, size)
        return root

    def deepest(self) -> int:
        return max(int(tree.numbers[DEEPEST]) for tree in self.trees)


def capacity_for(limit: Limit, trees: int) -> int:
    """Nodes that a tree must be able to hold."""
    wanted = limit.nodes if limit.nodes is not None else int((limit.time or 1.0) * NODES_A_SECOND)
    return min(MOST_NODES // trees, max(LEAST_NODES, ROOM_FACTOR * wanted // trees))


def lines(view: Position, job: SearchRun, root: Root) -> list[Line]:
    """The best whole turns, each up to the first dealt card. Turns with the same end are listed once."""
    by_end: dict[tuple[int, ...], Line] = {}
    for action in root.ranked()[:MOST_LINES]:
        if root.counts[action]:
            words, line = follow(view, job, root, action)
            by_end.setdefault(words, line)
    return list(by_end.values())


def follow(view: Position, job: SearchRun, root: Root, action: int) -> tuple[tuple[int, ...], Line]:
    """One turn: a move, then the best ones after it until the turn ends, a card is due, or a rival must drop one.

    Its value is that of the last move that was searched.
    """
    words = view.state()
    moves: list[Move] = []
    visits = root.counts[action]
    value = split(root, action, view.seats)
    while True:
        step(view.table, words, action)
        moves.append(view.move(action))
        if action == END or words[OVER] or chooser(words) != job.observer or len(moves) == MOST_MOVES:
            break
        behind = job.gather(np.array(words, np.int64))
        if not behind.counts:
            break
        action = behind.ranked()[0]
        if behind.counts[action] or behind.sure[action]:
            value = split(behind, action, view.seats)
    return tuple(words), Line(tuple(moves), value, visits)


def split(root: Root, action: int, seats: int) -> tuple[float, ...]:
    """The win chances after a move: its mean value for its own seat, the rest shared as at the node."""
    own = root.mean(action)
    shares = root.value(seats)
    rest = sum(shares) - shares[root.observer]
    scale = (1.0 - own) / rest if rest > 0 else 0.0
    return tuple(own if seat == root.observer else share * scale for seat, share in enumerate(shares))


_loading = threading.RLock()
_loaded: set[str] = set()


def load_search() -> None:
    """Load the compiled search, or compile it, once in a process: a search of one node uses all of it."""
    with _loading:
        if not _loaded:
            _loaded.add("search")  # first, because the search below asks for it again
            Searcher(CAPTAIN).analyse(Game.new("jamaica-en", seed=1).view(1), Limit(nodes=1))


CAPTAIN: Final = Style("captain", Limit(time=0.7, nodes=30_000), crowd=(0.2, 0.1, 0.3))
ADMIRAL: Final = replace(CAPTAIN, name="admiral", weights=NETWORK, trees=1, crowd=(0.2, 0.1, 0.15), explore_hidden=0.25)
"""The captain's search with a trained network in the place of its evaluation, and with one deep tree."""
QUARTERMASTER: Final = Style("quartermaster", Limit(time=0.2, nodes=3_000), mix=0.85)
"""A tenth of the captain's nodes, and values that depend on the luck of single playouts."""


def admiral(seed: int = 0) -> Searcher:
    """Create the strongest player. Where this package has no network for a game, it judges as the captain does."""
    return Searcher(ADMIRAL, seed)


def captain(seed: int = 0, weights: str = TUNED) -> Searcher:
    """Create a strong player, perhaps with other weights (see ``Style.weights``)."""
    return Searcher(replace(CAPTAIN, weights=checked(weights)), seed)


def quartermaster(seed: int = 0, weights: str = TUNED) -> Searcher:
    """Create a player that searches briefly and judges mostly by playouts."""
    return Searcher(replace(QUARTERMASTER, weights=checked(weights)), seed)
