"""The cabinet's page of which articles answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from apps.articles.actions.results import results_of
from apps.articles.cabinet.days import days_of
from apps.articles.cabinet.pages import editor_of, languages_of
from apps.articles.cabinet.words import REASONS, VERDICTS
from apps.articles.models import Article, WidgetArticleResults
from apps.cabinet.menu import MenuTab
from apps.cabinet.widget_pages import WidgetPageAdmin

MOST = 100


@admin.register(WidgetArticleResults)
class WidgetArticleResultsAdmin(WidgetPageAdmin):
    """The figures of `GET /v1/article-results` in words."""

    menu = MenuTab(Article, 30, _("Results"))
    purpose = _("Which articles answer, by what readers say and do.")
    account_path = "account_id"
    titles = (_("results of articles"), _("results of articles"))
    list_display = ("name",)
    ordering = ("name",)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        widget: Any = self.get_object(request, object_id)
        if not self.has_view_permission(request, widget) or request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        request.head_widget = widget  # type: ignore[attr-defined] # the switcher in the head
        days = days_of(request)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": self.name_of_list(),
            "original": widget,
            "days": days.fields,
            "refusal": days.refusal,
        }
        if days.window is not None:
            found = results_of(widget_id=widget.pk, window=days.window, lang=None, limit=MOST)
            names = languages_of(widget.pk)
            context |= {"searches": found["searches"], "articles": [_line(row, names) for row in found["articles"]]}
        return TemplateResponse(request, "articles/results.html", context, status=422 if days.refusal else 200)


def _line(row: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    views = row["views"]
    told = [f"{REASONS[reason]}: {count}" for reason, count in row["reasons"].items() if count]
    if row["silent"]:
        silent = ngettext("%(count)s said nothing", "%(count)s said nothing", row["silent"])
        told.append(silent % {"count": row["silent"]})
    return {
        **row,
        "title": row["title"] or gettext("without a title"),
        "language": names.get(row["lang"], row["lang"]) if len(names) > 1 else "",
        "address": editor_of(row["article_id"], row["lang"]),
        "verdict": VERDICTS[row["verdict"]],
        "views": f"{views['page']}, {views['widget']}, {views['markdown']}",
        "reasons": "; ".join(told),
    }
