"""Idempotency keys: claimed in the transaction of the write they guard (docs/adr/0005).

A claim is a row, unique by token and key, for 24 hours. It is taken before the work and committed with it, so a
refused or failed write leaves none, and of two simultaneous writes with one key the second waits for the first, then
is refused.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta

from django.db import OperationalError
from django.utils import timezone
from psycopg.errors import LockNotAvailable

from apps.core.database import Parameters, fetch_one
from apps.core.errors import IDEMPOTENCY_KEY_REQUIRED, IDEMPOTENCY_KEY_REUSED, INVALID_IDEMPOTENCY_KEY
from apps.core.models import IdempotencyKey

HEADER = "X-Service-Idempotency-Key"
HEADER_IN_META = "HTTP_X_SERVICE_IDEMPOTENCY_KEY"
KEPT_FOR = timedelta(hours=24)

_KEY = re.compile(r"[\x21-\x7e]{1,255}")

# A statement of its own, or the first part of a larger one (`WITH claim AS (…)`): no row comes back for a reused key.
CLAIM_SQL = """
INSERT INTO core_idempotencykey AS k (token_id, key) VALUES (%(token_id)s, %(key)s)
ON CONFLICT (token_id, key) DO UPDATE SET created_at = now() WHERE k.created_at <= now() - interval '24 hours'
RETURNING 1"""

_TAKEN_SQL = """
SELECT 1 FROM core_idempotencykey
WHERE token_id = %(token_id)s AND key = %(key)s AND created_at > now() - interval '24 hours'"""


@dataclass(frozen=True, slots=True)
class Claim:
    """The right to do one write, once. Take it first thing inside the write's transaction."""

    token_id: int
    key: str

    @property
    def parameters(self) -> Parameters:
        """What CLAIM_SQL needs, for an action that makes the claim part of its first statement."""
        return {"token_id": self.token_id, "key": self.key}

    def take(self) -> None:
        """Takes the claim. Raises IDEMPOTENCY_KEY_REUSED (409) when this token used the key, or is using it now."""
        with self.refusing_waits():
            taken = fetch_one(CLAIM_SQL, self.parameters)
        if not taken:
            raise IDEMPOTENCY_KEY_REUSED()

    def refuse_if_taken(self) -> None:
        """Raises IDEMPOTENCY_KEY_REUSED (409) when this token used the key before.

        For work outside of the database that precedes the write: it is not done for a key that can't be taken. The
        claim itself is taken with the write.
        """
        if fetch_one(_TAKEN_SQL, self.parameters):
            raise IDEMPOTENCY_KEY_REUSED()

    @contextmanager
    def refusing_waits(self) -> Iterator[None]:
        """A wait for the write that holds the key, when it outlasts the lock timeout, is a refusal of the key."""
        try:
            yield
        except OperationalError as error:
            if isinstance(error.__cause__, LockNotAvailable):
                raise IDEMPOTENCY_KEY_REUSED() from None
            raise


def key_of(header: str | None) -> str:
    """The checked key of a request. Raises IDEMPOTENCY_KEY_REQUIRED or INVALID_IDEMPOTENCY_KEY (400)."""
    if not header:
        raise IDEMPOTENCY_KEY_REQUIRED() if header is None else INVALID_IDEMPOTENCY_KEY()
    if not _KEY.fullmatch(header):
        raise INVALID_IDEMPOTENCY_KEY()
    return header


def forget_old_keys() -> int:
    """Deletes the claims past their 24 hours; returns how many."""
    deleted, _ = IdempotencyKey.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
    return deleted
