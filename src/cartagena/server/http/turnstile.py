"""Sockets that have not said hello. They are few, and the oldest gives way to the next."""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from .addresses import address_key

SHARE: Final = 4  # an address may have a quarter of them


class Turnstile:
    """The sockets that have not said hello: at most ``most``, and a share of them for each address."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.waiting: dict[str, OrderedDict[object, Callable[[], None]]] = {}

    @contextmanager
    def wait(self, host: str, drop: Callable[[], None]) -> Iterator[None]:
        """Count a socket until it has said hello. ``drop`` is called if it must give way."""
        key, ticket = address_key(host), object()
        self._make_room(key)
        self.waiting.setdefault(key, OrderedDict())[ticket] = drop
        try:
            yield
        finally:
            self._remove(key, ticket)

    def _make_room(self, key: str) -> None:
        """Drop the oldest socket of an address that has its share, or of the address with the most."""
        if len(self.waiting.get(key, ())) >= max(1, self.most // SHARE):
            self._drop_oldest(key)
        elif sum(map(len, self.waiting.values())) >= self.most:
            self._drop_oldest(max(self.waiting, key=lambda each: len(self.waiting[each])))

    def _drop_oldest(self, key: str) -> None:
        ticket, drop = next(iter(self.waiting[key].items()))
        self._remove(key, ticket)
        drop()

    def _remove(self, key: str, ticket: object) -> None:
        tickets = self.waiting.get(key, OrderedDict())
        tickets.pop(ticket, None)
        if not tickets:
            self.waiting.pop(key, None)
