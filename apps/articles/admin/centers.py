"""The cabinet's page of a widget's help center: who reads it, how it looks, its address."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.articles.actions.centers import change_center
from apps.articles.cabinet.pages import base_of, codes_of
from apps.articles.forms import HelpCenterForm, footer_lines
from apps.articles.models import Article, HelpCenter
from apps.articles.querysets.centers import Center, center_of
from apps.articles.rules.addresses import center_base
from apps.cabinet.compared_form import value_in_words
from apps.cabinet.menu import MenuTab
from apps.cabinet.tenant_admin import AccessLevel
from apps.cabinet.widget_pages import WidgetPageAdmin
from apps.core.problems import Problem


@admin.register(HelpCenter)
class HelpCenterAdmin(WidgetPageAdmin):
    """The settings of `PATCH /v1/help-center`, and the same refusals."""

    menu = MenuTab(Article, 40, _("Settings"))
    purpose = _("Who reads the articles and where: public pages, the widget, AI.")
    account_path = "widget__account_id"
    may_change = AccessLevel.ACCOUNT
    titles = (_("help center"), _("help center"))
    list_display = ("widget",)
    list_select_related = ("widget",)
    ordering = ("widget__name", "widget_id")

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        row: HelpCenter = self.get_object(request, object_id)
        if not self.has_view_permission(request, row):
            raise PermissionDenied
        may_change = self.has_change_permission(request, row)
        if request.method == "POST" and not may_change:
            raise PermissionDenied
        center = center_of(row.widget_id)
        base = base_of(center)
        form = _form_of(center, request.POST if request.POST.get("does") == "save" else None)
        if form.is_bound and form.is_valid() and _saved(form, center):
            messages.success(request, gettext("Saved."))
            return HttpResponseRedirect(request.path)
        request.head_widget = row.widget  # type: ignore[attr-defined] # the switcher in the head
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": self.name_of_list(),
            "original": row,
            "url": base and f"{base}/",
            "form": form if may_change else None,
            "facts": [] if may_change else _facts(form),
        }
        return TemplateResponse(request, "articles/help_center.html", context)


def _form_of(center: Center, data: Any) -> HelpCenterForm:
    row, lang = center.row, center.default_language
    same = ("is_public", "indexing", "show_chat", "in_widget", "for_ai")
    initial = {
        **{name: getattr(row, name) for name in same},
        **{f"{name}_{code}": text for name in ("title", "intro") for code, text in (getattr(row, name) or {}).items()},
        "slug": center.slug,
        "default_language": lang,
        "home_url": row.home_url or "",
        "footer": footer_lines(row.footer, lang),
    }
    return HelpCenterForm(
        data, initial=initial, codes=codes_of(row.widget_id), address=center_base(settings.PUBLIC_URL, "…", None)
    )


def _saved(form: HelpCenterForm, center: Center) -> bool:
    try:
        change_center(widget_id=center.row.widget_id, changes=form.changes(center.row.footer, center.default_language))
    except Problem as problem:
        form.refuse(problem)
        return False
    return True


def _facts(form: HelpCenterForm) -> list[tuple[Any, str]]:
    """The settings in words, for people who only read."""
    return [(field.label, value_in_words(field.field, field.initial) or "—") for field in form]
