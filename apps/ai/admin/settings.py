"""The cabinet's page of a widget's AI settings."""

from typing import Any

from django.contrib import admin
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.accounts.cabinet import AccessLevel, TenantAdmin, changes_of
from apps.ai.actions.settings import change_settings
from apps.ai.forms import AiSettingsForm
from apps.ai.models import AiSettings


@admin.register(AiSettings)
class AiSettingsAdmin(TenantAdmin):
    """The switches of a widget's AI."""

    form = AiSettingsForm
    account_path = "widget__account_id"
    may_change = AccessLevel.ACCOUNT
    titles = (_("AI settings"), _("AI settings"))
    labels = {
        "widget": _("widget"),
        "enabled": _("the AI answers"),
        "rag_enabled": _("uses the knowledge base"),
        "shadow_mode": _("shadow mode: answers are notes for operators"),
        "external_operators_enabled": _("external operators answer"),
        "autonomous_tuning_enabled": _("tunes itself"),
        "presence_context_enabled": _("knows whether operators are there"),
        "takeover_timeout_sec": _("takes over after seconds"),
        "offline_outcome_mode": _("when nobody is there"),
        "legacy_persona": _("persona of before"),
        "daily_token_budget": _("tokens a day"),
        "link_hosts": _("websites that answers may link to"),
    }
    list_display = ("widget", "enabled", "shadow_mode", "rag_enabled", "takeover_timeout_sec")
    list_select_related = ("widget",)
    ordering = ("widget",)
    fields = (
        *("widget", "enabled", "shadow_mode", "rag_enabled", "presence_context_enabled", "autonomous_tuning_enabled"),
        "external_operators_enabled",
        *("takeover_timeout_sec", "offline_outcome_mode", "daily_token_budget", "link_hosts", "legacy_persona"),
    )
    readonly_fields = ("widget",)

    def write(self, request: HttpRequest, obj: AiSettings, form: "ModelForm[Any]", change: bool) -> None:
        change_settings(widget_id=obj.widget_id, changes=changes_of(form))
