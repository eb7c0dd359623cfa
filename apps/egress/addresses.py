"""Is an IP address public? Pure: no look-ups, no settings.

Sources: the IANA IPv4 and IPv6 Special-Purpose Address Registries. Every block of theirs is refused whole, also the
few that are globally reachable (anycast sinks, relays): no receiver of ours lives there.
"""

import re
from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv4Network, IPv6Address, IPv6Network

IPAddress = IPv4Address | IPv6Address

IPV4_REFUSED = tuple(
    IPv4Network(block)
    for block in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT; Alibaba's metadata is in it
        "127.0.0.0/8",  # loopback
        "169.254.0.0/16",  # link-local; the metadata of most clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # IETF protocol assignments; Oracle's metadata is in it
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarking
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
        # In no registry: Azure's platform address, which answers every virtual machine with its own secrets.
        "168.63.129.16/32",
    )
)

IPV6_GLOBAL_UNICAST = IPv6Network("2000::/3")
IPV6_REFUSED = tuple(
    IPv6Network(block)
    for block in (
        "2001::/23",  # IETF protocol assignments: Teredo, benchmarking, AMT, ORCHID, drone identifiers …
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: carries any IPv4 address
        "2620:4f:8000::/48",  # AS112
        "3ffe::/16",  # the former 6bone
        "3fff::/20",  # documentation
    )
)
# Forms that reach the IPv4 address in their last 32 bits: IPv4-mapped, and NAT64 under its well-known prefix. NAT64
# under its local-use prefix (64:ff9b:1::/48) and IPv4-compatible forms are outside 2000::/3, and so refused.
IPV4_CARRIERS = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))

_CANONICAL_IPV4 = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:\.(?:0|[1-9][0-9]{0,2})){3}")


def read_address(text: str) -> IPAddress:
    """The address that `text` spells: a canonical dotted quad, or IPv6 without a zone id.

    Raises ValueError for everything else: octal, hexadecimal, short and integer spellings of IPv4, zone ids.
    """
    if ":" not in text:
        if not _CANONICAL_IPV4.fullmatch(text):
            raise AddressValueError("not a canonical IPv4 address")
        return IPv4Address(text)
    if "%" in text:
        raise AddressValueError("a zone id names an interface of this machine")
    return IPv6Address(text)


@lru_cache(maxsize=4096)
def is_public(text: str) -> bool:
    """Whether an outbound call may go to the address in `text`; False for what is no address."""
    try:
        address = read_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        carried = carried_ipv4(address)
        if carried is None:
            return address in IPV6_GLOBAL_UNICAST and not any(address in block for block in IPV6_REFUSED)
        address = carried
    return not any(address in block for block in IPV4_REFUSED)


def carried_ipv4(address: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that a connection to this IPv6 address ends at, if it is of such a form."""
    if any(address in block for block in IPV4_CARRIERS):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None
