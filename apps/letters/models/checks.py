"""A test of mail that somebody asked for in the cabinet."""

from django.db import models
from django.db.models.functions import Now

from apps import leases
from apps.accounts.models import Widget
from apps.core.database.tenants import TenantQuerySet
from apps.letters.models.incoming import Mailbox


class MailCheck(leases.Leased):
    """A letter to oneself that somebody asked for in the cabinet, a queue's row: a mailbox's, else the installation's.

    `letter_id` is its Message-ID, empty before it is sent. `result` has the members of `manage.py check_mail`.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    mailbox = models.ForeignKey(Mailbox, models.CASCADE, null=True, blank=True, related_name="+")
    address = models.CharField(max_length=254)
    letter_id = models.CharField(max_length=998, blank=True, db_default="", default="")
    result = models.JSONField(null=True)
    asked_at = models.DateTimeField(db_default=Now(), editable=False)
    sent_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    objects = TenantQuerySet["MailCheck"].as_manager()

    class Meta:
        indexes = [
            *leases.indexes("letters_mailcheck"),
            models.Index(fields=["widget", "-id"], name="letters_mailcheck_latest"),
        ]

    def __str__(self) -> str:
        return f"#{self.pk}"
