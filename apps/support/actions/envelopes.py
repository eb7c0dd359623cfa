"""Accepting signed calls: the envelope is looked at, and its nonce used up."""

import time

from django.db.models.functions import Now

from apps.core.database import fetch_one
from apps.core.problems import ProblemType
from apps.support.errors import (
    INVALID_NONCE,
    INVALID_SIGNATURE,
    NONCE_REUSED,
    SIGNATURE_REQUIRED,
    STALE_TIMESTAMP,
    TOKEN_NOT_BOUND,
)
from apps.support.models import Binding, Nonce
from apps.support.rules.envelope import NONCE_KEPT, Envelope, EnvelopeFault, fault_of

_REFUSALS: dict[EnvelopeFault, ProblemType] = {
    EnvelopeFault.HEADER_MISSING: SIGNATURE_REQUIRED,
    EnvelopeFault.BAD_NONCE: INVALID_NONCE,
    EnvelopeFault.STALE: STALE_TIMESTAMP,
    EnvelopeFault.BAD_SIGNATURE: INVALID_SIGNATURE,
}

# Of a binding that is there. Without a row, either it is gone or the nonce was used.
_USE = """
INSERT INTO support_nonce (binding_id, nonce)
SELECT id, %(nonce)s FROM support_binding WHERE id = %(binding_id)s AND widget_id = %(widget_id)s
ON CONFLICT (binding_id, nonce) DO NOTHING RETURNING 1"""


def binding_of(widget_id: int, token_id: int) -> Binding:
    """The binding whose signer the token is. Raises TOKEN_NOT_BOUND (403)."""
    binding = Binding.objects.for_widget(widget_id).filter(token_id=token_id).first()
    if binding is None:
        raise TOKEN_NOT_BOUND()
    return binding


def accept(binding: Binding, envelope: Envelope, *, method: str, target: str, body: bytes) -> None:
    """Uses up the nonce of a call whose envelope is right: committed before its work begins, even if that fails.

    Raises SIGNATURE_REQUIRED, INVALID_NONCE, STALE_TIMESTAMP, INVALID_SIGNATURE (401), NONCE_REUSED (409), and
    TOKEN_NOT_BOUND (403) for a binding that has been deleted.
    """
    fault = fault_of(envelope, secret=binding.secret, method=method, target=target, body=body, now=time.time())
    if fault is not None:
        raise _REFUSALS[fault]()
    used = {"binding_id": binding.pk, "widget_id": binding.widget_id, "nonce": envelope.nonce}
    if not fetch_one(_USE, used):
        still_there = Binding.objects.for_widget(binding.widget_id).filter(pk=binding.pk).exists()
        raise NONCE_REUSED() if still_there else TOKEN_NOT_BOUND()


def forget_old_nonces() -> int:
    """Deletes the nonces whose calls are stale by now; returns how many."""
    deleted, _ = Nonce.objects.unscoped("every widget's rows").filter(used_at__lt=Now() - NONCE_KEPT).delete()
    return deleted
