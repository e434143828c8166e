"""Many games: paired deals in parallel processes, with results that are kept and continued after a kill."""

import json
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from math import lcm
from pathlib import Path
from types import NoneType
from typing import Final, TypedDict

from cartagena.backends.arguments import checked_number
from cartagena.errors import PlayerError, shown, takes, whole
from cartagena.game.files import as_path
from cartagena.game.plurals import counted
from cartagena.jobs import Executor, executor
from cartagena.players import create, load_code
from cartagena.players.files import save
from cartagena.players.luck import get_ready
from cartagena.players.registry import digest_of, files_of
from cartagena.rulesets import MAX_SEATS, MIN_SEATS, RuleSet, rule_set

from .entrants import Entrant, drawn, line_ups, seatings
from .fixture import MOST_TURNS, Fixture, Result, play
from .ratings import Sequential
from .suites import Suite, load_suite

FORMAT: Final = 1
MOST_GAMES: Final = 10**9
OLD_HEAD: Final = ("arena", "players", "rules", "seats", "seed", "most_turns")
"""What the first line of every file of results has."""
SEATING: Final = "balanced"
"""The design of the seating. In files without it players always had the same neighbours."""
Head = TypedDict(
    "Head",
    {
        "arena": int, "players": list[str], "rules": str, "seats": int, "seed": str, "most_turns": int,
        "rules-hash": str, "rules-content": dict[str, int | str | bool], "suite": str, "suite-hash": str,
        "files": dict[str, str], "seating": str,
    },
    total=False,
)  # fmt: skip
"""The first line of a file of results."""


@dataclass(frozen=True)
class Contest:
    """The games to be played. ``games`` is rounded up to whole rounds.

    In a round every deal is played once from every seat, and each player sits before and after every other one equally
    often: with three or more seats, who sits after whom decides much.

    ``rules`` is a rule set, its name or its file, which is read once, here. ``seats`` is by default what it says, or 2.
    ``suite`` names a suite of openings (see ``suites``): the deals are then its openings, whatever the seed.

    >>> from cartagena.arena import Contest
    >>> [fixture.seats for fixture in Contest(("a", "b", "c"), games=6).fixtures()][:3]
    [('a', 'b'), ('b', 'a'), ('a', 'c')]
    """

    players: tuple[str, ...]
    rules: str | RuleSet = "jamaica-en"
    seats: int = 0
    games: int = 100
    seed: str = "1"
    code: tuple[str, ...] = ()
    stop: Sequential | None = None
    most_turns: int = MOST_TURNS
    suite: str = ""
    openings: Suite | None = field(init=False, repr=False)
    """The suite itself."""
    content: RuleSet = field(init=False, repr=False)
    """The rule set itself."""
    files: dict[str, str] = field(init=False, repr=False, compare=False)
    """The files of code, and those that players name in their options, such as weights, each with a hash."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", texts("players", self.players))
        object.__setattr__(self, "code", texts("code", self.code))
        if not self.players:
            raise PlayerError("a contest needs at least one player")
        object.__setattr__(self, "seed", one_text("seed", self.seed))
        object.__setattr__(self, "suite", one_text("suite", self.suite))
        if not isinstance(self.stop, Sequential | None):
            raise PlayerError(f"stop takes a test such as Sequential(0.5, 0.6), not {shown(self.stop)}")
        for name in ("games", "most_turns"):
            object.__setattr__(self, name, checked_number(name, getattr(self, name), 1, MOST_GAMES, PlayerError))
        object.__setattr__(self, "content", rule_set(self.rules))
        seats = (self.content.seats or MIN_SEATS) if whole(self.seats) == 0 else self.seats
        object.__setattr__(self, "seats", checked_number("seats", seats, MIN_SEATS, MAX_SEATS, PlayerError))
        openings = load_suite(self.suite, self.content, self.seats) if self.suite else None
        object.__setattr__(self, "openings", openings)
        files = {path: digest for path in self.code if (digest := digest_of(Path(path)))}
        for each in self.entrants().values():
            files |= files_of(each.name)
        object.__setattr__(self, "files", files)

    @property
    def rules_name(self) -> str:
        """The name or the file of the rule set, as it was given."""
        return self.rules if isinstance(self.rules, str) else self.rules.name

    def entrants(self) -> dict[str, Entrant]:
        """The players with their limits, by their texts."""
        return {spec: Entrant.parse(spec) for spec in self.players}

    def wanted(self) -> frozenset[str]:
        """The names of the players."""
        return frozenset(entrant.name for entrant in self.entrants().values())

    def round(self, number: int) -> list[list[tuple[str, ...]]]:
        """The games of one round, deal by deal. In a round all players have had equally good seats."""
        tables = [seatings(drawn(table, self.seed, number)) for table in line_ups(self.players, self.seats)]
        deals = lcm(*map(len, tables))
        return [[seats for table in tables for seats in table[deal % len(table)]] for deal in range(deals)]

    def fixtures(self) -> Iterator[Fixture]:
        """All games, deal by deal."""
        number = deal = 0
        for turn in count():
            if number >= self.games:
                return
            for games in self.round(turn):
                for seats in games:
                    yield self.fixture(number, deal, seats)
                    number += 1
                deal += 1

    @property
    def is_seating_new(self) -> bool:
        """True where games were seated otherwise before: more than two seats, or one player at both."""
        return self.seats > 2 or len({*self.players}) < len(self.players)

    @property
    def seating(self) -> str:
        """The design of the seating in words."""
        deals = len(self.round(0))
        if all(len({*table}) == 1 for table in line_ups(self.players, self.seats)):
            return "one player at all seats: each deal is played once"
        if self.seats == 2:
            return "each deal is played from both seats"
        return (
            "each deal is played from every seat; "
            f"after {counted(deals, 'deal')} each player has sat before and after every other equally often"
        )

    def fixture(self, number: int, deal: int, seats: tuple[str, ...]) -> Fixture:
        """One game: dealt by the seed, or an opening of the suite with cards that follow from the suite."""
        if self.openings is None:
            return Fixture(number, deal, self.content, seats, self.seed)
        opening = self.openings.positions[deal % len(self.openings.positions)]
        return Fixture(number, deal, self.content, seats, self.openings.name, opening)

    def head(self) -> Head:
        """The first line of a file of results, which must be the same to continue it."""
        head = Head()
        if self.openings is not None:
            head = {"suite": self.openings.name, "suite-hash": self.openings.digest}
        if self.files:
            head["files"] = self.files
        head["arena"] = FORMAT
        if self.is_seating_new:
            head["seating"] = SEATING
        return {
            **head,
            "players": list(self.players),
            "rules": self.rules_name,
            "seats": self.seats,
            "seed": self.seed,
            "most_turns": self.most_turns,
            "rules-hash": self.content.digest,
            "rules-content": self.content.to_data(),
        }


def texts(what: str, given: object) -> tuple[str, ...]:
    """Texts, such as names and paths, as a tuple. Raises PlayerError for anything else."""
    if not isinstance(given, tuple | list) or not all(isinstance(each, str) for each in given):
        raise PlayerError(f"{what} must be a list of texts, not {shown(given)}")
    return tuple(given)


def one_text(what: str, given: object) -> str:
    """A text, or the digits of a whole number. Raises PlayerError for anything else."""
    number = whole(given)
    if number is None and not isinstance(given, str):
        raise PlayerError(f"{what} must be a text or a whole number, not {shown(given)}")
    return given if isinstance(given, str) else str(number)


@takes(
    PlayerError,
    contest=Contest,
    out=(str, Path, NoneType),
    tell=Callable,
    records=(str, Path, NoneType),
    place=(Executor, NoneType),
)
def run(
    contest: Contest,
    out: str | Path | None = None,
    processes: int | None = None,
    tell: Callable[[Result], None] = lambda _: None,
    records: str | Path | None = None,
    place: Executor | None = None,
) -> list[Result]:
    """Play the games that are not in ``out`` yet. Returns all results. ``tell`` is called with each of them.

    The record of each game that is played is written to the folder ``records``, before its result is kept. The games
    are played at ``place``, by default in ``processes`` processes of this machine. When all are played, the file
    ``out`` has them in the order of their numbers.

    >>> from cartagena.arena import Contest, run
    >>> len(run(Contest(("sailor", "random"), "nest-nl", games=2), processes=1))
    2
    """
    out, records = (None if each is None else as_path(each) for each in (out, records))
    if records is not None:
        make_folder(records)
    for path in contest.code:
        load_code(path)
    check_players(contest)
    results = resume(contest, out)
    done = {result.number for result in results}
    for result in results:
        tell(result)
    waiting = (fixture for fixture in contest.fixtures() if fixture.number not in done)
    if any(fixture.number not in done for fixture in contest.fixtures()):
        get_ready()
    with place or executor(workers=processes, wanted=contest.wanted()) as opened:
        for result in played(contest, waiting, opened, results):
            results.append(result)
            write_record(records, result)
            append(out, result.to_json())
            tell(result)
    results.sort(key=lambda result: result.number)
    if out is not None:
        rewrite(out, read(out)[0], results)
    return results


def check_players(contest: Contest) -> None:
    """Raise PlayerError for a player that cannot be created, before any process starts."""
    for entrant in contest.entrants().values():
        player = create(entrant.name)
        close = getattr(player, "close", None)
        if close is not None:
            close()


def verdict(contest: Contest, results: Sequence[Result]) -> int:
    """The verdict of the sequential test: 1 for the higher share, -1 for the lower one, 0 while it is open.

    The test looks at whole rounds in their order, because players have equally good seats only in a whole round. The
    first verdict stands. So it does not depend on which of several games at a time ends first.
    """
    if contest.stop is None:
        return 0
    deals: dict[int, list[Result]] = defaultdict(list)
    for result in results:
        deals[result.deal].append(result)
    games = contest.round(0)
    size = sum(map(len, games))
    seen: list[Result] = []
    decision = 0
    for first in count(0, len(games)):
        next_round = [result for deal in range(first, first + len(games)) for result in deals[deal]]
        if decision or len(next_round) < size:
            return decision
        seen += next_round
        decision = contest.stop.verdict(contest.stop.share(seen, contest.players[0]))
    return decision


def played(contest: Contest, fixtures: Iterator[Fixture], place: Executor, results: list[Result]) -> Iterator[Result]:
    """The results as games end, until the sequential test is decided."""
    work = partial(play, entrants=contest.entrants(), most_turns=contest.most_turns)
    return place.map(work, fixtures, lambda: bool(verdict(contest, results)), contest.files)


# --- files of results


def resume(contest: Contest, out: Path | None) -> list[Result]:
    """The results in a file. A last line that a kill has cut off is dropped."""
    if out is None:
        return []
    try:
        is_new = not out.exists() or not out.stat().st_size
    except OSError as error:
        raise PlayerError(f"{out}: cannot be written: {error.strerror or 'unwritable'}") from None
    if is_new:
        append(out, contest.head())
        return []
    head, results = read(out)
    check_head(out, head, contest.head())
    rewrite(out, head, results)
    return results


def rewrite(out: Path, head: Head, results: Sequence[Result]) -> None:
    """Write a whole file of results, completely or not at all."""
    whole = "".join(json.dumps(line) + "\n" for line in [head, *(result.to_json() for result in results)])
    save(out, whole.encode())


def check_head(out: Path, head: Head, wanted: Head) -> None:
    """Raise PlayerError where a file has results of another contest. Older files have fewer hashes, or none."""
    if head.get("rules-hash", wanted["rules-hash"]) != wanted["rules-hash"]:
        raise PlayerError(f"{out}: the rule set {wanted['rules']} has changed since these results; choose another file")
    if head.get("suite-hash") != wanted.get("suite-hash"):
        raise PlayerError(f"{out}: has results of other openings; choose another file")
    if changed := other_files(head, wanted):
        raise PlayerError(f"{out}: {changed} has changed since these results; choose another file")
    if head.get("seating") != wanted.get("seating"):
        raise PlayerError(f"{out}: was played with a seating in which neighbours never change; choose another file")
    known = {key: value for key, value in head.items() if key != "files"}
    if known != {key: value for key, value in wanted.items() if key in known} or not {*OLD_HEAD} <= {*known}:
        raise PlayerError(f"{out}: has results of another contest; choose another file")


def other_files(head: Head, other: Head) -> str:
    """The first file, such as weights or code, whose content differs between two heads; empty if none does."""
    known, wanted = head.get("files", {}), other.get("files", {})
    return next((path for path in known if wanted.get(path, known[path]) != known[path]), "")


@takes(PlayerError, path=(str, Path))
def read(path: str | Path) -> tuple[Head, list[Result]]:
    """The head and the results of a file.

    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> from cartagena.arena import Contest, read, run
    >>> file = Path(mkdtemp()) / "results.jsonl"
    >>> _ = run(Contest(("sailor", "random"), "nest-nl", games=2), file, processes=1)
    >>> head, results = read(file)
    >>> head["players"], len(results)
    (['sailor', 'random'], 2)
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
        head: Head = json.loads(lines[0])
        results = [read_result(line) for line in lines[1:] if line]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        raise PlayerError(f"{path}: is not a file of arena results") from None
    if not isinstance(head, dict) or head.get("arena") != FORMAT:
        raise PlayerError(f"{path}: is not a file of arena results")
    return head, [result for result in results if result is not None]


def read_result(line: str) -> Result | None:
    """One result, or None for an incomplete line."""
    try:
        return Result.from_json(json.loads(line))
    except json.JSONDecodeError:
        return None


def make_folder(folder: Path) -> None:
    """Make the folder of records."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PlayerError(f"{folder}: cannot be created as a folder: {error.strerror or 'unwritable'}") from None


def write_record(folder: Path | None, result: Result) -> None:
    """Write the record of a game to its folder."""
    if folder is None:
        return
    path = folder / f"{result.number:06}.txt"
    try:
        path.write_text(result.record, encoding="utf-8")
    except OSError as error:
        raise PlayerError(f"{path}: cannot be written: {error.strerror or 'unwritable'}") from None


def append(out: Path | None, line: Mapping[str, object]) -> None:
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
