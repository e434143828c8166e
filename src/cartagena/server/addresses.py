"""Addresses of visitors, and the networks that they are counted with.

An attacker has many addresses but few networks. So what is limited for an address (IPv4 as it is, IPv6 by /64, the
smallest network that a provider hands out) is limited for its networks too, with room for several visitors: IPv4 by
/24, IPv6 by /56 and /48, the usual sizes of a customer's and of a site's network.
"""

import ipaddress
import socket
from functools import lru_cache
from typing import Final, NamedTuple

from .settings import split_list

WIDER: Final = {4: ((24, 4),), 6: ((56, 4), (48, 8))}
"""By version, the wider networks of an address: the length of the prefix, and how many visitors' limits it has."""

LOCAL: Final = tuple(
    ipaddress.ip_network(text)
    for text in (
        "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10",
    )
)  # fmt: skip
"""Networks of a house or a firm."""


MAPPED: Final = ipaddress.IPv6Network("::ffff:0:0/96")
"""IPv4 addresses written as IPv6, as some logs show them."""


class Share(NamedTuple):
    """A network that an address belongs to, or the address itself, and how many visitors' limits it has."""

    key: str
    visitors: int


def without_port(host: str) -> str:
    """An address without the port that some proxies name with it: each connection would be another visitor."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0] if host.count(":") == 1 else host


@lru_cache(4096)
def address_key(host: str) -> str:
    """The address that limits apply to: IPv4 as it is, IPv6 by its /64 network."""
    try:
        address = ipaddress.ip_address(without_port(host).partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), 64), strict=False))


@lru_cache(4096)
def shares(key: str) -> tuple[Share, ...]:
    """The address of a key with its networks, the widest last. A key that is no address stands for itself."""
    own = Share(key, 1)
    try:
        network = ipaddress.ip_network(key, strict=False)
    except ValueError:
        return (own,)
    return (own, *(Share(str(network.supernet(new_prefix=size)), most) for size, most in WIDER[network.version]))


def widest(key: str) -> str:
    """The widest network that an address is counted with."""
    return shares(key)[-1].key


@lru_cache(4096)
def person_or_network(key: str) -> str:
    """The address itself where it belongs to a local network, whose people know each other; else its widest network."""
    try:
        network = ipaddress.ip_network(key, strict=False)
    except ValueError:
        return key
    is_local = any(network.version == local.version and network.subnet_of(local) for local in LOCAL)  # type: ignore[arg-type]  # the versions are equal
    return key if is_local else widest(key)


class Networks:
    """Addresses and networks of a comma-separated list; ``*`` is every address."""

    def __init__(self, text: str) -> None:
        words = split_list(text)
        self.all = "*" in words
        self.networks = [ipaddress.ip_network(word, strict=False) for word in words if word != "*"]

    def __str__(self) -> str:
        """The list in the strict form, without bits of hosts."""
        return "*" if self.all else ",".join(map(str, self.networks))

    def __contains__(self, host: str) -> bool:
        if self.all or not self.networks:
            return self.all
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self.networks)


def network_addresses(host: str, port: int | None) -> list[str]:
    """Return the addresses at which other machines reach a server that listens on ``host``; none for loopback.

    >>> network_addresses("127.0.0.1", 8017), network_addresses("192.168.0.7", 8017)
    ([], ['http://192.168.0.7:8017/'])
    """
    try:
        address = ipaddress.ip_address(host)
        if address.is_unspecified:
            address = ipaddress.ip_address(_own_address(address.version))
    except (OSError, ValueError):
        return []
    if address.is_loopback:
        return []
    shown = f"[{address}]" if address.version == 6 else str(address)
    return [f"http://{shown}{f':{port}' if port else ''}/"]


def _own_address(version: int) -> str:
    """Return the address from which this machine would send to its network. Nothing is sent."""
    family, far = (socket.AF_INET6, "2001:db8::1") if version == 6 else (socket.AF_INET, "192.0.2.1")
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((far, 9))
        return str(probe.getsockname()[0])


def network_named(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network:
    """The network of an address or a network as text; IPv4 written as IPv6 (``::ffff:…``) is IPv4. Raises ValueError.

    >>> network_named("::ffff:192.0.2.7"), network_named("2001:db8::7/48")
    (IPv4Network('192.0.2.7/32'), IPv6Network('2001:db8::/48'))
    """
    network = ipaddress.ip_network(text, strict=False)
    if isinstance(network, ipaddress.IPv6Network) and network.subnet_of(MAPPED):
        return ipaddress.ip_network((int(network.network_address) & 0xFFFFFFFF, network.prefixlen - MAPPED.prefixlen))
    return network


def blocked_until(key: str, blocks: dict[str, int]) -> int:
    """When the last block of an address ends, in milliseconds since 1970, 0 if there is none."""
    try:
        network = ipaddress.ip_network(key)
    except ValueError:
        return 0
    wide = {ipaddress.ip_network(name): until for name, until in blocks.items()}
    return max(
        (until for each, until in wide.items() if each.version == network.version and network.overlaps(each)), default=0
    )
