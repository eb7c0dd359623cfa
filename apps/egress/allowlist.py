"""The operator's exceptions (`EGRESS_ALLOW`): receivers that may be called although private, over plain http too."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_network

from django.conf import settings

from apps.egress.addresses import carried_ipv4, read_address
from apps.egress.hosts import InvalidHost, normalise_host, read_port


class InvalidEntry(ValueError):
    """An entry of EGRESS_ALLOW names no host, address or network; the text says which and why."""


# None stands for every port.
Port = int | None


@dataclass(frozen=True, slots=True)
class AllowList:
    """Exceptions by name and port, and by network and port. An address counts as a network of one."""

    names: frozenset[tuple[str, Port]] = frozenset()
    networks: tuple[tuple[IPv4Network | IPv6Network, Port], ...] = ()

    def permits(self, host: str, port: int, address: str) -> bool:
        """Whether a call to `host:port` may go to `address` over http or https, public or not."""
        if self._names(host, port):
            return True
        if not self.networks:
            return False
        try:
            read = read_address(address)
        except ValueError:
            return False
        if isinstance(read, IPv6Address):
            read = carried_ipv4(read) or read
        return any(allowed_port in (port, None) and read in network for network, allowed_port in self.networks)

    def may_permit_plain_http(self, host: str, port: int) -> bool:
        """False if no address that `host` could resolve to would be permitted on this port."""
        return self._names(host, port) or any(allowed_port in (port, None) for _, allowed_port in self.networks)

    def _names(self, host: str, port: int) -> bool:
        return (host, port) in self.names or (host, None) in self.names


@lru_cache(maxsize=64)
def read_allow_list(entries: tuple[str, ...]) -> AllowList:
    """Reads hosts, addresses and CIDRs, each with or without `:port`; without one every port is meant.

    An IPv6 address or network stands in brackets when a port follows (`[fd00::/8]:443`). Raises InvalidEntry.
    """
    names: set[tuple[str, Port]] = set()
    networks: list[tuple[IPv4Network | IPv6Network, Port]] = []
    for entry in entries:
        try:
            host, port = _split(entry)
            if ":" in host:
                networks.append((IPv6Network(host), port))
            elif "/" in host or host.replace(".", "").isdigit():
                networks.append((ip_network(host), port))
            else:
                names.add((normalise_host(host), port))
        except InvalidHost as error:
            raise InvalidEntry(f"{entry!r}: {error}") from None
        except ValueError as error:
            raise InvalidEntry(f"{entry!r} is no network: {error}") from None
    return AllowList(frozenset(names), tuple(networks))


def _split(entry: str) -> tuple[str, Port]:
    """An entry's host and port. Raises InvalidHost."""
    if entry.startswith("["):
        host, _, rest = entry[1:].partition("]")
        if rest and not rest.startswith(":"):
            raise InvalidHost("After the bracket only a port may follow.")
        if ":" not in host:
            raise InvalidHost("Brackets are for IPv6.")
        return host, read_port(rest[1:]) if rest else None
    host, colon, port = entry.rpartition(":")
    if not colon or ":" in host:  # no port; or an IPv6 network as it is
        return entry, None
    return host, read_port(port)


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
