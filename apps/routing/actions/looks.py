"""Looking at a chat whose wait may have changed: one row a chat, put by each change of a wait (`leases`)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypedDict, cast

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from apps import leases
from apps.chats.models import Chat
from apps.chats.querysets.waiting import waits_since
from apps.chats.questions import JUDGED_IN_S, is_being_judged
from apps.core.bus import Cte
from apps.routing.actions import clocks, estimates, queue
from apps.routing.models import QueueRow
from apps.routing.rules.settings import RoutingMode

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

_PUT = f"""
routing_row AS (
    INSERT INTO routing_queuerow AS t (chat_id, widget_id, due_at, waiting_since)
    SELECT chat_id, %(routing_widget_id)s::bigint, statement_timestamp(), statement_timestamp() FROM written
    {leases.on_conflict(unique=["chat_id"], longest="0").strip()}
    RETURNING t.id
)"""  # noqa: S608 - of constants
# Whether the widget, or one of its departments, has routing or answer times: read with the chat that is posted into.
IS_ON = f"""
SELECT true FROM routing_routingsettings r WHERE r.widget_id = chat.widget_id
AND (r.mode = '{RoutingMode.ROUTED}' OR r.answer_times <> '[]'::jsonb) LIMIT 1"""  # noqa: S608 - of constants

_PUT_UPDATED = f"""
routing_rows AS (
    INSERT INTO routing_queuerow AS t (chat_id, widget_id, due_at, waiting_since)
    SELECT chat.id, chat.widget_id, statement_timestamp(), statement_timestamp()
    FROM chats_chat chat WHERE chat.id = ANY(%(routing_chat_ids)s) AND EXISTS ({IS_ON}) ORDER BY chat.id
    /* unscoped: chats that have changed */
    {leases.on_conflict(unique=["chat_id"], longest="0").strip()}
    RETURNING t.id
)"""  # noqa: S608 - of constants


class _WithWait(TypedDict):
    waits_since: datetime | None


def looking_cte(widget_id: int) -> Cte:
    """Puts the row of the chat into which the statement writes."""
    value, parameters = "EXISTS (SELECT FROM routing_row)", {"routing_widget_id": widget_id}
    return Cte(_PUT, parameters, value, lambda _: leases.wake_workers(), is_for_each=True)


def updating_cte(chat_ids: Sequence[int]) -> Cte:
    """Puts the rows of these chats, as far as routing or answer times are on at their widgets."""
    return Cte(
        _PUT_UPDATED,
        {"routing_chat_ids": list(chat_ids)},
        "(SELECT count(*) FROM routing_rows)",
        lambda put: leases.wake_workers() if put else None,
    )


def work(lease: leases.Lease[QueueRow]) -> None:
    """Looks at the chat of a leased row, once the newest events there are judged."""
    if is_being_judged(lease.row.widget_id, lease.row.chat_id):
        lease.later(JUDGED_IN_S)
        return
    with transaction.atomic():
        again_s = look_at(widget_id=lease.row.widget_id, chat_id=lease.row.chat_id, as_of=timezone.now())
        if again_s is None:
            lease.done(though_overtaken=True)
        else:
            lease.later(again_s)


def look_at_due(*, as_of: datetime) -> int:
    """Looks at each chat whose row is due, beside workers or without; returns at how many."""
    due = QueueRow.objects.unscoped("every widget's rows").filter(due_at__lte=Now())
    rows = list(due.order_by("due_at", "pk").values_list("pk", "widget_id", "chat_id", "generation"))
    for pk, widget_id, chat_id, generation in rows:
        with transaction.atomic():
            again_s = look_at(widget_id=widget_id, chat_id=chat_id, as_of=as_of)
            due_at = None if again_s is None else as_of + timedelta(seconds=again_s)
            QueueRow.objects.for_widget(widget_id).filter(pk=pk, generation=generation).update(due_at=due_at)
    return len(rows)


@transaction.atomic
def look_at(*, widget_id: int, chat_id: int, as_of: datetime) -> float | None:
    """Brings queue, clocks and told time up to the chat's wait, under its lock; without effect on a chat that is gone.

    Returns in how many seconds it is to be looked at again, if it is.
    """
    chats = Chat.objects.for_widget(widget_id).filter(pk=chat_id)
    # By a statement of its own: one that waits for a lock sees all other rows as they were before it.
    if not chats.select_for_update(of=("self",)).values_list("pk").first():
        return None
    related = chats.select_related("widget", "contact", "agent", "last_message")
    chat = cast("WithAnnotations[Chat, _WithWait]", related.annotate(waits_since=waits_since(as_of)).get())
    again_s = queue.follow(chat, chat.waits_since, as_of)
    clocks.follow(chat, chat.waits_since, as_of)
    estimates.settle(chat, chat.waits_since)
    return again_s
