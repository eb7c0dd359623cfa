"""The chats of operators who are away, or are none any more (querysets/ringing.py)."""

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from apps.chats.actions.changes import record_change, record_step
from apps.chats.actions.owners import follow_owners
from apps.chats.events import ChatReturned, ChatUpdated
from apps.chats.models import Chat
from apps.chats.querysets.ringing import OWNER_IS_HERE
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
        record_change(chat, ChatReturned.of(chat, from_agent_id=agent_id), agent_id=None)


@transaction.atomic
def tell_of_absence(*, widget_id: int, agent_id: int) -> None:
    """An operator goes, or takes a break: the chats that wait for them ring for others once the patience ends; at once,
    of one who passes them on.
    """
    follow_owners(widget_id=widget_id, agent_id=agent_id)
    passed_on = Chat.objects.for_widget(widget_id).unanswered(timezone.now())
    passed_on = passed_on.filter(~OWNER_IS_HERE, agent_id=agent_id, agent__break_passes_on=True)
    bus.publish(*(ChatUpdated(widget_id=widget_id, chat_id=pk) for pk in passed_on.values_list("pk", flat=True)))


@transaction.atomic
def tell_of_return(*, widget_id: int, agent_id: int) -> None:
    """The chats of an operator who is back ring for them again, at once."""
    noted = Chat.objects.for_widget(widget_id).filter(agent_id=agent_id, owner_away_at__isnull=False)
    noted = noted.filter(OWNER_IS_HERE)
    ids = list(noted.select_for_update(no_key=True, of=("self",)).order_by("pk").values_list("pk", flat=True))
    if ids:
        chats = Chat.objects.for_widget(widget_id).filter(pk__in=ids)
        chats.update(owner_away_at=None, version=F("version") + 1)
        bus.publish(*(ChatUpdated(widget_id=widget_id, chat_id=pk) for pk in ids))
