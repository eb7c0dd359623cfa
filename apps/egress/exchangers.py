"""The names of the servers that take mail for a domain, as DNS tells them."""

from collections.abc import Callable

import dns.exception
import dns.resolver

from apps.egress.bulkhead import refuse_in_transaction
from apps.egress.hosts import InvalidHost, normalise_host

MOST = 10

ExchangerLookup = Callable[[str, float], list[str]]


def system_exchangers(domain: str, timeout: float) -> list[str]:
    """The answer of this machine's resolver; none where there is none in time."""
    resolver = dns.resolver.Resolver()
    resolver.lifetime = timeout
    try:
        answer = resolver.resolve(domain, "MX", raise_on_no_answer=False)
    except (dns.exception.DNSException, UnicodeError):
        return []
    records = sorted(answer.rrset or (), key=lambda record: record.preference)
    return [str(record.exchange).rstrip(".").lower() for record in records[:MOST]]


def mail_exchangers(domain: str, *, timeout: float, lookup: ExchangerLookup = system_exchangers) -> list[str]:
    """Most preferred first; none of a text that is no domain. Nothing is called. Outside of transactions."""
    refuse_in_transaction()
    try:
        return lookup(normalise_host(domain), timeout)
    except InvalidHost:
        return []
