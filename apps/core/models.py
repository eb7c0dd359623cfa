"""What core keeps in the database: idempotency claims."""

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
