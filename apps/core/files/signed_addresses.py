"""Signed, short-lived names of a widget's rows for addresses that carry no other authorisation.

A name holds the row's id, its widget's and its expiry, and cannot be forged or used for another purpose: who serves the
row looks for it within that widget, so a name that was made of a foreign id leads nowhere. Names made within a quarter
of an hour are the same, so that browsers may cache what they lead to.
"""

import time
from typing import NamedTuple

from django.core.signing import BadSignature, Signer

STEP_SECONDS = 15 * 60
VALID_SECONDS = 60 * 60  # at least; at most a step longer


class InvalidAddress(Exception):
    """Not made by this installation for this purpose, or changed on the way."""


class ExpiredAddress(Exception):
    """Was valid, and has expired."""


class NamedRow(NamedTuple):
    """The row that a name stands for, and how long the name is good."""

    id: int
    widget_id: int
    seconds_left: int


def sign(purpose: str, id_: int, *, widget_id: int, now: float | None = None) -> str:
    """The signed name of a widget's row, valid for an hour or a little more. `now` is Unix time."""
    steps = int((time.time() if now is None else now) // STEP_SECONDS) + 1
    return _signer(purpose).sign(f"{id_}.{widget_id}.{steps * STEP_SECONDS + VALID_SECONDS}")


def unsign(purpose: str, name: str, *, now: float | None = None) -> NamedRow:
    """The row that the name stands for. Raises InvalidAddress, also for a name of the older form without a widget; or
    ExpiredAddress.
    """
    try:
        id_, widget_id, ends_at = map(int, _signer(purpose).unsign(name).split("."))
    except (BadSignature, ValueError):
        raise InvalidAddress from None
    left = ends_at - (time.time() if now is None else now)
    if left <= 0:
        raise ExpiredAddress
    return NamedRow(id_, widget_id, int(left))


def _signer(purpose: str) -> Signer:
    return Signer(salt=f"parley.core.signed_addresses:{purpose}", sep=".")
