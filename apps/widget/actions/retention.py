"""Offers of invitations live for 90 days; one that a chat began with stays beside it, without its browser's key."""

from datetime import datetime

from apps.widget.models import InvitationOffer
from apps.widget.rules.invitations import KEPT

BATCH = 5_000


def forget_offers(*, as_of: datetime) -> int:
    """Deletes the offers that are older, batch by batch; returns how many. Harmless when run twice at once."""
    old = InvitationOffer.objects.unscoped("every widget's rows").filter(created_at__lt=as_of - KEPT)
    old.filter(chat__isnull=False, key_digest__isnull=False).update(key_digest=None)
    gone = 0
    while batch := list(old.filter(chat=None).values_list("pk", flat=True)[:BATCH]):
        gone += InvitationOffer.objects.unscoped("every widget's old rows").filter(pk__in=batch).delete()[0]
    return gone
