"""Keys of model vendors, alerts about them, and what was used of them."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.ai.models.assistants import Assistant
from apps.ai.querysets import (
    AlertQuerySet,
    CredentialQuerySet,
    UsageQuerySet,
)
from apps.ai.rules.configuration import (
    DEFAULT_TIMEOUT_S,
    MAX_BASE_URL,
    MAX_MODEL,
    AlertCode,
    Severity,
)
from apps.ai.rules.prices import (
    COST_DIGITS,
    COST_PLACES,
    CURRENCIES,
    PRICE_DIGITS,
    PRICE_PLACES,
    Price,
    price_of,
)
from apps.cabinet.coded_values import display_value
from apps.core.database.fields import EncryptedTextField


def _price() -> "models.DecimalField[Any, Any]":
    """Money for a million tokens."""
    return models.DecimalField(max_digits=PRICE_DIGITS, decimal_places=PRICE_PLACES, null=True, blank=True)


class Credential(models.Model):
    """A key to a vendor's models: the widget's, or one assistant's, or one operator's alone.

    `base_url` is as it was given; `target` is the spelling that is called.
    """

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="ai_credentials", db_index=False)
    provider = models.CharField(max_length=32)
    api_key = EncryptedTextField()
    base_url = models.CharField(max_length=MAX_BASE_URL, blank=True, db_default="", default="")
    target = models.CharField(max_length=MAX_BASE_URL, blank=True, db_default="", default="", editable=False)
    model = models.CharField(max_length=MAX_MODEL, blank=True, db_default="", default="")
    signing_secret = EncryptedTextField(null=True, blank=True)
    is_active = models.BooleanField(db_default=True, default=True)
    assistant = models.ForeignKey(Assistant, models.CASCADE, null=True, blank=True, related_name="credentials")
    operator = models.ForeignKey(Agent, models.CASCADE, null=True, blank=True, related_name="ai_credentials")
    backup = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="backed_up")
    for_answers = models.BooleanField(db_default=True, default=True)
    for_knowledge = models.BooleanField(db_default=True, default=True)
    timeout_s = models.PositiveSmallIntegerField(db_default=DEFAULT_TIMEOUT_S, default=DEFAULT_TIMEOUT_S)
    context_tokens = models.PositiveIntegerField(null=True, blank=True)
    own_embedding_model = models.CharField(max_length=MAX_MODEL, blank=True, db_default="", default="")
    # What its owner pays for a million tokens of its model, in their currency; nobody else knows it.
    prompt_price = _price()
    completion_price = _price()
    price_currency = models.CharField(
        max_length=3, blank=True, db_default="", default="", choices=[(code, code) for code in CURRENCIES]
    )
    # What was found out of its models by calls that they refused (`drivers.driver.Quirks`), by model.
    learnt = models.JSONField(db_default={}, default=dict, blank=True, editable=False)
    # What embeds with it, once that was found out; and until when it is known that nothing does.
    embedding_model = models.CharField(max_length=MAX_MODEL, blank=True, db_default="", default="", editable=False)
    embeds_nothing_until = models.DateTimeField(null=True, blank=True, editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = CredentialQuerySet.as_manager()

    class Meta:
        verbose_name = "credential"
        verbose_name_plural = "credentials"
        indexes = [models.Index(fields=["widget", "-created_at", "-id"], name="ai_credential_list")]
        constraints = [
            models.CheckConstraint(
                condition=Q(assistant__isnull=True) | Q(operator__isnull=True), name="ai_credential_one_owner"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider.replace('_', '-')} {self.pk}"

    @property
    def price(self) -> Price | None:
        """The price of its own model, if its owner has entered it."""
        return price_of(self.prompt_price, self.completion_price, self.price_currency)


class Alert(models.Model):
    """Something that its owner should look at. A repetition of an open one raises `occurrences`."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="ai_alerts", db_index=False)
    code = models.CharField(max_length=40, choices=[(code.value, code.value) for code in AlertCode])
    severity = models.CharField(max_length=16, choices=[(one.value, one.value) for one in Severity])
    # The code of the sentence, and its values (`actions/advice.py`).
    sentence = models.CharField(max_length=40, blank=True, db_default="", default="")
    values = models.JSONField(blank=True, db_default={}, default=dict)
    # The same in English, for programs.
    message = models.TextField()
    assistant = models.ForeignKey(Assistant, models.SET_NULL, null=True, blank=True, related_name="+")
    operator = models.ForeignKey(Agent, models.SET_NULL, null=True, blank=True, related_name="+")
    credential = models.ForeignKey(Credential, models.SET_NULL, null=True, blank=True, related_name="+")
    chat_id = models.BigIntegerField(null=True, blank=True)
    occurrences = models.PositiveIntegerField(db_default=1, default=1)
    first_at = models.DateTimeField(db_default=Now())
    last_at = models.DateTimeField(db_default=Now())
    acknowledged_at = models.DateTimeField(null=True, blank=True)

    objects = AlertQuerySet.as_manager()

    class Meta:
        verbose_name = "alert"
        verbose_name_plural = "alerts"
        constraints = [
            models.UniqueConstraint(
                fields=["widget", "code", "assistant", "operator", "credential"],
                condition=Q(acknowledged_at__isnull=True),
                nulls_distinct=False,
                name="ai_alert_one_open",
            )
        ]
        indexes = [
            models.Index(fields=["widget", "-first_at", "-id"], name="ai_alert_list"),
            models.Index(
                fields=["widget", "-first_at", "-id"], condition=Q(acknowledged_at__isnull=True), name="ai_alert_open"
            ),
        ]

    def __str__(self) -> str:
        return display_value(self.code)


class Usage(models.Model):
    """One HTTP operation at a vendor, failed ones too."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    assistant = models.ForeignKey(Assistant, models.SET_NULL, null=True, related_name="+", db_index=False)
    operator_id = models.BigIntegerField(null=True)
    credential = models.ForeignKey(Credential, models.SET_NULL, null=True, related_name="+")
    chat_id = models.BigIntegerField(null=True)
    purpose = models.CharField(max_length=16)
    model = models.CharField(max_length=MAX_MODEL)
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    # What it counts with against the day's budget besides: while it is under way, and where no tokens were told.
    reserved_tokens = models.PositiveIntegerField(db_default=0, default=0)
    # The price as it was then, and the money by it; null where nobody had entered one.
    prompt_price = _price()
    completion_price = _price()
    currency = models.CharField(max_length=3, blank=True, db_default="", default="")
    cost = models.DecimalField(max_digits=COST_DIGITS, decimal_places=COST_PLACES, null=True)
    latency_ms = models.PositiveIntegerField()
    outcome = models.CharField(max_length=24)
    at = models.DateTimeField(db_default=Now())

    objects = UsageQuerySet.as_manager()

    class Meta:
        verbose_name = "use of a model"
        verbose_name_plural = "uses of models"
        indexes = [
            models.Index(fields=["widget", "at"], name="ai_usage_widget"),
            models.Index(fields=["assistant", "at"], name="ai_usage_assistant"),
        ]

    def __str__(self) -> str:
        return f"{display_value(self.purpose)}, {self.model}"
