"""The answer to an invitation: stored before the visitor's word, nobody's word itself, and in no statistic."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from apps.accounts.models import Widget
from apps.agents.actions import begin_presence
from apps.agents.models import Agent, Department
from apps.chats.events import ChatCreated, InvitationAnswered, MessagePosted, SystemMessagePosted
from apps.chats.models import Chat, Contact, Message
from apps.webhooks.actions.switches import set_event_enabled
from apps.webhooks.models import Event
from apps.widget import actions
from apps.widget.models import ChatInvitation, InvitationOffer
from tests.client import ApiClient
from tests.factories import ChatFactory
from tests.factories.invitations import KEY, ChatInvitationFactory
from tests.factories.webhooks import SubscriptionFactory
from tests.handlers import also
from tests.widget.visitor import VisitorClient

pytestmark = pytest.mark.django_db


@pytest.fixture
def invitation(shop: Widget) -> ChatInvitation:
    return ChatInvitationFactory.create(widget=shop, name="Prices")


@pytest.fixture
def happened(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    recorded: list[Any] = []
    also(monkeypatch, recorded.append, ChatCreated, MessagePosted, SystemMessagePosted, InvitationAnswered)
    return recorded


def offered(visitor: VisitorClient, invitation: ChatInvitation, **more: Any) -> int:
    """The number of an offer that is shown."""
    answer = visitor.post(f"invitations/{invitation.pk}/offers", {"key": KEY, "lang": "en", **more}).json()["data"]
    assert answer["show"], answer
    number: int = answer["offer_id"]
    return number


def say(visitor: VisitorClient, offer_id: Any, body: str = "Yes, please") -> Any:
    document = {"client_id": str(uuid4()), "type": "text", "body": body, "offer_id": offer_id}
    return visitor.post("messages", document)


def thread(visitor: VisitorClient) -> list[tuple[str | None, str, str]]:
    found = visitor.get("messages?limit=100").json()["data"]
    return [(each["origin"], each["sender"]["kind"], each["body"]) for each in found]


class TestStored:
    def test_the_invitation_stands_before_the_visitors_word(
        self, visitor: VisitorClient, invitation: ChatInvitation, api: ApiClient
    ) -> None:
        number = offered(visitor, invitation)
        visitor.come(key=KEY)
        answer = say(visitor, number)
        assert (answer.status_code, answer.json()["data"]["body"]) == (201, "Yes, please")
        assert thread(visitor) == [("invitation", "system", "May we help?"), (None, "client", "Yes, please")]
        chat = Chat.objects.get()
        shown = api.get(f"/chats/{chat.pk}").json()["data"]
        assert shown["invitation"] == {"id": invitation.pk, "name": "Prices"}
        assert shown["last_message"]["preview"] == "Yes, please"
        first = api.get(f"/chats/{chat.pk}/messages").json()["data"][-1]
        assert (first["origin"], first["sender"]["name"]) == ("invitation", "Flower shop")
        row = InvitationOffer.objects.get()
        assert (row.chat, row.contact, row.answered_at is not None) == (chat, chat.contact, True)

    def test_it_is_shown_as_the_operators_who_spoke(
        self, visitor: VisitorClient, invitation: ChatInvitation, alice: Agent, api: ApiClient
    ) -> None:
        ChatInvitation.objects.update(speaker="agent", agent=alice)
        begin_presence(agent_id=alice.pk, process=uuid4())
        number = offered(visitor, invitation)
        visitor.come(key=KEY)
        say(visitor, number)
        (first, _) = visitor.get("messages").json()["data"]
        assert first["sender"] == {"kind": "agent", "agent_id": alice.pk, "name": "Alice Weber"}
        assert (first["origin"], first["ai"]) == ("invitation", False)

    def test_a_socket_takes_the_offer_too(self, ivans_browser: VisitorClient, invitation: ChatInvitation) -> None:
        number = offered(ivans_browser, invitation)
        session = Contact.objects.get(guid=ivans_browser.come(visitor_token=ivans_browser.token)["contact_id"])
        session_id = session.visitor_sessions.get().pk
        about = {"client_id": uuid4(), "type_": "text", "body": "Yes"}
        actions.post_from_socket(session_id=session_id, address="", **about, offer_id=number)
        assert [each[0] for each in thread(ivans_browser)] == ["invitation", None]

    def test_the_department_is_the_chats(
        self, visitor: VisitorClient, invitation: ChatInvitation, sales: Department
    ) -> None:
        ChatInvitation.objects.update(department=sales)
        number = offered(visitor, invitation)
        visitor.come(key=KEY)
        say(visitor, number)
        assert Chat.objects.get().department == sales


class TestNobodysWord:
    def test_no_event_tells_of_it_but_its_own(
        self, visitor: VisitorClient, invitation: ChatInvitation, happened: list[Any]
    ) -> None:
        number = offered(visitor, invitation)
        visitor.come(key=KEY)
        say(visitor, number)
        chat = Chat.objects.get()
        assert [type(event) for event in happened] == [ChatCreated, MessagePosted, InvitationAnswered]
        assert happened[1].author_type == "USER"
        assert (happened[2].invitation_id, happened[2].contact_guid) == (invitation.pk, chat.contact.guid)

    def test_a_webhook_tells_ids_alone(
        self, visitor: VisitorClient, shop: Widget, invitation: ChatInvitation, api: ApiClient
    ) -> None:
        set_event_enabled(name="invitation.answered", enabled=True)
        SubscriptionFactory.create(widget=shop, events=["invitation.answered"])
        number = offered(visitor, invitation)
        contact_id = visitor.come(key=KEY)["contact_id"]
        say(visitor, number)
        (queued,) = Event.objects.filter(type="invitation.answered")
        assert json.loads(queued.body)["data"] == {
            "button_guid": shop.guid,
            "invitation_id": invitation.pk,
            "chat_id": Chat.objects.get().pk,
            "client_id": contact_id,
        }

    @pytest.mark.parametrize("speaker", ["widget", "agent"])
    def test_it_accepts_nothing_and_the_visitor_waits(
        self, visitor: VisitorClient, invitation: ChatInvitation, alice: Agent, speaker: str
    ) -> None:
        ChatInvitation.objects.update(speaker=speaker, agent=alice if speaker == "agent" else None)
        begin_presence(agent_id=alice.pk, process=uuid4())
        number = offered(visitor, invitation)
        visitor.come(key=KEY)
        say(visitor, number)
        chat = Chat.objects.get()
        assert (chat.handling, chat.accepted_type, chat.agent, chat.waiting_since is not None) == (
            *("missed", None, None),
            True,
        )

    def test_it_is_in_no_statistic(
        self, visitor: VisitorClient, invitation: ChatInvitation, alice: Agent, api: ApiClient
    ) -> None:
        ChatInvitation.objects.update(speaker="agent", agent=alice)
        begin_presence(agent_id=alice.pk, process=uuid4())
        number = offered(visitor, invitation)
        visitor.come(key=KEY)
        say(visitor, number)
        today = timezone.now()
        query = {"from": (today - timedelta(days=1)).isoformat(), "to": (today + timedelta(days=1)).isoformat()}
        found = api.get("/stats", query=query).json()["data"]["metrics"]
        assert (found["messages_total"], found["chats_accepted"], found["chats_missed"]) == (1, 0, 1)


class TestPassedOver:
    @pytest.mark.parametrize("wrong", [1, 2**53, -1, 0, "12", None, True, 1.5, [], {}])
    def test_a_wrong_number_refuses_no_message(self, visitor: VisitorClient, shop: Widget, wrong: Any) -> None:
        visitor.come()
        assert say(visitor, wrong).status_code == 201
        assert [each[0] for each in thread(visitor)] == [None]

    def test_a_used_a_held_and_a_day_old_one(
        self, visitor: VisitorClient, shop: Widget, invitation: ChatInvitation
    ) -> None:
        number = offered(visitor, invitation)
        visitor.come(key=KEY)
        for change in ({"created_at": timezone.now() - timedelta(days=1)}, {"is_held": True}):
            InvitationOffer.objects.update(**{"created_at": timezone.now(), "is_held": False, **change})
            assert say(visitor, number).status_code == 201
        InvitationOffer.objects.update(created_at=timezone.now(), is_held=False)
        say(visitor, number, "first")
        say(visitor, number, "second")
        assert [each[0] for each in thread(visitor)] == [None, None, "invitation", None, None]

    def test_another_visitors(self, visitor: VisitorClient, shop: Widget, invitation: ChatInvitation) -> None:
        number = offered(visitor, invitation)
        visitor.come(key=KEY)
        stranger = VisitorClient(shop)
        stranger.come()
        say(stranger, number)
        assert [each[0] for each in thread(stranger)] == [None]
        assert InvitationOffer.objects.get().answered_at is None

    def test_the_same_message_again_stores_no_second_invitation(
        self, visitor: VisitorClient, invitation: ChatInvitation
    ) -> None:
        number = offered(visitor, invitation)
        visitor.come(key=KEY)
        document = {"client_id": str(uuid4()), "type": "text", "body": "Yes"}
        assert visitor.post("messages", document).status_code == 201
        again = visitor.post("messages", {**document, "offer_id": number})
        assert again.status_code == 200
        assert [each[0] for each in thread(visitor)] == [None]
        assert InvitationOffer.objects.get().answered_at is None

    def test_a_message_that_is_refused_leaves_no_invitation(
        self, visitor: VisitorClient, invitation: ChatInvitation
    ) -> None:
        number = offered(visitor, invitation)
        visitor.come(key=KEY)
        document = {"client_id": str(uuid4()), "type": "file", "file_id": 2**40, "offer_id": number}
        assert visitor.post("messages", document).status_code == 404
        assert (Chat.objects.count(), Message.objects.count()) == (0, 0)
        assert InvitationOffer.objects.get().answered_at is None


def test_a_post_without_an_offer_asks_nothing_more_of_the_database(
    ivans_browser: VisitorClient, ivan: Contact, invitation: ChatInvitation
) -> None:
    """However many invitations are live."""
    ChatFactory.create(contact=ivan)
    document = {"type": "text", "body": "Hello"}
    with CaptureQueriesContext(connection) as asked:
        ivans_browser.post("messages", {**document, "client_id": str(uuid4())})
    assert not [each["sql"] for each in asked if "invitation" in each["sql"] and "invitation_id" not in each["sql"]]
    ChatInvitation.objects.all().delete()
    with CaptureQueriesContext(connection) as before:
        ivans_browser.post("messages", {**document, "client_id": str(uuid4())})
    assert len(asked) == len(before)
