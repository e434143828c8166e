"""Addresses as limits count them, and names under which a server is reached."""

import ipaddress
import socket
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.types import Scope

from ..settings import Settings, split_list


def host_in(scope: Scope) -> str:
    """The address that a request or socket comes from, given its scope."""
    return str(scope["client"][0]) if scope.get("client") else "?"


def host_of(connection: HTTPConnection) -> str:
    """The address that a request or socket comes from."""
    return host_in(connection.scope)


@lru_cache(4096)
def address_key(host: str) -> str:
    """The address that limits apply to: IPv4 as it is, IPv6 by its /64 network."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), 64), strict=False))


class Networks:
    """Addresses and networks of a comma-separated list; ``*`` is every address."""

    def __init__(self, text: str) -> None:
        words = split_list(text)
        self.all = "*" in words
        self.networks = [ipaddress.ip_network(word, strict=False) for word in words if word != "*"]

    def __contains__(self, host: str) -> bool:
        if self.all or not self.networks:
            return self.all
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self.networks)


class HostNames:
    """The names that the header Host may have.

    An address is always allowed: a page of another site can make a browser send its own name here (DNS rebinding), but
    never an address.
    """

    def __init__(self, settings: Settings) -> None:
        origins = (urlsplit(origin).hostname or "" for origin in split_list(settings.origins))
        own = ("localhost", socket.gethostname(), settings.host)
        self.names = {name.lower().rstrip(".") for name in (*split_list(settings.hosts), *origins, *own)}

    def __contains__(self, header: str) -> bool:
        try:
            name = (urlsplit(f"//{header}").hostname or "").rstrip(".")
        except ValueError:
            return False
        if name in self.names or "*" in self.names or name.endswith(".localhost"):
            return True
        try:
            ipaddress.ip_address(name.partition("%")[0])
        except ValueError:
            return False
        return True
