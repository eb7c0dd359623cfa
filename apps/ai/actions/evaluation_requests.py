"""A run that a caller of the API asks for: of the live assistant, of a draft, or of the draft of a wish."""

from collections.abc import Mapping
from typing import Any

from apps.ai.actions.evaluations import AlreadyRunning, NoCases, start_evaluation
from apps.ai.errors import EVALUATION_RUNNING, NO_CASES
from apps.ai.models import Assistant, EvaluationRun
from apps.ai.questions import wish_draft
from apps.ai.rules.evaluations import RunCause
from apps.core.errors import INVALID_INPUT

NO_ASSISTANT, NO_WISH = "There is no such assistant.", "There is no such wish."
OF_ANOTHER = "The wish is for another assistant."


def request_evaluation(
    *, widget_id: int, assistant_id: int, draft: Mapping[str, Any] | None = None, wish_id: int | None = None
) -> EvaluationRun:
    """Queues a run.

    Raises INVALID_INPUT (422) for an unknown assistant or wish, and for a wish that can't be approved as it is;
    NO_CASES, EVALUATION_RUNNING, CREDENTIAL_UNAVAILABLE and AMBIGUOUS_OPERATOR (409).
    """
    assistant = Assistant.objects.for_widget(widget_id).select_related("widget").filter(pk=assistant_id).first()
    if assistant is None:
        raise INVALID_INPUT(errors={"assistant_id": [NO_ASSISTANT]})
    if wish_id is not None:
        draft = _draft_of_wish(widget_id, assistant, wish_id)
    cause = RunCause.DRAFT if draft else RunCause.PERSON
    try:
        return start_evaluation(assistant=assistant, cause=cause, draft=draft or None, wish_id=wish_id)
    except NoCases:
        raise NO_CASES() from None
    except AlreadyRunning:
        raise EVALUATION_RUNNING() from None


def _draft_of_wish(widget_id: int, assistant: Assistant, wish_id: int) -> Mapping[str, Any]:
    found = wish_draft(widget_id, wish_id)
    if found is None:
        raise INVALID_INPUT(errors={"wish_id": [NO_WISH]})
    if found.assistant_id != assistant.pk:
        raise INVALID_INPUT(errors={"wish_id": [OF_ANOTHER]})
    if found.refusal:
        raise INVALID_INPUT(errors={"wish_id": [found.refusal]})
    return found.draft
