"""The TXT records of a name, as DNS tells them."""

from collections.abc import Callable

import dns.exception
import dns.name
import dns.resolver

from apps.egress.bulkhead import refuse_in_transaction

MOST = 50

TextLookup = Callable[[str, float], list[str] | None]


def system_text_records(name: str, timeout: float) -> list[str] | None:
    """The answer of this machine's resolver; None where there is none in time. An alias (CNAME) has no records."""
    resolver = dns.resolver.Resolver()
    resolver.lifetime = timeout
    try:
        answer = resolver.resolve(name, "TXT", raise_on_no_answer=False, search=False)
    except dns.resolver.NXDOMAIN:
        return []
    except (dns.exception.DNSException, UnicodeError):
        return None
    if answer.canonical_name != dns.name.from_text(name):
        return []
    records = list(answer.rrset or ())[:MOST]
    return [b"".join(record.strings).decode("utf-8", "replace") for record in records]


def text_records(name: str, *, timeout: float, lookup: TextLookup = system_text_records) -> list[str] | None:
    """The texts of a name's own TXT records; None where DNS does not answer. Outside of transactions."""
    refuse_in_transaction()
    return lookup(name, timeout)
