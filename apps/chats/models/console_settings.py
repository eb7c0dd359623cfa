"""How operators of a widget work."""

from typing import Any

from django.db import models

from apps.accounts.models import Widget
from apps.chats.rules.console_settings import DEFAULT_AWAY_MINUTES, DraftsMode, SummariesMode, TranslationMode
from apps.core.database.tenants import TenantQuerySet


def _mode(modes: Any, default: str) -> Any:
    return models.CharField(
        max_length=8, choices=[(mode.value, mode.value) for mode in modes], db_default=default, default=default
    )


class ConsoleSettings(models.Model):
    """The settings that stand beside a widget's operators. A widget without a row has the defaults.

    `past_answers`: whether answers of people may be sources of drafts. `away_minutes`: after so many minutes in which
    the owner of a chat is away and its visitor waits, the chat rings for all; 0 is never. `attribute_kinds` are
    `rules.attribute_kinds.DeclaredAttribute`s.
    """

    widget = models.OneToOneField(Widget, models.CASCADE, primary_key=True, related_name="+")
    drafts = _mode(DraftsMode, DraftsMode.ASKED.value)
    past_answers = models.BooleanField(db_default=True, default=True)
    summaries = _mode(SummariesMode, SummariesMode.HANDOVER.value)
    translation = _mode(TranslationMode, TranslationMode.OFFER.value)
    away_minutes = models.PositiveSmallIntegerField(db_default=DEFAULT_AWAY_MINUTES, default=DEFAULT_AWAY_MINUTES)
    attribute_kinds = models.JSONField(db_default=[], default=list)

    objects = TenantQuerySet["ConsoleSettings"].as_manager()

    class Meta:
        db_table = "chats_desksettings"
        verbose_name = "settings of the console"
        verbose_name_plural = "settings of the console"

    def __str__(self) -> str:
        return f"#{self.pk}"
