"""Queueing a chat for the AI side: one row a chat, due after a little quiet (`leases`)."""

from django.utils import timezone

from apps import leases
from apps.ai.models import Conversation, ReplyJob
from apps.ai.rules.decisions import LONGEST_QUIET_S, QUIET_S, Mode
from apps.core.bus import Cte

_LOOK = f"""
ai_job AS (
    INSERT INTO ai_replyjob AS t (chat_id, widget_id, due_at, waiting_since)
    SELECT chat_id, %(ai_widget_id)s::bigint, statement_timestamp() + interval '{QUIET_S} s', statement_timestamp()
    FROM written
    {leases.on_conflict(unique=["chat_id"], longest=str(LONGEST_QUIET_S)).strip()}
    RETURNING t.id
)"""  # noqa: S608 - of constants


def looking_cte(widget_id: int) -> Cte:
    """Queues the chat of the message that the statement stores: due after QUIET_S without another, LONGEST_QUIET_S
    after the first at most."""
    value, parameters = "EXISTS (SELECT FROM ai_job)", {"ai_widget_id": widget_id}
    return Cte(_LOOK, parameters, value, lambda _: leases.wake_workers(), is_for_each=True)


def queue_reply(*, widget_id: int, chat_id: int) -> None:
    """Has the AI side look at a chat at once. Inside a transaction."""
    leases.enqueue(ReplyJob, unique={"chat_id": chat_id}, values={"widget_id": widget_id})
    leases.wake_workers()


def note_returned(*, chat_id: int) -> None:
    """Notes that a person gave the chat back: from now on the word is the AI side's, until a person speaks again."""
    row = Conversation(chat_id=chat_id, mode=Mode.AI, mode_since=timezone.now())
    changed = ["mode", "mode_since"]
    Conversation.objects.bulk_create([row], update_conflicts=True, unique_fields=["chat"], update_fields=changed)
