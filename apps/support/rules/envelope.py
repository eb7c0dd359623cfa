"""The signature of a call: what is signed, and what a signed call must bring. Knows no endpoint.

Source: docs/guides/application.md. The header's form is that of the specification's outbound signatures.
"""

import hashlib
import hmac
import re
from datetime import timedelta
from enum import Enum
from typing import NamedTuple

PREFIX = "sha256=v1:"
SECRET_LENGTH = 48
SKEW = timedelta(seconds=300)
# Longer than any call's timestamp may be off in either direction: a nonce that is forgotten can't be replayed.
NONCE_KEPT = timedelta(minutes=11)
MIN_NONCE, MAX_NONCE = 16, 128
TIMESTAMP_HEADER, NONCE_HEADER, SIGNATURE_HEADER = "X-Service-Timestamp", "X-Service-Nonce", "X-Service-Signature"

_NONCE = re.compile(f"[A-Za-z0-9_-]{{{MIN_NONCE},{MAX_NONCE}}}")
_TIMESTAMP = re.compile("[0-9]{1,12}")


class EnvelopeFault(Enum):
    """Why an envelope is refused, in the order in which it is looked at."""

    HEADER_MISSING = "header_missing"
    BAD_NONCE = "bad_nonce"
    STALE = "stale"
    BAD_SIGNATURE = "bad_signature"


class Envelope(NamedTuple):
    """The three headers of a call as they came; empty where one did not."""

    timestamp: str
    nonce: str
    signature: str


def signature_of(secret: str, *, timestamp: str, nonce: str, method: str, target: str, body: bytes) -> str:
    """The value of the signature's header. `target` is the path with its query, as it goes over the wire."""
    digest = hashlib.sha256(body).hexdigest()
    signed = "\n".join((timestamp, nonce, method, target, digest)).encode("latin-1", "replace")
    return PREFIX + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def fault_of(
    envelope: Envelope, *, secret: str, method: str, target: str, body: bytes, now: float
) -> EnvelopeFault | None:
    """The fault of a call's envelope; None for nothing. `now` is in unix seconds."""
    if not all(envelope):
        return EnvelopeFault.HEADER_MISSING
    if not _NONCE.fullmatch(envelope.nonce):
        return EnvelopeFault.BAD_NONCE
    if not _TIMESTAMP.fullmatch(envelope.timestamp) or abs(now - int(envelope.timestamp)) > SKEW.total_seconds():
        return EnvelopeFault.STALE
    right = signature_of(
        secret, timestamp=envelope.timestamp, nonce=envelope.nonce, method=method, target=target, body=body
    )
    if not hmac.compare_digest(right.encode(), envelope.signature.encode("latin-1", "replace")):
        return EnvelopeFault.BAD_SIGNATURE
    return None
