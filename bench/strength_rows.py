"""The rows of the table of strength: who plays whom, how often, and what is to be reached."""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from cartagena.arena import Contest

GAMES = {"tortuga": "tortuga-en", "jamaica": "jamaica-en", "nest": "nest-nl", "hispaniola": "hispaniola-en"}
OLD = "captain:weights=2026-11"
SEED = "strength-1"
LEVELS = ("deckhand", "sailor", "gunner", "quartermaster@60n", "captain@600n", "admiral@600n")
"""All levels, those that search with a fiftieth of their usual nodes."""
SEATS = (2, 3, 4, 5)
DOUBLINGS = tuple(100 * 2**power for power in range(11))
DRAWN = DOUBLINGS[2:7]  # 400 to 6,400, the doublings with a target
EQUAL_TIME = {"tortuga": 0.92, "jamaica": 0.75, "nest": 0.75, "hispaniola": 0.82}
TIMES_FAIR = 1.5
AMONG_GUNNERS = 0.78
QUARTER = 0.60


@dataclass(frozen=True)
class Row:
    """A contest. ``target`` is the share of the first player that is to be reached, 0 where none is set."""

    group: str
    name: str
    game: str
    players: tuple[str, ...]
    seats: int
    games: int
    target: float = 0.0

    def contest(self, games: int) -> Contest:
        return Contest(self.players, GAMES[self.game], self.seats, games, SEED)

    @property
    def command(self) -> str:
        """The same contest as a command of its own."""
        words = " ".join(self.players)
        rules = f"--rules {GAMES[self.game]} --seats {self.seats} --games {self.games} --seed {SEED}"
        return f"cartagena arena {words} {rules}"


@cache
def rows() -> tuple[Row, ...]:
    """All rows, group by group."""
    found = []
    for game in GAMES:
        name, rivals = f"equal-time-{game}", ("admiral@0.3s", f"{OLD}@0.3s")
        found.append(Row("equal-time", name, game, rivals, 2, 400, EQUAL_TIME[game]))
        for seats in (3, 4):
            table = ("admiral@0.1s", *[f"{OLD}@0.1s"] * (seats - 1))
            found.append(Row("crowd", f"crowd-{game}-{seats}", game, table, seats, 400, TIMES_FAIR / seats))
        table = ("admiral@0.1s", "gunner", "gunner", "gunner")
        found.append(Row("gunners", f"gunners-{game}", game, table, 4, 400, AMONG_GUNNERS))
        found += [Row("levels", f"levels-{game}-{seats}", game, LEVELS, seats, 400) for seats in SEATS]
        for less, more in pairwise(DOUBLINGS):
            pair = (f"admiral@{more}n", f"admiral@{less}n")
            found.append(Row("growth", f"growth-{game}-{more}", game, pair, 2, 100))
    quarter = ("admiral@200n", f"{OLD}@800n")
    found.append(Row("quarter", "quarter-tortuga", "tortuga", quarter, 2, 400, QUARTER))
    return tuple(found)
