"""Workers that die, two at once, a chat that goes: each automation ran once for each event, before or after."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.accounts.models import Widget
from apps.automations.actions import runs
from apps.automations.models import AutomationEvent, AutomationRun
from apps.automations.tasks import EVENTS_QUEUE
from apps.chats import actions
from apps.chats.actions.timers import run_due
from apps.chats.models import Chat, ChatActivity, Contact
from apps.leases import Lease, claims
from tests.automations.served import HELLO, URGENT, automation, pending, priority, tags
from tests.faults.failpoints import restore, run_apart, state
from tests.leases.test_queues import at_once

pytestmark = pytest.mark.django_db(transaction=True)
VIP: dict[str, Any] = {"do": "tag", "name": "vip"}


def take(wanted: int = 9) -> list[Lease[AutomationEvent]]:
    return claims.claim(EVENTS_QUEUE, wanted=wanted)


def work() -> str:
    """All that is due, until nothing is."""
    for _ in range(40):
        taken = take()
        for lease in taken:
            lease.run()
        if not taken and not AutomationEvent.objects.exists():
            return "done"
        AutomationEvent.objects.filter(claim_id=None).update(due_at=timezone.now() - timedelta(seconds=1))
    return "not at rest"


@pytest.mark.faults
def test_a_worker_that_is_killed_at_any_point_runs_each_once(shop: Widget, ivan: Contact, chat: Chat) -> None:
    first = automation(shop, URGENT, VIP, event="visitor.wrote", name="first")
    second = automation(shop, {"do": "close"}, event="priority.changed", name="second")
    actions.post_client_message(contact=ivan, content=HELLO)
    before = state()
    points = run_apart(work).passed
    assert len(points) >= 8
    for number, point in enumerate(points, start=1):
        restore(before)
        assert run_apart(work, killed_at=number).was_killed
        AutomationEvent.objects.filter(claim_id__isnull=False).update(lease_until=timezone.now())
        assert run_apart(work).result == "done", point
        ran = AutomationRun.objects.order_by("pk").values_list("automation", "depth", "state")
        assert list(ran) == [(first.pk, 1, "done"), (second.pk, 2, "done")], point
        assert (priority(chat), tags(chat), pending()) == ("urgent", ["vip"], []), point
        steps = ChatActivity.objects.filter(chat=chat).order_by("pk").values_list("kind", flat=True)
        assert list(steps) == ["priority", "automation", "closed", "automation"], point


@pytest.mark.faults
def test_a_wait_that_is_due_while_a_worker_is_killed_is_judged_once(shop: Widget, ivan: Contact, chat: Chat) -> None:
    automation(shop, VIP, wait="visitor_waits", minutes=1)
    actions.post_client_message(contact=ivan, content=HELLO)
    work()
    before = state()
    later = timezone.now() + timedelta(minutes=2)

    def go_on() -> str:
        run_due(as_of=later)
        AutomationEvent.objects.filter(claim_id=None).update(due_at=timezone.now() - timedelta(seconds=1))
        return work()

    points = run_apart(go_on).passed
    for number, point in enumerate(points, start=1):
        restore(before)
        assert run_apart(go_on, killed_at=number).was_killed
        AutomationEvent.objects.filter(claim_id__isnull=False).update(lease_until=timezone.now())
        assert run_apart(go_on).result == "done"
        assert (AutomationRun.objects.count(), tags(chat)) == (1, ["vip"]), point


def test_two_workers_judge_a_chats_events_in_their_order_and_each_once(shop: Widget, ivan: Contact, chat: Chat) -> None:
    automation(shop, VIP, event="visitor.wrote")
    written = [actions.post_client_message(contact=ivan, content=HELLO).id for _ in range(8)]
    judged: list[int] = []
    original = runs.run

    def noted(automation: Any, facts: Any, **about: Any) -> Any:
        judged.append(facts.data["message_id"])
        return original(automation, facts, **about)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runs, "run", noted)
        at_once(2, work)
    assert judged == written
    assert (AutomationRun.objects.count(), pending()) == (8, [])


def test_a_chat_that_is_erased_under_it_takes_its_events(shop: Widget, ivan: Contact, chat: Chat) -> None:
    automation(shop, VIP, event="visitor.wrote")
    actions.post_client_message(contact=ivan, content=HELLO)
    (lease,) = take()
    chat.delete()
    lease.run()
    assert (AutomationRun.objects.count(), pending()) == (0, [])


def test_an_event_that_cannot_be_judged_is_tried_again_and_given_up_and_the_others_go_on(
    shop: Widget, ivan: Contact, chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> None:
    automation(shop, VIP, event="visitor.wrote")
    first = actions.post_client_message(contact=ivan, content=HELLO).id
    actions.post_client_message(contact=ivan, content=HELLO)
    original = runs.run

    def failing(automation: Any, facts: Any, **about: Any) -> Any:
        if facts.data["message_id"] == first:
            raise RuntimeError("ours")
        return original(automation, facts, **about)

    monkeypatch.setattr(runs, "run", failing)
    assert work() == "done"
    assert AutomationRun.objects.count() == 1
