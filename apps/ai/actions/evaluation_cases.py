"""The cases of an owner's test set: made, of a chat too, changed, deleted."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.ai.errors import TOO_MANY_CASES
from apps.ai.models import AnswerFeedback, Assistant, EvaluationCase
from apps.ai.querysets.evaluations import asked_before
from apps.ai.questions import is_edited_draft
from apps.ai.rules.evaluations import MAX_CASES, MAX_QUESTION, CaseOrigin
from apps.ai.rules.redaction import Redaction
from apps.chats.models import Message
from apps.core import database
from apps.core.errors import INVALID_INPUT

NO_MESSAGE = "There is no such message."
ANSWERS_NOTHING = "No words of a visitor stand before it."
NO_ASSISTANT = "There is no such assistant."


@transaction.atomic
def create_case(*, widget_id: int, **values: Any) -> EvaluationCase:
    """Makes a case. Raises TOO_MANY_CASES (409)."""
    database.lock(f"ai_evaluation_cases:{widget_id}")
    if EvaluationCase.objects.for_widget(widget_id).count() >= MAX_CASES:
        raise TOO_MANY_CASES()
    return EvaluationCase.objects.create(widget_id=widget_id, **values)


@transaction.atomic
def add_case(*, widget_id: int, from_message_id: int | None = None, **values: Any) -> EvaluationCase:
    """Makes a case over the API; of the words that a message answers, where it is named instead of a question.

    Raises INVALID_INPUT (422) for an unknown assistant or message, TOO_MANY_CASES (409).
    """
    require_assistant(widget_id, values.get("assistant_id"))
    if from_message_id is None:
        return create_case(widget_id=widget_id, born_from=CaseOrigin.API, **values)
    message = Message.objects.for_widget(widget_id).filter(pk=from_message_id).first()
    if message is None:
        raise INVALID_INPUT(errors={"from_message_id": [NO_MESSAGE]})
    return case_of_message(message=message, **values)


@transaction.atomic
def case_of_message(*, message: Message, **values: Any) -> EvaluationCase:
    """Makes a case of the visitor's words that a message answers, redacted, for the assistant that wrote it.

    A case of an operator's answer is for every assistant. Raises INVALID_INPUT (422) where no visitor's words stand
    before the message, TOO_MANY_CASES (409).
    """
    question = Redaction().hide("\n".join(asked_before(message))).strip()[:MAX_QUESTION]
    if not question:
        raise INVALID_INPUT(errors={"from_message_id": [ANSWERS_NOTHING]})
    if "assistant_id" not in values:
        values["assistant_id"] = _author_of(message)
    return create_case(
        widget_id=message.widget_id,
        question=question,
        born_from=_origin_of(message),
        born_chat_id=message.chat_id,
        born_message_id=message.pk,
        **values,
    )


def _author_of(message: Message) -> int | None:
    """The assistant that wrote a message, while it exists."""
    known = Assistant.objects.for_widget(message.widget_id).filter(pk=message.assistant_id or 0)
    return known.values_list("pk", flat=True).first()


def _origin_of(message: Message) -> CaseOrigin:
    if AnswerFeedback.objects.for_widget(message.widget_id).filter(message_id=message.pk).exists():
        return CaseOrigin.THUMB
    if is_edited_draft(message.widget_id, message.chat_id, message.pk):
        return CaseOrigin.DRAFT
    return CaseOrigin.CHAT


@transaction.atomic
def change_case(*, widget_id: int, case_id: int, changes: Mapping[str, Any]) -> EvaluationCase:
    """Changes a case; results of earlier runs stay as they were. Another question is a person's, made of no piece.

    Raises NOT_FOUND (404), INVALID_INPUT (422) for an unknown assistant.
    """
    require_assistant(widget_id, changes.get("assistant_id"))
    case: EvaluationCase = EvaluationCase.objects.for_widget(widget_id).get_for_update(pk=case_id)
    if "question" in changes and changes["question"] != case.question:
        changes = {**changes, "piece": "", "piece_ref": ""}
    for name, value in changes.items():
        setattr(case, name, value)
    if changes:
        case.save(update_fields=[*changes])
    return case


def delete_case(*, widget_id: int, case_id: int) -> None:
    """Deletes a case; its results stay. Raises NOT_FOUND (404)."""
    EvaluationCase.objects.for_widget(widget_id).get_or_404(pk=case_id).delete()


def require_assistant(widget_id: int, assistant_id: int | None) -> None:
    """Raises INVALID_INPUT (422) on `assistant_id` where the widget has no such assistant."""
    if assistant_id is None:
        return
    if not Assistant.objects.for_widget(widget_id).filter(pk=assistant_id).exists():
        raise INVALID_INPUT(errors={"assistant_id": [NO_ASSISTANT]})
