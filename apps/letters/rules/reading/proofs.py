"""Whether a letter is from the address that it says: by what the receiving server found (RFC 8601), or signatures."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from publicsuffixlist import PublicSuffixList

from apps.letters.rules.reading.letters import Letter

_METHOD = re.compile(r"\s*([a-z][a-z0-9-]{0,30})(?:/\d{1,3})?\s*=\s*([a-z]{1,20})", re.IGNORECASE)
_PROPERTY = re.compile(
    r"\b(header\.d|header\.i|header\.from|smtp\.mailfrom|smtp\.helo)\s*=\s*\"?([^\s;\"]{1,320})", re.IGNORECASE
)
MOST_RESULTS = 50


class Proof(StrEnum):
    PASS = "pass"  # noqa: S105 - a verdict, no word to enter with
    FAIL = "fail"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class LetterAuthResult:
    """A result of a method: `dkim`, `pass`, and the domain that it is about."""

    method: str
    result: str
    domain: str


def proof_of(letter: Letter, believed: Collection[str], signed_by: Collection[str] = ()) -> Proof:
    """The proof of the letter's From. `believed` are the ids of the servers whose results count; without one the
    domains count that signed the letter (`signed_by`, checked by the caller).
    """
    senders = letter.from_
    if len(senders) != 1 or len(letter.all("from")) != 1:
        return Proof.FAIL
    domain = senders[0].domain
    if not believed:
        return Proof.PASS if any(is_same_organisation(domain, one) for one in signed_by) else Proof.NONE
    results = results_of(letter, believed)
    verdicts = [one.result for one in results if one.method == "dmarc"]
    if "pass" in verdicts:
        return Proof.PASS
    if "fail" in verdicts:
        return Proof.FAIL
    is_aligned = any(
        one.method in ("dkim", "spf") and one.result == "pass" and is_same_organisation(domain, one.domain)
        for one in results
    )
    return Proof.PASS if is_aligned else Proof.NONE


def results_of(letter: Letter, believed: Collection[str]) -> list[LetterAuthResult]:
    """The results at the top, unbroken, of a believed id. Results below another server's may be anybody's."""
    found: list[LetterAuthResult] = []
    ids = {one.strip().lower() for one in believed}
    for value in letter.all("authentication-results")[:MOST_RESULTS]:
        text = without_comments(value)
        head, _, rest = text.partition(";")
        words = head.split()
        if not words or words[0].lower() not in ids:
            break
        found += _results(rest)
    return found


def _results(text: str) -> Iterator[LetterAuthResult]:
    for piece in text.split(";")[:MOST_RESULTS]:
        if (method := _METHOD.match(piece)) is None:
            continue
        about = {name.lower(): value.lower() for name, value in _PROPERTY.findall(piece[:2000])}
        given = (
            about.get("header.d") or about.get("header.i") or about.get("smtp.mailfrom") or about.get("smtp.helo", "")
        )
        if method[1].lower() == "dmarc":
            given = about.get("header.from", "")
        yield LetterAuthResult(method[1].lower(), method[2].lower(), given.rpartition("@")[2])


def without_comments(value: str) -> str:
    """A header's value without comments in parentheses, which may be in each other."""
    kept: list[str] = []
    depth, is_quoted = 0, False
    for sign in value[:16_384]:
        if sign == '"' and not depth:
            is_quoted = not is_quoted
        if not is_quoted and sign == "(":
            depth += 1
        elif not is_quoted and sign == ")":
            depth = max(0, depth - 1)
        elif not depth:
            kept.append(sign)
    return "".join(kept)


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


def organisation(domain: str) -> str:
    """The domain that a registry gave out, of one or of one below it; the domain itself where there is none."""
    try:
        plain = domain.strip(".").lower().encode("idna").decode() if not domain.isascii() else domain.strip(".").lower()
    except UnicodeError:
        return domain.lower()
    return str(_suffixes().privatesuffix(plain) or plain)


def is_same_organisation(one: str, other: str) -> bool:
    return bool(one) and bool(other) and organisation(one) == organisation(other)
