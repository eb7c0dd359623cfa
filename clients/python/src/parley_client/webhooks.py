"""Receiving what the service sends: the signature first, then the body."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class InvalidSignature(Exception):
    """The request is not from the service, or the secret is another one: answer 401 and read nothing of it."""


@dataclass(frozen=True)
class Event:
    """A verified request. `key` is the same at every attempt: drop what you have seen. `body` is as documented."""

    name: str
    key: str
    body: Any


def is_genuine(body: bytes, signature: str, *secrets: str) -> bool:
    """Whether the raw body was signed by one of these secrets: while one is replaced there are two."""
    given = signature.encode("utf-8", "replace")
    proofs = [b"sha256=v1:" + hmac.new(each.encode(), body, hashlib.sha256).hexdigest().encode() for each in secrets]
    return any(hmac.compare_digest(proof, given) for proof in proofs)


def receive(body: bytes, headers: Mapping[str, str], *secrets: str) -> Event:
    """The event of a request: its raw body and headers. Raises InvalidSignature."""
    known = {name.lower(): value for name, value in headers.items()}
    if not is_genuine(body, known.get("x-service-signature", ""), *secrets):
        raise InvalidSignature
    return Event(known.get("x-service-event", ""), known.get("x-service-idempotency-key", ""), json.loads(body))
