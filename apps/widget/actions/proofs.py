"""Whether a new visitor has to prove work, and the proofs that were used (rules/proofs.py).

Both stand without Redis: what asks for proofs is the widget's setting, and what a proof is used up by is a row. Only
the count of an address's new visitors is Redis's, and fails open (`rate_limits`).
"""

from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from apps.core.database.constraints import unique_or
from apps.core.redis import rate_limits
from apps.widget.errors import PROOF_REQUIRED
from apps.widget.models import SpentChallenge, WidgetSettings
from apps.widget.rules import proofs

# How many rows a statement deletes.
BATCH = 1000


def new_challenge(*, widget_id: int) -> dict[str, Any]:
    """A challenge for a new visitor of a widget."""
    return proofs.new_challenge(_key(widget_id), timezone.now())


def require_proof(*, widget_id: int, proof: str, address: str, now: datetime) -> None:
    """Uses a proof up, where the widget asks new visitors for one, or the address has brought many within a minute.

    Call it in the transaction that makes the visitor: if that fails, the proof still counts.

    Raises PROOF_REQUIRED (403) without a proof, and for one that is wrong, expired or used.
    """
    limit = proofs.floods_after(settings.VISITOR_RATE_LIMIT)
    floods = not rate_limits.spend(f"visitor:new:{widget_id}:{address}", limit).allowed
    if not floods and not WidgetSettings.objects.for_widget(widget_id).filter(asks_proof=True).exists():
        return
    proved = proofs.proved(proof, _key(widget_id), now)
    if proved is None:
        raise PROOF_REQUIRED()
    with unique_or(PROOF_REQUIRED, "widget_used_proof_once"), transaction.atomic():
        SpentChallenge.objects.create(widget_id=widget_id, digest=proved.digest, expires_at=proved.expires_at)


def forget_used_proofs(*, as_of: datetime) -> int:
    """Deletes those that have expired; how many."""
    gone = 0
    while True:
        batch = (
            SpentChallenge.objects.unscoped("every widget's rows")
            .filter(expires_at__lt=as_of)
            .order_by("expires_at")
            .values("pk")[:BATCH]
        )
        deleted, _ = (
            SpentChallenge.objects.unscoped("every widget's rows")
            .filter(pk__in=list(batch.values_list("pk", flat=True)))
            .delete()
        )
        gone += deleted
        if deleted < BATCH:
            return gone


def _key(widget_id: int) -> str:
    """The key that signs a widget's challenges: a proof for another widget counts for nothing."""
    return salted_hmac("parley.widget.proofs", str(widget_id), algorithm="sha256").hexdigest()
