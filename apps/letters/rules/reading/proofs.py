"""Whether a letter is from the address that it says: by what the receiving server found (RFC 8601), or signatures."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from publicsuffixlist import PublicSuffixList

from apps.letters.rules.domains import ascii_domain
from apps.letters.rules.reading.letters import Letter
from apps.letters.rules.reading.results import Finding, Malformed, read_results

# The properties that say which domain a result is about, best first.
_ABOUT = {"dmarc": ("header.from",)}
_ABOUT_ANY = ("header.d", "header.i", "smtp.mailfrom", "smtp.helo")
# Results against a letter. Of one method they win over `pass`: whoever could plant one finding could plant two.
_AGAINST = ("fail", "hardfail", "softfail")


MOST_FIELDS = 50


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
    verdicts = {one.result for one in results if one.method == "dmarc"}
    if verdicts & set(_AGAINST):
        return Proof.FAIL
    if "pass" in verdicts:
        return Proof.PASS
    is_aligned = any(
        is_same_organisation(domain, one.domain) and not _is_denied(one, results)
        for one in results
        if one.method in ("dkim", "spf") and one.result == "pass"
    )
    return Proof.PASS if is_aligned else Proof.NONE


def _is_denied(found: LetterAuthResult, results: Collection[LetterAuthResult]) -> bool:
    """Whether a result of the same method speaks against it. A letter has one envelope, and may have signatures of many
    organisations: of those only another one of the same organisation speaks against it.
    """
    return any(
        one.result in _AGAINST and (one.method == "spf" or is_same_organisation(one.domain, found.domain))
        for one in results
        if one.method == found.method
    )


def results_of(letter: Letter, believed: Collection[str]) -> list[LetterAuthResult]:
    """The results at the top, unbroken, of a believed id. Results below another server's may be anybody's, and so may
    those below a field that cannot be read.
    """
    found: list[LetterAuthResult] = []
    ids = {one.strip().lower() for one in believed}
    for value in letter.all("authentication-results")[:MOST_FIELDS]:
        try:
            server, findings = read_results(value)
        except Malformed:
            break
        if server not in ids:
            break
        found += [LetterAuthResult(one.method, one.result, _domain_of(one)) for one in findings]
    return found


def _domain_of(found: Finding) -> str:
    words = (found.of(name) for name in _ABOUT.get(found.method, _ABOUT_ANY))
    return next((word.domain for word in words if word is not None and word.domain), "")


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


def organisation(domain: str) -> str:
    """The domain that a registry gave out, of one or of one below it; the domain itself where there is none."""
    plain = ascii_domain(domain.strip("."))
    return str(_suffixes().privatesuffix(plain) or plain)


def is_same_organisation(one: str, other: str) -> bool:
    return bool(one) and bool(other) and organisation(one) == organisation(other)
