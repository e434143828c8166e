"""The connection to Redis: by URL, with errors in one sentence and a prefix for all keys.

Redis stores nothing that lasts. A server or worker must go on without it, so every use expects ``RedisUnavailable``.

Redis also counts the limits that hold for all servers together, one call after another: a notice about a call comes too
late for servers that are asked at the same moment. It runs a script as one step, so that of all calls at once no more
than the limit are counted. Keys are hashed with a key that Redis does not hold, so that it reveals no address.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

from cartagena.errors import CartagenaError

from .seal import Seal

if TYPE_CHECKING:
    from redis.asyncio import Redis

PREFIX: Final = "cartagena"
SECONDS: Final = 2.0
"""Longest time to connect and to wait for an answer."""
SCHEMES: Final = ("redis", "rediss", "unix")
OWNER: Final = "owner"
"""The key that says which database the servers of this Redis share."""

RETRY: Final = 1.0  # seconds after which a call can be repeated that Redis has not answered
COUNT: Final = """
local now = redis.call('TIME')
local ms = now[1] * 1000 + math.floor(now[2] / 1000)
local span = tonumber(ARGV[1])
local wait = 0
for i, key in ipairs(KEYS) do
  redis.call('ZREMRANGEBYSCORE', key, '-inf', ms - span)
  local most = tonumber(ARGV[2 + i])
  if redis.call('ZCARD', key) >= most then
    local first = most > 0 and redis.call('ZRANGE', key, -most, -most, 'WITHSCORES') or {}
    wait = math.max(wait, first[2] and tonumber(first[2]) + span - ms or span)
  end
end
if wait > 0 then return wait end
for i, key in ipairs(KEYS) do
  redis.call('ZADD', key, ms, ARGV[2])
  redis.call('PEXPIRE', key, span)
end
return 0
"""
"""Counts a call of every key unless one has its most: the span in ms, a name for the call, the most of each key.
Returns the milliseconds until the call is allowed."""


class RedisError(CartagenaError):
    """Redis cannot be used as it is configured. The message is one sentence for the person who runs the server."""


class RedisUnavailable(RedisError):
    """Redis does not answer now. What it would have carried is lost or comes later."""


def hide_password(url: str) -> str:
    """The URL without its password."""
    parts = urlsplit(url)
    if parts.password is None:
        return url
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{parts.username or ''}:***@{host}"))


def check_url(url: str) -> str:
    """The URL. Raises RedisError unless it is one of Redis."""
    try:
        parts = urlsplit(url)
        right = parts.scheme in SCHEMES and bool(parts.path if parts.scheme == "unix" else parts.hostname)
        right = right and (parts.scheme == "unix" or parts.port is None or parts.port > 0)
        right = right and (parts.scheme == "unix" or parts.path.strip("/").isdigit() or parts.path in ("", "/"))
    except ValueError:
        right = False
    if not right:
        raise RedisError("Redis must be a URL such as redis://:password@host:6379/0.")
    return url


class RedisLink:
    """Redis with the prefix of our keys: ``link.client`` sends commands, ``link.key("jobs")`` names a key."""

    def __init__(self, url: str) -> None:
        self.url = check_url(url)
        self.shown = hide_password(url)
        self.client: Redis = _client(url)

    def key(self, *parts: str) -> str:
        """The name of a key or channel."""
        return ":".join((PREFIX, *parts))

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Turn the errors of Redis into RedisUnavailable, or RedisError if waiting does not help."""
        import redis.exceptions as wrong

        try:
            yield
        except (wrong.AuthenticationError, wrong.AuthenticationWrongNumberOfArgsError, wrong.AuthorizationError):
            raise RedisError(f"Redis {self.shown} refuses the user name or password.") from None
        except wrong.NoPermissionError as error:
            raise RedisError(f"Redis {self.shown} denies this user a needed command: {_first(error)}.") from None
        except wrong.ReadOnlyError:
            raise RedisUnavailable(f"Redis {self.shown} is read-only; name the primary one.") from None
        except wrong.OutOfMemoryError:
            raise RedisUnavailable(f"Redis {self.shown} has no memory left.") from None
        except (wrong.ConnectionError, wrong.TimeoutError, OSError) as error:
            raise _silent(self.shown, error) from None
        except wrong.ResponseError as error:
            raise _refused(self.shown, error) from None
        except wrong.RedisError as error:
            raise RedisUnavailable(f"Redis {self.shown} cannot be used: {_first(error)}.") from None
        except RuntimeError as error:
            if "handler is closed" not in str(error):  # which uvloop says of a lost connection
                raise
            raise _silent(self.shown, error) from None

    async def check(self, owner: str | None = None) -> None:
        """Raise RedisError unless this Redis is ours: empty, or used for the same database before.

        Args:
            owner: Identifies the database of this server. None accepts the owner that Redis names.
        """
        with self.guarded():
            known = await self.client.get(self.key(OWNER))
            if known is None and await self.client.dbsize() and not await self._any_of_ours():
                raise RedisError(
                    f"Redis {self.shown} holds keys of another program; name an empty database, such as .../1."
                )
            if owner is None:
                return
            if known is None:
                await self.client.set(self.key(OWNER), owner, nx=True)
                known = await self.client.get(self.key(OWNER))
        if known != owner:
            raise RedisError(
                f"Redis {self.shown} serves another database; name one Redis for each database, "
                f"or delete the key {self.key(OWNER)} if that database is gone."
            )

    async def _any_of_ours(self) -> bool:
        """Whether a key has our prefix: workers and servers may come in any order."""
        async for _ in self.client.scan_iter(match=f"{PREFIX}:*", count=1000):
            return True
        return False

    async def close(self) -> None:
        """Close all connections."""
        await self.client.aclose()


def _client(url: str) -> "Redis":
    """A client that fails soon, because its users go on without Redis."""
    try:
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
    except ImportError:
        raise RedisError("Redis needs its package: pip install 'cartagena[redis]'.") from None
    client: Redis = Redis.from_url(
        url,
        decode_responses=True,
        socket_timeout=SECONDS,
        socket_connect_timeout=SECONDS,
        retry=Retry(NoBackoff(), 1),  # a connection that an older Redis left is replaced once
        protocol=2,
    )
    return client


def _first(error: Exception) -> str:
    """The first line of an error without its full stop."""
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__).rstrip(".")


def _silent(shown: str, error: Exception) -> RedisError:
    """The error that a lost connection stands for."""
    if any(sign in str(error).lower() for sign in ("authentication", "invalid password", "wrongpass")):
        return RedisError(f"Redis {shown} refuses the user name or password.")
    return RedisUnavailable(f"Redis {shown} does not answer; is it running?")


def _refused(shown: str, error: Exception) -> RedisError:
    """The error that an error reply of Redis stands for."""
    text = str(error).lower()
    if "auth" in text or "wrongpass" in text:
        return RedisError(f"Redis {shown} refuses the user name or password.")
    if "db index" in text:
        return RedisError(f"Redis {shown} has no database of that number.")
    if "misconf" in text or "loading" in text:
        return RedisUnavailable(f"Redis {shown} takes no commands now: {_first(error)}.")
    return RedisError(f"Redis {shown} cannot be used: {_first(error)}.")


class SharedWindows:
    """The calls that a limit counts, by address and network, of all servers of a database."""

    def __init__(self, link: RedisLink, seal: Seal, name: str, state: Callable[[], tuple[int, bool]]) -> None:
        """``state`` tells how many servers live and whether Redis is there."""
        self.link = link
        self.seal = seal
        self.name = name
        self.state = state
        self.turn = asyncio.Lock()

    @property
    def servers(self) -> int:
        """Number of living servers."""
        return max(1, self.state()[0])

    def _key(self, text: str) -> str:
        return self.link.key("limit", self.name, self.seal.name(text))

    async def count(self, limits: Mapping[str, int], seconds: float) -> float | None:
        """Count a call of each key, or of none. Returns the seconds until it is allowed; None without Redis.

        A call that Redis has not answered although it is there may be counted, and is not allowed.
        """
        keys = [self._key(text) for text in limits]
        values = [str(round(seconds * 1000)), uuid4().hex, *map(str, limits.values())]
        try:
            async with self.turn:
                with self.link.guarded():
                    wait = await self.link.client.eval(COUNT, len(keys), *keys, *values)
        except RedisError:
            return RETRY if self.state()[1] else None
        return int(wait) / 1000
