"""Core's tables: idempotency claims, stored bytes without a row, spendings of budgets, letters."""

from datetime import timedelta
from typing import Self
from uuid import uuid4

from django.db import models
from django.db.models.functions import Now

from apps import leases
from apps.core.database.fields import EncryptedTextField


class IdempotencyKey(models.Model):
    """A claimed idempotency key of a widget, and what the write was and made (see `idempotency.py`).

    `about` is a list of operation, status, id and digest. `token_id` is of processes of the release before; a trigger
    finds the widget of their rows (`accounts/triggers.sql`).
    """

    token_id = models.BigIntegerField(null=True)
    key = models.CharField(max_length=255)
    created_at = models.DateTimeField(db_default=Now())
    widget_id = models.BigIntegerField(null=True)
    about = models.JSONField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["token_id", "key"], name="core_idempotencykey_once"),
            models.UniqueConstraint(fields=["widget_id", "key"], name="core_idempotencykey_of_widget"),
        ]
        indexes = [models.Index(fields=["created_at"], name="core_idempotencykey_age")]

    def __str__(self) -> str:
        return f"{self.widget_id}:{self.key}"


class OrphanedObject(models.Model):
    """Bytes in the storage that no row names: not yet, or no more (see `storage.py`). They are swept at `sweep_at`."""

    key = models.CharField(max_length=255, primary_key=True)
    sweep_at = models.DateTimeField(db_default=Now() + timedelta(days=1))

    class Meta:
        indexes = [models.Index(fields=["sweep_at", "key"], name="core_orphanedobject_due")]

    def __str__(self) -> str:
        return self.key


class QuotaUseQuerySet(models.QuerySet["QuotaUse"]):
    def within(self, window: timedelta, scope: str, key: str) -> Self:
        """The spendings of a budget in the time until now. Index: core_spending_budget."""
        return self.filter(scope=scope, key=key, at__gt=Now() - window)


class QuotaUse(models.Model):
    """Something was taken from a budget (see `budgets.py`); it counts until the budget's window has passed."""

    scope = models.CharField(max_length=64)
    key = models.CharField(max_length=64)
    weight = models.PositiveIntegerField()
    at = models.DateTimeField(db_default=Now(), editable=False)

    objects = QuotaUseQuerySet.as_manager()

    class Meta:
        db_table = "core_spending"
        indexes = [
            models.Index(fields=["scope", "key", "at"], name="core_spending_budget"),
            models.Index(fields=["at"], name="core_spending_age"),
        ]

    def __str__(self) -> str:
        return f"{self.scope} {self.key}: {self.weight}"


class Mail(leases.Leased):
    """A letter that is to be sent, as it was written (see `mail.py`). It is deleted when the mail server has it.

    `guid` is in its Message-ID, the same at every attempt.
    """

    guid = models.UUIDField(default=uuid4, editable=False)
    to = models.EmailField()
    subject = EncryptedTextField()
    text = EncryptedTextField()
    html = EncryptedTextField()
    headers = models.JSONField(db_default={}, default=dict)  # besides those of every letter
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        indexes = leases.indexes("core_mail", fair_by=None)

    def __str__(self) -> str:
        return str(self.guid)
