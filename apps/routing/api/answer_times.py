"""The figures of answer times, over REST."""

from typing import Any

from django.utils import timezone

from apps.agents.models import Department
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page
from apps.core.endpoints.row_serializers import RowSerializer
from apps.core.endpoints.serializers import Choice, Integer, QueryInteger
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.endpoints.windows import PeriodQuery, window_asked_for
from apps.core.errors import INVALID_INPUT
from apps.routing.querysets.clocks import figures
from apps.routing.rules.clocks import SlaMetric


class AnswerTimesQuery(PeriodQuery):
    """The window in which clocks began, and whose chats they are of."""

    department_id = QueryInteger(
        required=False, min_value=1, max_value=2**63 - 1, help_text="Only the chats of this department."
    )


class AnswerTimeFigureSerializer(RowSerializer):
    """The answers of one kind that were due in the chats of a department, in open time."""

    metric = Choice(choices=list(SlaMetric))
    department_id = Integer(allow_null=True, help_text="Null: the chats without a department.")
    count = Integer(help_text="Answers that came, were given up or missed: `met`, `missed` and `given_up`.")
    met = Integer(help_text="They came in time.")
    missed = Integer(help_text="They did not come in time, and may not have come yet.")
    given_up = Integer(help_text="The chat was closed, needed no answer or was spam before they were due.")
    p50_seconds = Integer(allow_null=True, help_text="The answers that came, by nearest rank. Null: none did.")
    p90_seconds = Integer(allow_null=True, help_text="The answers that came, by nearest rank. Null: none did.")


class AnswerTimesViewSet(ApiViewSet):
    reads = ("stats:read",)

    @operation(
        summary="Read the figures of answer times",
        filters=AnswerTimesQuery,
        lists="whole",
        answers=AnswerTimeFigureSerializer,
    )
    def list(self, context: RequestContext) -> Page:
        """By metric and department: the answers whose time began in the window, the trailing 30 days unless told
        otherwise.
        """
        now = timezone.now()
        window = window_asked_for(context.filters, now=now)
        department_id: Any = context.filters.get("department_id")
        if department_id is not None:
            departments = Department.objects.for_widget(context.widget_id)
            if not departments.filter(pk=department_id).exists():
                raise INVALID_INPUT(errors={"department_id": ["There is no such department."]})
        return context.whole(figures(context.widget_id, window, now, department_id=department_id))
