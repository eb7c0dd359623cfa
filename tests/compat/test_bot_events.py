"""What a widget's bot is told of its chats (specification, "Compat routes": what a bot answers, it has heard before).

A bot that was written for the other platform hears of a visitor's message by its own address, answers by ours, and is
silent while a person has the chat.
"""

import hashlib
import hmac
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Event as Signal
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator

from apps.accounts.models import Widget
from apps.agents.models import Agent
from apps.chats import actions as chats
from apps.chats.models import Chat, Message
from apps.compat import actions
from apps.compat.models import ClaimedChat, LegacyBot
from apps.routing.actions.settings import change_routing
from apps.webhooks.dispatcher import Deliverer
from apps.webhooks.models import Delivery, Event
from tests.client import ApiClient
from tests.compat.clients import LegacyBot as Bot
from tests.factories import FileFactory
from tests.waits import AT_MOST_S, wait_until_somebody_waits
from tests.webhooks.documented import example_of, faults, schema_of
from tests.webhooks.receivers import HookReceiver, wait_until
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def registered(shop: Widget, hook: HookReceiver) -> LegacyBot:
    """The shop's bot: `hook` is its address."""
    return actions.register_bot(widget_id=shop.pk, url=hook.url, target=hook.url)


@pytest.fixture
def visitor(registered: LegacyBot, shop: Widget) -> VisitorClient:
    visitor = VisitorClient(shop)
    visitor.come(name="Мария")
    return visitor


@pytest.fixture
def heard(hook: HookReceiver, deliverer: Deliverer) -> Callable[[int], list[Any]]:
    """The bodies that the bot has been sent by now, so many, by event."""

    def hear(count: int) -> list[Any]:
        deliverer.wake()
        bodies = [each.json for each in hook.wait_for(count)]
        wait_until(lambda: not Delivery.objects.filter(status="pending").exists())
        assert len(hook.heard) == count
        return sorted(bodies, key=lambda body: (body["event"], int(body.get("message", {}).get("id", 0))))

    return hear


Heard = Callable[[int], list[Any]]


def chat_of(_: VisitorClient) -> Chat:
    return Chat.objects.get(contact__name="Мария")


def come_online(agent: Agent) -> None:
    agent.online_since = timezone.now()
    agent.save(update_fields=["online_since"])


def test_what_a_visitor_writes_is_a_signed_client_message(
    visitor: VisitorClient, registered: LegacyBot, shop: Widget, hook: HookReceiver, heard: Heard
) -> None:
    began = int(time.time())
    visitor.say("Есть тюльпаны?")
    (body,) = heard(1)
    (request,) = hook.heard
    chat = chat_of(visitor)
    assert began <= body["message"].pop("timestamp") <= time.time()
    assert body == {
        "event": "CLIENT_MESSAGE",
        "message_type": "CLIENT_MESSAGE",
        "id": request.headers["x-service-idempotency-key"],
        "widget_id": shop.guid,
        "chat_id": str(chat.pk),
        "client_id": chat.contact.guid,
        "sender": {"id": chat.contact.guid, "name": "Мария"},
        "channel": {"id": "widget"},
        "agents_online": False,
        "message": {"id": body["message"]["id"], "type": "TEXT", "text": "Есть тюльпаны?"},
    }
    assert request.headers["x-service-event"] == "CLIENT_MESSAGE"
    signature = hmac.new(registered.secret.encode(), request.body, hashlib.sha256).hexdigest()
    assert request.headers["x-service-signature"] == f"sha256=v1:{signature}"
    assert Event.objects.get().is_sealed


def test_a_bot_works_both_ways(visitor: VisitorClient, bot: Bot, olga: Agent, heard: Heard) -> None:
    """It answers with the ids that it was told, as often as the visitor writes: its own answers take no chat."""
    visitor.say("Есть тюльпаны?")
    (body,) = heard(1)
    reply = {key: body[key] for key in ("id", "client_id", "chat_id")}
    said = {"type": "TEXT", "text": "Есть, 25 штук", "timestamp": body["message"]["timestamp"]}
    assert bot.send({"event": "BOT_MESSAGE", **reply, "message": said}).status_code == 202
    visitor.say("А розы?")
    assert [one["message"]["text"] for one in heard(2)] == ["Есть тюльпаны?", "А розы?"]
    shown = visitor.get("messages").json()["data"]
    assert [one["body"] for one in shown] == ["Есть тюльпаны?", "Есть, 25 штук", "А розы?"]
    assert not ClaimedChat.objects.exists()


def test_agents_online_says_whether_a_person_could_be_invited(
    visitor: VisitorClient, alice: Agent, heard: Heard
) -> None:
    come_online(alice)
    visitor.say("Есть тюльпаны?")
    assert heard(1)[0]["agents_online"] is True


@pytest.mark.parametrize(
    "change",
    [{}, {"status": "relaxation"}, {"status": "banned"}, {"online_since": None}, {"type": "webhook"}],
    ids=lambda change: " ".join(map(str, change.values())) or "online",
)
def test_agents_online_is_the_rule_of_the_agents(
    visitor: VisitorClient, shop: Widget, alice: Agent, heard: Heard, change: dict[str, Any]
) -> None:
    come_online(alice)
    Agent.objects.filter(pk=alice.pk).update(**change)
    is_available = Agent.objects.for_widget(shop.pk).available().exists()
    assert is_available is (change == {})
    visitor.say("Есть тюльпаны?")
    assert heard(1)[0]["agents_online"] is is_available


def test_a_picture_is_a_photo_with_an_address(visitor: VisitorClient, heard: Heard) -> None:
    visitor.say("Есть тюльпаны?")
    contact = chat_of(visitor).contact
    file = FileFactory.create(widget=contact.widget, contact=contact, name="roses.png", content_type="image/png")
    chats.post_client_message(contact=contact, content={"type": "image", "body": "", "file_id": file.pk})
    message = heard(2)[1]["message"]
    assert (message["type"], message["file_name"], message["mime_type"]) == ("PHOTO", "roses.png", "image/png")
    assert message["file"].startswith("http")


# --- A person takes a chat --------------------------------------------------------------------------------------------


def by_writing(api: ApiClient, chat: Chat, agent: Agent) -> None:
    said = {"type": "text", "body": "Сейчас отвечу", "agent_id": agent.pk}
    assert api.post(f"/chats/{chat.pk}/messages", json=said).status_code == 202


def by_transfer(api: ApiClient, chat: Chat, agent: Agent) -> None:
    assert api.post(f"/chats/{chat.pk}/transfer", json={"agent_id": agent.pk}).status_code == 202


def by_acceptance(api: ApiClient, chat: Chat, agent: Agent) -> None:
    chats.accept_chat(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=agent.pk)


def by_assignment(api: ApiClient, chat: Chat, agent: Agent) -> None:
    chats.assign_chat(widget_id=chat.widget_id, chat_id=chat.pk, agent_id=agent.pk)


@pytest.mark.parametrize("take", [by_writing, by_transfer, by_acceptance, by_assignment])
def test_a_person_who_takes_the_chat_has_it(
    take: Any, visitor: VisitorClient, api: ApiClient, alice: Agent, heard: Heard
) -> None:
    """The bot is told so once, and nothing of what is written from then on."""
    visitor.say("Есть тюльпаны?")
    chat = chat_of(visitor)
    take(api, chat, alice)
    by_writing(api, chat, alice)
    visitor.say("Спасибо")
    joined, asked = heard(2)
    assert joined == {
        "event": "AGENT_JOINED",
        "message_type": "AGENT_JOINED",
        "id": joined["id"],
        "widget_id": chat.widget.guid,
        "chat_id": str(chat.pk),
        "client_id": chat.contact.guid,
        "agent": {"id": str(alice.pk)},
    }
    assert asked["message"]["text"] == "Есть тюльпаны?"


@pytest.mark.parametrize("person", ["alice", "olga"])
@pytest.mark.parametrize("take", [by_transfer, by_acceptance, by_assignment])
def test_a_person_takes_a_chat_that_the_bot_has_answered(
    take: Any, person: str, visitor: VisitorClient, bot: Bot, api: ApiClient, olga: Agent, alice: Agent, heard: Heard
) -> None:
    """It was accepted already, by Olga, as whom the bot speaks; she may take it herself."""
    taker = {"alice": alice, "olga": olga}[person]
    visitor.say("Есть тюльпаны?")
    chat = chat_of(visitor)
    assert bot.say(chat.pk, text="Минуту").status_code == 202
    take(api, chat, taker)
    visitor.say("Спасибо")
    joined, _ = heard(2)
    assert (joined["event"], joined["agent"]) == ("AGENT_JOINED", {"id": str(taker.pk)})


def test_a_person_takes_a_chat_that_the_bot_has_answered_as_them(
    visitor: VisitorClient, bot: Bot, api: ApiClient, olga: Agent, heard: Heard
) -> None:
    """The bot speaks as the owner: once she writes herself, the chat is hers."""
    visitor.say("Есть тюльпаны?")
    chat = chat_of(visitor)
    assert bot.say(chat.pk, text="Минуту").status_code == 202
    by_writing(api, chat, olga)
    visitor.say("Спасибо")
    assert [body["event"] for body in heard(2)] == ["AGENT_JOINED", "CLIENT_MESSAGE"]


def test_an_invited_person_has_the_chat_also_as_whom_the_bot_has_spoken(
    visitor: VisitorClient, bot: Bot, olga: Agent, heard: Heard
) -> None:
    visitor.say("Позовите человека")
    chat = chat_of(visitor)
    assert bot.say(chat.pk, text="Минуту").status_code == 202
    come_online(olga)
    assert bot.ask("INVITE_AGENT", chat.pk).json()["data"]["status"] == "transferred"
    visitor.say("Спасибо")
    joined, _ = heard(2)
    assert (joined["event"], joined["agent"]) == ("AGENT_JOINED", {"id": str(olga.pk)})


def test_in_a_routed_widget_who_has_the_fewest_open_is_invited_and_nobody_without_a_place(
    shop: Widget, visitor: VisitorClient, bot: Bot, olga: Agent, alice: Agent, chat: Chat
) -> None:
    change_routing(widget_id=shop.pk, department_id=None, changes={"mode": "routed", "capacity": 1})
    Chat.objects.filter(pk=chat.pk).update(agent=alice)
    visitor.say("Позовите человека")
    come_online(olga)
    come_online(alice)
    invited = bot.ask("INVITE_AGENT", chat_of(visitor).pk).json()["data"]
    assert (invited["status"], invited["agent_id"]) == ("transferred", olga.pk)
    assert bot.ask("INVITE_AGENT", chat.pk).json()["data"]["status"] == "no_agent_online"


def test_a_bot_that_invites_nobody_is_told_so_and_keeps_the_chat(
    visitor: VisitorClient, bot: Bot, olga: Agent, heard: Heard
) -> None:
    visitor.say("Позовите человека")
    assert bot.ask("INVITE_AGENT", chat_of(visitor).pk).json()["data"]["status"] == "no_agent_online"
    visitor.say("Тогда подскажите сами")
    assert [body["event"] for body in heard(3)] == ["AGENT_UNAVAILABLE", "CLIENT_MESSAGE", "CLIENT_MESSAGE"]


def test_a_bot_is_told_nothing_once_a_person_has_taken_the_chat_at_the_same_moment(visitor: VisitorClient) -> None:
    """The message has lost its first attempt; the person's transaction ends while the second waits for the chat."""
    visitor.say("Есть тюльпаны?")
    chat, told, taken, writes = chat_of(visitor), Event.objects.count(), Signal(), []

    def apart(change: Callable[[], Any]) -> None:
        try:
            with transaction.atomic():
                Chat.objects.filter(pk=chat.pk).update(version=F("version") + 1)
                change()
        finally:
            connection.close()

    def take() -> None:
        ClaimedChat.objects.create(chat_id=chat.pk)
        taken.set()
        wait_until_somebody_waits()

    with ThreadPoolExecutor(1) as other:

        def meddle(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            if "INSERT INTO chats_message" in sql:
                if not writes:
                    other.submit(apart, lambda: None).result()
                writes.append(sql)
            elif "FOR UPDATE" in sql:
                other.submit(apart, take)
                assert taken.wait(AT_MOST_S)
            return execute(sql, params, many, context)

        with connection.execute_wrapper(meddle):
            chats.post_client_message(contact=chat.contact, content={"type": "text", "body": "А розы?"})
    assert len(writes) == 2
    assert Message.objects.latest("id").body == "А розы?"
    assert Event.objects.count() == told


def test_a_note_takes_no_chat(visitor: VisitorClient, alice: Agent, heard: Heard) -> None:
    visitor.say("Есть тюльпаны?")
    chat = chat_of(visitor)
    chats.post_note(
        widget_id=chat.widget_id, chat_id=chat.pk, agent_id=alice.pk, content={"type": "text", "body": "Бот справится"}
    )
    visitor.say("А розы?")
    assert [body["event"] for body in heard(2)] == ["CLIENT_MESSAGE"] * 2


@pytest.mark.parametrize("by", ["a call", "the sweep"])
def test_a_closed_chat_is_the_bots_again(
    by: str, visitor: VisitorClient, api: ApiClient, alice: Agent, heard: Heard
) -> None:
    visitor.say("Есть тюльпаны?")
    chat = chat_of(visitor)
    by_writing(api, chat, alice)
    if by == "a call":
        assert api.post(f"/chats/{chat.pk}/close").status_code == 200
    else:
        chats.sweep_chats(as_of=timezone.now() + timedelta(days=1))
    visitor.say("Я снова здесь")
    bodies = heard(4)
    assert [body["event"] for body in bodies] == ["AGENT_JOINED", "CHAT_CLOSED", "CLIENT_MESSAGE", "CLIENT_MESSAGE"]
    assert (bodies[1]["chat_id"], bodies[1]["client_id"]) == (str(chat.pk), chat.contact.guid)
    assert bodies[3]["message"]["text"] == "Я снова здесь"


# --- Whose bot, and which ---------------------------------------------------------------------------------------------


def test_a_disabled_bot_hears_nothing_and_forgets_who_had_what(
    visitor: VisitorClient, registered: LegacyBot, api: ApiClient, alice: Agent, heard: Heard
) -> None:
    visitor.say("Есть тюльпаны?")
    by_writing(api, chat_of(visitor), alice)
    heard(2)
    actions.set_bot(bot=registered, changes={"is_active": False})
    visitor.say("Слышно?")
    actions.set_bot(bot=registered, changes={"is_active": True})
    visitor.say("А теперь?")
    assert [one["message"]["text"] for one in heard(3) if "message" in one] == ["Есть тюльпаны?", "А теперь?"]


def test_what_waits_for_a_deleted_bot_is_dropped(
    visitor: VisitorClient, registered: LegacyBot, hook: HookReceiver, deliverer: Deliverer
) -> None:
    visitor.say("Есть тюльпаны?")
    actions.delete_bot(bot=registered)
    deliverer.wake()
    wait_until(lambda: not Delivery.objects.filter(status="pending").exists())
    assert (Delivery.objects.get().status, hook.heard) == ("skipped", [])


def test_a_widget_without_a_bot_writes_nothing(shop: Widget, registered: LegacyBot, rival: Any) -> None:
    other = VisitorClient(rival.widget)
    other.come(name="Мария")
    other.say("Есть тюльпаны?")
    assert not Event.objects.exists()
    assert not Delivery.objects.exists()


def test_the_document_shows_what_a_bot_is_sent(
    visitor: VisitorClient, heard: Heard, api: ApiClient, alice: Agent
) -> None:
    visitor.say("Есть тюльпаны?")
    by_writing(api, chat_of(visitor), alice)
    assert api.post(f"/chats/{chat_of(visitor).pk}/close").status_code == 200
    document: Any = SchemaGenerator().get_schema(request=None, public=True)
    for body in heard(3):
        webhook = f"legacy_bot.{body['event']}"
        assert faults(body, schema_of(webhook, document)) == []
        assert faults(example_of(webhook, document), schema_of(webhook, document)) == []
    assert example_of("legacy_bot.AGENT_UNAVAILABLE", document)["event"] == "AGENT_UNAVAILABLE"


def test_posting_asks_nothing_about_bots_where_there_is_none(
    shop: Widget, chat: Chat, alice: Agent, django_assert_num_queries: Any
) -> None:
    content = {"type": "text", "body": "Здравствуйте"}
    with django_assert_num_queries(2):
        chats.post_agent_message(widget_id=shop.pk, chat_id=chat.pk, agent_id=alice.pk, content=content)


@pytest.mark.parametrize("change", ["switched off", "deleted"])
def test_the_widget_says_whether_its_bot_answers(registered: LegacyBot, shop: Widget, change: str) -> None:
    shop.refresh_from_db()
    assert shop.answerers == ["legacy_bot"]
    if change == "deleted":
        actions.delete_bot(bot=registered)
    else:
        actions.set_bot(bot=registered, changes={"is_active": False})
    shop.refresh_from_db()
    assert shop.answerers == []


def test_a_bot_that_invites_nobody_leaves_the_chat_waiting_for_a_person(
    visitor: VisitorClient, bot: Bot, api: ApiClient, olga: Agent
) -> None:
    """A program's words under a person's name end no wait; the person's own do."""
    visitor.say("Позовите человека")
    assert bot.ask("INVITE_AGENT", chat_of(visitor).pk).json()["data"]["status"] == "no_agent_online"
    assert chat_of(visitor).handover_reason == "bot_invited"
    assert bot.say(chat_of(visitor).pk, text="Минуту").status_code == 202
    assert chat_of(visitor).handed_over_at is not None
    by_writing(api, chat_of(visitor), olga)
    assert (chat_of(visitor).handed_over_at, chat_of(visitor).handover_reason) == (None, None)
