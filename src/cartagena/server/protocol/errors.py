"""Refusals: a code and one sentence for everything that is not done."""

from collections.abc import Sequence
from typing import Final, Literal, Protocol

from pydantic import Field
from pydantic_core import ErrorDetails

from .requests import Message, example

Code = Literal[
    "malformed", "too-large", "too-many", "no-such-page", "no-such-table", "not-seated", "not-allowed", "not-the-host",
    "not-your-turn", "not-started", "started", "over", "not-over", "stale", "illegal", "id-reused", "no-undo", "full",
    "taken", "off", "out-of-time", "no-computer", "storage", "stopping", "origin", "outdated", "failed", "limit",
    "unknown",
]  # fmt: skip


class Refusal(Message):
    """The reason why a request was refused. Nothing has changed, except that with ``unknown`` it is not known."""

    model_config = example(
        {"code": "illegal", "message": "blue holds no card K", "reason": "card-not-held", "version": 12},
        {"code": "stale", "message": "The game is at version 12, not 11.", "version": 12},
    )

    code: Code
    message: str = Field(description="One sentence for a person.")
    reason: str | None = Field(default=None, description="The rule's reason for an illegal move or an undo.")
    version: int | None = Field(default=None, description="The version of the game now.")
    id: str | None = Field(default=None, description="The move id that was refused.")
    retry_after: int | None = Field(default=None, description="Seconds to wait before trying again.")


class RefusalBody(Message):
    """The body of every HTTP answer that is not a success."""

    error: Refusal


STATUS: Final[dict[str, int]] = {
    "malformed": 422, "too-large": 413, "too-many": 429, "no-such-page": 404, "no-such-table": 404, "not-seated": 401,
    "not-allowed": 403, "not-the-host": 403, "not-your-turn": 409, "not-started": 409, "started": 409, "over": 409,
    "not-over": 409, "stale": 409, "illegal": 409, "id-reused": 409, "no-undo": 409, "full": 409, "taken": 409,
    "off": 409, "out-of-time": 409, "no-computer": 503, "storage": 503, "stopping": 503, "origin": 403,
    "outdated": 409, "failed": 500, "limit": 409, "unknown": 503,
}  # fmt: skip


class Refused(Exception):
    """A request that is refused. Nothing has changed, except that with the code ``unknown`` it is not known."""

    def __init__(
        self,
        code: Code,
        message: str,
        *,
        reason: str | None = None,
        version: int | None = None,
        retry_after: int | None = None,
        limit: str = "",
        status: int | None = None,
    ) -> None:
        super().__init__(message)
        self.status = STATUS[code] if status is None else status
        self.limit = limit
        """The kind of limit that was reached, for metrics and logs."""
        self.wire = Refusal(code=code, message=message, reason=reason, version=version, retry_after=retry_after)

    @property
    def code(self) -> Code:
        return self.wire.code


class Invalid(Protocol):
    """A validation error of pydantic or FastAPI."""

    def errors(self) -> Sequence[ErrorDetails]: ...


TYPED: Final = {"name": "bad-name", "text": "bad-text"}
"""What people type, and the reason why it is refused: a client can say that in the person's language."""


def malformed(error: Invalid) -> Refused:
    """The refusal of an invalid message, which quotes nothing of the message."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or "message"
    reason = TYPED.get(where.rpartition(".")[2])
    return Refused("malformed", f"{where[:60]}: {_sentence(first)[:120].rstrip('.')}.", reason=reason)


def _sentence(problem: ErrorDetails) -> str:
    """What is wrong. Pydantic's words for an unknown kind of message would quote it."""
    if problem["type"] == "union_tag_invalid":
        return "{discriminator} should be one of {expected_tags}".format(**problem["ctx"])
    return problem["msg"].removeprefix("Value error, ")
