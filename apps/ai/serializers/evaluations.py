"""Cases, runs and results of the examination on the wire."""

from typing import Any

from apps.ai.rules.evaluations import (
    CaseChange,
    CaseOrigin,
    CaseOutcome,
    CheckName,
    EvaluationState,
    RunCause,
    StopReason,
    Verdict,
)
from apps.core.endpoints.row_serializers import (
    IntegerList,
    Json,
    MethodField,
    RowSerializer,
    TextList,
    TextOrNull,
    Time,
)
from apps.core.endpoints.serializers import Boolean, Choice, Integer, Text


class BornSerializer(RowSerializer):
    """The place where a case was made, and of which message."""

    vars()["from"] = Choice(source="born_from", choices=[one.value for one in CaseOrigin])
    chat_id = Integer(source="born_chat_id", allow_null=True)
    message_id = Integer(source="born_message_id", allow_null=True)


class EvaluationCaseSerializer(RowSerializer):
    """A test question, and the checks of its answer."""

    id = Integer()
    assistant_id = Integer(allow_null=True, help_text="Null: every assistant is asked it.")
    question = Text()
    language = TextOrNull(help_text="The language that the answer must have; null: any.")
    expects = Choice(
        choices=[one.value for one in CaseOutcome],
        help_text="`refusal`: it says that it does not know, or calls a person.",
    )
    must = TextList(help_text="Texts that must be in the answer; a bar between texts: one of them is enough.")
    must_not = TextList()
    sources = TextList(help_text="Titles or addresses; each must be among the answer's sources.")
    judge = TextOrNull(help_text="A criterion that a model judges, once all other checks hold.")
    is_active = Boolean(help_text="Whether runs ask it.")
    born = BornSerializer(source="*")
    created_at = Time()


def kept(value: Any) -> Any:
    """The stored JSON, as it is."""
    return value


def given(text: str) -> str | None:
    """A kept text, null where there is none."""
    return text or None


class EvaluationRunSerializer(RowSerializer):
    """A run of the test questions."""

    id = Integer()
    assistant_id = Integer()
    cause = Choice(choices=[one.value for one in RunCause])
    state = Choice(choices=[one.value for one in EvaluationState])
    reason = MethodField(
        Choice(choices=[one.value for one in StopReason], allow_null=True, help_text="Why it was stopped."),
        columns=("reason",),
        from_=given,
    )
    draft = MethodField(
        Json(allow_null=True, help_text="The members of the assistant that were asked in place of its own."),
        columns=("draft",),
        from_=kept,
    )
    wish_id = Integer(allow_null=True, help_text="The wish that the draft is of.")
    model = Text()
    persona_version = Integer(allow_null=True)
    cases = Integer(help_text="All that are asked.")
    right = Integer()
    wrong = Integer()
    failed = Integer(help_text="No vendor answered.")
    unsure = Integer(help_text="The judge could not be read: neither right nor wrong.")
    lost = IntegerList(help_text="The cases that were right in `previous_id`, and are wrong now.")
    won = IntegerList()
    previous_id = Integer(allow_null=True, help_text="The run of the live assistant that it is compared with.")
    prompt_tokens = Integer()
    completion_tokens = Integer()
    queued_at = Time()
    finished_at = Time(allow_null=True)


class CheckSerializer(RowSerializer):
    """A check of an answer."""

    name = Choice(choices=[one.value for one in CheckName])
    ok = Boolean(allow_null=True, help_text="Null: the judge could not be read.")
    detail = Text(allow_null=True, help_text="Why it does not hold.")


class EvaluationResultSerializer(RowSerializer):
    """The result of a case."""

    json_columns = ("checks",)

    case_id = Integer()
    question = Text(help_text="As it was asked.")
    answer = Text()
    outcome = TextOrNull(help_text="`answer`, `refusal` or `person`; null where no vendor answered.")
    verdict = Choice(choices=[one.value for one in Verdict])
    change = Choice(
        choices=[one.value for one in CaseChange],
        help_text="Beside the same question of `previous_id`; `reworded`: as right as before, in other words.",
    )
    checks = CheckSerializer(many=True, help_text="In their order; the judge last, and only where it was asked.")


class EvaluationWithResultsSerializer(EvaluationRunSerializer):
    """A run with the result of each case so far."""

    results = EvaluationResultSerializer(many=True)
