"""The cabinet's page of a widget's help center: who reads the articles, and where."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from apps.accounts.rules.settings import Setting
from apps.articles.actions.centers import change_center
from apps.articles.cabinet.center_form import HelpCenterForm, text_fields
from apps.articles.cabinet.pages import text_in
from apps.articles.models import Article, HelpCenter
from apps.articles.querysets.centers import center_of
from apps.articles.settings import CENTER
from apps.cabinet.menu import MenuTab
from apps.cabinet.settings_pages import SettingsPageAdmin


@admin.register(HelpCenter)
class HelpCenterAdmin(SettingsPageAdmin):
    """The settings of `PATCH /v1/help-center`, and the same refusals."""

    table = CENTER
    form = HelpCenterForm
    menu = MenuTab(Article, 40, _("Settings"))
    purpose = _("Who reads the articles and where: public pages, the widget, AI.")
    account_path = "widget__account_id"
    titles = (_("help center"), _("help center"))
    labels = {"widget": _("widget"), **CENTER.labels}
    list_display = ("widget", "is_public", "in_widget", "for_ai")
    list_select_related = ("widget",)
    ordering = ("widget__name", "widget_id")
    change_form_outer_before_template = "articles/help_center.html"

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        found = super().get_fieldsets(request, obj)
        if obj is None or not self.has_change_permission(request, obj):
            return found
        texts = text_fields(obj.widget_id)
        return [
            (title, {**options, "fields": [each for name in options["fields"] for each in texts.get(name, [name])]})
            for title, options in found
        ]

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        """With the public address, if there is one."""
        context["help"] = {"url": center_of(context["original"].widget_id).url}
        response: HttpResponse = super().render_change_form(request, context, *args, **kwargs)
        return response

    def words(self, row: HelpCenter, setting: Setting) -> str:
        """A setting's value in words: texts in the help center's language, links by their addresses."""
        value = self.table.value_of(row, setting.name)
        if setting.kind != "object":
            return super().words(row, setting)
        if isinstance(value, dict):
            return text_in(value, center_of(row.widget_id).default_language) or "-"
        return ", ".join(link["url"] for link in value or []) or "-"

    def write(self, request: HttpRequest, obj: HelpCenter, form: Any, change: bool) -> None:
        if form.changes:
            change_center(widget_id=obj.widget_id, changes=form.changes)
