"""Signed, short-lived names of rows for addresses that carry no other authorisation.

A name holds the row's id and when it ends; nobody can make one, change one, or use one for another purpose. Names made
within a quarter of an hour are the same, so that browsers may cache what they lead to.
"""

import base64
import hashlib
import hmac
import struct
import time
from functools import cache

from django.conf import settings

STEP_SECONDS = 15 * 60
VALID_SECONDS = 60 * 60  # at least; at most a step longer

_FIELDS = struct.Struct(">QQ")
_SIGNATURE_BYTES = 16
_LENGTH = 43  # characters


class InvalidAddress(Exception):
    """Not made by this installation for this purpose, or changed on the way."""


class ExpiredAddress(Exception):
    """Was good, and is no more."""


def seal(purpose: str, id_: int, *, now: float | None = None) -> str:
    """The signed name of a row, valid for an hour or a little more. `now` is Unix time."""
    steps = int((time.time() if now is None else now) // STEP_SECONDS) + 1
    payload = _FIELDS.pack(id_, steps * STEP_SECONDS + VALID_SECONDS)
    return _encoded(payload + _signature(purpose, payload))


def unseal(purpose: str, name: str, *, now: float | None = None) -> tuple[int, int]:
    """The id of the row that the name stands for, and the seconds left. Raises InvalidAddress or ExpiredAddress."""
    if len(name) != _LENGTH:
        raise InvalidAddress
    try:
        raw = base64.b64decode(name + "=", altchars=b"-_", validate=True)
    except ValueError:
        raise InvalidAddress from None
    if _encoded(raw) != name:  # several spellings decode to the same bytes; only ours counts
        raise InvalidAddress
    payload, signature = raw[: _FIELDS.size], raw[_FIELDS.size :]
    if not hmac.compare_digest(signature, _signature(purpose, payload)):
        raise InvalidAddress
    id_, ends_at = _FIELDS.unpack(payload)
    left = ends_at - (time.time() if now is None else now)
    if left <= 0:
        raise ExpiredAddress
    return id_, int(left)


def _encoded(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _signature(purpose: str, payload: bytes) -> bytes:
    return hmac.digest(_key(settings.SECRET_KEY, purpose), payload, "sha256")[:_SIGNATURE_BYTES]


@cache
def _key(secret: str, purpose: str) -> bytes:
    return hashlib.sha256(f"parley.core.signed_addresses:{purpose}:{secret}".encode()).digest()
