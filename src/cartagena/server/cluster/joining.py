"""How a server joins the others that serve the same database, and how it leaves them."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from typing import Final

from ..live.registry import TableRegistry
from ..live.sharing import Sharing
from ..settings import Settings
from ..storage.database import Database, StorageError
from ..storage.peers import Living, fingerprint, living, must_fit, new_member
from ..storage.postgres import Member
from ..tasks import cancel_all
from .notices import Notices
from .redis import RedisLink, RedisUnavailable, check_url

log = logging.getLogger("cartagena.cluster")
NOT_SQLITE: Final = "Servers with --redis share a PostgreSQL database; without one leave --redis out."


def member_of(settings: Settings, database: Database) -> Member | None:
    """This server as a member of a cluster, or None for a sole server. Raises StorageError or RedisError."""
    if not settings.redis:
        return None
    check_url(settings.redis)
    if database.is_sqlite:
        raise StorageError(NOT_SQLITE)
    return new_member()


async def must_fit_in(database: Database) -> Living:
    """The servers that live, this one included. Raises StorageError if this one cannot stand beside them."""
    found = await living(database)
    if found is None:
        raise StorageError("The lock of the database was lost while the server started; start it again.")
    must_fit(found)
    return found


class Cluster:
    """This server among the others."""

    def __init__(self, settings: Settings, registry: TableRegistry, number: int, owner: str) -> None:
        self.registry = registry
        self.link = RedisLink(settings.redis)
        self.sharing = Sharing(registry, number)
        self.notices = Notices(self.link, self.sharing, owner)
        self.tasks: list[asyncio.Task[None]] = []

    @classmethod
    async def join(cls, settings: Settings, registry: TableRegistry, member: Member, found: Living) -> "Cluster":
        """Join the others. Raises RedisError if Redis is configured wrongly, not if it is down."""
        owner = await fingerprint(registry.database)
        cluster = cls(settings, registry, member.number, owner)
        try:
            await cluster.link.check(owner)
        except RedisUnavailable as error:
            log.warning(str(error))
        except BaseException:
            await cluster.link.close()
            raise
        registry.sharing = cluster.sharing
        cluster.sharing.take_over(found)
        return cluster

    def share_limit(self, name: str, note: Callable[[str, int], None]) -> Callable[[str], None]:
        """Share a limit of addresses. ``note`` counts its use elsewhere; the returned function reports a use here."""
        self.notices.counters[name] = note
        return partial(self.notices.count, name)

    def start(self) -> None:
        """Begin to tell, to hear and to look at the database."""
        work = (self.notices.send(), self.notices.listen(), self.sharing.poll())
        self.tasks = [asyncio.create_task(each) for each in work]

    @property
    def notes(self) -> list[str]:
        """What the person who runs the server should know."""
        return self.notices.notes

    async def stop(self) -> None:
        """Leave the others."""
        await self.notices.leave()
        await cancel_all(*self.tasks)
        await self.sharing.close()
        await self.link.close()
