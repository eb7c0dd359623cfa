"""The cabinet's pages of reports: the overview with the lists behind it, operators, ratings; and their files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext_lazy as _

from apps.cabinet.menu import MenuPlace
from apps.cabinet.refusals import words_of
from apps.cabinet.tenant_admin import AccessLevel
from apps.cabinet.widget_pages import WidgetPageAdmin
from apps.core.problems import Problem
from apps.reports.actions.files import FORMATS, file_of
from apps.reports.cabinet.episodes import episodes_context
from apps.reports.cabinet.figures import OF_OPERATORS, OF_OVERVIEW, OF_RATINGS, Lists
from apps.reports.cabinet.menu import REPORTS
from apps.reports.cabinet.money import money_context
from apps.reports.cabinet.pages import ReportSection, file_links, read_question, report_context
from apps.reports.cabinet.ratings import newest_ratings
from apps.reports.labels import TITLES
from apps.reports.models.pages import WidgetMoneyReport, WidgetOperatorsReport, WidgetRatingsReport, WidgetReport
from apps.reports.rules.reports import OF_EPISODES, OF_REPORT, address

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# Pages that stand elsewhere and that reports lead to.
ELSEWHERE = {
    "ai.evaluationcase": _("How AI answers test questions"),
    "ai.exchange": _("Calls of models and their cost"),
}


class ReportPage(WidgetPageAdmin):
    """A page of a widget's report. Its address is the query of the report; the form tells impossible values."""

    section: ClassVar[ReportSection]
    template: ClassVar[str] = "reports/report.html"
    account_path = "account_id"
    list_display = ("name",)
    ordering = ("name",)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Leads to the page of the current widget, with the query."""
        answer = super().changelist_view(request, extra_context)
        query = request.META.get("QUERY_STRING", "")
        if isinstance(answer, HttpResponseRedirect) and query:
            return HttpResponseRedirect(f"{answer.url}?{query}")
        return answer

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        widget = self.widget_of(request, object_id)
        found = self.found(request, widget)
        context = {
            **self.admin_site.each_context(request),
            "title": self.name_of_list(),
            "opts": self.opts,
            "original": widget,
            **found,
        }
        return TemplateResponse(request, self.template, context, status=422 if found["refused"] else 200)

    def found(self, request: HttpRequest, widget: Any) -> dict[str, Any]:
        """The report of the address with its surroundings; `refused`: the address names impossible values."""
        found = report_context(widget, request.GET.dict(), self.section, lists_of(widget.pk))
        if found["refused"]:
            return found
        files = reverse("admin:reports_widgetreport_file", args=[widget.pk, "report"])
        links = file_links(files, address(found["asked"]))
        return {**found, "files": links, **self.beside(request, widget, found)}

    def beside(self, request: HttpRequest, widget: Any, found: dict[str, Any]) -> dict[str, Any]:
        """The context of a page besides its report."""
        return {}

    def widget_of(self, request: HttpRequest, object_id: str) -> Any:
        """The widget of the page; it is one to read."""
        widget = self.get_object(request, object_id)
        if not self.has_view_permission(request, widget) or request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        request.head_widget = widget  # type: ignore[attr-defined] # the switcher in the head
        return widget


def _list_of(page: Any) -> str:
    return reverse(f"admin:{page.opts.app_label}_{page.opts.model_name}_changelist")


def lists_of(widget_id: int) -> Lists:
    """The lists of a widget's episodes."""
    return Lists(reverse("admin:reports_widgetreport_episodes", args=[widget_id]))


@admin.register(WidgetReport)
class WidgetReportAdmin(ReportPage):
    """The report of a widget, the lists of the episodes behind its figures, and files of both."""

    menu = MenuPlace(REPORTS, 10, _("Overview"))
    purpose = _("How many visitors wrote, how long they waited, and what became of it; each figure opens its chats.")
    titles: ClassVar[tuple[StrOrPromise, StrOrPromise]] = (_("report"), _("reports"))
    section = ReportSection(tuple(TITLES), OF_OVERVIEW, "day", "episodes")

    def get_urls(self) -> list[Any]:
        """With the lists of episodes, and the files."""
        lists, file = self.admin_site.admin_view(self.episodes), self.admin_site.admin_view(self.file)
        return [
            path("<path:object_id>/file/<slug:rows>/", file, name="reports_widgetreport_file"),
            path("<path:object_id>/episodes/", lists, name="reports_widgetreport_episodes"),
            *super().get_urls(),
        ]

    def beside(self, request: HttpRequest, widget: Any, found: dict[str, Any]) -> dict[str, Any]:
        """The ways to the examination and the calls of AI, where they are there and may be seen."""
        pages = [
            page
            for model, page in self.admin_site._registry.items()
            if model._meta.label_lower in ELSEWHERE and page.has_view_permission(request)
        ]
        links = [(ELSEWHERE[page.opts.label_lower], _list_of(page)) for page in pages]
        return {"elsewhere": sorted(links, key=lambda link: str(link[0]))}

    def episodes(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The list of the address: the episodes behind a figure."""
        widget = self.widget_of(request, object_id)
        found = episodes_context(widget, request.GET.dict())
        page = reverse("admin:reports_widgetreport_change", args=[widget.pk])
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "original": widget,
            **found,
            "report": f"{page}?{found['report_query']}" if found["report_query"] else page,
        }
        if not found["refused"]:
            files = reverse("admin:reports_widgetreport_file", args=[widget.pk, "episodes"])
            context["files"] = file_links(files, found["query"])
        return TemplateResponse(request, "reports/episodes.html", context, status=422 if found["refused"] else 200)

    def file(self, request: HttpRequest, object_id: str, rows: str) -> HttpResponseBase:
        """The report of the address (`rows` "report"), or its list ("episodes"), as a file of `format`."""
        widget, given = self.widget_of(request, object_id), request.GET.dict()
        takes = {"report": OF_REPORT, "episodes": OF_EPISODES}.get(rows)
        kind = given.pop("format", FORMATS[0])
        if takes is None or kind not in FORMATS:
            raise Http404
        try:
            file = file_of(widget.pk, read_question(widget.pk, given, takes=takes), rows, kind)
        except Problem as problem:
            context = {**self.admin_site.each_context(request), "title": words_of(problem), "opts": self.opts}
            return TemplateResponse(request, "reports/no_file.html", context, status=422)
        headers = {"Content-Disposition": f'attachment; filename="{file.name}"'}
        return StreamingHttpResponse(file.pieces, content_type=file.content_type, headers=headers)


@admin.register(WidgetOperatorsReport)
class WidgetOperatorsReportAdmin(ReportPage):
    """The report by operator."""

    menu = MenuPlace(REPORTS, 20, _("Operators"))
    purpose = _("The chats that each operator answered, how fast, and how they were rated.")
    titles: ClassVar[tuple[StrOrPromise, StrOrPromise]] = (_("report of operators"), _("report by operator"))
    section = ReportSection(OF_OPERATORS, OF_OPERATORS, "agent", "episodes", has_groups=False)


@admin.register(WidgetMoneyReport)
class WidgetMoneyReportAdmin(ReportPage):
    """The cost of models, by the prices of each call's moment, beside the chats that AI answered and resolved."""

    menu = MenuPlace(REPORTS, 25, _("AI and money"))
    purpose = _("What models cost, by day, assistant, model and purpose, and for each chat that AI answered.")
    titles: ClassVar[tuple[StrOrPromise, StrOrPromise]] = (_("report of AI and money"), _("AI and money"))
    template = "reports/money.html"

    def found(self, request: HttpRequest, widget: Any) -> dict[str, Any]:
        """With ways to the calls, to the keys, where prices stand, and to the settings, for those who may see them."""
        pages = {
            model._meta.label_lower: _list_of(page)
            for model, page in self.admin_site._registry.items()
            if model._meta.label_lower in ("ai.usage", "ai.credential") and page.has_view_permission(request)
        }
        return money_context(widget, request.GET.dict(), lists_of(widget.pk), pages)


@admin.register(WidgetRatingsReport)
class WidgetRatingsReportAdmin(ReportPage):
    """The report of ratings, and the newest of them; comments are for those who may write."""

    menu = MenuPlace(REPORTS, 30, _("Ratings"))
    purpose = _("Who was asked for a rating, who gave one, and which: of people and of AI apart.")
    titles: ClassVar[tuple[StrOrPromise, StrOrPromise]] = (_("report of ratings"), _("ratings"))
    section = ReportSection(OF_RATINGS, OF_RATINGS, "week", "rated")
    template = "reports/ratings.html"

    def beside(self, request: HttpRequest, widget: Any, found: dict[str, Any]) -> dict[str, Any]:
        """The newest ratings of the window."""
        with_comments = self._is_allowed(request, AccessLevel.ACCOUNT, None)
        return {"ratings": newest_ratings(widget.pk, found["asked"]), "with_comments": with_comments}
