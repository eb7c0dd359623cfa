"""Old lines of the audit trail and old sessions are deleted."""

from datetime import timedelta

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import transaction
from django.utils import timezone

from apps.accounts.models import AuditEntry


@transaction.atomic
def forget_old_changes() -> int:
    """Deletes what the audit trail has kept for AUDIT_DAYS, and says how many lines."""
    before = timezone.now() - timedelta(days=settings.AUDIT_DAYS)
    deleted, _ = AuditEntry.objects.filter(timestamp__lt=before).delete()
    return int(deleted)


def forget_old_sessions() -> None:
    """Deletes expired sessions, which otherwise stay until their owner signs out."""
    SessionStore.clear_expired()
