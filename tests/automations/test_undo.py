"""Taking back: what still stands goes back, what others changed since stays, and what left the house can't."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.agents.models import Agent, Department
from apps.automations.actions.undo import undo_run, undo_since
from apps.automations.models import AutomationRun, UndoJob
from apps.automations.tasks import UNDOING
from apps.chats import actions
from apps.chats.actions.restoring import columns_of
from apps.chats.models import Chat, ChatActivity, Contact, ContactTag, Message
from apps.chats.rules.priorities import Priority
from apps.core.problems import Problem
from apps.leases import claims
from tests.automations.acting import ran
from tests.cast import Rival
from tests.factories import AgentFactory, DepartmentFactory
from tests.rows import snapshot

TEXT = {"type": "text", "body": "Где мой заказ?"}


@pytest.fixture
def asked(chat: Chat) -> Chat:
    """A chat whose visitor has written."""
    actions.post_client_message(contact=chat.contact, content=TEXT)
    return again(chat)


def again(chat: Chat) -> Chat:
    return Chat.objects.select_related("contact", "widget").get(pk=chat.pk)


def columns(chat: Chat) -> dict[str, Any]:
    return columns_of(again(chat))


def undo(run: AutomationRun) -> dict[str, Any]:
    return undo_run(widget_id=run.widget_id, run_id=run.pk)


def test_what_was_set_goes_back(asked: Chat, alice: Agent) -> None:
    sales = DepartmentFactory.create(widget=asked.widget)
    before = columns(asked)
    run = ran(
        asked,
        {"do": "send_to", "department_id": sales.pk},
        {"do": "assign", "agent_id": alice.pk},
        {"do": "priority", "value": "urgent"},
        {"do": "snooze", "minutes": 60},
        {"do": "close"},
    )
    assert again(asked).status == "expired"
    assert undo(run) == {"undone": ["send_to", "assign", "priority", "snooze", "close"], "kept": []}
    assert columns(asked) == before
    kinds = list(ChatActivity.objects.filter(chat=asked).values_list("kind", flat=True))
    assert "closed" not in kinds
    run.refresh_from_db()
    assert run.undone_at is not None


def test_tags_attributes_and_notes_go_back(asked: Chat) -> None:
    actions.tag_contact(widget_id=asked.widget_id, guid=asked.contact.guid, names=["Старый"])
    Contact.objects.filter(pk=asked.contact_id).update(attributes={"plan": "free"})
    run = ran(
        again(asked),
        {"do": "tag", "name": "VIP"},
        {"do": "untag", "name": "Старый"},
        {"do": "attribute", "key": "plan", "value": "pro"},
        {"do": "attribute", "key": "new", "value": 1},
        {"do": "note", "text": "Проверьте"},
    )
    assert undo(run)["kept"] == []
    assert set(ContactTag.objects.filter(contact=asked.contact).values_list("tag__name", flat=True)) == {"Старый"}
    assert Contact.objects.get(pk=asked.contact_id).attributes == {"plan": "free"}
    note = Message.objects.get(chat=asked, is_internal=True)
    assert (note.body, "deleted_at" in (note.details or {})) == ("", True)


def test_what_others_changed_since_stays(asked: Chat, alice: Agent) -> None:
    bob = AgentFactory.create(widget=asked.widget)
    run = ran(
        asked,
        {"do": "assign", "agent_id": alice.pk},
        {"do": "priority", "value": "urgent"},
        {"do": "attribute", "key": "plan", "value": "pro"},
        {"do": "tag", "name": "VIP"},
    )
    ids = {"widget_id": asked.widget_id, "chat_id": asked.pk}
    actions.transfer_chat(**ids, agent_id=bob.pk)
    actions.set_priority(**ids, priority=Priority.LOW)
    actions.untag_contact(widget_id=asked.widget_id, guid=asked.contact.guid, name="VIP")
    changes = {"attributes": {"plan": "free"}}
    actions.update_contact(widget_id=asked.widget_id, guid=asked.contact.guid, changes=changes)
    before = columns(asked)
    kept = [{"do": do, "why": "changed_since"} for do in ("assign", "priority", "attribute", "tag")]
    assert undo(run) == {"undone": [], "kept": kept}
    assert columns(asked) == before


def test_an_owner_who_has_answered_keeps_the_chat(asked: Chat, alice: Agent) -> None:
    run = ran(asked, {"do": "assign", "agent_id": alice.pk})
    actions.post_agent_message(widget_id=asked.widget_id, chat_id=asked.pk, agent_id=alice.pk, content=TEXT)
    assert undo(run) == {"undone": [], "kept": [{"do": "assign", "why": "changed_since"}]}
    assert again(asked).agent == alice


def test_a_chat_that_reopened_stays_open(asked: Chat) -> None:
    run = ran(asked, {"do": "close"})
    actions.post_client_message(contact=asked.contact, content=TEXT)
    assert undo(run)["kept"] == [{"do": "close", "why": "changed_since"}]
    assert again(asked).status != "expired"


def test_who_is_gone_gets_nothing_back(asked: Chat, alice: Agent) -> None:
    sales, billing = DepartmentFactory.create_batch(2, widget=asked.widget)
    ids = {"widget_id": asked.widget_id, "chat_id": asked.pk}
    actions.transfer_chat_to_department(**ids, department_id=sales.pk)
    run = ran(again(asked), {"do": "send_to", "department_id": billing.pk})
    Department.objects.filter(pk=sales.pk).delete()
    assert undo(run)["kept"] == [{"do": "send_to", "why": "gone"}]
    assert again(asked).department == billing


def test_what_left_the_house_can_not_be_taken_back(asked: Chat, alice: Agent) -> None:
    run = ran(
        asked,
        {"do": "reply", "text": "Ответим"},
        {"do": "notify", "whom": {"agent_ids": [alice.pk]}, "by": ["console"], "text": "Ждёт"},
        {"do": "webhook", "name": "fired"},
        {"do": "ask_rating"},
        {"do": "assign", "agent_id": 10**9},
    )
    assert undo(run) == {
        "undone": [],
        "kept": [{"do": do, "why": "cannot"} for do in ("reply", "notify", "webhook", "ask_rating")],
    }
    assert Message.objects.filter(chat=asked, sender_kind="system", body="Ответим").exists()


def test_again_is_409_and_another_widgets_404(asked: Chat, rival: Rival) -> None:
    run = ran(asked, {"do": "priority", "value": "urgent"})
    undo(run)
    before = snapshot()
    for widget_id, code in ((run.widget_id, "already_undone"), (rival.widget.pk, "not_found")):
        with pytest.raises(Problem) as refused:
            undo_run(widget_id=widget_id, run_id=run.pk)
        assert refused.value.type.code == code
    assert snapshot() == before


def test_an_operator_takes_back_runs_of_their_own_macros_alone(asked: Chat, alice: Agent) -> None:
    run = ran(asked, {"do": "priority", "value": "urgent"})
    with pytest.raises(Problem) as refused:
        undo_run(widget_id=run.widget_id, run_id=run.pk, agent=alice)
    assert refused.value.type.code == "not_found"
    AutomationRun.objects.filter(pk=run.pk).update(agent=alice, automation=None)
    assert undo_run(widget_id=run.widget_id, run_id=run.pk, agent=alice)["undone"] == ["priority"]


def test_all_runs_since_a_moment_newest_first(asked: Chat) -> None:
    old = ran(asked, {"do": "priority", "value": "low"})
    AutomationRun.objects.filter(pk=old.pk).update(at=timezone.now() - timedelta(days=1))
    high = ran(again(asked), {"do": "priority", "value": "high"}, automation=old.automation)
    ran(again(asked), {"do": "priority", "value": "urgent"}, automation=old.automation)
    ids = {"widget_id": asked.widget_id, "automation_id": old.automation_id}
    since = timezone.now() - timedelta(hours=1)
    assert undo_since(**ids, since=since) == 2
    assert again(asked).priority == "urgent", "a worker does it"
    for lease in claims.claim(UNDOING, wanted=1):
        lease.run()
    assert again(asked).priority == "low"
    undone = AutomationRun.objects.filter(undone_at__isnull=False)
    assert (undone.count(), undone.filter(pk=high.pk).exists()) == (2, True)
    assert undo_since(**ids, since=since) == 0
    assert not UndoJob.objects.filter(due_at__isnull=False).exists()
