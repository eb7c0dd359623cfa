"""Drafts of an assistant: examined before they are live, and put live by a person who has seen the lost cases."""

from django.db import transaction

from apps.ai.actions.assistants import change_assistant, lock_assistants
from apps.ai.actions.evaluation_gates import examined, require_accepted
from apps.ai.errors import NOTHING_TO_APPLY, PERSONA_CHANGED
from apps.ai.models import Assistant, EvaluationRun
from apps.ai.rules.actors import Actor
from apps.ai.rules.evaluations import EvaluationState

# The fields of an assistant that a draft may have: those that an answer is made of.
DRAFTED = ("persona", "system_prompt", "temperature", "rag_enabled", "escalation_triggers", "provider", "model")


@transaction.atomic
def put_live(*, widget_id: int, run_id: int, actor: Actor, accept_lost: int | None = None) -> None:
    """Gives the assistant the draft of a finished run; the run counts as one of the live assistant then.

    Raises NOT_FOUND (404); NOTHING_TO_APPLY, PERSONA_CHANGED (409), and LOSES_CASES (409) unless `accept_lost` is how
    many cases the draft has lost.
    """
    lock_assistants(widget_id)
    run = EvaluationRun.objects.for_widget(widget_id).get_for_update(pk=run_id)
    assistant = Assistant.objects.for_widget(widget_id).get_for_update(pk=run.assistant_id)
    if not run.draft or run.wish_id or run.state != EvaluationState.FINISHED:
        raise NOTHING_TO_APPLY()
    if assistant.persona_version != run.persona_version:
        raise PERSONA_CHANGED()
    require_accepted(examined(run), accept_lost)
    change_assistant(widget_id=widget_id, assistant_id=assistant.pk, changes=run.draft, actor=actor)
    assistant.refresh_from_db(fields=["persona_version"])
    run.draft, run.persona_version = None, assistant.persona_version
    run.save(update_fields=["draft", "persona_version"])
