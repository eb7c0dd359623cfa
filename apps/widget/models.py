"""Visitor sessions."""

from django.db import models
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.chats.models import Contact
from apps.widget.querysets import VisitorSessionQuerySet


class VisitorSession(models.Model):
    """A browser of a visitor. It holds a visitor token, of which only a hash is kept."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    contact = models.ForeignKey(Contact, models.CASCADE, related_name="visitor_sessions")
    digest = models.BinaryField(unique=True, editable=False)
    page_url = models.CharField(max_length=2000, blank=True, db_default="", default="")
    lang = models.CharField(max_length=35, blank=True, db_default="", default="")
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    last_seen_at = models.DateTimeField(db_default=Now(), editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = VisitorSessionQuerySet.as_manager()

    def __str__(self) -> str:
        return f"#{self.pk}"
