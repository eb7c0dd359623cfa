"""The facts that the waits of a chat are counted from, read off its row, words and steps."""

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypedDict, cast

from django.db.models import BooleanField, Case, Q, Value, When

from apps.automations.rules.waits import WaitFacts, asked_since
from apps.chats.models import Chat, ChatActivity, Message
from apps.chats.querysets.snoozes import is_snoozed
from apps.chats.querysets.waiting import waits_since
from apps.chats.rules import SenderKind, Status
from apps.chats.rules.activities import StepKind
from apps.chats.rules.messages import ANSWERING
from apps.routing.querysets.clocks import words_of

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations


class _WithWaits(TypedDict):
    waits_since: datetime | None
    is_aside: bool


def wait_facts(chat: Chat, waits: Collection[str], as_of: datetime) -> WaitFacts:
    """The facts that those of the four waits are counted from; those that none of them asks for are None."""
    is_aside = Case(When(is_snoozed(), then=Value(True)), default=Value(False), output_field=BooleanField())
    rows = Chat.objects.for_widget(chat.widget_id).filter(pk=chat.pk).select_related("last_message")
    found = rows.annotate(waits_since=waits_since(as_of), is_aside=is_aside).get()
    now = cast("WithAnnotations[Chat, _WithWaits]", found)
    asks_of_visitor = not {"visitor_waits", "unassigned"}.isdisjoint(waits)
    last = now.last_message
    return WaitFacts(
        waits_since=_visitors_wait(now, now.waits_since) if asks_of_visitor else None,
        spoken_at=now.last_message_at,
        is_ours=last is not None and last.sender_kind in ANSWERING,
        is_owned=now.agent_id is not None,
        freed_at=_freed_at(now) if "unassigned" in waits and now.agent_id is None else None,
        acted_at=_acted_at(now) if "nothing_happened" in waits else None,
        woken_at=now.woken_at,
        is_out=now.status == Status.SPAM or now.internal or now.is_aside,
        is_over=now.status == Status.EXPIRED and (now.dealt_with_message_id or 0) >= (now.last_message_id or 0),
    )


def visitor_waits_since(chat: Chat, as_of: datetime) -> datetime | None:
    """Since when the visitor waits for an answer; None while they do not."""
    return wait_facts(chat, ("visitor_waits",), as_of).waits_since


def _visitors_wait(chat: Chat, since: datetime | None) -> datetime | None:
    if since is None or chat.handed_over_at is not None or chat.for_people_since is not None:
        return since
    return asked_since(since, words_of(chat, since).words)


def _freed_at(chat: Chat) -> datetime | None:
    """When a chat without an owner lost the last one."""
    lost = Q(kind=StepKind.RETURNED) | Q(kind=StepKind.TRANSFERRED, department__isnull=False)
    return _newest(ChatActivity.objects.for_widget(chat.widget_id).filter(lost, chat=chat), "at")


def _acted_at(chat: Chat) -> datetime | None:
    """The newest act of a person in the chat: a step, or a note."""
    steps = ChatActivity.objects.for_widget(chat.widget_id).filter(chat=chat, agent__isnull=False)
    notes = Message.objects.for_widget(chat.widget_id).filter(chat=chat, is_internal=True)
    notes = notes.filter(sender_kind=SenderKind.AGENT)
    moments = (_newest(steps, "at"), _newest(notes, "created_at"))
    return max((moment for moment in moments if moment is not None), default=None)


def _newest(rows: Any, column: str) -> datetime | None:
    found: datetime | None = rows.order_by("-id").values_list(column, flat=True).first()
    return found
