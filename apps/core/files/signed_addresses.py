"""Signed, short-lived names of rows for addresses that carry no other authorisation.

A name holds the row's id and its expiry, and cannot be forged or used for another purpose. Names made within a quarter
of an hour are the same, so that browsers may cache what they lead to.
"""

import time

from django.core.signing import BadSignature, Signer

STEP_SECONDS = 15 * 60
VALID_SECONDS = 60 * 60  # at least; at most a step longer


class InvalidAddress(Exception):
    """Not made by this installation for this purpose, or changed on the way."""


class ExpiredAddress(Exception):
    """Was valid, and has expired."""


def sign(purpose: str, id_: int, *, now: float | None = None) -> str:
    """The signed name of a row, valid for an hour or a little more. `now` is Unix time."""
    steps = int((time.time() if now is None else now) // STEP_SECONDS) + 1
    return _signer(purpose).sign(f"{id_}.{steps * STEP_SECONDS + VALID_SECONDS}")


def unsign(purpose: str, name: str, *, now: float | None = None) -> tuple[int, int]:
    """The id of the row that the name stands for, and the seconds left. Raises InvalidAddress or ExpiredAddress."""
    try:
        id_, ends_at = map(int, _signer(purpose).unsign(name).split("."))
    except BadSignature:
        raise InvalidAddress from None
    left = ends_at - (time.time() if now is None else now)
    if left <= 0:
        raise ExpiredAddress
    return id_, int(left)


def _signer(purpose: str) -> Signer:
    return Signer(salt=f"parley.core.signed_addresses:{purpose}", sep=".")
