"""Wishes on the wire."""

from datetime import datetime
from typing import Any

from apps.ai.rules.evaluations import EvaluationState
from apps.core.endpoints.row_serializers import MethodField, RowSerializer, Time
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text
from apps.learning.rules.states import Draft, WishAction, WishStatus
from apps.learning.serializers.learning import ActorSerializer, PatchSerializer, ProbationSerializer, kept


def probation_told(told: dict[str, Any] | None) -> dict[str, Any] | None:
    """A wish's last probation, as JSON had it."""
    if told is None:
        return None
    return {**told, **{name: datetime.fromisoformat(told[name]) for name in ("started_at", "ends_at")}}


class WishRowSerializer(RowSerializer):
    """A wish in the list."""

    id = Integer()
    assistant_id = Integer()
    text = Text()
    chat_id = Integer(allow_null=True)
    status = Choice(choices=[one.value for one in WishStatus])
    draft = Choice(choices=[one.value for one in Draft], help_text="Whether a model has drafted its patch.")
    author = MethodField(ActorSerializer(), columns=("author",), from_=kept)
    version = Integer(allow_null=True, help_text="The version that it made.")
    base_version = Integer(allow_null=True)
    probation = MethodField(ProbationSerializer(allow_null=True), columns=("probation_told",), from_=probation_told)
    created_at = Time()
    updated_at = Time()


class DecisionSerializer(RowSerializer):
    """A step of a wish."""

    at = Time()
    action = Choice(choices=[one.value for one in WishAction])
    actor = ActorSerializer()
    version = Integer(allow_null=True)
    reason = Text(allow_null=True)


class WishSerializer(WishRowSerializer):
    """A wish with what became of it."""

    decisions = DecisionSerializer(many=True, help_text="Oldest first.")


class RefusalSerializer(RowSerializer):
    """A reason that would refuse an approval now."""

    rule = Text()
    detail = Text()


class TextsSerializer(RowSerializer):
    """The text of an assistant."""

    persona = Text()
    system_prompt = Text()


class ProbationAheadSerializer(RowSerializer):
    """The probation that an approval begins."""

    hours = Integer()
    min_chats = Integer()


class ExaminationSerializer(RowSerializer):
    """The run of the test questions with the text that an approval would store."""

    run_id = Integer()
    state = Choice(choices=[one.value for one in EvaluationState])
    lost = Integer(help_text="The questions that were right before, and are wrong with it.")
    of = Integer(help_text="All that are asked.")


class WishPreviewSerializer(RowSerializer):
    """The result that approving a wish would have now. It is computed, and nothing is written."""

    wish_id = Integer()
    applicable = Boolean()
    refusals = RefusalSerializer(many=True)
    source = Choice(choices=["literal", "model"])  # type: ignore[assignment]
    patch = PatchSerializer()
    base_version = Integer(allow_null=True)
    before = TextsSerializer()
    after = TextsSerializer(help_text="To the byte what an approval would store; `before` where none is applicable.")
    fingerprint = Text()
    probation = ProbationAheadSerializer()
    evaluation = ExaminationSerializer(
        allow_null=True, help_text="Null: its text was not examined. An approval needs one where questions are active."
    )
