"""Reports over REST: figures, and the episodes behind each."""

from collections.abc import Collection

from django.http import StreamingHttpResponse
from django.utils import timezone

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.paging import Page, PageQuery
from apps.core.endpoints.serializers import Choice, Query
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.parsing.periods import Period
from apps.reports.actions.files import CONTENT_TYPES, FORMATS, ROWS, file_of
from apps.reports.actions.reports import episodes_page, report_of
from apps.reports.errors import TOO_MANY_ROWS
from apps.reports.querysets.questions import question_asked
from apps.reports.rules.figures import FIGURES, TIMES
from apps.reports.rules.filters import FILTERS
from apps.reports.rules.reports import CLOCKS, GROUPS, OF_EPISODES, OF_REPORT, ReportQuery
from apps.reports.serializers import EpisodeSerializer, Parameter, ReportSerializer, shown_report


class AskedQuery(Query):
    """The window, in a time zone, and filters. In a filter a comma is *or*; several filters are *and*."""

    vars()["from"] = Parameter(
        help_text="Inclusive. Read in `zone` unless it has an offset. Default: 30 days before `to`."
    )
    to = Parameter(help_text="Exclusive. A bare date is its midnight. Default: now.")
    period = Parameter(help_text=f"In `zone`, instead of `from` and `to`: {', '.join(Period)}.")
    zone = Parameter(help_text="IANA time zone by which days are cut. Default: the widget's.")
    clock = Parameter(
        help_text=f"{', '.join(CLOCKS)}: whether waits count always, or in open time only, by the hours as they are."
    )
    for _name, _filter in FILTERS.items():
        _none = " `none`: without one." if _filter.may_be_none else ""
        vars()[_name] = Parameter(help_text=_filter.help_text + _none)


class ReportParameters(AskedQuery):
    """The window and filters of a report, its groups, and the window to compare it with."""

    group = Parameter(help_text=f"{', '.join(GROUPS)}.")
    compare = Parameter(help_text="`before`: with the window before.")


class EpisodeParameters(PageQuery, AskedQuery):
    """The episodes of a list: those behind a figure."""

    figure = Parameter(help_text=f"The figure whose list it is: {', '.join(FIGURES)}. Default: `episodes`.")
    slowest = Parameter(help_text=f"1: the slowest, of a figure of times ({', '.join(each.name for each in TIMES)}).")


class ExportParameters(AskedQuery):
    """The rows of a file, and its format; with `rows=report` the parameters of a report, else those of episodes."""

    group = Parameter(help_text=f"With `rows=report`: {', '.join(GROUPS)}.")
    compare = Parameter(help_text="`before`, with `rows=report`; the file has the window alone all the same.")
    figure = Parameter(help_text="The figure of the list, with `rows=episodes`. Default: `episodes`.")
    slowest = Parameter(help_text="1, with `rows=episodes`: the slowest, of a figure of times.")
    rows = Choice(required=False, choices=ROWS, help_text=f"Default: `{ROWS[0]}`.")
    vars()["format"] = Choice(required=False, choices=FORMATS, help_text=f"Default: `{FORMATS[0]}`.")


class ReportViewSet(ApiViewSet):
    reads = ("stats:read",)

    @operation(summary="Read a report", filters=ReportParameters, answers=ReportSerializer, compresses="long")
    def total(self, context: RequestContext) -> Answer:
        """The figures of the episodes that were opened in the window, whenever the rest happened: so the last seven
        days may still move. Each figure has the address of its list. A group's figures are those of the report with its
        filter. Percentiles are by nearest rank.
        """
        return shown_report(report_of(context.widget_id, asked(context, OF_REPORT)))

    @operation(
        summary="List episodes",
        filters=EpisodeParameters,
        answers=EpisodeSerializer,
        lists=True,
        compresses="long",
    )
    def episodes(self, context: RequestContext) -> Page:
        """The episodes behind a figure, newest opened first. No visitor's words are in them."""
        found = episodes_page(context.widget_id, asked(context, OF_EPISODES), context.cursor, context.limit)
        return Page(found.rows, found.next_cursor)

    @operation(
        summary="Export a report",
        filters=ExportParameters,
        media_type=CONTENT_TYPES["csv"],
        streams=True,
        problems=(TOO_MANY_ROWS,),
    )
    def export(self, context: RequestContext) -> StreamingHttpResponse:
        """A file: of a report one line a group (of the key `all` without), of episodes one line each. A text that a
        spreadsheet would take for a formula begins with an apostrophe. A workbook has at most 100,000 rows.
        """
        chosen = _chosen(context, "rows", ROWS), _chosen(context, "format", FORMATS)
        query = asked(context, OF_REPORT if chosen[0] == ROWS[0] else OF_EPISODES)
        name, content_type, pieces = file_of(context.widget_id, query, *chosen)
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return StreamingHttpResponse(pieces, content_type=content_type, headers=headers)


def _chosen(context: RequestContext, name: str, choices: tuple[str, ...]) -> str:
    return str(context.filters.pop(name, choices[0]))


def asked(context: RequestContext, takes: Collection[str]) -> ReportQuery:
    """The question of a call. Raises INVALID_INPUT (422)."""
    return question_asked(context.widget_id, context.filters, now=timezone.now(), takes=takes)
