"""Scorecards and reviews as they are answered."""

from collections.abc import Sequence
from typing import Any

from apps.core.endpoints.row_serializers import MethodField, RowSerializer, TextList, Time
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Number, Text
from apps.reviews.rules.scorecards import Applies, CriterionScale, Flag, Prefill
from apps.reviews.rules.scores import Origin, ReviewState, SubjectKind, SuggestionState, is_blind


class CriterionSerializer(RowSerializer):
    """A question about an episode."""

    key = Text()
    title = Text()
    about = Text(allow_blank=True)
    scale = Choice(choices=list(CriterionScale), help_text="`yes_no`: 0 and 1; `five`: 1 to 5.")
    weight = Integer()
    is_critical = Boolean(help_text="At its lowest value the whole score is 0.")
    applies = Choice(choices=list(Applies))


class ScorecardSerializer(RowSerializer):
    """A version of the widget's scorecard."""

    json_columns = ("criteria",)

    version = Integer()
    criteria = CriterionSerializer(many=True)
    per_operator = Integer(help_text="How many episodes a week are sampled of each operator.")
    ai = Integer(help_text="How many episodes a week are sampled of AI.")
    flags = TextList(help_text=f"The flags whose episodes are all reviewed: {', '.join(Flag)}.")
    prefill = Choice(
        choices=list(Prefill),
        help_text="A model scores automatically: nothing, open reviews, or also every episode that AI answered in.",
    )


class ReviewSubjectSerializer(RowSerializer):
    """The side whose work is scored."""

    kind = Choice(choices=list(SubjectKind))
    agent_id = Integer(allow_null=True)
    assistant_id = Integer(allow_null=True)


class ReviewScoreSerializer(RowSerializer):
    """A person's score by one criterion."""

    key = Text()
    value = Integer(allow_null=True, help_text="Null: the criterion does not apply here.")
    note = Text(allow_blank=True)


class ReviewQuoteSerializer(RowSerializer):
    """Words that stand in a message of the chat."""

    message_id = Integer()
    text = Text()


class SuggestedScoreSerializer(RowSerializer):
    """A model's score by one criterion."""

    key = Text()
    value = Integer(allow_null=True, help_text="Null: no quote stands in the chat.")
    reason = Text(allow_blank=True)
    quotes = ReviewQuoteSerializer(many=True)


class ReviewSuggestionSerializer(RowSerializer):
    """A model's suggestion. Nothing of it counts until a person saves."""

    state = Choice(choices=list(SuggestionState))
    scores = SuggestedScoreSerializer(many=True)


class ReviewerSerializer(RowSerializer):
    """The person who scored it."""

    id = Integer()
    name = Text()


class ReviewReplySerializer(RowSerializer):
    """The words of who was scored."""

    text = Text()
    at = Time()


def _suggestion(pk: int, state: str, is_at: str, scores: Sequence[Any] | None) -> dict[str, Any]:
    """A blind review's is hidden until a person has scored."""
    is_shown = is_at == SuggestionState.READY and not (is_blind(pk) and state == ReviewState.OPEN)
    return {"state": is_at, "scores": scores if is_shown else []}


def _reviewer(pk: int | None, name: str | None, surname: str | None) -> dict[str, Any] | None:
    return None if pk is None else {"id": pk, "name": f"{name} {surname}".strip()}


def _reply(text: str, at: Any) -> dict[str, Any] | None:
    return None if at is None else {"text": text, "at": _TIME.to_representation(at)}


_TIME = Time()


class ReviewRowSerializer(RowSerializer):
    """A review, without words."""

    id = Integer()
    chat_id = Integer()
    episode_id = Integer(help_text="The episode's first message.")
    subject = ReviewSubjectSerializer(source="*")
    score = Integer(allow_null=True, help_text="0 to 100; null without any value.")
    state = Choice(choices=list(ReviewState))
    done_at = Time(allow_null=True)


class ReviewSerializer(RowSerializer):
    """A review of an episode, for one subject."""

    json_columns = ("scores",)

    id = Integer()
    chat_id = Integer()
    episode_id = Integer(help_text="The episode's first message.")
    subject = ReviewSubjectSerializer(source="*")
    origin = Choice(choices=list(Origin))
    flags = TextList()
    state = Choice(choices=list(ReviewState))
    version = Integer(help_text="Grows with each change; a change names it.")
    scorecard_version = Integer()
    scores = ReviewScoreSerializer(many=True)
    score = Integer(allow_null=True, help_text="0 to 100; null without any value.")
    comment = Text(allow_blank=True)
    reviewer = MethodField(
        ReviewerSerializer(allow_null=True),
        columns=("reviewer_id", "reviewer__name", "reviewer__surname"),
        from_=_reviewer,
    )
    is_blind = MethodField(
        Boolean(help_text="The model's scores are hidden until a person has scored."), columns=("id",), from_=is_blind
    )
    prefill = MethodField(
        ReviewSuggestionSerializer(), columns=("id", "state", "suggestion_state", "suggestion"), from_=_suggestion
    )
    reply = MethodField(ReviewReplySerializer(allow_null=True), columns=("reply", "replied_at"), from_=_reply)
    created_at = Time()
    done_at = Time(allow_null=True)


class AgreementSerializer(RowSerializer):
    """How far the model agrees with people by one criterion, in blind reviews alone."""

    key = Text()
    n = Integer()
    agreed = Integer(help_text="Equal values; of `five`, one apart at most.")
    kappa = Number(allow_null=True, help_text="From 20 reviews on; null before.")


def for_operators(review: dict[str, Any]) -> dict[str, Any]:
    """A review as its subject sees it: without a model's scores, which nobody has confirmed."""
    return {**review, "prefill": {"state": SuggestionState.NONE.value, "scores": []}}
