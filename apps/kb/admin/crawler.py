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

from apps.accounts.models import Widget
from apps.cabinet.coded_values import display_value
from apps.cabinet.log_admin import LogAdmin
from apps.cabinet.menu import MenuTab
from apps.cabinet.tenant_admin import AccessLevel, TenantAdmin
from apps.core.problems import Problem
from apps.kb.actions.crawler import delete_crawler, replace_crawler
from apps.kb.forms import CrawlerForm
from apps.kb.labels import PAGE_NOTES
from apps.kb.models import Crawler, CrawlPage, CrawlRun, KnowledgeBase, Source
from apps.kb.rules.crawling import ACTIVE, RUN_DETAILS, PageNote, PageReason, PageState, RunError, crawl_ref

REFRESH_S = 5
MOST_PAGES = 500
WHY_NOT = {
    PageReason.ROBOTS: _("The site's robots.txt keeps it from being read."),
    PageReason.NOINDEX: _("The page asks not to be indexed."),
    PageReason.OFF_HOST: _("It leads to another site."),
    PageReason.TOO_DEEP: _("It is more links away than the crawl goes."),
    PageReason.EXCLUDED: _("Its path is left out by the settings."),
    PageReason.TIMEOUT: _("The site did not answer in time."),
    PageReason.UNREACHABLE: _("The site did not answer."),
    PageReason.BLOCKED_ADDRESS: _("Its address is none that may be called."),
    PageReason.TOO_LARGE: _("The page is too large."),
    PageReason.NOT_TEXT: _("It is no page of text."),
    PageReason.EMPTY: _("It has no text."),
    PageReason.DUPLICATE: _("Another page says the same."),
    PageReason.REDIRECTS: _("It leads on too often."),
    PageReason.LOGIN: _("It is for people who are signed in."),
}


def outcome_of(page: CrawlPage, chunks: int) -> str:
    """The outcome of a page, in words."""
    if page.state == PageState.QUEUED:
        return gettext("not read yet")
    if page.note and page.reason:
        return str(PAGE_NOTES[PageNote(page.note)])
    if page.reason.startswith("status_"):
        return gettext("The site answered %(status)s.") % {"status": page.reason.removeprefix("status_")}
    if page.reason:
        return str(WHY_NOT[PageReason(page.reason)])
    if not chunks:
        return gettext("It leads to another page.")
    pieces = gettext("%(chunks)s pieces") % {"chunks": chunks}
    return f"{pieces}. {PAGE_NOTES[PageNote(page.note)]}" if page.note else pieces


@admin.register(Crawler)
class CrawlerAdmin(TenantAdmin):
    menu = MenuTab(KnowledgeBase, 40, _("Websites"))
    purpose = _("Websites whose pages are read again and again, so that answers stay right.")
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
class CrawlRunAdmin(LogAdmin):
    """The page of crawls; a crawl under way reloads its page."""

    menu = MenuTab(KnowledgeBase, 50, _("Crawls"))
    purpose = _("Each reading of a website: what was found, and what could not be read.")
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
    fields = (
        *("widget", "how_far", "why", "queued_at", "started_at", "finished_at", "found", "fetched", "changed"),
        *("unchanged", "skipped", "failed", "removed", "rules_written", "pages"),
    )

    @admin.display(description=_("state"), ordering="state")
    def how_far(self, run: CrawlRun) -> str:
        return display_value(run.state)

    @admin.display(description=_("why not"))
    def why(self, run: CrawlRun) -> str:
        return RUN_DETAILS[RunError(run.error_code)] if run.error_code else ""

    @admin.display(description=_("pages"))
    def pages(self, run: CrawlRun) -> Any:
        """Each page that this run saw last, and its outcome; an older run still names what it had no rules of."""
        found = list(CrawlPage.objects.for_widget(run.widget_id).filter(run=run).order_by("depth", "id")[:MOST_PAGES])
        refs = [crawl_ref(page.url) for page in found]
        chunks = dict(Source.objects.for_widget(run.widget_id).filter(ref__in=refs).values_list("ref", "chunks"))
        rows = [(page.url, page.reason, outcome_of(page, chunks.get(crawl_ref(page.url), 0))) for page in found]
        seen = {page.url for page in found}
        rows += [(one["url"], one["reason"], "") for one in run.problems if one["url"] not in seen]
        lines = format_html_join("", "<li>{} <code>{}</code> {}</li>", rows)
        if len(found) < MOST_PAGES:
            return format_html("<ul>{}</ul>", lines)
        return format_html("<ul>{}</ul><p>{}</p>", lines, gettext("and more pages, which are not listed here"))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        response: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
        if self.get_object(request, object_id).state in ACTIVE:
            response.headers["Refresh"] = str(REFRESH_S)
        return response
