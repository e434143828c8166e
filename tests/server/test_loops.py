"""Tasks that run for ever go on after an error that was not foreseen, and the error is logged."""

import asyncio
from collections.abc import Awaitable, Callable
from types import SimpleNamespace

import pytest

from cartagena.server.bots import remote
from cartagena.server.bots.jobs import WorkerInfo
from cartagena.server.bots.remote import RemotePool
from cartagena.server.cluster import notices
from cartagena.server.cluster.notices import Notices

from .rig import PATIENCE


async def runs_on(work: Awaitable[None], again: asyncio.Event) -> None:
    """Wait until the work has come to the point where ``again`` is set, which is after its failure."""
    task = asyncio.ensure_future(work)
    try:
        async with asyncio.timeout(PATIENCE):
            waiting = asyncio.ensure_future(again.wait())
            await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
            assert not task.done(), task.exception()
    finally:
        task.cancel()


def fails_once(again: asyncio.Event, answer: object) -> Callable[..., Awaitable[object]]:
    """What raises an error at the first call, and gives the answer at the later ones."""
    failures = [RuntimeError("readuntil() called while another coroutine is already waiting for incoming data")]

    async def call(*_: object) -> object:
        if failures:
            raise failures.pop()
        again.set()
        await asyncio.sleep(0)
        return answer

    return call


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "WATCH_PAUSE", 0.0)
    monkeypatch.setattr(notices, "PAUSE", 0.0)
    monkeypatch.setattr(notices, "TICK", 0.01)


def test_bot_workers_are_looked_for_and_heard_after_any_error(monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[str] = []
    monkeypatch.setattr(remote.log, "exception", logged.append)

    async def main() -> None:
        for name, answer in (("workers", [WorkerInfo("one", 2, ("7",), "0")]), ("answers", [])):
            again = asyncio.Event()
            board = SimpleNamespace(**{name: fails_once(again, answer)})
            pool = RemotePool(SimpleNamespace(), board)  # type: ignore[arg-type]
            await runs_on(pool._watch() if name == "workers" else pool._listen(), again)

    asyncio.run(main())
    assert len(logged) == 2


def test_notices_are_sent_after_any_error(monkeypatch: pytest.MonkeyPatch) -> None:
    logged: list[str] = []
    monkeypatch.setattr(notices.log, "exception", logged.append)

    async def main() -> None:
        link = SimpleNamespace(key=lambda *parts: ":".join(parts))
        sent = Notices(link, SimpleNamespace(), "owner", SimpleNamespace())  # type: ignore[arg-type]
        again = asyncio.Event()
        sent._collect = dict  # type: ignore[method-assign]
        sent._publish = fails_once(again, None)  # type: ignore[assignment,method-assign]
        await runs_on(sent.send(), again)

    asyncio.run(main())
    assert logged == ["notices could not be sent"]
