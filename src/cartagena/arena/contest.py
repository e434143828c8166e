"""Many games: paired deals in parallel processes, with results that are kept and continued after a kill."""

import json
import multiprocessing
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cartagena.players import PlayerError, load_code
from cartagena.players.model import THREADS

from .entrants import Entrant, line_ups, rotations
from .fixture import MOST_TURNS, Fixture, Result, play
from .ratings import Sequential, share_of

FORMAT: Final = 1


@dataclass(frozen=True)
class Contest:
    """The games to be played. ``games`` is rounded up to whole deals, each played once from every seat."""

    players: tuple[str, ...]
    rules: str = "jamaica-en"
    seats: int = 2
    games: int = 100
    seed: str = "1"
    code: tuple[str, ...] = ()
    stop: Sequential | None = None
    most_turns: int = MOST_TURNS

    def __post_init__(self) -> None:
        if not self.players:
            raise PlayerError("a contest needs at least one player")

    def entrants(self) -> dict[str, Entrant]:
        return {spec: Entrant.parse(spec) for spec in self.players}

    def fixtures(self) -> Iterator[Fixture]:
        """All games, deal by deal."""
        number = deal = 0
        tables = line_ups(self.players, self.seats)
        while number < self.games:
            for table in tables:
                for seats in rotations(table):
                    yield Fixture(number, deal, self.rules, seats, self.seed)
                    number += 1
            deal += 1

    def head(self) -> dict[str, Any]:
        """The first line of a file of results, which must be the same to continue it."""
        return {
            "arena": FORMAT,
            "players": list(self.players),
            "rules": self.rules,
            "seats": self.seats,
            "seed": self.seed,
            "most_turns": self.most_turns,
        }


def play_one(fixture: Fixture, entrants: dict[str, Entrant], code: tuple[str, ...], most_turns: int) -> Result:
    """Play one game, perhaps in another process."""
    load_once(code)
    return play(fixture, entrants, most_turns)


_loaded: set[str] = set()


def load_once(code: Sequence[str]) -> None:
    for path in code:
        if path not in _loaded:
            load_code(path)
            _loaded.add(path)


def run(
    contest: Contest,
    out: Path | None = None,
    processes: int | None = None,
    tell: Callable[[Result], None] = lambda _: None,
) -> list[Result]:
    """Play the games that are not in ``out`` yet. Returns all results; ``tell`` is called with each of them."""
    load_once(contest.code)
    check_players(contest)
    results = resume(contest, out)
    done = {result.number for result in results}
    for result in results:
        tell(result)
    waiting = (fixture for fixture in contest.fixtures() if fixture.number not in done)
    for result in played(contest, waiting, processes or cores(), results):
        results.append(result)
        keep(out, result.to_json())
        tell(result)
    return sorted(results, key=lambda result: result.number)


def check_players(contest: Contest) -> None:
    """Raise PlayerError for a player that cannot be created, before any process starts."""
    from cartagena.players import create

    for entrant in contest.entrants().values():
        player = create(entrant.name)
        close = getattr(player, "close", None)
        if close is not None:
            close()


def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def share_cores(threads: int) -> None:
    """Let the players of one of several processes search in so many threads, unless the environment says otherwise."""
    os.environ.setdefault(THREADS, str(threads))


def verdict(contest: Contest, results: Sequence[Result]) -> int:
    """The verdict of the sequential test: 1 for the higher share, -1 for the lower one, 0 while it is open.

    The test looks at whole deals in their order, each played from every seat at every table, and the first verdict
    stands. So it does not depend on which of several games at a time ends first.
    """
    if contest.stop is None:
        return 0
    size = len(line_ups(contest.players, contest.seats)) * contest.seats
    deals: dict[int, list[Result]] = defaultdict(list)
    for result in results:
        deals[result.deal].append(result)
    seen: list[Result] = []
    found = deal = 0
    while not found and len(deals[deal]) == size:
        seen += deals[deal]
        found = contest.stop.verdict(share_of(seen, contest.players[0]))
        deal += 1
    return found


def played(contest: Contest, fixtures: Iterator[Fixture], processes: int, results: list[Result]) -> Iterator[Result]:
    """The results as games end. With one process the games are played in this one."""
    arguments = (contest.entrants(), contest.code, contest.most_turns)
    if processes == 1:
        for fixture in fixtures:
            if verdict(contest, results):
                return
            yield play_one(fixture, *arguments)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, share_cores, (max(1, cores() // processes),)) as pool:
        running: set[Future[Result]] = set()
        try:
            while True:
                if not verdict(contest, results):
                    for fixture in fixtures:
                        running.add(pool.submit(play_one, fixture, *arguments))
                        if len(running) >= processes + 1:
                            break
                if not running:
                    return
                ready, running = wait(running, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in ready)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


# --- files of results


def resume(contest: Contest, out: Path | None) -> list[Result]:
    """The results in a file. A last line that a kill has cut off is dropped."""
    if out is None:
        return []
    if not out.exists() or not out.stat().st_size:
        keep(out, contest.head())
        return []
    head, results = read(out)
    if head != contest.head():
        raise PlayerError(f"{out}: has results of another contest; choose another file")
    whole = "".join(json.dumps(line) + "\n" for line in [head, *(result.to_json() for result in results)])
    part = out.with_name(out.name + ".part")
    part.write_text(whole, encoding="utf-8")
    part.replace(out)
    return results


def read(path: Path) -> tuple[dict[str, Any], list[Result]]:
    """The head and the results of a file."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
        head = json.loads(lines[0])
        found = [read_result(line) for line in lines[1:] if line]
    except (OSError, ValueError, TypeError, KeyError):
        raise PlayerError(f"{path}: is not a file of arena results") from None
    if not isinstance(head, dict) or head.get("arena") != FORMAT:
        raise PlayerError(f"{path}: is not a file of arena results")
    return head, [result for result in found if result is not None]


def read_result(line: str) -> Result | None:
    """One result, or None for an incomplete line."""
    try:
        return Result.from_json(json.loads(line))
    except json.JSONDecodeError:
        return None


def keep(out: Path | None, line: dict[str, Any]) -> None:
    """Append a line to the file of results and sync it."""
    if out is None:
        return
    try:
        with out.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise PlayerError(f"{out}: cannot be written: {error.strerror or 'unwritable'}") from None
