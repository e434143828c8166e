"""Answers to requests that end in an error."""

from typing import Any, Final

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from ..protocol.errors import Refused, malformed
from .middleware import refusal_body


async def refused(_request: Request, error: Refused) -> Response:
    """A refusal with its status, and when to try again."""
    headers = {"retry-after": str(error.wire.retry_after)} if error.wire.retry_after is not None else None
    return Response(refusal_body(error), error.status, headers, "application/json")


async def invalid(_request: Request, error: RequestValidationError) -> Response:
    """The first field that is invalid."""
    return Response(refusal_body(malformed(error)), 422, media_type="application/json")


async def http_error(_request: Request, error: HTTPException) -> Response:
    """An error of the framework, such as an unknown address, in our own form."""
    told = Refused("no-such-page" if error.status_code == 404 else "malformed", f"{error.detail}.")
    return Response(refusal_body(told), error.status_code, error.headers, "application/json")


HANDLERS: Final[dict[Any, Any]] = {Refused: refused, RequestValidationError: invalid, HTTPException: http_error}
