"""Jobs for computer players in other processes, and how they travel through Redis.

A server posts a job to a stream; bot workers take jobs through a consumer group and push the answer to a list of the
server. A job holds the view of the seat that must choose and nothing else of the table: no address, no name of the
table, no hidden card. There is one stream for each rank of tables, and workers empty the one with people first.

A job is in its stream until it is finished or withdrawn. The worker that has taken it renews its claim while it lives,
so a job whose claim is old belongs to a worker that died, and another one takes it. ``FINISH`` removes the job and
sends the answer in one step: of several workers that answer one job only the first is heard.

Times are compared by the clock of Redis, never by those of two machines.
"""

import functools
import hashlib
import json
import secrets
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Concatenate, Final, NamedTuple, ParamSpec, TypeVar

from cartagena.errors import CartagenaError
from cartagena.game import Position

from ..cluster.redis import RedisLink
from .pool import COMPUTERS_ONLY, PEOPLE

if TYPE_CHECKING:
    from redis.typing import KeyT, StreamIdT

P = ParamSpec("P")
T = TypeVar("T")
FORMAT: Final = 1
"""Version of a job's form. A worker answers a job of another form with an error, and the server thinks itself."""
RANKS: Final = (PEOPLE, COMPUTERS_ONLY)
GROUP: Final = "bots"
WAIT_MS: Final = 500
"""How long one question to Redis waits for a job or an answer."""
ALIVE_MS: Final = 2000
"""How long after its last sign of life a worker counts as alive."""
FORGET_MS: Final = 3_600_000
"""How long the name of a worker that is gone is kept."""
ANSWER_SECONDS: Final = 600
"""How long answers to a server that is gone are kept."""
MAX_SECONDS: Final = 60.0
OLD_MS: Final = 10**9
"""Age of a claim that is handed back: old enough for any other worker."""

NOW: Final = "local t = redis.call('TIME'); local now = t[1] * 1000 + math.floor(t[2] / 1000)\n"
BEAT: Final = f"""{NOW}
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
for _, name in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[3])) do
  redis.call('ZREM', KEYS[1], name)
  redis.call('HDEL', KEYS[2], name)
end
"""
ALIVE: Final = f"""{NOW}
local names = redis.call('ZRANGEBYSCORE', KEYS[1], now - ARGV[1], '+inf')
if #names == 0 then return {{}} end
return redis.call('HMGET', KEYS[2], unpack(names))
"""
FINISH: Final = """
local first = redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
redis.call('XDEL', KEYS[1], ARGV[2])
if first == 1 then
  redis.call('RPUSH', KEYS[2], ARGV[3])
  redis.call('EXPIRE', KEYS[2], ARGV[4])
end
return first
"""
RELEASE: Final = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end"


class JobError(CartagenaError):
    """A job that this version cannot read or play."""


def game_key(game: str) -> str:
    """A name of a game for the memory of players that does not reveal the table's id."""
    return hashlib.sha256(f"cartagena game {game}".encode()).hexdigest()[:32]


FIRST_NUMBERS: Final = 17
"""How many numbers a rule table had in version 0.1.0, whose workers may still run."""


def rule_numbers(view: Position) -> list[int]:
    """The compiled numbers of the rule set, and the version of our rulings on the game if there was another."""
    added = view.table[FIRST_NUMBERS:]  # of variants; older versions have no such numbers
    table = view.table if any(added) else view.table[:FIRST_NUMBERS]
    return [*table, *([view.rules.rulings] if view.rules.rulings > 1 else [])]


@dataclass(frozen=True)
class Job:
    """A decision to make: the view, the level, the time to think, and the game if it is to be remembered.

    ``rules`` are the ``rule_numbers``, so that a worker of another version plays by the same rules or not at all.
    ``lives`` counts seconds from when the job was posted; the server does not wait longer for the answer.
    """

    level: str
    view: str
    rules: Sequence[int]
    seconds: float
    game: str | None
    lives: float
    reply_to: str
    id: str = field(default_factory=lambda: secrets.token_hex(12))
    format: int = FORMAT

    @classmethod
    def of(cls, level: str, view: Position, seconds: float, game: str | None, lives: float, reply_to: str) -> "Job":
        """A job for the seat that must choose. Only its view goes into the job, whichever position is given."""
        shown = view.view(view.turn)
        key = None if game is None else game_key(game)
        return cls(level, str(shown), rule_numbers(shown), seconds, key, lives, reply_to)

    def dump(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))

    @classmethod
    def parse(cls, data: str) -> "Job":
        """Read a job. Raises JobError if it is of another form."""
        try:
            fields = json.loads(data)
            if fields["format"] != FORMAT:
                raise JobError(f"The job has form {str(fields['format'])[:20]}; this worker knows form {FORMAT}.")
            job = cls(**fields)
            right = isinstance(job.level, str) and isinstance(job.view, str) and isinstance(job.game, str | None)
            if not right or not 0 < job.seconds <= MAX_SECONDS or job.lives <= 0:
                raise JobError("The job is not complete.")
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise error if isinstance(error, JobError) else JobError("The job cannot be read.") from None
        return job

    def position(self) -> Position:
        """The view to play from. Raises CartagenaError if this version reads it with other rules."""
        view = Position.parse(self.view)
        if rule_numbers(view) != list(self.rules):
            raise JobError(f"The rules of {view.rules.name} differ between the server and this worker.")
        return view


class Posted(NamedTuple):
    """Where a job waits."""

    stream: str
    entry: str


class Taken(NamedTuple):
    """A job that a worker has taken: where it is, its text, and its age in seconds."""

    posted: Posted
    rank: int
    data: str
    age: float

    @property
    def reply(self) -> tuple[str, str]:
        """The address and the id that an answer needs, empty if they cannot be read."""
        try:
            fields = json.loads(self.data)
            return str(fields["reply_to"]), str(fields["id"])
        except (ValueError, TypeError, KeyError, RecursionError):
            return "", ""


@dataclass(frozen=True)
class WorkerInfo:
    """What a worker says about itself."""

    name: str
    engines: int
    levels: tuple[str, ...]
    version: str

    @classmethod
    def parse(cls, text: str) -> "WorkerInfo":
        fields = json.loads(text)
        return cls(
            str(fields["name"]), int(fields["engines"]), tuple(map(str, fields["levels"])), str(fields["version"])
        )


def guarded(
    method: Callable[Concatenate["JobBoard", P], Awaitable[T]],
) -> Callable[Concatenate["JobBoard", P], Awaitable[T]]:
    """Turn the errors of the Redis client into our RedisError."""

    @functools.wraps(method)
    async def call(board: "JobBoard", /, *given: P.args, **named: P.kwargs) -> T:
        with board.link.guarded():
            return await method(board, *given, **named)

    return call


def age_ms(entry: str, now: tuple[int, int]) -> int:
    """How long ago an entry was posted, by the clock of Redis, rounded up: even a new entry is 1 ms old."""
    return max(0, now[0] * 1000 + now[1] // 1000 - int(entry.partition("-")[0])) + 1


class JobBoard:
    """The jobs in one Redis. Every method may raise RedisError."""

    def __init__(self, link: RedisLink) -> None:
        self.link = link
        self.redis = link.client
        self.alive, self.about = link.key("bots", "alive"), link.key("bots", "about")
        self.cursors: dict[int, str] = dict.fromkeys(RANKS, "0-0")
        """Where the search for abandoned jobs goes on: one question looks at some of them only."""

    def stream(self, rank: int) -> str:
        return self.link.key("bots", "jobs", str(rank))

    def answers_key(self, server: str) -> str:
        return self.link.key("bots", "answers", server)

    # --- for servers

    @guarded
    async def post(self, job: Job, rank: int) -> Posted:
        """Post a job for the workers."""
        stream = self.stream(rank)
        return Posted(stream, str(await self.redis.xadd(stream, {"job": job.dump()})))

    @guarded
    async def withdraw(self, posted: Posted) -> None:
        """Remove a job whose answer is no longer wanted."""
        await self.redis.xdel(posted.stream, posted.entry)

    @guarded
    async def answers(self, server: str) -> list[dict[str, object]]:
        """The next answer to a server, or none after a while."""
        item = await self.redis.blpop([self.answers_key(server)], timeout=WAIT_MS / 1000)
        if item is None:
            return []
        answer = json.loads(item[1])
        return [answer] if isinstance(answer, dict) else []

    @guarded
    async def workers(self) -> list[WorkerInfo]:
        """The workers that are alive."""
        texts = await self.redis.eval(ALIVE, 2, self.alive, self.about, str(ALIVE_MS))
        return list(readable(texts))

    @guarded
    async def reserve(self, name: str, mark: str, seconds: float) -> bool:
        """Take a name for a while. Returns whether it was free."""
        key = self.link.key("bots", "alone", name)
        return bool(await self.redis.set(key, mark, nx=True, px=max(1, int(seconds * 1000))))

    @guarded
    async def release(self, name: str, mark: str) -> None:
        """Free a name that was taken with that mark."""
        await self.redis.eval(RELEASE, 1, self.link.key("bots", "alone", name), mark)

    # --- for workers

    @guarded
    async def join(self) -> None:
        """Make the consumer group if it is not there, and forget the consumers that left long ago."""
        from redis.exceptions import ResponseError

        for rank in RANKS:
            stream = self.stream(rank)
            try:
                await self.redis.xgroup_create(stream, GROUP, id="0", mkstream=True)
            except ResponseError as error:
                if "BUSYGROUP" not in str(error):
                    raise
            for consumer in await self.redis.xinfo_consumers(stream, GROUP):
                if consumer["pending"] == 0 and consumer["idle"] > FORGET_MS:
                    await self.redis.xgroup_delconsumer(stream, GROUP, consumer["name"])

    @guarded
    async def beat(self, info: WorkerInfo) -> None:
        """Say that a worker is alive."""
        keys = self.alive, self.about
        await self.redis.eval(BEAT, 2, *keys, info.name, json.dumps(asdict(info)), str(FORGET_MS))

    @guarded
    async def leave(self, worker: str) -> None:
        """Say that a worker is gone."""
        await self.redis.zrem(self.alive, worker)
        await self.redis.hdel(self.about, worker)

    @guarded
    async def take(self, worker: str, abandoned_ms: int) -> Taken | None:
        """The next job, of a table with people if there is one, or None after a while.

        Args:
            worker: Its name.
            abandoned_ms: Age of a claim after which the job of another worker is taken.
        """
        for rank in RANKS:
            stream = self.stream(rank)
            claimed = await self.redis.xautoclaim(stream, GROUP, worker, abandoned_ms, self.cursors[rank], count=1)
            self.cursors[rank] = claimed[0]
            jobs = await self._taken([(stream, claimed[1])])
            jobs = jobs or await self._taken(await self.redis.xreadgroup(GROUP, worker, {stream: ">"}, count=1))
            if jobs:
                return jobs[0]
        streams: dict[KeyT, StreamIdT] = {self.stream(rank): ">" for rank in RANKS}
        jobs = await self._taken(await self.redis.xreadgroup(GROUP, worker, streams, count=1, block=WAIT_MS))
        await self._claim(worker, jobs[1:], OLD_MS)  # one of each rank came in the same moment
        return jobs[0] if jobs else None

    async def _taken(self, reply: Any) -> list[Taken]:
        """The jobs of a reply, those of tables with people first."""
        ranks = {self.stream(rank): rank for rank in RANKS}
        jobs = [(ranks[stream], entry, fields) for stream, entries in reply for entry, fields in entries if fields]
        now = await self.redis.time() if jobs else (0, 0)
        return [
            Taken(Posted(self.stream(rank), entry), rank, str(fields.get("job", "")), age_ms(entry, now) / 1000)
            for rank, entry, fields in sorted(jobs, key=lambda item: item[0])
        ]

    @guarded
    async def hold(self, worker: str, jobs: Iterable[Taken]) -> set[Posted]:
        """Renew the claims to jobs. Returns those that are still wanted."""
        return await self._claim(worker, jobs, 0)

    @guarded
    async def hand_back(self, worker: str) -> None:
        """Let other workers take all jobs of this one at once."""
        for rank in RANKS:
            stream = self.stream(rank)
            held = await self.redis.xpending_range(stream, GROUP, "-", "+", 1000, worker)
            entries: list[StreamIdT] = [item["message_id"] for item in held]
            if entries:
                await self.redis.xclaim(stream, GROUP, worker, 0, entries, idle=OLD_MS, justid=True)

    async def _claim(self, worker: str, jobs: Iterable[Taken], idle: int) -> set[Posted]:
        kept = set()
        for stream, entries in by_stream(jobs).items():
            claimed = await self.redis.xclaim(stream, GROUP, worker, 0, entries, idle=idle, justid=True)
            kept |= {Posted(stream, str(entry)) for entry in claimed}
        return kept

    @guarded
    async def finish(self, job: Taken, answer: dict[str, object]) -> bool:
        """Answer a job and remove it. Returns False if it was answered or withdrawn before."""
        server, name = job.reply
        stream, entry = job.posted
        if not server:
            await self.redis.xack(stream, GROUP, entry)
            await self.redis.xdel(stream, entry)
            return False
        text = json.dumps({"id": name, **answer})
        keys = stream, self.answers_key(server)
        return bool(await self.redis.eval(FINISH, 2, *keys, GROUP, entry, text, str(ANSWER_SECONDS)))

    @guarded
    async def people_wait(self) -> bool:
        """Whether a job of a table with people waits for a worker."""
        stream = self.stream(RANKS[0])
        taken = (await self.redis.xpending(stream, GROUP))["pending"]
        return int(await self.redis.xlen(stream)) > int(taken)


def by_stream(jobs: Iterable[Taken]) -> "dict[str, list[StreamIdT]]":
    """The entries of the jobs of each stream."""
    entries: dict[str, list[StreamIdT]] = {}
    for job in jobs:
        entries.setdefault(job.posted.stream, []).append(job.posted.entry)
    return entries


def readable(texts: Iterable[str]) -> Iterator[WorkerInfo]:
    """The workers whose description can be read."""
    for text in texts:
        try:
            yield WorkerInfo.parse(text)
        except (ValueError, TypeError, KeyError):
            continue
