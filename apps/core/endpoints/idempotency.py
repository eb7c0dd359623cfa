"""Idempotency keys: claimed in the transaction of the write they guard (docs/adr/0005).

A claim is a row, unique by widget and key, for 24 hours. It is taken before the work and committed with it, so a
refused or failed write leaves none, and of two simultaneous writes with one key the second waits for the first, then
is refused. The row keeps what the write was and made, for the refusal to tell; no answer is kept.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from hashlib import blake2b
from typing import Any

from django.db import OperationalError
from django.utils import timezone
from psycopg.errors import DeadlockDetected, LockNotAvailable
from psycopg.types.json import Jsonb

from apps.core.database import Parameters, execute, fetch_one
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
# statement: where that has no row, nothing is claimed. It is short, as posting's whole statement has to be.
_CLAIM_SQL = """
INSERT INTO core_idempotencykey AS k (widget_id, key, about) {claimant}
ON CONFLICT (widget_id, key) DO UPDATE SET created_at = now(), about = excluded.about
WHERE k.created_at <= now() - interval '24h'
RETURNING 1"""
_TAKE = _CLAIM_SQL.format(claimant="VALUES (%(widget_id)s, %(key)s, %(about)s)")
_TELL = """
UPDATE core_idempotencykey SET about = %(about)s WHERE widget_id = %(widget_id)s AND key = %(key)s"""


# Whether the key is taken already, as an expression.
IS_TAKEN_SQL = """EXISTS (
    SELECT FROM core_idempotencykey k
    WHERE k.widget_id = %(widget_id)s AND k.key = %(key)s AND k.created_at > now() - interval '24 hours')"""


def claim_for_each(claimant: str) -> str:
    """The statement that takes a claim for the one row of a table expression, which has its widget, for a larger."""
    return _CLAIM_SQL.format(claimant=f"SELECT widget_id, %(key)s, %(about)s FROM {claimant}")  # noqa: S608 - a name


@dataclass(slots=True)
class IdempotencyLock:
    """The right to do one write of a widget, once. Take it first thing inside the write's transaction.

    `operation` and `digest` (`digest_of`) are of the request. `status` is of the answer that a success is expected to
    have, `made_id` the id of what the write makes or changes: what is known when the claim is taken is stored with it,
    the rest by `tell`.
    """

    widget_id: int
    key: str
    reused: ProblemType = IDEMPOTENCY_KEY_REUSED
    operation: str = ""
    digest: str = ""
    status: int | None = None
    made_id: int | str | None = None
    _told: list[Any] | None = None

    @property
    def parameters(self) -> Parameters:
        """The parameters of the claim's SQL, for an action that makes it part of its own statements."""
        return {"widget_id": self.widget_id, "key": self.key, "about": Jsonb(self._about(self.status))}

    def _about(self, status: int | None) -> list[Any]:
        self._told = [self.operation, status, self.made_id, self.digest]
        return self._told

    def take(self, *, is_under_way: bool = False) -> None:
        """Takes the claim. Raises IDEMPOTENCY_KEY_REUSED (409) when the widget used the key, or is using it now.

        `is_under_way`: it is committed before the work, so the write has no status yet.
        """
        about = self._about(None if is_under_way else self.status)
        with self.refusing_waits():
            taken = fetch_one(_TAKE, {"widget_id": self.widget_id, "key": self.key, "about": Jsonb(about)})
        if not taken:
            raise self.refusal()

    def tell(self, made_id: int | str | None, status: int | None = None) -> None:
        """Notes what the write made, and the status of its answer, unless the claim says so already."""
        self.made_id, self.status = made_id, status or self.status
        before, about = self._told, self._about(self.status)
        if before and about != before:
            execute(_TELL, self.parameters)

    def refusal(self) -> Problem:
        """The refusal of a key that was used: `previous` says what that write was and made, `first_used_at` when.

        A write that is under way has not committed its claim, or not its outcome: what is not known of it is null.
        """
        used = IdempotencyKey.objects.filter(widget_id=self.widget_id, key=self.key)
        at, about = used.values_list("created_at", "about").first() or (None, None)
        return self._refused(at, about)

    def _refused(self, at: datetime | None = None, about: list[Any] | None = None) -> Problem:
        operation, status, made_id, digest = about or (None, None, None, None)
        members: dict[str, Any] = {
            "previous": {"operation": operation, "status": status, "id": made_id, "at": at},
            "same_request": digest == self.digest if digest else None,
        }
        if at is not None:
            members["first_used_at"] = at
        return self.reused(**members)

    def release(self) -> None:
        """Gives the key back, of a write that was not done."""
        IdempotencyKey.objects.filter(widget_id=self.widget_id, key=self.key).delete()

    def refuse_if_taken(self) -> None:
        """Raises IDEMPOTENCY_KEY_REUSED (409) when the widget used the key before.

        For work outside of the database that precedes the write: it is not done for a key that can't be taken. The
        claim itself is taken with the write.
        """
        found = fetch_one(f"SELECT {IS_TAKEN_SQL}", {"widget_id": self.widget_id, "key": self.key})
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
                raise self._refused() from None
            raise


def key_of(header: str | None, rules: KeyRules = EVERY_KEY) -> str:
    """The checked key of a request. Raises IDEMPOTENCY_KEY_REQUIRED or INVALID_IDEMPOTENCY_KEY (400)."""
    if header is None:
        raise IDEMPOTENCY_KEY_REQUIRED()
    if not rules.pattern.fullmatch(header):
        raise rules.invalid()
    return header


def digest_of(method: str, path: str, body: Any, file: bytes = b"") -> str:
    """The digest of a request: of its method, path and body, whose members may come in any order.

    A number is the same however it is written. `file` is the digest of a form's file.
    """
    said = json.dumps([method, path, _canonical(body)], sort_keys=True, separators=(",", ":"))
    return blake2b(said.encode() + file, digest_size=16).hexdigest()


def _canonical(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _canonical(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_canonical(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def forget_old_keys() -> int:
    """Deletes the claims past their 24 hours; returns how many."""
    deleted, _ = IdempotencyKey.objects.filter(created_at__lt=timezone.now() - KEPT_FOR).delete()
    return deleted
