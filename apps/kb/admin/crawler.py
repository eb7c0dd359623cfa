"""The cabinet's pages of the crawler: its configuration, and how its runs go."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.accounts.cabinet import AccessLevel, TenantAdmin, display_value
from apps.accounts.models import Widget
from apps.core.problems import Problem
from apps.kb.actions.crawler import delete_crawler, replace_crawler
from apps.kb.forms import CrawlerForm
from apps.kb.models import Crawler, CrawlRun
from apps.kb.rules.crawling import ACTIVE, RUN_DETAILS, RunError

REFRESH_S = 5


@admin.register(Crawler)
class CrawlerAdmin(TenantAdmin):
    account_path = "widget__account_id"
    may_add = AccessLevel.ACCOUNT
    may_change = AccessLevel.ACCOUNT
    may_delete = AccessLevel.ACCOUNT
    titles = (_("crawled website"), _("crawled websites"))
    labels = {"widget": _("widget"), "next_run_at": _("next crawl"), "max_pages": _("pages at most")}
    list_display = ("addresses", "widget", "max_pages", "next_run_at")
    list_select_related = ("widget",)
    ordering = ("widget",)
    fields = ("addresses", "widget", "max_pages", "next_run_at")
    readonly_fields = fields

    @admin.display(description=_("start addresses"))
    def addresses(self, crawler: Crawler) -> str:
        return ", ".join(crawler.start_urls)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """The form of a new configuration, for a widget that has none."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        widgets = self.own_choices(Widget, request).filter(kb_crawler=None)
        return self._page(request, CrawlerForm(request.POST or None, widgets=widgets), gettext("Crawl a website"))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The same of the one that is there; who may not change it reads."""
        crawler: Crawler = self.get_object(request, object_id)
        if not self.has_change_permission(request, crawler):
            response: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
            return response
        widgets = self.own_choices(Widget, request).filter(pk=crawler.pk)
        form = CrawlerForm.of(crawler, request.POST or None, widgets=widgets)
        return self._page(request, form, gettext("Crawled website"), crawler)

    def _page(
        self, request: HttpRequest, form: CrawlerForm, title: str, crawler: Crawler | None = None
    ) -> HttpResponse:
        if request.method == "POST" and form.is_valid() and self._replaced(request, form):
            return HttpResponseRedirect(reverse("admin:kb_crawlrun_changelist"))
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "form": form,
            "opts": self.opts,
            "note": gettext("Saving it crawls the site at once."),
            "back": reverse("admin:kb_crawler_changelist"),
            "remove": crawler and reverse("admin:kb_crawler_delete", args=[crawler.pk]),
        }
        return TemplateResponse(request, "admin/kb/form.html", context)

    def _replaced(self, request: HttpRequest, form: CrawlerForm) -> bool:
        try:
            replace_crawler(widget_id=form.cleaned_data["widget"].pk, values=form.values)
        except Problem as problem:
            form.add_error(None, problem.detail or problem.type.title)
            return False
        messages.success(request, gettext("The site is queued to be crawled."))
        return True

    def remove(self, request: HttpRequest, obj: Crawler) -> None:
        """Deletes the crawler; crawled rules stay, and their sources are deleted separately."""
        delete_crawler(widget_id=obj.pk, delete_rules=False)


@admin.register(CrawlRun)
class CrawlRunAdmin(TenantAdmin):
    """The page of crawls; a crawl under way reloads its page."""

    account_path = "widget__account_id"
    titles = (_("crawl"), _("crawls"))
    labels = {
        "widget": _("widget"),
        "queued_at": _("queued"),
        "started_at": _("started"),
        "finished_at": _("finished"),
        "found": _("pages found"),
        "fetched": _("fetched"),
        "changed": _("new or changed"),
        "unchanged": _("unchanged"),
        "skipped": _("skipped"),
        "failed": _("failed pages"),
        "removed": _("removed"),
        "rules_written": _("rules written"),
    }
    list_display = ("queued_at", "widget", "how_far", "found", "fetched", "changed", "unchanged", "failed", "removed")
    list_filter = ("widget", "state")
    list_select_related = ("widget",)
    ordering = ("-id",)
    fields = (
        *("widget", "how_far", "why", "queued_at", "started_at", "finished_at", "found", "fetched", "changed"),
        *("unchanged", "skipped", "failed", "removed", "rules_written", "pages_without_rules"),
    )
    readonly_fields = fields

    @admin.display(description=_("state"), ordering="state")
    def how_far(self, run: CrawlRun) -> str:
        return display_value(run.state)

    @admin.display(description=_("why not"))
    def why(self, run: CrawlRun) -> str:
        return RUN_DETAILS[RunError(run.error_code)] if run.error_code else ""

    @admin.display(description=_("pages without rules"))
    def pages_without_rules(self, run: CrawlRun) -> Any:
        rows = ((problem["reason"], problem["url"]) for problem in run.problems)
        return format_html("<ul>{}</ul>", format_html_join("", "<li><code>{}</code> {}</li>", rows))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        response: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
        if self.get_object(request, object_id).state in ACTIVE:
            response.headers["Refresh"] = str(REFRESH_S)
        return response
