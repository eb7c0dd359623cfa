"""Bodies and queries that several entry points of self-learning take."""

from apps.ai.serializers.requests import MAX_ID
from apps.core.endpoints.serializers import Query, QueryInteger

APPLY = ("ai:apply",)
WHOSE = "Default: the widget's default assistant."
MIN_WISH, MAX_WISH = 3, 2_000


class TargetQuery(Query):
    """The assistant whose text it is."""

    assistant_id = QueryInteger(required=False, min_value=1, max_value=MAX_ID, help_text=WHOSE)
