"""Does another setting of the search play better? One changed player among unchanged ones, each deal from every seat.

    python -m bench.settings tortuga-en --new heat=0.08 --deals 100
    python -m bench.settings jamaica-en --seats 3 --old weights=2026-11 --new weights=my.network,mix=0,nodes=360
    python -m bench.settings tortuga-en --seats 4 --speed --old weights=2026-11 --new weights=my.network

A side is a list of NAME=NUMBER: explore, heat, trust, mix and trees as ``Style`` explains them, nodes (of a decision),
and weights=NAME. Where it is not named, a side has one tree, and the rest as the captain has it for that number of
seats. ``--speed`` plays nothing: it tells how many nodes each side searches in the same time, so that --nodes can be
chosen for matches at equal time that other work on the machine does not disturb.
"""

import argparse
import time
from dataclasses import dataclass
from typing import Any

from cartagena import Game, Limit, Position
from cartagena.arena.ratings import Share
from cartagena.players.ismcts import CAPTAIN, Searcher, Style

MOST_MOVES = 2000
POSITIONS, SEARCHED = 24, 1500


@dataclass(frozen=True)
class Side:
    """A player of the match: its style without a crowd of its own, and its nodes."""

    style: Style
    nodes: int

    @classmethod
    def of(cls, text: str, seats: int, nodes: int) -> "Side":
        explore, heat, trust, mix = CAPTAIN.settings(seats).tolist()
        given: dict[str, Any] = {"explore": explore, "heat": heat, "trust": trust, "mix": mix}
        given |= {"trees": 1, "nodes": nodes}
        for word in filter(None, text.split(",")):
            name, _, value = word.partition("=")
            if name not in {*given, "weights"}:
                raise SystemExit(f"{name!r} is no setting; there are {', '.join(given)} and weights")
            given[name] = value if name == "weights" else float(value)
        number, trees = int(given.pop("nodes")), int(given.pop("trees"))
        return cls(Style("side", CAPTAIN.limit, trees=trees, **given), number)


def game_of(rules: str, seats: int, sides: list[Side], seed: str) -> tuple[int, list[Position]]:
    """Play one game. Returns the winning seat from 1, or 0, and the positions before all decisions."""
    game = Game.new(rules, seats=seats, seed=seed)
    players = [Searcher(side.style, number) for number, side in enumerate(sides)]
    seen = []
    while not game.is_over and len(seen) < MOST_MOVES:
        seat = game.turn
        seen.append(game.position)
        game.play(players[seat - 1].decide(game.view(seat), Limit(nodes=sides[seat - 1].nodes)))
    outcome = game.outcome()
    return (outcome.winner or 0) if outcome else 0, seen


def speeds(rules: str, seats: int, sides: list[Side]) -> list[float]:
    """Nodes a second of each side, in turns on the same positions."""
    _, seen = game_of(rules, seats, [sides[0]] * seats, "speed")
    took = [0.0] * len(sides)
    for position in seen[:: max(1, len(seen) // POSITIONS)]:
        view = position.view(position.turn)
        for number, side in enumerate(sides):
            player = Searcher(side.style, 1)
            player.analyse(view, Limit(nodes=1))
            begin = time.process_time()
            player.analyse(view, Limit(nodes=SEARCHED))
            took[number] += time.process_time() - begin
    rounds = len(seen[:: max(1, len(seen) // POSITIONS)])
    return [rounds * SEARCHED / each for each in took]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--old", default="weights=network")
    parser.add_argument("--new", default="weights=network")
    parser.add_argument("--nodes", type=int, default=400)
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--seed", default="settings-1")
    parser.add_argument("--speed", action="store_true")
    given = parser.parse_args()
    old, new = (Side.of(text, given.seats, given.nodes) for text in (given.old, given.new))
    if given.speed:
        one, other = speeds(given.rules, given.seats, [old, new])
        print(f"old {one:,.0f} nodes a second, new {other:,.0f}: {other / one:.2f} times as many")
        return
    won = decided = moves = 0
    for deal in range(given.deals):
        for seat in range(given.seats):
            sides = [new if each == seat else old for each in range(given.seats)]
            winner, seen = game_of(given.rules, given.seats, sides, f"{given.seed}-{deal}")
            decided += winner > 0
            won += winner == seat + 1
            moves = max(moves, len(seen))
        print(f"{deal + 1} deals: {Share(won, decided)}, fair {1 / given.seats:.1%}, longest {moves}", flush=True)


if __name__ == "__main__":
    main()
