"""The binding of a company's application, and what its signed calls leave."""

from django.db import models
from django.db.models.functions import Now

from apps.accounts.models import ApiToken, Widget
from apps.ai.models import Assistant
from apps.core.database.fields import EncryptedTextField
from apps.support.querysets import BindingQuerySet, SignedRequestQuerySet
from apps.support.rules.envelope import MAX_NONCE


class Binding(models.Model):
    """The integration of a widget: the one token that may sign calls, with which secret, and who answers them."""

    widget = models.OneToOneField(Widget, models.CASCADE, related_name="+")
    token = models.ForeignKey(ApiToken, models.CASCADE, related_name="+")
    provider = models.CharField(max_length=32)
    assistant = models.ForeignKey(Assistant, models.SET_NULL, null=True, blank=True, related_name="+")
    secret = EncryptedTextField()
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = BindingQuerySet.as_manager()

    class Meta:
        verbose_name = "integration"

    def __str__(self) -> str:
        return f"{self.provider} {self.token_id}"


class Nonce(models.Model):
    """A nonce that is used up: by the first call of the binding whose signature was right."""

    binding = models.ForeignKey(Binding, models.CASCADE, related_name="+", db_index=False)
    nonce = models.CharField(max_length=MAX_NONCE)
    used_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["binding", "nonce"], name="support_nonce_once")]
        indexes = [models.Index(fields=["used_at"], name="support_nonce_used")]

    def __str__(self) -> str:
        return self.nonce


class SignedRequest(models.Model):
    """A `request_id` of an application, for 24 hours: what was asked, and what was answered.

    `digest` is of the body. While the work is under way, `answer` is null, and nobody waits longer than `lease_until`:
    a process that died has left it. Of a turn the answer is "", which is never given again.
    """

    class Endpoint(models.TextChoices):
        TURN = "turn"
        TICKET = "ticket"
        LINK = "link"
        REVOKE = "revoke"

    binding = models.ForeignKey(Binding, models.CASCADE, related_name="+", db_index=False)
    endpoint = models.CharField(max_length=8, choices=Endpoint)
    request_id = models.CharField(max_length=128)
    digest = models.BinaryField(max_length=32)
    answer = EncryptedTextField(null=True)
    lease_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    objects = SignedRequestQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["binding", "endpoint", "request_id"], name="support_signedrequest_once")
        ]
        indexes = [models.Index(fields=["created_at"], name="support_signedrequest_old")]

    def __str__(self) -> str:
        return f"{self.endpoint} {self.request_id}"
