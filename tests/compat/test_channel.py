"""A custom channel's side, written for the other platform (specification, Endpoints, "Compat routes")."""

from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from apps.agents.models import Agent
from apps.chats.models import Chat, Contact, Message
from apps.messengers import actions
from apps.messengers.models import Channel, Peer
from apps.messengers.rules import new_secret
from tests.cast import Rival
from tests.client import ApiClient, assert_problem
from tests.compat.clients import LegacyChannel
from tests.rows import snapshot

pytestmark = pytest.mark.django_db


class TestAMessage:
    def test_makes_a_chat_on_the_channel(self, app: LegacyChannel, channel: Channel) -> None:
        answer = app.say("client-4711", "Есть тюльпаны?", recipient={"id": "our-app"})
        assert answer.status_code == 202
        message, chat = Message.objects.get(), Chat.objects.get()
        assert answer.json() == {"data": {"message_id": message.pk, "chat_id": chat.pk}}
        assert (chat.channel, message.body, message.sender_kind) == (channel.code, "Есть тюльпаны?", "client")
        peer = Peer.objects.get()
        assert (peer.conversation, peer.external_channel_id) == ("client-4711", "our-app")

    def test_is_of_the_same_client_as_over_the_api(self, app: LegacyChannel, api: ApiClient, channel: Channel) -> None:
        body = {"external_client_id": "4711", "external_channel_id": "app", "message": {"type": "text", "text": "one"}}
        api.post(f"/channels/{channel.pk}/messages", json=body)
        app.say(4711, "two")
        assert Contact.objects.count() == Chat.objects.count() == 1
        assert Peer.objects.get().external_channel_id == "app"

    @pytest.mark.parametrize("recipient", [None, {}, {"id": None}, {"id": 5}, {"name": "x"}])
    def test_a_message_needs_no_recipient(self, app: LegacyChannel, recipient: Any) -> None:
        assert app.say(5, "Hi", recipient=recipient).status_code == 202

    def test_keeps_what_is_told_of_a_new_client_as_far_as_it_can_be_kept(self, app: LegacyChannel) -> None:
        sender = {
            "id": 1,
            "name": "Мария",
            "email": "maria@mail.test",
            "phone": "по запросу",
            "photo": "x",
            "invite": 1,
        }
        app.send({"sender": sender, "message": {"text": "Hi"}})
        app.send({"sender": {"id": 1, "name": "Another"}, "message": {"text": "Hi"}})
        contact = Contact.objects.get()
        assert (contact.name, contact.email, contact.phone) == ("Мария", "maria@mail.test", "")

    def test_with_an_id_is_stored_once(self, app: LegacyChannel) -> None:
        body = {"sender": {"id": "a"}, "message": {"type": "text", "id": 17, "text": "Hi"}}
        answers = [app.send(body).json() for _ in range(2)]
        assert answers[0] == answers[1]
        app.send({"sender": {"id": "a"}, "message": {"type": "text", "id": "17", "text": "Hi"}})
        assert Message.objects.count() == 1

    @pytest.mark.parametrize(
        ("body", "paths"),
        [
            ({"message": {"text": "Hi"}}, ["sender"]),
            ({"sender": {}, "message": {"text": "Hi"}}, ["sender.id"]),
            ({"sender": {"id": ""}, "message": {"text": "Hi"}}, ["sender.id"]),
            ({"sender": {"id": True}, "message": {"text": "Hi"}}, ["sender.id"]),
            ({"sender": {"id": 1.5}, "message": {"text": "Hi"}}, ["sender.id"]),
            ({"sender": {"id": "x" * 256}, "message": {"text": "Hi"}}, ["sender.id"]),
            ({"sender": "1", "message": {"text": "Hi"}}, ["sender"]),
            ({"sender": {"id": 1}}, ["message"]),
            ({"sender": {"id": 1}, "message": {}}, ["message.text"]),
            ({"sender": {"id": 1}, "message": {"text": "  "}}, ["message.text"]),
            ({"sender": {"id": 1}, "message": {"text": 5}}, ["message.text"]),
            ({"sender": {"id": 1}, "message": {"type": "photo", "text": "Hi"}}, ["message.type"]),
            ({"sender": {"id": 1}, "message": {"text": "a" * 65_537}}, ["message.text"]),
            ({"sender": {"id": 1}, "recipient": "app", "message": {"text": "Hi"}}, ["recipient"]),
        ],
    )
    def test_that_can_not_be_meant_is_refused(self, app: LegacyChannel, body: Any, paths: list[str]) -> None:
        before = snapshot()
        assert_problem(app.send(body), 422, "invalid_input", errors=paths)
        assert snapshot() == before


class TestStatus:
    def test_is_one_bare_character(self, app: LegacyChannel, alice: Agent) -> None:
        answer = app.status()
        assert (answer.status_code, answer.content) == (200, b"0")
        assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
        alice.online_since = timezone.now()
        alice.save(update_fields=["online_since"])
        assert app.status().content == b"1"

    def test_does_not_count_another_widgets_people(self, app: LegacyChannel, rival: Rival) -> None:
        rival.agent.online_since = timezone.now()
        rival.agent.save(update_fields=["online_since"])
        assert app.status().content == b"0"


class TestTheSecret:
    def test_that_no_channel_has_is_404(self, channel: Channel) -> None:
        before = snapshot()
        for secret in (new_secret(), channel.secret[:-1], channel.secret.upper(), "x", channel.code, str(channel.pk)):
            app = LegacyChannel(secret)
            for answer in (app.say(1, "Hi"), app.status()):
                assert_problem(answer, 404, "not_found")
        assert snapshot() == before

    def test_counts_no_longer_once_it_is_replaced(self, app: LegacyChannel, channel: Channel) -> None:
        secret = actions.replace_secret(channel=channel)
        assert_problem(app.say(1, "Hi"), 404, "not_found")
        assert LegacyChannel(secret).say(1, "Hi").status_code == 202

    def test_of_a_disabled_channel_is_403(self, app: LegacyChannel, channel: Channel) -> None:
        actions.set_channel_active(channel=channel, is_active=False)
        before = snapshot()
        for answer in (app.say(1, "Hi"), app.send({}), app.status()):
            assert_problem(answer, 403, "channel_switched_off")
        assert snapshot() == before

    def test_of_a_widget_whose_api_is_off_is_403(self, app: LegacyChannel, channel: Channel) -> None:
        channel.widget.api_enabled = False
        channel.widget.save(update_fields=["api_enabled"])
        for answer in (app.say(1, "Hi"), app.status()):
            assert_problem(answer, 403, "api_disabled")

    def test_a_channel_over_its_budget_is_429(self, app: LegacyChannel, settings: Settings) -> None:
        settings.API_RATE_LIMIT = 1
        assert app.say(1, "Hi").status_code == 202
        assert_problem(app.say(1, "Hi"), 429, "rate_limited")
        assert Message.objects.count() == 1
