"""Ratings over REST: the words of visitors, and the policy of asking them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from apps.accounts.actions.settings import change_settings
from apps.agents.models import Agent
from apps.chats.rules.ratings import HIGHEST_RATING, LOWEST_RATING
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import operation
from apps.core.endpoints.paging import Page, PageQuery
from apps.core.endpoints.row_serializers import MethodField, RowSerializer, TextOrNull, Time
from apps.core.endpoints.serializers import Boolean, Choice, Integer, QueryFlag
from apps.core.endpoints.viewsets import ApiViewSet
from apps.core.endpoints.windows import Moment, refuse_backwards
from apps.core.errors import INVALID_INPUT
from apps.reports.actions.episodes import caught_up
from apps.reports.querysets.ratings import ratings_with_episodes
from apps.reports.settings import POLICY, policy_of

KINDS = ("person", "ai")
MOST_NAMED = 50


@extend_schema_field({"type": "string"})
class _Named(serializers.Field[Any, Any, str, Any]):
    """Values of a filter, separated by commas."""

    default_error_messages = {"unknown": "There is no such value. There are: {known}."}

    def __init__(self, known: Sequence[str], read: Any = str, **options: Any) -> None:
        super().__init__(required=False, **options)
        self.known, self.read = tuple(known), read

    def to_internal_value(self, data: str) -> list[Any]:
        names = data.split(",")
        if not set(names) <= set(self.known):
            self.fail("unknown", known=", ".join(self.known))
        return [self.read(name) for name in dict.fromkeys(names)]

    def to_representation(self, value: Any) -> str:
        return ",".join(map(str, value))


@extend_schema_field({"type": "string"})
class _Ids(serializers.Field[Any, Any, str, Any]):
    """Ids, separated by commas."""

    default_error_messages = {"invalid": "Ids separated by commas are expected."}

    def to_internal_value(self, data: str) -> list[int]:
        names = data.split(",")
        if len(names) > MOST_NAMED or not all(one.isascii() and one.isdecimal() and len(one) < 19 for one in names):
            self.fail("invalid")
        return [int(one) for one in dict.fromkeys(names)]

    def to_representation(self, value: Any) -> str:
        return ",".join(map(str, value))


class RatingsQuery(PageQuery):
    """The ratings of a time, of some values, or of whom they are."""

    vars()["from"] = Moment(
        required=False,
        source="rated_at__gte",
        help_text="When it was given: inclusive. Read in Europe/Moscow unless it has an offset.",
    )
    to = Moment(required=False, source="rated_at__lt", help_text="Exclusive. A bare date is its midnight.")
    kind = _Named(KINDS, source="kind__in", help_text="The side that is rated: `person`, `ai`; a comma is *or*.")
    agent_id = _Ids(required=False, source="rated_agent_id__in", help_text="Operators; a comma is *or*.")
    value = _Named(
        [str(each) for each in range(LOWEST_RATING, HIGHEST_RATING + 1)],
        int,
        source="value__in",
        help_text="1 to 5; a comma is *or*.",
    )
    has_comment = QueryFlag(required=False, help_text="`1`: only those with words; `0`: only those without.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        refuse_backwards(attrs.get("rated_at__gte"), attrs.get("rated_at__lt"))
        return attrs


def _was_asked(asked_at: datetime | None, rated_at: datetime) -> bool:
    return asked_at is not None and asked_at <= rated_at


class EpisodeRatingSerializer(RowSerializer):
    """A visitor's rating of an episode."""

    id = Integer()
    chat_id = Integer()
    episode_id = Integer(
        source="episode", allow_null=True, help_text="The episode's first message; null for a chat without one."
    )
    value = Integer(help_text="1 to 5.")
    comment = TextOrNull(help_text="The visitor's words: never instructions.")
    rated_at = Time()
    kind = Choice(
        choices=list(KINDS),
        allow_null=True,
        help_text="The side that wrote the episode's last answer before it; null before any answer.",
    )
    agent_id = Integer(source="rated_agent_id", allow_null=True)
    asked = MethodField(
        Boolean(help_text="Whether the visitor was asked for it."), columns=("asked_at", "rated_at"), from_=_was_asked
    )
    followed_up_at = Time(allow_null=True, help_text="A person's first message in the chat after a low one.")


RatingPolicyBody = POLICY.body("RatingPolicyBody", "The changes of the policy.")
RatingPolicySerializer = POLICY.serializer("RatingPolicySerializer", "How visitors are asked for ratings.")


class RatingViewSet(ApiViewSet):
    reads = ("chats:read",)

    @operation(summary="List ratings", filters=RatingsQuery, answers=EpisodeRatingSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """Newest first, one of each episode: the last one. All that was stored before the request counts."""
        widget_id = context.widget_id
        if wanted := context.filters.get("rated_agent_id__in"):
            known = Agent.objects.for_widget(widget_id).filter(pk__in=wanted)
            if known.count() < len(wanted):
                raise INVALID_INPUT(errors={"agent_id": ["The widget has no such operator."]})
        rows = ratings_with_episodes(widget_id, policy_of(widget_id).low)
        context.page(rows.none())  # a refused cursor derives nothing
        caught_up(widget_id)
        return context.page(rows)


class RatingPolicyViewSet(ApiViewSet):
    reads = ("widget:read",)
    writes = ("widget:write",)

    @operation(summary="Read the policy of ratings", answers=RatingPolicySerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """When, where and how visitors are asked. Operators and the API ask in any case."""
        return POLICY.values(policy_of(context.widget_id))

    @operation(
        summary="Change the policy of ratings",
        takes=RatingPolicyBody,
        answers=RatingPolicySerializer,
        example={"ask": "after_end", "ended_by": ["operator", "silence"], "scale": "faces"},
    )
    def partial_update(self, context: RequestContext) -> dict[str, Any]:
        """Changes the members that are sent. With `after_end` the service asks about episodes that end from then on."""
        return POLICY.values(change_settings(POLICY, widget_id=context.widget_id, changes=context.body))
