"""Trials: what an automation would have done in the last days, by the functions by which it acts."""

from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.models import Agent, Department
from apps.automations.actions.trials import _PLACE, try_automation
from apps.automations.actions.worker import judge_due
from apps.automations.models import Automation, AutomationRun
from apps.chats.actions import post_client_message
from apps.chats.models import Chat, ChatActivity
from tests.automations.served import automation
from tests.client import ApiClient
from tests.factories import ChatFactory, MessageFactory
from tests.factories.automations import AutomationFactory
from tests.rows import snapshot

pytestmark = pytest.mark.django_db

REFUND = {"field": "text", "op": "has_word", "value": "refund"}
URGENT = [{"do": "priority", "value": "urgent"}, {"do": "tag", "name": "refund"}]


def ago(**time: float) -> datetime:
    return timezone.now() - timedelta(**time)


def talk(chat: Chat, *words: tuple[float, str, str]) -> list[int]:
    """Words by hours ago, the sender's kind and text; the chat is as old as the first."""
    ids = [
        MessageFactory.create(chat=chat, sender_kind=kind, body=body, created_at=ago(hours=hours)).pk
        for hours, kind, body in words
    ]
    Chat.objects.filter(pk=chat.pk).update(created_at=ago(hours=words[0][0]), last_message_at=ago(hours=words[-1][0]))
    return ids


def tried(widget: Widget, when: dict[str, Any], condition: Any = None, **more: Any) -> dict[str, Any]:
    return try_automation(widget_id=widget.pk, when=when, condition=condition, then=URGENT, **more)


def test_the_chats_in_which_it_would_have_acted_newest_first(chat: Chat) -> None:
    other = ChatFactory.create(widget=chat.widget, contact__widget=chat.widget)
    asked = talk(chat, (50, "client", "A refund, please"), (49, "agent", "A refund? Sure"), (2, "client", "My REFUND?"))
    talk(other, (5, "client", "Refunded already"), (4, "client", "Thanks!"))
    before = snapshot()
    found = tried(chat.widget, {"event": "visitor.wrote"}, REFUND)
    assert snapshot() == before
    assert (found["chats"], found["runs"], found["looked_at"], found["is_sampled"]) == (1, 2, 4, False)
    assert [(each["chat_id"], each["message_id"]) for each in found["samples"]] == [
        (chat.pk, asked[2]),
        (chat.pk, asked[0]),
    ]
    assert found["would"] == {"priority": 2, "tag": 2}
    assert (found["version"], found["judged_by_now"]) == (None, [])


def test_no_further_back_than_the_days(chat: Chat) -> None:
    talk(chat, (50, "client", "A refund, please"), (2, "client", "The refund?"))
    assert tried(chat.widget, {"event": "visitor.wrote"}, REFUND, days=1)["runs"] == 1
    assert tried(chat.widget, {"event": "visitor.wrote"}, REFUND, days=3)["runs"] == 2


def test_a_wait_that_lasted(chat: Chat) -> None:
    talk(
        chat, (9, "client", "Hello?"), (8, "agent", "Hi!"), (7.9, "client", "Where is my order?"), (7.8, "ai", "There")
    )
    waits = {"wait": "visitor_waits", "clock": "always"}
    assert tried(chat.widget, {**waits, "minutes": 30})["runs"] == 1
    assert tried(chat.widget, {**waits, "minutes": 5})["runs"] == 2
    assert tried(chat.widget, {**waits, "minutes": 90})["runs"] == 0


def test_steps_are_events(chat: Chat, boris: Agent, sales: Department) -> None:
    talk(chat, (9, "client", "Hello?"))
    newest = chat.messages.latest("pk").pk
    for hours, kind, members in (
        (8, "accepted", {"agent": boris}),
        (7, "priority", {"agent": boris, "comment": "high"}),
        (6, "transferred", {"agent": boris, "department": sales}),
        (5, "rated", {"comment": "2"}),
        (4, "closed", {"agent": boris}),
    ):
        ChatActivity.objects.create(
            widget=chat.widget, chat=chat, kind=kind, after_message_id=newest, at=ago(hours=hours), **members
        )
    low = {"field": "rating", "op": "lte", "value": 2}
    assert tried(chat.widget, {"event": "chat.rated"}, low)["runs"] == 1
    of_boris = {"field": "previous.agent_id", "op": "is", "value": boris.pk}
    assert tried(chat.widget, {"event": "department.changed"}, of_boris)["runs"] == 1
    high = {"field": "priority", "op": "is", "value": "high"}
    assert tried(chat.widget, {"event": "priority.changed"}, high)["runs"] == 1


def test_what_has_no_history_is_judged_by_now_and_named(chat: Chat) -> None:
    talk(chat, (2, "client", "Hello"))
    named = {"all": [{"field": "contact.name", "op": "is", "value": chat.contact.name}, REFUND]}
    found = tried(
        chat.widget, {"event": "visitor.wrote"}, {"any": [named, {"field": "is_staffed", "op": "is", "value": False}]}
    )
    assert (found["runs"], found["judged_by_now"]) == (1, ["contact.name", "is_staffed"])
    assert tried(chat.widget, {"event": "tag.added"})["judged_by_now"] == ["tag.added"]


def test_a_stored_one_was_tried_if_it_is_so_still(api: ApiClient, chat: Chat) -> None:
    talk(chat, (2, "client", "A refund, please"))
    stored = AutomationFactory.create(
        widget=chat.widget, when={"event": "visitor.wrote"}, condition=REFUND, is_enabled=False, tried_version=None
    )
    answer = api.post(f"/api/v1/automations/{stored.pk}/try", json={"days": 7}).json()["data"]
    assert (answer["version"], answer["chats"], answer["runs"]) == (1, 1, 1)
    stored.refresh_from_db()
    assert (stored.tried_version, stored.tried_chats, stored.tried_runs) == (1, 1, 1)
    other = {"when": stored.when, "condition": None, "then": stored.then, "automation_id": stored.pk}
    Automation.objects.filter(pk=stored.pk).update(tried_version=None)
    try_automation(widget_id=chat.widget_id, **other)
    stored.refresh_from_db()
    assert stored.tried_version is None


def test_over_rest_what_is_not_kept(api: ApiClient, chat: Chat) -> None:
    talk(chat, (2, "client", "A refund, please"))
    body = {"when": {"event": "chat.started"}, "then": URGENT}
    answer = api.post("/api/v1/automations/try", json=body)
    assert (answer.status_code, answer.json()["data"]["runs"]) == (200, 1)
    refused = api.post("/api/v1/automations/try", json={**body, "then": [{"do": "explode"}]})
    assert (refused.status_code, list(refused.json()["errors"])) == (422, ["then.0.do"])
    refused = api.post("/api/v1/automations/try", json={**body, "days": 31})
    assert (refused.status_code, list(refused.json()["errors"])) == (422, ["days"])


def test_beside_four_others_of_the_widget_one_waits(api: ApiClient, chat: Chat) -> None:
    body = {"when": {"event": "chat.started"}, "then": URGENT}
    with psycopg.connect(settings.DATABASE_URL, dbname=connection.settings_dict["NAME"]) as others:
        for place in range(4):
            others.execute(_PLACE, {"name": f"trial:{chat.widget_id}:{place}"})
        refused = api.post("/api/v1/automations/try", json=body)
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_trials")
        assert refused.headers["Retry-After"] == "10"
    assert api.post("/api/v1/automations/try", json=body).status_code == 200


def test_a_batch_costs_the_same_for_any_number_of_its_chats(chat: Chat, django_assert_num_queries: Any) -> None:
    chats = [chat, *ChatFactory.create_batch(4, widget=chat.widget, contact__widget=chat.widget)]
    for each in chats:
        talk(each, (2, "client", "A refund, please"))
    with django_assert_num_queries(10):
        assert tried(chat.widget, {"event": "visitor.wrote"}, REFUND)["chats"] == 5


def test_a_trial_finds_what_was_done(chat: Chat) -> None:
    refunds = automation(chat.widget, event="visitor.wrote", condition=REFUND)
    for body in ("Hello", "A refund, please", "REFUND!"):
        post_client_message(contact=chat.contact, content={"type": "text", "body": body})
    judge_due()
    done = AutomationRun.objects.filter(automation=refunds)
    found = tried(chat.widget, refunds.when, refunds.condition)
    assert (found["runs"], found["looked_at"]) == (done.count(), 3) == (2, 3)
    assert {each["chat_id"] for each in found["samples"]} == {chat.pk}
