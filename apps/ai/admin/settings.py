"""The cabinet's page of a widget's AI settings."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.ai.actions.settings import change_phrases, change_settings
from apps.ai.cabinet.examination import examination_page
from apps.ai.cabinet.languages import PhrasesForm, language_of, language_page
from apps.ai.cabinet.panel import panel_of
from apps.ai.cabinet.start import start_page
from apps.ai.forms import AiSettingsForm
from apps.ai.models import AiSettings, Credential
from apps.ai.settings import SETTINGS
from apps.cabinet.menu import KNOWLEDGE, MenuPlace
from apps.cabinet.settings_pages import SettingsPageAdmin


@admin.register(AiSettings)
class AiSettingsAdmin(SettingsPageAdmin):
    """The settings of a widget's AI."""

    table = SETTINGS
    menu = MenuPlace(KNOWLEDGE, 10, _("AI"))
    form = AiSettingsForm
    account_path = "widget__account_id"
    titles = (_("AI settings"), _("AI settings"))
    labels = {"widget": _("widget"), **SETTINGS.labels}
    list_display = ("widget", "enabled", "shadow_mode", "rag_enabled", "takeover_timeout_sec")
    list_select_related = ("widget",)
    ordering = ("widget",)
    actions_detail = ("start", "examine", "phrases")
    change_form_outer_before_template = "admin/ai/panel.html"

    @property
    def sections(self) -> Any:
        return ((None, (*super().sections[0][1], *AiSettingsForm.LANGUAGE_OF)),)

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        """With what there is of the widget's AI, and what it uses."""
        context["panel"] = panel_of(context["original"].widget_id)
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    @unfold_action(description=_("Set up step by step"), url_path="start", permissions=())  # type: ignore[untyped-decorator]
    def start(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """From the key to the first answer, a step after the other."""
        settings = self._changeable(request, object_id)
        context = {**self.admin_site.each_context(request), "title": gettext("Set AI up")}
        keys = self.admin_site._registry[Credential]
        may_keep_keys = keys.has_add_permission(request)
        return start_page(request, settings.widget, context=context, may_keep_keys=may_keep_keys)

    @unfold_action(description=_("Examine"), url_path="examine", permissions=())  # type: ignore[untyped-decorator]
    def examine(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Questions made of the owner's own pages, each with its answer or passage."""
        settings = self._changeable(request, object_id)
        context = {**self.admin_site.each_context(request), "title": gettext("Examination")}
        return examination_page(request, settings.widget, context=context)

    @unfold_action(description=_("Phrases"), url_path="phrases", permissions=())  # type: ignore[untyped-decorator]
    def phrases(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The AI's fixed phrases, by language."""
        settings = self._changeable(request, object_id)
        language = language_of(request)
        form = PhrasesForm(request.POST or None, language=language, worded=settings.phrases)
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Phrases of the AI"),
            "note": gettext("What is left empty is said as it is shown in grey."),
            "back": self.page_of(settings.widget_id),
        }
        store = lambda changes: change_phrases(widget_id=settings.widget_id, changes=changes)  # noqa: E731
        return language_page(request, context, form, language, store)

    def _changeable(self, request: HttpRequest, object_id: str) -> AiSettings:
        settings: AiSettings = self.get_object(request, object_id)
        if not self.has_change_permission(request, settings):
            raise PermissionDenied
        return settings

    def get_actions_detail(self, request: HttpRequest, object_id: str) -> list[Any]:
        """All are for who may change the settings."""
        found: list[Any] = super().get_actions_detail(request, object_id)
        return found if self.has_change_permission(request, self.get_object(request, object_id)) else []

    def write(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        change_settings(widget_id=obj.widget_id, changes=form.changes)
