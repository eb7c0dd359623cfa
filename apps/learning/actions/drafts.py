"""A model's draft of a wish's patch: asked for after the wish was submitted, by a worker, once."""

import json

from django.db import transaction

from apps.ai.actions.model_calls import CHAT_MODEL
from apps.ai.models import Assistant
from apps.ai.settings import settings_of
from apps.egress.call_budget import CallBudget, SpentError
from apps.kb.questions import ModelFailed, NoModel
from apps.learning.actions.gates import is_switched_on
from apps.learning.actions.texts import texts_of
from apps.learning.models import Wish
from apps.learning.rules import guard_rails, patches
from apps.learning.rules.patches import InvalidProposal
from apps.learning.rules.prompts import LIMITS, WISH_SYSTEM
from apps.learning.rules.states import Draft, WishStatus
from apps.leases import Lease

SECONDS, OPERATIONS = 60.0, 4
MAX_TOKENS = 2_000


def may_draft(widget_id: int, assistant: Assistant) -> bool:
    """Whether a model may be asked for a wish's patch. No model is asked."""
    may = settings_of(widget_id).enabled and is_switched_on()
    return bool(may and CHAT_MODEL.available(widget_id, assistant.pk))


def work(lease: Lease[Wish]) -> None:
    """Has the wish's patch drafted; what is no good leaves the literal one."""
    wish = lease.row
    assistant = Assistant.objects.for_widget(wish.widget_id).filter(pk=wish.assistant_id).first()
    drafted = None
    if assistant is not None and wish.status == WishStatus.SUBMITTED and may_draft(wish.widget_id, assistant):
        drafted = _drafted(wish, assistant)
    with transaction.atomic():
        row = Wish.objects.for_widget(wish.widget_id).get_for_update(pk=wish.pk)
        if drafted is None or assistant is None:
            row.draft = Draft.FAILED
        else:
            row.summary, changes = drafted
            row.draft, row.patch, row.draft_base = Draft.READY, patches.dump(changes), assistant.persona_version
        row.save(update_fields=["draft", "patch", "summary", "draft_base"])
        lease.done()


def _drafted(wish: Wish, assistant: Assistant) -> tuple[str, list[patches.Change]] | None:
    task = {
        "task": "wish_patch",
        "persona": assistant.persona,
        "system_prompt": assistant.system_prompt,
        "wish": wish.text,
        "limits": LIMITS,
    }
    try:
        reply = CHAT_MODEL.complete(
            wish.widget_id,
            purpose="tuning",
            system=WISH_SYSTEM,
            messages=[("user", json.dumps(task, ensure_ascii=False))],
            max_tokens=MAX_TOKENS,
            budget=CallBudget(operations=OPERATIONS, seconds=SECONDS),
            assistant_id=assistant.pk,
        )
        summary, changes = patches.proposed(reply.text)
    except (NoModel, ModelFailed, SpentError, InvalidProposal):
        return None
    verdict = guard_rails.judged(texts_of(assistant), changes, allowed=wish.text)
    return (summary, changes) if changes and verdict.breach is None else None


def given_up(lease: Lease[Wish], reason: str) -> None:
    """The literal patch is left."""
    Wish.objects.for_widget(lease.row.widget_id).filter(pk=lease.row.pk).update(draft=Draft.FAILED)
