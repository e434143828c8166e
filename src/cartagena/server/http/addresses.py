"""Addresses as limits count them."""

import ipaddress
from functools import lru_cache


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
