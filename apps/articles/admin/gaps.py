"""The cabinet's page of questions in vain, where an article about one is begun."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from apps.articles.actions.gaps import Gap, draft_about, gaps_of
from apps.articles.cabinet.days import days_of
from apps.articles.cabinet.pages import editor_of
from apps.articles.models import Article, ArticleText, WidgetArticleGaps
from apps.articles.rules.gaps import GapSource
from apps.cabinet.menu import MenuTab
from apps.cabinet.refusals import words_of
from apps.cabinet.tenant_admin import AccessLevel, user_of
from apps.cabinet.widget_pages import WidgetPageAdmin
from apps.chats.rules.languages import NAMES
from apps.core.problems import Problem
from apps.kb.models import Rule

MOST, SAMPLES = 50, 3


@admin.register(WidgetArticleGaps)
class WidgetArticleGapsAdmin(WidgetPageAdmin):
    """The list of `GET /v1/article-gaps`."""

    menu = MenuTab(Article, 20, _("Asked in vain"))
    purpose = _("What visitors asked in chats and searches, and nothing answered.")
    account_path = "account_id"
    titles = (_("asked in vain"), _("asked in vain"))
    list_display = ("name",)
    ordering = ("name",)
    may_change = AccessLevel.ACCOUNT  # a draft is an article: who may write one may begin it here

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        widget: Any = self.get_object(request, object_id)
        if not self.has_view_permission(request, widget):
            raise PermissionDenied
        may_change = self.has_change_permission(request, widget)
        if request.method == "POST":
            if not may_change:
                raise PermissionDenied
            return self._begun(request, widget)
        request.head_widget = widget  # type: ignore[attr-defined] # the switcher in the head
        days = days_of(request)
        found = gaps_of(widget_id=widget.pk, window=days.window, limit=MOST) if days.window is not None else []
        may_write_rules = self.admin_site._registry[Rule].has_add_permission(request)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": self.name_of_list(),
            "original": widget,
            "days": days.fields,
            "refusal": days.refusal,
            "may_change": may_change,
            "gaps": [_told(gap, widget.pk, may_write_rules=may_write_rules) for gap in found],
        }
        return TemplateResponse(request, "articles/gaps.html", context, status=422 if days.refusal else 200)

    def _begun(self, request: HttpRequest, widget: Any) -> HttpResponse:
        """Leads to the editor of the draft about the question."""
        id_ = request.POST.get("gap", "")[:100]
        try:
            article, is_new = draft_about(widget_id=widget.pk, id_=id_, actor=str(user_of(request)))
        except Problem as problem:
            messages.error(request, words_of(problem))
            return HttpResponseRedirect(request.get_full_path())
        if is_new:
            messages.success(request, gettext("A draft is begun: read it, complete it, publish it."))
        text = ArticleText.objects.for_widget(widget.pk).filter(article=article).order_by("pk").first()
        return HttpResponseRedirect(editor_of(article.pk, text.lang if text else ""))


def _told(gap: Gap, widget_id: int, *, may_write_rules: bool) -> dict[str, Any]:
    if gap.id.source == GapSource.SEARCH:
        told = ngettext("Searched %(count)s time", "Searched %(count)s times", gap.count) % {"count": gap.count}
    else:
        told = ngettext("Asked %(count)s time", "Asked %(count)s times", gap.count) % {"count": gap.count}
        in_chats = ngettext("in %(count)s chat", "in %(count)s chats", gap.chats or 0) % {"count": gap.chats or 0}
        told = f"{told} {in_chats}"
    before = gettext("%(count)s in as many days before") % {"count": gap.previous_count}
    parts = [told, before, NAMES.get(gap.lang or "", "")]
    query = urlencode({"question": gap.topic, "widget": str(widget_id)})
    return {
        "id": str(gap.id),
        "topic": gap.topic,
        "told": " · ".join(part for part in parts if part),
        "samples": [sample for sample in gap.samples if sample != gap.topic][:SAMPLES],
        "article": gap.article_id and editor_of(gap.article_id, ""),
        "rule": f"{reverse('admin:kb_rule_add')}?{query}" if may_write_rules else "",
    }
