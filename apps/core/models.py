"""What core keeps in the database: idempotency claims, and which stored bytes have no row."""

from datetime import timedelta

from django.db import models
from django.db.models.functions import Now


class IdempotencyKey(models.Model):
    """A claimed idempotency key of one API token (see `idempotency.py`)."""

    token_id = models.BigIntegerField()
    key = models.CharField(max_length=255)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["token_id", "key"], name="core_idempotencykey_once")]
        indexes = [models.Index(fields=["created_at"], name="core_idempotencykey_age")]

    def __str__(self) -> str:
        return f"{self.token_id}:{self.key}"


class OrphanedObject(models.Model):
    """Bytes in the storage that no row names: not yet, or no more (see `storage.py`). They are swept at `sweep_at`."""

    key = models.CharField(max_length=255, primary_key=True)
    sweep_at = models.DateTimeField(db_default=Now() + timedelta(days=1))

    class Meta:
        indexes = [models.Index(fields=["sweep_at", "key"], name="core_orphanedobject_due")]

    def __str__(self) -> str:
        return self.key
