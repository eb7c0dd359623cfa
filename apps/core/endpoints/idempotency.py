"""Idempotency keys: claimed in the transaction of the write they guard (docs/adr/0005).

A claim is a row, unique by token and key, for 24 hours. It is taken before the work and committed with it, so a
refused or failed write leaves none, and of two simultaneous writes with one key the second waits for the first, then
is refused.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import NamedTuple

from django.db import OperationalError
from django.utils import timezone
from psycopg.errors import DeadlockDetected, LockNotAvailable

from apps.core.database import Parameters, fetch_one
from apps.core.errors import IDEMPOTENCY_KEY_REQUIRED, IDEMPOTENCY_KEY_REUSED, INVALID_IDEMPOTENCY_KEY
from apps.core.models import IdempotencyKey
from apps.core.problems import Problem, ProblemType

HEADER = "X-Service-Idempotency-Key"
HEADER_IN_META = "HTTP_X_SERVICE_IDEMPOTENCY_KEY"
KEPT_FOR = timedelta(hours=24)

_TABLE = "core_idempotencykey"  # as PostgreSQL names it where it says what was waited for


@dataclass(frozen=True, slots=True)
class KeyRules:
    """The form of a key, and its refusals. `allowed` is a class of the header's characters: its bytes.

    `kept_after` are the refusals after which a key that was committed before the work stays taken.
    """

    longest: int = 255
    allowed: str = "[!-~]"
    invalid: ProblemType = INVALID_IDEMPOTENCY_KEY
    reused: ProblemType = IDEMPOTENCY_KEY_REUSED
    kept_after: tuple[ProblemType, ...] = ()
    pattern: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pattern", re.compile(f"{self.allowed}{{1,{self.longest}}}"))

    @property
    def problems(self) -> tuple[ProblemType, ...]:
        return (IDEMPOTENCY_KEY_REQUIRED, self.invalid, self.reused)


EVERY_KEY = KeyRules()


# Answers no row for a key that is taken. `{claimant}` is VALUES, or a SELECT from another table expression of a larger
# statement: where that has no row, nothing is claimed.
_CLAIM_SQL = """
INSERT INTO core_idempotencykey AS k (token_id, key) {claimant}
ON CONFLICT (token_id, key) DO UPDATE SET created_at = now() WHERE k.created_at <= now() - interval '24 hours'
RETURNING 1"""
_TAKE = _CLAIM_SQL.format(claimant="VALUES (%(token_id)s, %(key)s)")


# Whether the key is taken already, as an expression.
IS_TAKEN_SQL = """EXISTS (
    SELECT FROM core_idempotencykey k
    WHERE k.token_id = %(token_id)s AND k.key = %(key)s AND k.created_at > now() - interval '24 hours')"""


def claim_for_each(claimant: str) -> str:
    """The statement that takes a claim for the one row of a table expression, for a larger statement."""
    return _CLAIM_SQL.format(claimant=f"SELECT %(token_id)s, %(key)s FROM {claimant}")  # noqa: S608 - a name


class IdempotencyLock(NamedTuple):
    """The right to do one write, once. Take it first thing inside the write's transaction."""

    token_id: int
    key: str
    reused: ProblemType = IDEMPOTENCY_KEY_REUSED

    @property
    def parameters(self) -> Parameters:
        """The parameters of the claim's SQL, for an action that makes it part of its own statements."""
        return {"token_id": self.token_id, "key": self.key}

    def take(self) -> None:
        """Takes the claim. Raises IDEMPOTENCY_KEY_REUSED (409) when this token used the key, or is using it now."""
        with self.refusing_waits():
            taken = fetch_one(_TAKE, {"token_id": self.token_id, "key": self.key})
        if not taken:
            raise self.refusal()

    def refusal(self) -> Problem:
        """The refusal of a key that was used: `first_used_at` says when.

        A write that is under way has not committed its claim: of it there is nothing to say, and no such member.
        """
        used = IdempotencyKey.objects.filter(token_id=self.token_id, key=self.key).values_list("created_at", flat=True)
        first_used_at = used.first()
        return self.reused(first_used_at=first_used_at) if first_used_at else self.reused()

    def release(self) -> None:
        """Gives the key back, of a write that was not done."""
        IdempotencyKey.objects.filter(token_id=self.token_id, key=self.key).delete()

    def refuse_if_taken(self) -> None:
        """Raises IDEMPOTENCY_KEY_REUSED (409) when this token used the key before.

        For work outside of the database that precedes the write: it is not done for a key that can't be taken. The
        claim itself is taken with the write.
        """
        found = fetch_one(f"SELECT {IS_TAKEN_SQL}", self.parameters)
        if found and found[0]:
            raise self.refusal()

    @contextmanager
    def refusing_waits(self) -> Iterator[None]:
        """A wait for the write that holds the key, when it outlasts the lock timeout, is a refusal of the key.

        So is a deadlock: the other write has the key, and waits for a lock of this one. A wait for anything else is
        none: the write of the key has not been done.
        """
        try:
            yield
        except OperationalError as error:
            cause = error.__cause__
            if isinstance(cause, LockNotAvailable | DeadlockDetected) and _TABLE in (cause.diag.context or ""):
                raise self.reused() from None
            raise


def key_of(header: str | None, rules: KeyRules = EVERY_KEY) -> str:
    """The checked key of a request. Raises IDEMPOTENCY_KEY_REQUIRED or INVALID_IDEMPOTENCY_KEY (400)."""
    if header is None:
        raise IDEMPOTENCY_KEY_REQUIRED()
    if not rules.pattern.fullmatch(header):
        raise rules.invalid()
    return header


def forget_old_keys() -> int:
    """Deletes the claims past their 24 hours; returns how many."""
    deleted, _ = IdempotencyKey.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
    return deleted
