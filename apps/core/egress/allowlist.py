"""The operator's exceptions (`EGRESS_ALLOW`): receivers that may be called although private, over plain http too."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_network

from django.conf import settings

from apps.core.egress.addresses import carried_ipv4, read_address
from apps.core.egress.hosts import InvalidHost, normalise_host, read_port


class InvalidEntry(ValueError):
    """An entry of EGRESS_ALLOW is no `host:port`; the text says which and why."""


@dataclass(frozen=True, slots=True)
class AllowList:
    """Exceptions by name and port, and by network and port. An address counts as a network of one."""

    names: frozenset[tuple[str, int]] = frozenset()
    networks: tuple[tuple[IPv4Network | IPv6Network, int], ...] = ()

    def permits(self, host: str, port: int, address: str) -> bool:
        """Whether a call to `host:port` may go to `address` over http or https, public or not."""
        if (host, port) in self.names:
            return True
        if not self.networks:
            return False
        try:
            read = read_address(address)
        except ValueError:
            return False
        if isinstance(read, IPv6Address):
            read = carried_ipv4(read) or read
        return any(port == allowed_port and read in network for network, allowed_port in self.networks)

    def may_permit_plain_http(self, host: str, port: int) -> bool:
        """False if no address that `host` could resolve to would be permitted on this port."""
        return (host, port) in self.names or any(port == allowed_port for _, allowed_port in self.networks)


@lru_cache(maxsize=64)
def read_allow_list(entries: tuple[str, ...]) -> AllowList:
    """Reads `host:port`, `address:port` and `CIDR:port` entries; IPv6 stands in brackets (`[fd00::/8]:443`).

    Raises InvalidEntry.
    """
    names: set[tuple[str, int]] = set()
    networks: list[tuple[IPv4Network | IPv6Network, int]] = []
    for entry in entries:
        host, colon, port_text = entry.rpartition(":")
        if not colon:
            raise InvalidEntry(f"EGRESS_ALLOW: {entry!r} has no port; write host:port")
        try:
            port = read_port(port_text)
            if host.startswith("[") and host.endswith("]"):
                networks.append((IPv6Network(host[1:-1]), port))
            elif "/" in host or host.replace(".", "").isdigit():
                networks.append((ip_network(host), port))
            else:
                names.add((normalise_host(host), port))
        except InvalidHost as error:
            raise InvalidEntry(f"EGRESS_ALLOW: {entry!r}: {error}") from None
        except ValueError as error:
            raise InvalidEntry(f"EGRESS_ALLOW: {entry!r} is no network: {error}") from None
    return AllowList(frozenset(names), tuple(networks))


def allow_list_problems(entries: Iterable[str]) -> list[str]:
    """One line for each entry that cannot be read; for the start-up checks."""
    problems = []
    for entry in entries:
        try:
            read_allow_list((entry,))
        except InvalidEntry as error:
            problems.append(str(error))
    return problems


def configured_allow_list() -> AllowList:
    """The exceptions of this installation."""
    return read_allow_list(tuple(settings.EGRESS_ALLOW))
