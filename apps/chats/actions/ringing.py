"""The chats of operators who are away, or are none any more (querysets/ringing.py)."""

from datetime import datetime

from django.db import transaction
from django.db.models import F, Q

from apps.chats.actions.changes import record_change, record_step
from apps.chats.events import ChatReturned, ChatUpdated
from apps.chats.models import Chat
from apps.chats.querysets.ringing import ALL, rings_for
from apps.chats.querysets.waiting import may_wait, waits_since
from apps.chats.rules import OPEN
from apps.chats.rules.activities import OWNER_GONE, StepKind
from apps.core import bus


@transaction.atomic
def release_chats(*, widget_id: int, agent_id: int) -> None:
    """The open chats of an operator who can act no longer are nobody's, and their thread says so.

    The closed ones are nobody's once they reopen.
    """
    chats = Chat.objects.for_widget(widget_id).filter(agent_id=agent_id, status__in=OPEN)
    for chat in chats.select_related("widget", "contact").select_for_update(of=("self",)).order_by("pk"):
        record_step(chat, StepKind.RETURNED, agent_id=agent_id, comment=OWNER_GONE)
        record_change(chat, ChatReturned.of(chat, from_agent_id=agent_id), agent_id=None, owner_away_at=None)


def tell_of_absence(*, as_of: datetime) -> int:
    """Tells operators of the chats that ring for all since their owner is away, and of those that do no longer.

    Returns how many. Harmless when run twice at once.
    """
    chats = Chat.objects.unscoped("every widget's rows").exclude(agent=None)
    chats = chats.filter(may_wait(as_of) | Q(owner_away_at__isnull=False))
    ringing = chats.annotate(waits_since=waits_since(as_of)).annotate(rings=rings_for(as_of))
    news = ringing.filter(Q(rings=ALL, owner_away_at=None) | (~Q(rings=ALL) & Q(owner_away_at__isnull=False)))
    return _tell(
        {pk: (widget_id, rings == ALL) for pk, widget_id, rings in news.values_list("pk", "widget_id", "rings")}, as_of
    )


@transaction.atomic
def tell_of_return(*, widget_id: int, agent_id: int, as_of: datetime) -> None:
    """Their chats ring for an operator again who is back, at once."""
    told = Chat.objects.for_widget(widget_id).filter(agent_id=agent_id, owner_away_at__isnull=False)
    chats = told.annotate(waits_since=waits_since(as_of)).annotate(rings=rings_for(as_of)).exclude(rings=ALL)
    _tell(dict.fromkeys(chats.values_list("pk", flat=True), (widget_id, False)), as_of)


def _tell(news: dict[int, tuple[int, bool]], as_of: datetime) -> int:
    for pk, (widget_id, is_away) in sorted(news.items()):
        with transaction.atomic():
            is_told = Q(owner_away_at=None) if is_away else Q(owner_away_at__isnull=False)
            chat = Chat.objects.for_widget(widget_id).filter(is_told, pk=pk)
            if chat.update(owner_away_at=as_of if is_away else None, version=F("version") + 1):
                bus.publish(ChatUpdated(widget_id=widget_id, chat_id=pk))
    return len(news)
