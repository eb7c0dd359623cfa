"""TXT records, asked of a real DNS server on this machine."""

import socket
import threading
from collections.abc import Iterator

import dns.flags
import dns.message
import dns.rcode
import dns.resolver
import dns.rrset
import pytest

from apps.egress.text_records import text_records

ZONE = {
    "_parley.shop.example.": [("TXT", '"v=spf1 -all"'), ("TXT", '"parley-" "domain=a"')],
    "_parley.alias.example.": [("CNAME", "_parley.shop.example.")],
    "_parley.empty.example.": [],
}


def answer(question: bytes) -> bytes:
    asked = dns.message.from_wire(question)
    name = asked.question[0].name
    reply = dns.message.make_response(asked)
    reply.flags |= dns.flags.AA | dns.flags.RA
    found = ZONE.get(name.to_text())
    if name.to_text() == "_parley.broken.example.":
        reply.set_rcode(dns.rcode.SERVFAIL)
    elif found is None:
        reply.set_rcode(dns.rcode.NXDOMAIN)
    for kind in dict.fromkeys(kind for kind, _ in found or ()):
        texts = [text for of, text in found or () if of == kind]
        reply.answer.append(dns.rrset.from_text(name, 60, "IN", kind, *texts))
        if kind == "CNAME":
            there = dns.rrset.from_text(texts[0], 60, "IN", "TXT", *(text for _, text in ZONE[texts[0]]))
            reply.answer.append(there)
    return reply.to_wire()


@pytest.fixture(autouse=True)
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listening:
        listening.bind(("127.0.0.1", 0))

        def serve() -> None:
            while True:
                question, sender = listening.recvfrom(4096)
                if question == b"end":
                    return
                listening.sendto(answer(question), sender)

        def configured(resolver: dns.resolver.Resolver, _file: object) -> None:
            resolver.nameservers, resolver.port = ["127.0.0.1"], listening.getsockname()[1]

        monkeypatch.setattr(dns.resolver.Resolver, "read_resolv_conf", configured)
        thread = threading.Thread(target=serve)
        thread.start()
        yield
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ending:
            ending.sendto(b"end", listening.getsockname())
        thread.join()


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("_parley.shop.example", ["v=spf1 -all", "parley-domain=a"]),
        ("_parley.alias.example", []),
        ("_parley.empty.example", []),
        ("_parley.nobody.example", []),
        ("_parley.broken.example", None),
    ],
)
def test_the_records_of_a_name(name: str, found: list[str] | None) -> None:
    records = text_records(name, timeout=2.0)
    assert (records and sorted(records, reverse=True)) == found
