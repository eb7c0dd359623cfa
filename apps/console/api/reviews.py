"""Reviews of chats: the scorecard, the queue, scores, the operator's reply, and a model's suggestion."""

from typing import Any

from django.apps import apps as django_apps

from apps.agents.models import Agent
from apps.ai.serializers.requests import MAX_ID, Id
from apps.assists.errors import ASSIST_UNAVAILABLE, BUDGET_EXHAUSTED, TOO_MANY_ASSISTS
from apps.chats.models import Chat
from apps.console.authentication import SessionAuthenticator
from apps.console.errors import MANAGERS_ONLY
from apps.console.querysets.page import HAS_REVIEWS
from apps.core.endpoints.calls import RequestContext
from apps.core.endpoints.operations import WithStatus, operation
from apps.core.endpoints.paging import Page, PageQuery
from apps.core.endpoints.serializers import (
    Body,
    Boolean,
    Choice,
    Integer,
    Items,
    Query,
    QueryInteger,
    Text,
    validator_of,
)
from apps.core.endpoints.viewsets import EndpointViewSet
from apps.core.errors import INVALID_INPUT, NOT_FOUND
from apps.reviews.errors import ALREADY_ANSWERED, NOT_YOURS, OWN_REVIEW, REVIEW_CHANGED, SCORECARD_CHANGED
from apps.reviews.rules.scorecards import (
    MAX_ABOUT,
    MAX_CRITERIA,
    MAX_KEY,
    MAX_SAMPLE,
    MAX_TITLE,
    MAX_WEIGHT,
    Applies,
    CriterionScale,
    Flag,
    Prefill,
    key_refusal,
)
from apps.reviews.rules.scores import MAX_COMMENT, MAX_NOTE, MAX_REPLY, Origin, ReviewState
from apps.reviews.serializers import AgreementSerializer, ReviewSerializer, ScorecardSerializer, for_operators

# Without the app there are no rows: each call of one is 404.
REVIEW: Any = django_apps.get_model("reviews", "Review") if HAS_REVIEWS else Chat
_MAX_VERSION = 2**31 - 1


class Version(Integer):
    """The version of the changed object."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=_MAX_VERSION, **options)


class CriterionBody(Body):
    """A question about an episode."""

    key = Text(max_length=MAX_KEY, validators=[validator_of(key_refusal)])
    title = Text(max_length=MAX_TITLE)
    about = Text(required=False, default="", allow_blank=True, max_length=MAX_ABOUT)
    scale = Choice(choices=list(CriterionScale))
    weight = Integer(required=False, default=1, min_value=1, max_value=MAX_WEIGHT)
    is_critical = Boolean(required=False, default=False)
    applies = Choice(required=False, default=Applies.BOTH.value, choices=list(Applies))


class ScorecardBody(Body):
    """The scorecard as it is to be from now on. Members that are not named stay."""

    version = Version(help_text="The version that was read.")
    criteria = CriterionBody(  # type: ignore[call-arg]
        required=False,
        many=True,
        allow_empty=False,
        max_length=MAX_CRITERIA,
        help_text=f"1 to {MAX_CRITERIA}, each key once.",
    )
    per_operator = Integer(required=False, min_value=0, max_value=MAX_SAMPLE)
    ai = Integer(required=False, min_value=0, max_value=MAX_SAMPLE)
    flags = Items(required=False, child=Choice(choices=list(Flag)), max_length=len(Flag))
    prefill = Choice(required=False, choices=list(Prefill))


class ScorecardQuery(Query):
    """An older version."""

    version = QueryInteger(required=False, min_value=1, max_value=_MAX_VERSION, help_text="Default: the newest.")


class ReviewsQuery(PageQuery):
    """The filters of the list."""

    state = Choice(required=False, choices=list(ReviewState))
    agent_id = QueryInteger(required=False, min_value=1, max_value=MAX_ID, help_text="The operator who is scored.")
    origin = Choice(required=False, choices=list(Origin))


class ReviewBody(Body):
    """A chat that is to be reviewed."""

    chat_id = Id()
    episode_id = Id(required=False, help_text="Default: the newest that has ended.")
    agent_id = Id(required=False, help_text="Default: who wrote its last answer.")


class ScoreBody(Body):
    """A score by one criterion."""

    key = Text(max_length=MAX_KEY)
    value = Integer(allow_null=True, help_text="Null: it does not apply here.")
    note = Text(required=False, default="", allow_blank=True, max_length=MAX_NOTE)


class ScoresBody(Body):
    """The scores of a review: each criterion that applies once."""

    version = Version(help_text="The review's version that was read.")
    scores = ScoreBody(many=True, max_length=MAX_CRITERIA)  # type: ignore[call-arg]
    comment = Text(required=False, allow_blank=True, max_length=MAX_COMMENT)


class SettleBody(Body):
    """The end of a review, with other scores or the same."""

    version = Version(help_text="The review's version that was read.")
    scores = ScoreBody(required=False, many=True, max_length=MAX_CRITERIA)  # type: ignore[call-arg]
    comment = Text(required=False, allow_blank=True, max_length=MAX_COMMENT)


class ReviewReplyBody(Body):
    """The words of who was scored."""

    text = Text(min_length=1, max_length=MAX_REPLY)


def _managers_only(context: RequestContext) -> None:
    if not context.caller.is_manager:
        raise MANAGERS_ONLY()


def _installed() -> None:
    if not HAS_REVIEWS:
        raise NOT_FOUND()


class ScorecardViewSet(EndpointViewSet):
    """The scorecard of the widget."""

    authenticator = SessionAuthenticator()

    @operation(summary="Show the scorecard", filters=ScorecardQuery, answers=ScorecardSerializer)
    def retrieve(self, context: RequestContext) -> Any:
        """The newest version, or an older one. Five criteria stand there from the first day, as version 1."""
        _installed()
        from apps.reviews.querysets.scorecards import scorecard_of, scorecard_version

        if (version := context.filters.get("version")) is None:
            return scorecard_of(context.widget_id)
        if (card := scorecard_version(context.widget_id, version)) is None:
            raise INVALID_INPUT(errors={"version": ["There is no such version."]})
        return card

    @operation(
        summary="Change the scorecard",
        takes=ScorecardBody,
        answers=ScorecardSerializer,
        problems=(MANAGERS_ONLY, SCORECARD_CHANGED),
        example={
            "version": 1,
            "criteria": [{"key": "correct", "title": "The answer is right", "scale": "yes_no", "weight": 5}],
            "prefill": "reviews",
        },
    )
    def update(self, context: RequestContext) -> Any:
        """Makes a new version, which reviews of before do not have. For owners and managers of the account."""
        _installed()
        _managers_only(context)
        from apps.reviews.actions.scorecards import change_scorecard

        changes = dict(context.body)
        return change_scorecard(widget_id=context.widget_id, version=changes.pop("version"), changes=changes)


class ConsoleReviewViewSet(EndpointViewSet):
    """Reviews: all of them for managers; for operators those of their own that are not open, others are 404."""

    authenticator = SessionAuthenticator()
    target = REVIEW

    @operation(summary="List reviews", filters=ReviewsQuery, answers=ReviewSerializer, lists=True)
    def list(self, context: RequestContext) -> Page:
        """Newest first."""
        _installed()
        agent_id = context.filters.get("agent_id")
        if agent_id is not None and not Agent.objects.for_widget(context.widget_id).filter(pk=agent_id).exists():
            raise INVALID_INPUT(errors={"agent_id": ["There is no such operator."]})
        page = context.page(self._seen(context))
        return page if context.caller.is_manager else Page([for_operators(row) for row in page.data], page.next_cursor)

    @operation(
        summary="Review a chat",
        takes=ReviewBody,
        answers=ReviewSerializer,
        status=(201, 200),
        problems=(MANAGERS_ONLY,),
        example={"chat_id": 7},
    )
    def create(self, context: RequestContext) -> WithStatus:
        """The review of an episode that has ended, for who wrote its last answer; 200 with the one that is there."""
        _installed()
        _managers_only(context)
        from apps.reviews.actions.reviews import start_review

        started = start_review(widget_id=context.widget_id, **context.body)
        return WithStatus(201 if started.is_new else 200, self._shown(context, started.review.pk))

    @operation(summary="Show a review", answers=ReviewSerializer)
    def retrieve(self, context: RequestContext) -> dict[str, Any]:
        """Its criteria are those of its `scorecard_version` that apply to its subject."""
        _installed()
        return self._shown(context, context.target_id)

    @operation(
        summary="Score a review",
        takes=ScoresBody,
        answers=ReviewSerializer,
        problems=(MANAGERS_ONLY, OWN_REVIEW, REVIEW_CHANGED),
        example={"version": 1, "scores": [{"key": "correct", "value": 1, "note": ""}], "comment": "Well done."},
    )
    def score(self, context: RequestContext) -> dict[str, Any]:
        """Each criterion that applies once; null where it does not apply here. For owners and managers."""
        _installed()
        _managers_only(context)
        from apps.reviews.actions.reviews import save_scores

        review = save_scores(agent=context.caller.agent, review_id=context.target_id, **context.body)
        return ReviewSerializer.show(review)

    @operation(
        summary="Reply to a review",
        takes=ReviewReplyBody,
        answers=ReviewSerializer,
        problems=(NOT_YOURS, ALREADY_ANSWERED, REVIEW_CHANGED),
        example={"text": "The price was right on that day."},
    )
    def reply(self, context: RequestContext) -> dict[str, Any]:
        """The words of the operator whose answers were scored, once."""
        _installed()
        from apps.reviews.actions.reviews import reply_to_review

        caller = context.caller
        reply_to_review(
            agent=caller.agent, is_manager=caller.is_manager, review_id=context.target_id, text=context.body["text"]
        )
        return self._shown(context, context.target_id)

    @operation(
        summary="Settle a review",
        takes=SettleBody,
        answers=ReviewSerializer,
        problems=(MANAGERS_ONLY, OWN_REVIEW, REVIEW_CHANGED),
        example={"version": 3, "comment": "Agreed: the price was right."},
    )
    def settle(self, context: RequestContext) -> dict[str, Any]:
        """Ends it, with other scores or the same. For owners and managers."""
        _installed()
        _managers_only(context)
        from apps.reviews.actions.reviews import settle_review

        review = settle_review(agent=context.caller.agent, review_id=context.target_id, **context.body)
        return ReviewSerializer.show(review)

    @operation(
        summary="Have a model score a review",
        answers=ReviewSerializer,
        status=202,
        problems=(MANAGERS_ONLY, ASSIST_UNAVAILABLE, BUDGET_EXHAUSTED, TOO_MANY_ASSISTS),
    )
    def suggest(self, context: RequestContext) -> dict[str, Any]:
        """In the background, with quotes that stand in the chat. Nothing of it counts until a person saves."""
        _installed()
        _managers_only(context)
        from apps.reviews.actions.suggestions import ask_suggestion

        return ReviewSerializer.show(ask_suggestion(agent=context.caller.agent, review_id=context.target_id))

    @operation(
        summary="Show how far the model agrees with people",
        answers=AgreementSerializer,
        lists="whole",
        problems=(MANAGERS_ONLY,),
    )
    def agreement(self, context: RequestContext) -> Page:
        """By criterion, of reviews that were scored blind: every fifth. For owners and managers."""
        _installed()
        _managers_only(context)
        from apps.reviews.querysets.agreement import agreement_with

        return context.whole([each._asdict() for each in agreement_with(context.widget_id)])

    def _seen(self, context: RequestContext) -> Any:
        caller = context.caller
        return REVIEW.objects.for_widget(context.widget_id).seen_by(caller.agent.pk, is_manager=caller.is_manager)

    def _shown(self, context: RequestContext, review_id: int) -> dict[str, Any]:
        rows = self._seen(context).for_api().select_related("reviewer")
        shown = ReviewSerializer.show(rows.get_or_404(pk=review_id))
        return shown if context.caller.is_manager else for_operators(shown)
