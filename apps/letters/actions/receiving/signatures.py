"""The domains that signed a letter (DKIM), where no server's word is believed: looked up in DNS, bounded."""

import logging

import dkim
import dns.exception
import dns.resolver

logger = logging.getLogger(__name__)

MOST, SECONDS = 3, 3.0


def signed_by(raw: bytes) -> list[str]:
    """The domains whose signatures of the letter hold; none where DNS does not answer. Call outside of transactions."""
    try:
        letter = dkim.DKIM(raw, logger=_Silent(), timeout=int(SECONDS))
        fields = [value for name, value in letter.headers if name.lower() == b"dkim-signature"]
    except Exception:
        # Any: what is malformed makes the library raise whatever it stumbles over.
        return []
    found = []
    for index in range(min(len(fields), MOST)):
        try:
            if letter.verify(index, dnsfunc=_key_record):
                found.append(letter.domain.decode("ascii", "ignore").lower())
        except Exception as error:
            logger.info("a letter's signature was not checked: %s", type(error).__name__)
    return found


def _key_record(name: bytes, timeout: int = 3) -> bytes | None:
    resolver = dns.resolver.Resolver()
    resolver.lifetime = min(float(timeout), SECONDS)
    try:
        answer = resolver.resolve(name.decode("ascii").rstrip("."), "TXT", raise_on_no_answer=False)
    except (dns.exception.DNSException, UnicodeError):
        return None
    return next((b"".join(record.strings) for record in answer.rrset or ()), None)


class _Silent(logging.LoggerAdapter):  # type: ignore[type-arg]
    """The library logs what it reads, which is foreign."""

    def __init__(self) -> None:
        super().__init__(logging.getLogger(f"{__name__}.silent"), {})

    def isEnabledFor(self, level: int) -> bool:
        return False
