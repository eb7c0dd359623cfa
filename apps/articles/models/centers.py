"""The help center of a widget."""

from django.db import models
from django.db.models.functions import Now

from apps.accounts.models import Widget
from apps.articles.rules.limits import MAX_ADDRESS, MAX_CENTER_SLUG
from apps.articles.rules.states import DomainState, InWidget
from apps.chats.models.choices import choices
from apps.core.database.tenants import TenantQuerySet


class HelpCenter(models.Model):
    """The settings of a widget's articles. A widget without a row has the defaults (`settings.CENTER`).

    `title` and `intro` are texts by language, empty for the defaults; `footer` is a list of {label, url}. `domain` is
    its own one, which answers while `verified`; `domain_failed_since` is when its record was last found to be gone.
    """

    widget = models.OneToOneField(Widget, models.CASCADE, primary_key=True, related_name="help_center")
    is_public = models.BooleanField(db_default=False, default=False)
    slug = models.CharField(max_length=MAX_CENTER_SLUG, null=True, blank=True, unique=True)
    title = models.JSONField(null=True, blank=True)
    intro = models.JSONField(null=True, blank=True)
    default_language = models.CharField(max_length=8, blank=True, db_default="", default="")
    home_url = models.CharField(max_length=MAX_ADDRESS, blank=True, db_default="", default="")
    footer = models.JSONField(db_default=[], default=list, blank=True)
    indexing = models.BooleanField(db_default=True, default=True)
    in_widget = models.CharField(
        max_length=8, choices=choices(InWidget), db_default=InWidget.OFF.value, default=InWidget.OFF.value
    )
    for_ai = models.BooleanField(db_default=True, default=True)
    show_chat = models.BooleanField(db_default=True, default=True)
    domain = models.CharField(max_length=253, null=True, blank=True, unique=True, editable=False)
    domain_state = models.CharField(
        max_length=8, choices=choices(DomainState), blank=True, db_default="", default="", editable=False
    )
    domain_token = models.CharField(max_length=32, blank=True, db_default="", default="", editable=False)
    domain_checked_at = models.DateTimeField(null=True, editable=False)
    domain_failed_since = models.DateTimeField(null=True, editable=False)
    domain_problem = models.CharField(max_length=32, blank=True, db_default="", default="", editable=False)
    updated_at = models.DateTimeField(db_default=Now(), editable=False)

    objects = TenantQuerySet["HelpCenter"].as_manager()

    class Meta:
        verbose_name = "help center"
        verbose_name_plural = "help centers"

    def __str__(self) -> str:
        return self.slug or f"#{self.pk}"
