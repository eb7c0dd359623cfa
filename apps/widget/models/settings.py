"""A widget's settings, icons and translations."""

from django.db import models
from django.db.models.functions import Now

from apps import leases
from apps.accounts.models import Widget
from apps.chats.rules.aliases import ALIAS_LANGUAGES
from apps.core.database.fields import EncryptedTextField
from apps.core.database.tenants import TenantQuerySet


class WidgetSettings(models.Model):
    """The choices of a widget's owner. A widget without a row is a new one, of which everything is by default.

    `stored` has the written members alone. `legacy` widgets were there before there were settings: their language is
    Russian unless they say otherwise. `policy_revision` counts changes of the language policy. `purged_at` is part
    of the ETag of the served config. `asks_proof` is the cabinet's alone: new visitors prove work (rules/proofs.py).
    `mail_answers` is of processes of the release before. `found_on` is the page of the website on which a check found
    the widget's lines. `alias_language` is kept from the first change of the language on: visitors without a name are
    called as before. `invitations` has the written members of the settings of invitations
    (rules/invitations.py).
    """

    widget = models.OneToOneField(Widget, models.CASCADE, primary_key=True, related_name="widget_settings")
    stored = models.JSONField(db_default={}, default=dict, blank=True)
    legacy = models.BooleanField(db_default=False, default=False, editable=False)
    policy_revision = models.PositiveBigIntegerField(db_default=1, default=1, editable=False)
    identity_secret = EncryptedTextField(null=True, blank=True)
    previous_identity_secret = EncryptedTextField(null=True, blank=True)
    previous_until = models.DateTimeField(null=True, blank=True, editable=False)
    purged_at = models.DateTimeField(null=True, blank=True, editable=False)
    mail_answers = models.BooleanField(db_default=False, default=False)
    asks_proof = models.BooleanField(db_default=False, default=False)
    invitations = models.JSONField(db_default={}, default=dict, blank=True)
    found_on = models.CharField(max_length=2048, blank=True, db_default="", default="", editable=False)
    alias_language = models.CharField(
        max_length=2,
        choices=[(code, code) for code in ALIAS_LANGUAGES],
        blank=True,
        db_default="",
        default="",
        editable=False,
    )
    updated_at = models.DateTimeField(null=True, blank=True, editable=False)

    objects = TenantQuerySet["WidgetSettings"].as_manager()

    def __str__(self) -> str:
        return f"#{self.pk}"


class WidgetLook(Widget):
    """A widget as the page of its settings sees it: there is one for each, whether its settings have a row or not."""

    class Meta:
        proxy = True


class Icon(models.Model):
    """A launcher's icon of a widget's own: `key` names its bytes, `still_key` those of an animation's first frame."""

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+")
    key = models.CharField(max_length=255, editable=False)
    still_key = models.CharField(max_length=255, blank=True, db_default="", default="", editable=False)
    content_type = models.CharField(max_length=32, editable=False)
    animated = models.BooleanField(editable=False)
    width = models.PositiveSmallIntegerField(editable=False)
    height = models.PositiveSmallIntegerField(editable=False)
    size = models.PositiveIntegerField(editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["Icon"].as_manager()

    def __str__(self) -> str:
        return f"custom:{self.pk}"


class Translation(leases.Leased):
    """A text of the tenant's in another language, as the widget's model has given it, and the job that asks for it.

    `text` was made of the source that `source_hash` is of. `wanted_hash` is of the source that the job is for;
    `is_reserved` says that its place in the hour's budget is taken.
    """

    class State(models.TextChoices):
        PENDING = "pending"
        READY = "ready"
        FAILED = "failed"

    widget = models.ForeignKey(Widget, models.CASCADE, related_name="+", db_index=False)
    field = models.CharField(max_length=32, editable=False)
    locale = models.CharField(max_length=8, editable=False)
    text = models.TextField(blank=True, db_default="", default="", editable=False)
    source_hash = models.CharField(max_length=64, blank=True, db_default="", default="", editable=False)
    wanted_hash = models.CharField(max_length=64, blank=True, db_default="", default="", editable=False)
    state = models.CharField(max_length=8, choices=State.choices, editable=False)
    error = models.CharField(max_length=32, blank=True, db_default="", default="", editable=False)
    is_reserved = models.BooleanField(db_default=False, default=False, editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["Translation"].as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["widget", "field", "locale"], name="widget_translation_one")]
        indexes = leases.indexes("widget_translation")

    def __str__(self) -> str:
        return f"{self.field} {self.locale}"
