"""The parts of uvicorn that are not public, used here and nowhere else: ``pyproject.toml`` bounds its version for them.

``connection`` builds on two classes of uvicorn and on attributes of theirs. A version that lacks one is
refused when the server starts, with one sentence, instead of failing in the middle of a connection.
"""

from dis import get_instructions
from inspect import isfunction
from typing import Final

from cartagena.errors import CartagenaError, lacking

try:
    from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle
    from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
    from uvicorn.server import ServerState
except ImportError as error:
    if error.name is None or not error.name.startswith("uvicorn."):
        raise  # uvicorn itself, or what it needs, is not installed
    name = error.msg.split("'")[1]
    part = name if isinstance(error, ModuleNotFoundError) else f"{error.name}.{name}"
    raise CartagenaError(lacking("uvicorn", [part])) from error

__all__ = [
    "STATUS_LINE", "HttpToolsProtocol", "RequestResponseCycle", "ServerState", "WebSocketsSansIOProtocol",
]  # fmt: skip

HTTP: Final = (
    "_start_asgi_task", "client", "connection_lost", "connection_made", "cycle", "data_received", "flow",
    "handle_websocket_upgrade", "headers", "on_body", "on_header", "on_headers_complete", "on_message_begin",
    "on_message_complete", "on_response_complete", "on_url", "pipeline", "send_400_response", "transport", "url",
)  # fmt: skip
"""What ``connection`` uses of uvicorn's HTTP protocol, or replaces."""
SOCKET: Final = (
    "close_sent", "close_timeout", "conn", "connection_lost", "curr_msg_data_type", "data_received", "disconnected",
    "frames", "handle_connect", "handle_parser_exception", "handle_ping", "handshake_complete", "handshake_initiated",
    "queue", "resume_writing", "scope", "send_receive_event_to_app", "shutdown", "transport", "writable",
)  # fmt: skip
"""What ``connection`` uses of uvicorn's WebSocket protocol, or replaces."""


def names_of(kind: type) -> set[str]:
    """The attributes of a class, with those that its methods set."""
    steps = [step for one in vars(kind).values() if isfunction(one) for step in get_instructions(one)]
    return {*dir(kind), *(str(step.argval) for step in steps if step.opname == "STORE_ATTR")}


def check(kind: type, names: tuple[str, ...]) -> None:
    """Refuse a version of uvicorn whose class lacks one of the names."""
    known = names_of(kind)
    gone = [f"{kind.__name__}.{name}" for name in names if name not in known]
    if gone:
        raise CartagenaError(lacking("uvicorn", gone))


check(HttpToolsProtocol, HTTP)
check(WebSocketsSansIOProtocol, SOCKET)
