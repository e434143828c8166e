"""Refusing something: typed, one sentence, and nothing has changed."""

from typing import Final

from .requests import Code
from .requests import Refusal as RefusalMessage

STATUS: Final[dict[str, int]] = {
    "malformed": 422, "too-large": 413, "too-many": 429, "no-such-page": 404, "no-such-table": 404, "not-seated": 401,
    "not-allowed": 403, "not-the-host": 403, "not-your-turn": 409, "not-started": 409, "started": 409, "over": 409,
    "not-over": 409, "stale": 409, "illegal": 409, "id-reused": 409, "no-undo": 409, "full": 409, "taken": 409,
    "off": 409, "no-computer": 503, "storage": 503, "stopping": 503, "origin": 403, "failed": 500,
}  # fmt: skip


class Refused(Exception):
    """Something that is not done, with its code and a sentence."""

    def __init__(
        self,
        code: Code,
        message: str,
        *,
        reason: str | None = None,
        version: int | None = None,
        move_id: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(message)
        self.wire = RefusalMessage(
            code=code, message=message, reason=reason, version=version, id=move_id, retry_after=retry_after
        )

    @property
    def code(self) -> Code:
        return self.wire.code

    @property
    def status(self) -> int:
        return STATUS[self.wire.code]
