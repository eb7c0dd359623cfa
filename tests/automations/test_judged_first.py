"""Router and AI wait until what has just happened in a chat is judged, and for five seconds at most."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.ai.models import ReplyJob
from apps.ai.tasks import QUEUE as REPLIES_QUEUE
from apps.automations.actions.worker import judge_due
from apps.automations.models import AutomationEvent
from apps.chats import actions
from apps.chats.models import Chat, Contact
from apps.leases import Leased, Queue, claims
from apps.routing.actions.settings import change_routing
from apps.routing.models import QueueRow
from apps.routing.tasks import LOOKS_QUEUE
from tests.automations.served import HELLO, automation

pytestmark = pytest.mark.django_db(transaction=True)


def is_left(queue: Queue[Any], model: type[Leased]) -> bool:
    """Has the queue's only row worked on; whether it is due again at once."""
    model._base_manager.update(due_at=timezone.now() - timedelta(seconds=1))
    (lease,) = claims.claim(queue, wanted=2)
    lease.run()
    due_at = model._base_manager.get().due_at
    return due_at is not None and due_at < timezone.now() + timedelta(seconds=0.5)


def routed(shop: Widget, chat: Chat) -> tuple[Queue[Any], type[Leased]]:
    change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed"})
    return LOOKS_QUEUE, QueueRow


def answered_by_ai(shop: Widget, chat: Chat) -> tuple[Queue[Any], type[Leased]]:
    ReplyJob.objects.create(widget=shop, chat=chat)
    return REPLIES_QUEUE, ReplyJob


@pytest.mark.parametrize("begin", [routed, answered_by_ai])
@pytest.mark.parametrize("how", ["judged", "late"])
def test_it_is_asked_once_the_chat_is_judged(
    shop: Widget,
    ivan: Contact,
    chat: Chat,
    begin: Callable[[Widget, Chat], tuple[Queue[Any], type[Leased]]],
    how: str,
) -> None:
    automation(shop, event="visitor.wrote")
    queue = begin(shop, chat)
    actions.post_client_message(contact=ivan, content=HELLO)
    assert is_left(*queue)
    if how == "judged":
        judge_due()
    else:
        AutomationEvent.objects.update(at=timezone.now() - timedelta(seconds=6))
    assert not is_left(*queue)
