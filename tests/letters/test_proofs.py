"""A letter's proof is read as its grammar is (RFC 8601): what a sender chose is never taken for a server's finding."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.letters.rules.reading.letters import read_letter
from apps.letters.rules.reading.proofs import Proof, proof_of
from apps.letters.rules.reading.results import Malformed, read_results

SERVER = "mx.shop.test"


def proof(field: str, sender: str = "mary@customer.example") -> Proof:
    raw = f"Authentication-Results: {field}\r\nFrom: {sender}\r\n\r\nhello"
    return proof_of(read_letter(raw.encode()), [SERVER])


@pytest.mark.parametrize(
    "planted",
    [
        'spf=pass smtp.mailfrom="a; dmarc=pass header.from=customer.example; b"@evil.example',
        r'spf=pass smtp.mailfrom="a\"; dmarc=pass header.from=customer.example; b"@evil.example',
        r"spf=pass (a \) ; dmarc=pass header.from=customer.example; \( b) smtp.mailfrom=x@evil.example",
        r'spf=pass reason="a\\\"; dmarc=pass;" smtp.mailfrom=x@evil.example',
        "spf=pass (a (b) ; dmarc=pass) smtp.mailfrom=x@evil.example",
        'spf=pass smtp.mailfrom="x@customer.example"@evil.example',
        'spf=pass smtp.mailfrom="x@customer.example dkim=pass header.d=customer.example"@evil.example',
    ],
)
@pytest.mark.parametrize(
    ("rest", "found"), [("; dmarc=fail", Proof.FAIL), ("; dmarc = (x) fail", Proof.FAIL), ("", Proof.NONE)]
)
def test_a_finding_cannot_be_planted(planted: str, rest: str, found: Proof) -> None:
    assert proof(f"{SERVER}; {planted}{rest}") is found


@pytest.mark.parametrize("field", ['spf=pass smtp.mailfrom="a; dmarc=pass', "spf=pass (a; dmarc=pass", '"'])
def test_a_field_that_does_not_end_proves_nothing(field: str) -> None:
    assert proof(f"{SERVER}; dmarc=pass; {field}") is Proof.NONE


@pytest.mark.parametrize(
    ("results", "found"),
    [
        ("dmarc=pass; dmarc=fail", Proof.FAIL),
        ("dmarc=fail; dmarc=pass", Proof.FAIL),
        ("spf=pass smtp.mailfrom=a@customer.example; spf=fail smtp.mailfrom=a@evil.example", Proof.NONE),
        ("spf=softfail smtp.mailfrom=a@customer.example; spf=pass smtp.mailfrom=a@customer.example", Proof.NONE),
        ("dkim=fail header.d=customer.example; dkim=pass header.d=mail.customer.example", Proof.NONE),
        ("dkim=fail header.d=list.example; dkim=pass header.d=customer.example", Proof.PASS),
        ("spf=fail smtp.mailfrom=a@list.example; dkim=pass header.d=customer.example", Proof.PASS),
    ],
)
def test_of_one_method_fail_wins_over_pass(results: str, found: Proof) -> None:
    assert proof(f"{SERVER}; {results}") is found


@pytest.mark.parametrize(
    "field",
    [
        f"{SERVER}; dmarc=pass",
        f'"{SERVER}" 1; dmarc=pass',
        f"{SERVER} (checked) ; dmarc = pass (p=none) header.from=customer.example",
        f"{SERVER}; dkim/1=pass (2048-bit key; unprotected) header.d=customer.example header.b=ab+/=",
        f"{SERVER}; spf=pass smtp.mailfrom=SRS0=ab=cd=list.example=a@customer.example",
        f'{SERVER}; spf=pass smtp.mailfrom="a b"@customer.example',
        f'{SERVER}; dkim=pass reason = "good; really" header.i = @customer.example',
    ],
)
def test_what_servers_write_is_read(field: str) -> None:
    assert proof(field) is Proof.PASS


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def commented(text: str) -> str:
    return "(" + "".join(f"\\{sign}" if sign in "()\\" else sign for sign in text) + ")"


LOCAL = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=64)
GRAMMAR = st.lists(st.sampled_from([*'"\\();=@ ', "dmarc=pass", "customer.example", "a"]), max_size=24).map("".join)


@given(LOCAL | GRAMMAR, LOCAL | GRAMMAR)
def test_every_local_part_comes_back_as_it_was(local: str, remark: str) -> None:
    field = f"{SERVER} {commented(remark)}; spf=pass {commented(local)} smtp.mailfrom={quoted(local)}@evil.example;dmarc=fail"
    server, (spf, dmarc) = read_results(field)
    assert server == SERVER
    assert (spf.method, spf.result, [name for name, _ in spf.properties]) == ("spf", "pass", ["smtp.mailfrom"])
    assert (spf.properties[0][1].text, spf.properties[0][1].domain) == (f"{local}@evil.example", "evil.example")
    assert (dmarc.method, dmarc.result) == ("dmarc", "fail")


@given(GRAMMAR)
def test_any_field_is_read_or_malformed(text: str) -> None:
    try:
        server, findings = read_results(f"{SERVER};{text}")
    except Malformed:
        return
    assert server == SERVER
    assert all("=" not in one.method for one in findings)
