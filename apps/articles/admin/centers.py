"""The cabinet's page of a widget's help center: who reads the articles, and where."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action as unfold_action

from apps.accounts.rules.settings import Setting
from apps.articles.actions.centers import change_center
from apps.articles.actions.domains import check_domain, set_domain
from apps.articles.cabinet.center_form import HelpCenterForm, text_fields
from apps.articles.cabinet.pages import text_in
from apps.articles.cabinet.words import DOMAIN_PROBLEMS, DOMAIN_STATES
from apps.articles.forms import DomainForm
from apps.articles.models import Article, HelpCenter
from apps.articles.querysets.centers import center_of, domain_answer
from apps.articles.settings import CENTER
from apps.cabinet.menu import MenuTab
from apps.cabinet.refusals import words_of
from apps.cabinet.settings_pages import SettingsPageAdmin
from apps.core.problems import Problem
from apps.egress.bulkhead import BulkheadFull


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
    actions_detail = ("own_domain",)

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

    @unfold_action(description=_("Own domain…"), url_path="domain")  # type: ignore[untyped-decorator]
    def own_domain(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The help center's own domain: how it stands, the record that proves it; named, looked at, taken away."""
        row: HelpCenter = self.get_object(request, object_id)
        form = DomainForm(request.POST if request.POST.get("does") == "set" else None, initial={"domain": row.domain})
        if request.method == "POST":
            try:
                if request.POST.get("does") == "check":
                    check_domain(widget_id=row.widget_id)
                elif form.is_valid():
                    set_domain(widget_id=row.widget_id, domain=form.cleaned_data["domain"] or None)
            except Problem as problem:
                if form.is_bound:
                    form.refuse(problem)
                else:
                    messages.error(request, words_of(problem))
            except BulkheadFull:
                messages.error(request, gettext("Too many addresses are looked up now. Try again in a second."))
            if not form.errors:
                return HttpResponseRedirect(request.path)
        request.head_widget = row.widget  # type: ignore[attr-defined] # the switcher in the head
        domain = domain_answer(row)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": gettext("Own domain"),
            "form": form,
            "domain": domain,
            "state": DOMAIN_STATES.get(domain["state"]),
            "problem": domain["problem"] and DOMAIN_PROBLEMS.get(domain["problem"], domain["problem"]),
            "back": self.page_of(row.widget_id),
        }
        return TemplateResponse(request, "articles/domain.html", context)
