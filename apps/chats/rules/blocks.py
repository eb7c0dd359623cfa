"""Blocked visitors of a widget: a contact, an address or the network around it. Pure."""

import ipaddress
from enum import StrEnum

# Bits of what counts as one customer's address, and of the network around it, by IP version.
_ADDRESS_BITS = {4: 32, 6: 64}
_NETWORK_BITS = {4: 24, 6: 48}
MAX_REASON = 255
MAX_HOURS = 24 * 365


class Blocked(StrEnum):
    """The kinds of blocks."""

    CONTACT = "contact"
    ADDRESS = "address"
    NETWORK = "network"


def network_of(address: str, what: Blocked) -> str | None:
    """The network that is blocked with an address: its own (of IPv6 64 bits, as rate limits count), or the wider one.

    None for what is no IP address.
    """
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return None
    bits = _ADDRESS_BITS if what is Blocked.ADDRESS else _NETWORK_BITS
    return str(ipaddress.ip_network((parsed, bits[parsed.version]), strict=False))


def network_refusal(text: str) -> str | None:
    """Why a text is no network that can be blocked; None when it is one."""
    try:
        network = ipaddress.ip_network(text)
    except ValueError:
        return "An address's network is expected, such as 192.0.2.7/32."
    wide = network_of(str(network.network_address), Blocked.NETWORK)
    if wide is None or not network.subnet_of(ipaddress.ip_network(wide)):  # type: ignore[arg-type] # of one version
        return "No network is blocked that is so wide."
    return None


def networks_around(address: str) -> list[str]:
    """The networks whose block an address falls under; none for what is no IP address."""
    found = (network_of(address, what) for what in (Blocked.ADDRESS, Blocked.NETWORK))
    return [network for network in found if network is not None]


def kind_of(network: str) -> Blocked:
    """The kind of a stored block, by its network; a block without a network is of a contact."""
    if not network:
        return Blocked.CONTACT
    parsed = ipaddress.ip_network(network)
    return Blocked.ADDRESS if parsed.prefixlen == _ADDRESS_BITS[parsed.version] else Blocked.NETWORK
