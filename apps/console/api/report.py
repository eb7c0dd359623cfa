"""An operator's own report."""

from typing import Any

from django.utils import timezone

from apps.console.authentication import SessionAuthenticator
from apps.console.querysets.page import HAS_REPORTS
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.row_serializers import RowSerializer
from apps.core.endpoints.serializers import Integer, Query, Text
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.errors import NOT_FOUND
from apps.reports.serializers import ReportSerializer, shown_report

_TEAMS = ("first_reply", "person_reply")


class OwnReportQuery(Query):
    """The days of a report."""

    vars()["from"] = Text(required=False, help_text="Inclusive. Default: 30 days before `to`.")
    to = Text(required=False, help_text="Exclusive. A bare date is its midnight in the widget's zone. Default: now.")


class TeamTimesSerializer(RowSerializer):
    """Times of all operators, in seconds, without a list."""

    n = Integer()
    p50 = Integer(allow_null=True)
    p90 = Integer(allow_null=True)


class TeamSerializer(RowSerializer):
    """The times of the widget, beside which an operator's own stand."""

    first_reply = TeamTimesSerializer()
    person_reply = TeamTimesSerializer()


class OwnReportSerializer(ReportSerializer):
    """The figures of the episodes in which the caller wrote an answer; theirs alone, and no ranking."""

    team = TeamSerializer()


class OwnReportViewSet(EndpointViewSet):
    authenticator = SessionAuthenticator()

    @operation(summary="Show my report", filters=OwnReportQuery, answers=OwnReportSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """As `GET /v1/reports` with the caller's own `agent_id`; `team`: the same times of all, without names."""
        if not HAS_REPORTS:
            raise NOT_FOUND()
        from apps.reports.actions.reports import report_of
        from apps.reports.querysets.questions import question_asked
        from apps.reports.rules.reports import OF_REPORT

        asked = {name: value for name, value in context.filters.items() if value}
        query = question_asked(context.widget_id, asked, now=timezone.now(), takes=OF_REPORT)
        own = shown_report(report_of(context.widget_id, query.narrowed(agent_id=(context.caller.agent.pk,))))
        of_all = shown_report(report_of(context.widget_id, query))["figures"]
        return {**own, "team": {name: {each: of_all[name][each] for each in ("n", "p50", "p90")} for name in _TEAMS}}
