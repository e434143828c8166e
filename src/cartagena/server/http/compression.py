"""Content codings: which one a visitor accepts, and JSON answers that are compressed."""

import gzip
import re
from collections.abc import Sequence
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

WEIGHT: Final = re.compile(r"q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)")
PLAIN: Final = "identity"
UNNAMED: Final = 0.0001
"""The weight of an answer as it is, where the header does not name it: any coding that is named comes first."""
LEAST: Final = 1024
"""Bytes from which an answer is compressed."""
LEVEL: Final = 6
LARGE: Final = 1 << 16
"""Bytes from which an answer is compressed in a thread, so that the others do not wait."""


def accepted(scope: Scope) -> str:
    """The header Accept-Encoding of a request."""
    return ",".join(Headers(scope=scope).getlist("accept-encoding"))


def chosen(header: str, offered: Sequence[str]) -> str | None:
    """The coding that a header Accept-Encoding prefers, the first one offered of equals; None for the plain content."""
    weights = dict(map(read_weight, header.lower().split(",")))
    others = weights.get("*")
    plain = weights.get(PLAIN, UNNAMED if others is None else others)
    best, most = None, plain
    for name in reversed(offered):
        weight = weights.get(name, others or 0.0)
        if weight > 0 and weight >= most:
            best, most = name, weight
    return best


def read_weight(item: str) -> tuple[str, float]:
    """A coding of the header and its weight, from 0 (not this one) to 1. A weight that cannot be read is 0."""
    name, *parameters = [word.strip() for word in item.split(";")]
    if not parameters:
        return name, 1.0
    found = WEIGHT.fullmatch(parameters[0].replace(" ", ""))
    return name, float(found[1]) if found and len(parameters) == 1 else 0.0


class OpenAnswer(Response):
    """A JSON answer that may be compressed, because it holds no secret.

    The length of a compressed text tells what repeats in it. So an answer is sent as it is if it holds a token, or the
    hidden cards of a seat beside words that other people choose, such as names and talk.
    """

    media_type = "application/json"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if len(self.body) >= LEAST:
            self.headers.add_vary_header("Accept-Encoding")
            if chosen(accepted(scope), ("gzip",)):
                await self._compress()
        await super().__call__(scope, receive, send)

    async def _compress(self) -> None:
        body = bytes(self.body)
        if len(body) >= LARGE:
            self.body = await run_in_threadpool(gzip.compress, body, LEVEL)
        else:
            self.body = gzip.compress(body, LEVEL)
        self.headers["content-encoding"] = "gzip"
        self.headers["content-length"] = str(len(self.body))
