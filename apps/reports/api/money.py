"""The money of models over REST."""

from django.utils import timezone

from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import Answer, operation
from apps.core.endpoints.serializers import Query
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.parsing.periods import Period
from apps.reports.actions.money import money_report_of
from apps.reports.querysets.questions import question_asked
from apps.reports.rules.money import MONEY_GROUPS, OF_MONEY
from apps.reports.serializers import MoneyReportSerializer, Parameter, shown_money


class MoneyParameters(Query):
    """The window, in a time zone, and the groups."""

    vars()["from"] = Parameter(
        help_text="Inclusive. Read in `zone` unless it has an offset. Default: 30 days before `to`."
    )
    to = Parameter(help_text="Exclusive. A bare date is its midnight. Default: now.")
    period = Parameter(help_text=f"In `zone`, instead of `from` and `to`: {', '.join(Period)}.")
    zone = Parameter(help_text="IANA time zone by which days are cut. Default: the widget's.")
    group = Parameter(help_text=f"{', '.join(MONEY_GROUPS)}.")


class MoneyReportViewSet(ApiViewSet):
    reads = ("stats:read",)

    @operation(
        summary="Read the cost of AI",
        filters=MoneyParameters,
        answers=MoneyReportSerializer,
        compresses="long",
    )
    def total(self, context: RequestContext) -> Answer:
        """The calls of models by the time they were made, as the vendor bills them, at the prices of then:
        a new price changes no past. Currencies are never added. `answered` and `resolved` are the report's
        `ai_involved` and `ai_resolved`, of the episodes that were opened in the window.
        """
        query = question_asked(
            context.widget_id, context.filters, now=timezone.now(), takes=OF_MONEY, groups=MONEY_GROUPS
        )
        return shown_money(money_report_of(context.widget_id, query))
