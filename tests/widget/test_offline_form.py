"""POST /widget/{guid}/offline: what a visitor leaves while nobody is there to answer."""

from typing import Any
from uuid import uuid4

import orjson
import pytest
from django.db import connection

from apps.accounts.models import Widget
from apps.agents.actions import begin_presence
from apps.agents.models import Agent
from apps.chats.models import Chat, Contact, Message
from apps.core.database import encryption
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.models import Event
from tests.cast import Rival
from tests.client import assert_problem
from tests.factories.webhooks import SubscriptionFactory
from tests.rows import snapshot
from tests.widget.visitor import VisitorClient

FORM = {"name": "Иван Петров", "email": "ivan@new.test", "phone": "+7 902 765-43-21", "message": "Перезвоните мне"}


@pytest.fixture(autouse=True)
def listening(shop: Widget) -> None:
    """Somebody wants to hear of messages."""
    for name in ("offline_message.created", "message.created"):
        set_event_enabled(name=name, enabled=True)
    SubscriptionFactory.create(widget=shop, events=["offline_message.created", "message.created"])


def told() -> list[str]:
    return list(Event.objects.order_by("id").values_list("type", flat=True))


def offline_data() -> dict[str, Any]:
    event = Event.objects.get(type="offline_message.created")
    assert event.is_sealed
    data: dict[str, Any] = orjson.loads(encryption.decrypt(event.body))["data"]
    return data


def test_it_is_a_message_like_any_other_and_told_as_an_offline_message_besides(
    ivans_browser: VisitorClient, shop: Widget, ivan: Contact
) -> None:
    answer = ivans_browser.post("offline", FORM)
    assert answer.status_code == 201
    shown = answer.json()["data"]
    message = Message.objects.get()
    assert (shown["id"], shown["body"], shown["sender"]["kind"]) == (message.pk, "Перезвоните мне", "client")
    assert ivans_browser.get("messages").json()["data"] == [shown]
    ivan.refresh_from_db()
    assert (ivan.name, ivan.email, ivan.phone) == ("Иван Петров", "ivan@new.test", "+7 902 765-43-21")
    assert told() == ["message.created", "offline_message.created"]
    assert offline_data() == {
        "chat_id": message.chat_id,
        "client_id": ivan.guid,
        "message_id": message.pk,
        "name": "Иван Петров",
        "email": "ivan@new.test",
        "phone": "+7 902 765-43-21",
        "button_guid": shop.guid,
    }


def test_what_it_holds_is_sealed_at_rest(ivans_browser: VisitorClient) -> None:
    ivans_browser.post("offline", FORM)
    with connection.cursor() as cursor:
        cursor.execute("SELECT body FROM webhooks_event")
        bodies = "".join(body for (body,) in cursor.fetchall())
    assert not [value for value in FORM.values() if value in bodies]


def test_while_an_operator_is_connected_it_is_an_ordinary_message(ivans_browser: VisitorClient, alice: Agent) -> None:
    begin_presence(agent_id=alice.pk, process=uuid4())
    assert ivans_browser.post("offline", FORM).status_code == 201
    assert told() == ["message.created"]


def test_one_on_a_break_is_connected_all_the_same(ivans_browser: VisitorClient, alice: Agent) -> None:
    begin_presence(agent_id=alice.pk, process=uuid4())
    Agent.objects.filter(pk=alice.pk).update(status="relaxation")
    ivans_browser.post("offline", FORM)
    assert told() == ["message.created"]


def test_another_widget_s_operators_do_not_count(ivans_browser: VisitorClient, rival: Rival) -> None:
    begin_presence(agent_id=rival.agent.pk, process=uuid4())
    ivans_browser.post("offline", FORM)
    assert told() == ["message.created", "offline_message.created"]


@pytest.mark.parametrize("blank", [{}, {"name": "", "email": "", "phone": ""}])
def test_what_is_left_blank_is_null_and_stays_as_it_is_known(
    ivans_browser: VisitorClient, ivan: Contact, blank: dict[str, str]
) -> None:
    known = (ivan.name, ivan.email, ivan.phone)
    assert ivans_browser.post("offline", {**blank, "message": "Перезвоните"}).status_code == 201
    ivan.refresh_from_db()
    assert (ivan.name, ivan.email, ivan.phone) == known
    data = offline_data()
    assert (data["name"], data["email"], data["phone"]) == (None, None, None)


def test_the_same_client_id_again_gives_the_same_message_and_tells_nothing(ivans_browser: VisitorClient) -> None:
    body = {**FORM, "client_id": str(uuid4())}
    first, second = (ivans_browser.post("offline", body) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()
    assert Message.objects.count() == 1
    assert told() == ["message.created", "offline_message.created"]


def test_it_goes_on_with_the_chat_that_there_is(ivans_browser: VisitorClient, chat: Chat) -> None:
    assert ivans_browser.post("offline", FORM).json()["data"]["chat_id"] == chat.pk


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"message": ""}, "message"),
        ({"message": " \n"}, "message"),
        ({"message": None}, "message"),
        ({"message": "x" * 10_001}, "message"),
        ({"email": "nobody"}, "email"),
        ({"phone": "call me"}, "phone"),
        ({"phone": "1" * 33}, "phone"),
        ({"name": "x" * 256}, "name"),
        ({"name": "a\u0007"}, "name"),
        ({"client_id": "7"}, "client_id"),
        ({"callback": True}, "callback"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_kept(
    ivans_browser: VisitorClient, change: dict[str, Any], path: str
) -> None:
    rows = snapshot()
    assert_problem(ivans_browser.post("offline", {**FORM, **change}), 422, "invalid_input", errors=[path])
    assert snapshot() == rows


def test_the_message_is_required(ivans_browser: VisitorClient) -> None:
    assert_problem(ivans_browser.post("offline", {"name": "Ада"}), 422, "invalid_input", errors=["message"])


def test_the_widget_is_told_that_there_is_a_form(visitor: VisitorClient) -> None:
    assert visitor.get("config").json()["data"]["features"]["offline_form"] is True
